import type { DatabaseSync } from 'node:sqlite';
import { EPSS_SCALE, loadFacet, saveFacet } from './cve-columns.ts';
import { blockOf, CVES_PER_BLOCK } from './epss-changes.ts';

/** A score and its percentile, in units of `EPSS_SCALE`. */
export interface EpssUnits {
  score: number;
  percentile: number;
}

/** Of one block of CVEs, by number in the block. */
interface Block {
  /** The score plus 1; 0: none. */
  scores: Uint32Array;
  /** How far the percentile is above the lowest one of CVEs with this score. */
  above: Uint32Array;
}

/** The facet with the lowest percentile of each score that a CVE has. */
const LOWEST = 'epssLowest';

/**
 * Makes these scores, by `cveKey()`, those of today. A day moves the percentiles of nearly all CVEs, those of one score together: what is stored with each CVE
 * hardly changes, numbers have a fixed place, and a block that is the same is not written, so that the delta of a published catalog is small.
 */
export function storeScores(db: DatabaseSync, units: Iterable<readonly [key: number, units: EpssUnits]>): void {
  const all = [...units];
  const lowest = new Uint32Array(EPSS_SCALE + 1).fill(EPSS_SCALE);
  for (const [, { score, percentile }] of all) lowest[score] = Math.min(lowest[score]!, percentile);
  saveFacet(db, LOWEST, lowest);
  const blocks = new Map<number, Block>();
  for (const [key, { score, percentile }] of all) {
    let block = blocks.get(blockOf(key));
    if (block === undefined)
      blocks.set(
        blockOf(key),
        (block = { scores: new Uint32Array(CVES_PER_BLOCK), above: new Uint32Array(CVES_PER_BLOCK) }),
      );
    block.scores[key % CVES_PER_BLOCK] = score + 1;
    block.above[key % CVES_PER_BLOCK] = percentile - lowest[score]!;
  }
  const put = db.prepare(
    `INSERT INTO epss (block, cves, scores, above) VALUES (?, ?, ?, ?)
     ON CONFLICT (block) DO UPDATE SET cves = excluded.cves, scores = excluded.scores, above = excluded.above
     WHERE scores <> excluded.scores OR above <> excluded.above`,
  );
  for (const [number, { scores, above }] of [...blocks].sort(([a], [b]) => a - b))
    put.run(number, scores.filter(Boolean).length, new Uint8Array(scores.buffer), new Uint8Array(above.buffer));
  const remove = db.prepare('DELETE FROM epss WHERE block = ?');
  for (const { block } of db.prepare('SELECT block FROM epss').all() as { block: number }[])
    if (!blocks.has(block)) remove.run(block);
}

/** Reads the scores of today. Blocks are kept: some four megabytes when all were read. */
export class EpssScoreReader {
  readonly #db: Pick<DatabaseSync, 'prepare'>;
  readonly #select;
  readonly #blocks = new Map<number, Block | null>();
  #lowest: Uint32Array | null = null;

  constructor(db: Pick<DatabaseSync, 'prepare'>) {
    this.#db = db;
    this.#select = db.prepare('SELECT scores, above FROM epss WHERE block = ?');
  }

  /** Null: the CVE has no score. */
  find(key: number): EpssUnits | null {
    const block = this.#block(blockOf(key));
    const score = (block?.scores[key % CVES_PER_BLOCK] ?? 0) - 1;
    if (block === null || score < 0) return null;
    this.#lowest ??= loadFacet(this.#db, LOWEST, Uint32Array);
    return { score, percentile: this.#lowest[score]! + block.above[key % CVES_PER_BLOCK]! };
  }

  #block(number: number): Block | null {
    let block = this.#blocks.get(number);
    if (block === undefined) this.#blocks.set(number, (block = this.#read(number)));
    return block;
  }

  #read(number: number): Block | null {
    const row = this.#select.get(number) as { scores: Uint8Array; above: Uint8Array } | undefined;
    if (row === undefined) return null;
    // Copies, because numbers of more than one byte need an aligned start.
    return {
      scores: new Uint32Array(new Uint8Array(row.scores).buffer),
      above: new Uint32Array(new Uint8Array(row.above).buffer),
    };
  }
}
