import { LRUCache } from 'lru-cache';
import { ProductRow } from '../analysis/affected/match-product-row.ts';
import { type PreparedRecord, prepareRows } from '../analysis/affected/match-record.ts';
import type { CveProduct } from '../analysis/cve/cve-facts.ts';
import type { FactsAboutProducts } from './affected-facts.ts';

/** A CVE that names products as affected. */
export interface CveOfProducts {
  cve_id: string;
  /** Those of the products asked for that it names, in the order in which they were added. */
  products: string[];
  /** Of every source that has the CVE. CVEs of which all records say the same may have the same list. */
  records: readonly PreparedRecord[];
}

/** In the size of one row, some 400 bytes with its parsed CPE name. */
const MAX_KEPT_SIZE = 60_000;
/** A record is as large as so many rows; so many places of rows in it are as large as one. */
const ROWS_OF_RECORD = 2;
const PLACES_OF_ROW = 10;

type Prepare = (records: readonly FactsAboutProducts[]) => readonly PreparedRecord[];

/**
 * What records say of the products that were asked for last, so that another version of one is judged without reading them again. Records that say the
 * same are kept once: hundreds of CVEs of a browser end with one release.
 */
export class KeptRecords {
  readonly #kept = new LRUCache<string, { cves: readonly CveOfProducts[]; size: number }>({
    maxSize: MAX_KEPT_SIZE,
    sizeCalculation: ({ size }) => Math.max(1, size),
  });

  /** The CVEs of some products: from memory, or else from `read`, which prepares the records. They are kept when all were read. */
  readThrough(
    products: readonly string[],
    read: (prepare: Prepare) => Iterable<CveOfProducts>,
  ): Iterable<CveOfProducts> {
    const key = products.join('\n');
    return this.#kept.get(key)?.cves ?? this.#keep(key, read);
  }

  *#keep(key: string, read: (prepare: Prepare) => Iterable<CveOfProducts>): Iterable<CveOfProducts> {
    const records = new SharedRecords();
    const cves: CveOfProducts[] = [];
    for (const cve of read((facts) => records.prepare(facts))) {
      cves.push(cve);
      yield cve;
    }
    this.#kept.set(key, { cves, size: cves.length + records.size });
  }
}

/** Prepares records so that equal ones are one, and equal rows of different ones, too. */
class SharedRecords {
  /** Rows, and places of rows. */
  size = 0;
  readonly #rows = new Map<string, { row: ProductRow; number: number }>();
  readonly #prepared = new Map<string, readonly PreparedRecord[]>();

  prepare(records: readonly FactsAboutProducts[]): readonly PreparedRecord[] {
    const rows = records.map(({ products }) => products.map((product) => this.#rowOf(product)));
    const key = records
      .map(({ source, configurations, namesProducts, registries }, at) => {
        const numbers = rows[at]!.map(({ number }) => number).join();
        return `${source} ${numbers} ${namesProducts} ${JSON.stringify([registries, configurations])}`;
      })
      .join('\n');
    let prepared = this.#prepared.get(key);
    if (prepared === undefined) {
      prepared = records.map((facts, at) =>
        prepareRows(
          facts,
          rows[at]!.map(({ row }) => row),
        ),
      );
      this.#prepared.set(key, prepared);
      for (const record of prepared) this.size += ROWS_OF_RECORD + Math.ceil(record.rows.length / PLACES_OF_ROW);
    }
    return prepared;
  }

  #rowOf(product: CveProduct): { row: ProductRow; number: number } {
    const key = JSON.stringify(Object.values(product));
    let known = this.#rows.get(key);
    if (known === undefined) {
      known = { row: new ProductRow(product), number: this.#rows.size };
      this.#rows.set(key, known);
      this.size++;
    }
    return known;
  }
}
