import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { cveIdFromKey } from '../../analysis/cve/cve-id.ts';
import { diffFacts } from '../../analysis/cve/diff-facts.ts';
import { decodeRecord, type StoredRecord } from '../record-codec.ts';
import { cveKeyOfRecord, sourceOfRecord } from '../record-id.ts';
import type { RecordRow } from '../record-rows.ts';
import { type CatalogTexts, SharedTexts } from '../shared-texts.ts';
import type { ChangeRecorder } from './change-recorder.ts';

/** Compares records that are about to be stored with those that they replace, and records what changed. */
export class RecordComparison {
  readonly #changes: ChangeRecorder;
  readonly #replace: boolean;
  readonly #known: StatementSync;
  readonly #texts: SharedTexts;

  /** `replace`: the stored record is replaced although it was modified later. */
  constructor(db: DatabaseSync, texts: CatalogTexts, changes: ChangeRecorder, replace: boolean) {
    this.#changes = changes;
    this.#replace = replace;
    this.#known = db.prepare('SELECT modified, indexed, head, body FROM record WHERE id = ?');
    this.#texts = new SharedTexts(0, (block) => texts.block(block));
  }

  /** `same`: the stored record is the same in every byte, so that it need not be written. */
  recordChange(row: RecordRow): 'same' | 'other' {
    const known = this.#known.get(row.id) as unknown as Omit<RecordRow, 'id'> | undefined;
    const key = cveKeyOfRecord(row.id);
    const source = sourceOfRecord(row.id);
    if (known === undefined) {
      // Of a GitHub advisory it was recorded that it came.
      if (!this.#changes.origin.recordsAdditions || source === 'ghsa') return 'other';
      const { status, published } = this.#decode(row.id, row);
      this.#changes.record(key, {
        kind: 'record',
        change: 'added',
        at: published,
        field: source,
        before: null,
        after: { status },
      });
      return 'other';
    }
    if (!this.#replace && known.modified !== null && row.modified !== null && row.modified < known.modified)
      return 'other';
    const isSame = areEqual(known.head, row.head) && areEqual(known.body, row.body);
    if (isSame) return known.modified === row.modified && areEqual(known.indexed, row.indexed) ? 'same' : 'other';
    this.#changes.recordAll(key, diffFacts(this.#decode(row.id, known), this.#decode(row.id, row)));
    return 'other';
  }

  #decode(id: number, { modified, head, body = null }: StoredRecord) {
    return decodeRecord(cveIdFromKey(cveKeyOfRecord(id)), sourceOfRecord(id), { modified, head, body }, this.#texts);
  }
}

function areEqual(a: Uint8Array | null, b: Uint8Array | null): boolean {
  return a === null || b === null ? a === b : Buffer.compare(a, b) === 0;
}
