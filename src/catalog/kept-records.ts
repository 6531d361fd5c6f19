import { LRUCache } from 'lru-cache';
import { type PreparedRecord, prepareRecord } from '../analysis/affected/match-record.ts';
import type { FactsAboutProducts } from './affected-facts.ts';
import type { CveOfProducts } from './cves-of-products.ts';

/** Rows of records that are kept, some 200 bytes each with what belongs to them. */
const MAX_KEPT_ROWS = 80_000;

type Prepare = (records: readonly FactsAboutProducts[]) => readonly PreparedRecord[];

/**
 * What records say of the products that were asked for last, so that another version of one is judged without reading them again. Records that say the
 * same are kept once: hundreds of CVEs of a browser end with one release.
 */
export class KeptRecords {
  readonly #kept = new LRUCache<string, { cves: readonly CveOfProducts[]; rows: number }>({
    maxSize: MAX_KEPT_ROWS,
    sizeCalculation: ({ rows }) => Math.max(1, rows),
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
    const known = new Map<string, readonly PreparedRecord[]>();
    const cves: CveOfProducts[] = [];
    let rows = 0;
    const prepare: Prepare = (records) => {
      const text = JSON.stringify(records);
      let prepared = known.get(text);
      if (prepared === undefined) {
        prepared = records.map(prepareRecord);
        known.set(text, prepared);
        for (const record of prepared) rows += record.rows.length + 1;
      }
      return prepared;
    };
    for (const cve of read(prepare)) {
      cves.push(cve);
      rows++;
      yield cve;
    }
    this.#kept.set(key, { cves, rows });
  }
}
