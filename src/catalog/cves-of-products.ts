import type { AffectedFacts } from '../analysis/affected/match-record.ts';
import { cveIdFromKey } from '../analysis/cve/cve-id.ts';
import { type CveColumns, FLAGS } from './cve-columns.ts';
import { AFFECTED_KINDS, type PostingReader } from './postings.ts';

/** A CVE that names products as affected. */
interface CveOfProducts {
  cve_id: string;
  /** Those of the products asked for that it names, in the order in which they were added. */
  products: string[];
  /** Of every source that has the CVE. */
  records: AffectedFacts[];
}

/**
 * The CVEs that name some products as affected, newest first, without rejected ones. However many of the products a CVE names, it
 * is read once.
 */
export class CvesOfProducts {
  readonly #columns: CveColumns;
  readonly #postings: PostingReader;
  readonly #read: (key: number) => AffectedFacts[];
  readonly #productsByOrdinal = new Map<number, string[]>();

  constructor(columns: CveColumns, postings: PostingReader, read: (key: number) => AffectedFacts[]) {
    this.#columns = columns;
    this.#postings = postings;
    this.#read = read;
  }

  /**
   * Adds a product, in the form of `normalizeCpeToken`, with the `limit` newest of its CVEs: that of one vendor, or of any. Returns
   * whether it has more than these.
   */
  add(product: string, limit: number = Number.POSITIVE_INFINITY, vendor: string | null = null): boolean {
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

  /** Each is read when the iteration reaches it. */
  *read(): Iterable<CveOfProducts> {
    // Ordinals are in the order of publication.
    for (const ordinal of Uint32Array.from(this.#productsByOrdinal.keys()).sort()) {
      const key = this.#columns.key[ordinal]!;
      const products = this.#productsByOrdinal.get(ordinal)!;
      yield { cve_id: cveIdFromKey(key), products, records: this.#read(key) };
    }
  }
}
