import { AboutProducts } from '../analysis/affected/about-products.ts';
import { type AffectedFacts, type PreparedRecord, prepareRecord } from '../analysis/affected/match-record.ts';
import { cveIdFromKey } from '../analysis/cve/cve-id.ts';
import type { FactsAboutProducts } from './affected-facts.ts';
import { type CveColumns, FLAGS } from './cve-columns.ts';
import type { CveOfProducts, KeptRecords } from './kept-records.ts';
import { AFFECTED_KINDS, type PostingReader } from './postings.ts';

/** Reads what the records of a CVE, of every source, say of products: of all, or of some. */
export interface RecordReader {
  all(key: number): AffectedFacts[];
  about(key: number, products: AboutProducts): FactsAboutProducts[];
}

/**
 * The CVEs that name some products as affected, newest first, without rejected ones. However many of the products a CVE names, it
 * is read once.
 */
export class CvesOfProducts {
  readonly #columns: CveColumns;
  readonly #postings: PostingReader;
  readonly #records: RecordReader;
  readonly #kept: KeptRecords;
  readonly #productsByOrdinal = new Map<number, string[]>();
  readonly #products: string[] = [];
  /** Of every product that was added, all CVEs of any vendor. */
  #isWhole = true;

  constructor(columns: CveColumns, postings: PostingReader, records: RecordReader, kept: KeptRecords) {
    this.#columns = columns;
    this.#postings = postings;
    this.#records = records;
    this.#kept = kept;
  }

  /**
   * Adds a product, in the form of `normalizeCpeToken`, with the `limit` newest of its CVEs: that of one vendor, or of any. Returns
   * whether it has more than these.
   */
  add(product: string, limit: number = Number.POSITIVE_INFINITY, vendor: string | null = null): boolean {
    this.#products.push(product);
    if (limit !== Number.POSITIVE_INFINITY || vendor !== null) this.#isWhole = false;
    let added = 0;
    for (const ordinal of this.#postings.find({ kinds: AFFECTED_KINDS, product, vendor })) {
      if ((this.#columns.flags[ordinal]! & FLAGS.rejected) !== 0) continue;
      if (++added > limit) return true;
      const products = this.#productsByOrdinal.get(ordinal);
      if (products === undefined) this.#productsByOrdinal.set(ordinal, [product]);
      else products.push(product);
    }
    return false;
  }

  /** Each is read when the iteration reaches it. Of whole products what is about them alone is judged, and kept for the next who asks. */
  read(): Iterable<CveOfProducts> {
    const records = this.#records;
    if (!this.#isWhole) return this.#readEach((key) => records.all(key).map(prepareRecord));
    const about = new AboutProducts(this.#products);
    return this.#kept.readThrough(this.#products, (prepare) =>
      this.#readEach((key) => prepare(records.about(key, about))),
    );
  }

  *#readEach(recordsOf: (key: number) => readonly PreparedRecord[]): Iterable<CveOfProducts> {
    // Ordinals are in the order of publication.
    for (const ordinal of Uint32Array.from(this.#productsByOrdinal.keys()).sort()) {
      const key = this.#columns.key[ordinal]!;
      const products = this.#productsByOrdinal.get(ordinal)!;
      yield { cve_id: cveIdFromKey(key), products, records: recordsOf(key) };
    }
  }
}
