import type { DatabaseSync } from 'node:sqlite';
import { SEVERITIES } from '../analysis/severity.ts';
import type { CveColumns } from './cve-columns.ts';
import { loadListsOfCves, NO_PRODUCT, NO_VENDOR } from './lists-of-cves.ts';
import { OrdinalSet } from './ordinal-set.ts';

const BYTE_VALUES = 256;
const VALUES = ['severity', 'flags', 'sources', 'lists', 'vendors'] as const;

/** How many CVEs of a set have each value. */
export interface ValueCounts {
  /** By code of the severity; 0 is unknown. */
  severity: Uint32Array;
  /** By combination of bits, as in the columns. */
  flags: Uint32Array;
  sources: Uint32Array;
  /** By posting list: of products, and of weaknesses. */
  lists: Uint32Array;
  /** By the posting list that stands for the vendor. A CVE counts once, however many products of the vendor it names. */
  vendors: Uint32Array;
}

/** Numbers of an ordinal: from `starts[ordinal]` to `starts[ordinal + 1]` of `numbers`. */
interface NumbersOfCves {
  starts: Uint32Array;
  numbers: Uint32Array;
}

/** The names of each CVE: its products and weaknesses, and apart from them its vendors, of which a CVE may name several products. */
interface NamesOfCves {
  lists: NumbersOfCves;
  vendors: NumbersOfCves;
  /** For each list that of its vendor, NO_VENDOR, or NO_PRODUCT for a weakness. */
  vendorOf: Uint32Array;
}

/** Counts the values of sets of CVEs. */
export class ValueCounter {
  readonly #columns: CveColumns;
  readonly #names: NamesOfCves;
  /** Counted into anew each time: half a megabyte each, which costs more to allocate than to clear. */
  readonly #counts: Pick<ValueCounts, 'lists' | 'vendors'>;
  #ofEvery: ValueCounts | null = null;

  constructor(db: DatabaseSync, columns: CveColumns) {
    this.#columns = columns;
    this.#names = loadNames(db);
    const { length } = this.#names.vendorOf;
    this.#counts = { lists: new Uint32Array(length), vendors: new Uint32Array(length) };
  }

  /** Counts a set of `total` CVEs. The counts hold until the next set is counted. */
  count(found: OrdinalSet, total: number): ValueCounts {
    const { size } = this.#columns;
    if (total <= size / 2) return this.#count(found);
    // What a large set does not have is less to count.
    this.#ofEvery ??= structuredClone(this.#count(OrdinalSet.all(size)));
    const others = OrdinalSet.all(size);
    others.remove(found);
    const counts = this.#count(others);
    for (const name of VALUES) subtractFrom(this.#ofEvery[name], counts[name]);
    return counts;
  }

  isWeakness(list: number): boolean {
    return this.#names.vendorOf[list] === NO_PRODUCT;
  }

  #count(found: OrdinalSet): ValueCounts {
    const { severity, flags, sources } = this.#columns;
    const { lists, vendors } = this.#counts;
    const ordinals = found.toArray();
    countNumbers(ordinals, this.#names.lists, lists);
    countNumbers(ordinals, this.#names.vendors, vendors);
    return {
      severity: countColumn(ordinals, severity, SEVERITIES.length + 1),
      flags: countColumn(ordinals, flags, BYTE_VALUES),
      sources: countColumn(ordinals, sources, BYTE_VALUES),
      lists,
      vendors,
    };
  }
}

function loadNames(db: DatabaseSync): NamesOfCves {
  const { starts, lists, vendors: vendorOf } = loadListsOfCves(db);
  const vendorStarts = new Uint32Array(starts.length);
  const vendors = new Uint32Array(lists.length);
  const lastOf = new Uint32Array(vendorOf.length);
  let end = 0;
  for (let ordinal = 0; ordinal < starts.length - 1; ordinal++) {
    for (let at = starts[ordinal]!; at < starts[ordinal + 1]!; at++) {
      const vendor = vendorOf[lists[at]!]!;
      if (vendor === NO_PRODUCT || vendor === NO_VENDOR || lastOf[vendor] === ordinal + 1) continue;
      lastOf[vendor] = ordinal + 1;
      vendors[end++] = vendor;
    }
    vendorStarts[ordinal + 1] = end;
  }
  return {
    lists: { starts, numbers: lists },
    vendors: { starts: vendorStarts, numbers: vendors.slice(0, end) },
    vendorOf,
  };
}

function countColumn(ordinals: Uint32Array, column: Uint8Array, size: number): Uint32Array {
  const counts = new Uint32Array(size);
  for (let at = 0; at < ordinals.length; at++) counts[column[ordinals[at]!]!]!++;
  return counts;
}

/** Counts how many of these CVEs have each number. */
function countNumbers(ordinals: Uint32Array, { starts, numbers }: NumbersOfCves, counts: Uint32Array): void {
  counts.fill(0);
  for (let index = 0; index < ordinals.length; index++) {
    const end = starts[ordinals[index]! + 1]!;
    for (let at = starts[ordinals[index]!]!; at < end; at++) counts[numbers[at]!]!++;
  }
}

/** Each count of `some` becomes that of the others. */
function subtractFrom(all: Uint32Array, some: Uint32Array): void {
  for (let value = 0; value < all.length; value++) some[value] = all[value]! - some[value]!;
}
