import type { DatabaseSync } from 'node:sqlite';
import { loadFacet, saveFacet } from './cve-columns.ts';
import { NumberLists, withoutRepeats } from './number-lists.ts';
import { AFFECTED_KINDS, POSTING_KINDS } from './postings.ts';

/**
 * The posting lists that each CVE is in: those of products that it affects, and of weaknesses. The inverse of the table `posting`, to
 * count products, vendors and weaknesses of what a search found. Of lists that name the same product one stands for all.
 */
export interface ListsOfCves {
  /** Those of an ordinal are from `starts[ordinal]` to `starts[ordinal + 1]` of `lists`, which are ids of `posting`. */
  starts: Uint32Array;
  lists: Uint32Array;
  /** For each id of `posting`, and NO_PRODUCT for numbers that are none: the id of one list of the vendor (NO_VENDOR: it is not named), or NO_PRODUCT. */
  vendors: Uint32Array;
}

/** No list has this id. */
export const NO_PRODUCT = 0;
export const NO_VENDOR = 0xffffffff;
/** What records write where they name nothing. */
const NO_NAMES: ReadonlySet<string> = new Set(['', 'n/a', '-', '*', 'unknown']);

export class ListsOfCvesBuilder {
  readonly #lists = new NumberLists();
  readonly #vendors: number[] = [NO_PRODUCT];
  readonly #idOfProduct = new Map<string, number>();
  readonly #idOfVendor = new Map<string, number>();

  /** Ids ascend from 1, with gaps. */
  add(
    { id, kind, vendor, product }: { id: number; kind: number; vendor: string; product: string },
    ordinals: Uint32Array,
  ): void {
    this.#vendors[id] = NO_PRODUCT;
    let shown = id;
    if (AFFECTED_KINDS.includes(kind)) {
      if (NO_NAMES.has(product)) return;
      shown = idOf(this.#idOfProduct, `${vendor}\t${product}`, id);
      this.#vendors[id] = NO_NAMES.has(vendor) ? NO_VENDOR : idOf(this.#idOfVendor, vendor, id);
    } else if (kind !== POSTING_KINDS.weakness) return;
    for (const ordinal of ordinals) this.#lists.add(ordinal, shown);
  }

  /** `size`: number of CVEs. */
  build(size: number): ListsOfCves {
    const { values, starts } = this.#lists.group(size);
    let end = 0;
    for (let ordinal = 0; ordinal < size; ordinal++) {
      const lists = withoutRepeats(values.subarray(starts[ordinal], starts[ordinal + 1]).sort());
      values.set(lists, end);
      starts[ordinal] = end;
      end += lists.length;
    }
    starts[size] = end;
    return { starts, lists: values.slice(0, end), vendors: Uint32Array.from(this.#vendors) };
  }
}

function idOf(ids: Map<string, number>, name: string, next: number): number {
  const known = ids.get(name);
  if (known === undefined) ids.set(name, next);
  return known ?? next;
}

export function saveListsOfCves(db: DatabaseSync, { starts, lists, vendors }: ListsOfCves): void {
  saveFacet(db, 'listCounts', countsOf(starts));
  saveFacet(db, 'lists', lists);
  saveFacet(db, 'vendors', vendors);
}

export function loadListsOfCves(db: DatabaseSync): ListsOfCves {
  return {
    starts: startsOf(loadFacet(db, 'listCounts', Uint32Array)),
    lists: loadFacet(db, 'lists', Uint32Array),
    vendors: loadFacet(db, 'vendors', Uint32Array),
  };
}

/** How many lists each CVE is in, the oldest first: new CVEs leave all before them as they are. */
function countsOf(starts: Uint32Array): Uint32Array {
  const size = starts.length - 1;
  return Uint32Array.from({ length: size }, (_, age) => starts[size - age]! - starts[size - age - 1]!);
}

function startsOf(counts: Uint32Array): Uint32Array {
  const starts = new Uint32Array(counts.length + 1);
  for (let at = 0; at < counts.length; at++) starts[at + 1] = starts[at]! + counts[counts.length - 1 - at]!;
  return starts;
}
