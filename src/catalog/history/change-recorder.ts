import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { CHANGE_KINDS, CHANGE_TYPES, type FieldChange } from '../../analysis/cve/field-change.ts';
import type { FeedId } from '../../feeds/feed.ts';

/** How long changes are kept that syncs saw. */
const CHANGE_DAYS = 400;
const DAY_MS = 86_400_000;
/** File of the changes that lead from the last file that was imported to what syncs began with. */
export const LINK_FILE = 'first sync';

/** Where changes come from: one file of a feed, as it was seen at one time. */
export interface ChangeOrigin {
  source: FeedId;
  file: string;
  seenAt: Date;
  /** Nothing of this source was known before: the file is what later ones are compared with, and nothing is a change. */
  isBaseline: boolean;
  /** Whether what the catalog does not know yet is new. Of a file that was never loaded it may have been there for years. */
  recordsAdditions: boolean;
  isImported?: boolean;
}

/** Writes what one file changes. To be created in the transaction that loads the file: it is undone with it. */
export class ChangeRecorder {
  readonly origin: ChangeOrigin;
  readonly #db: DatabaseSync;
  #batch: { id: number; insert: StatementSync } | null = null;

  /** `db` has the history; the records that are compared may be in another database. */
  constructor(db: DatabaseSync, origin: ChangeOrigin) {
    this.#db = db;
    this.origin = origin;
    // What later files are compared with, and files that must not be imported again, are known although nothing changed.
    if (origin.isBaseline || origin.isImported) this.#startBatch();
  }

  get #isOff(): boolean {
    return this.origin.isBaseline;
  }

  /** Whether anything is to be compared. */
  get isComparing(): boolean {
    return !this.#isOff;
  }

  /** `key` is the `cveKey()` of the CVE. */
  record(key: number, change: FieldChange): void {
    if (this.#isOff) return;
    this.#batch ??= this.#startBatch();
    const { kind, at, field, before, after } = change;
    this.#batch.insert.run(
      this.#batch.id,
      key,
      CHANGE_KINDS.indexOf(kind),
      CHANGE_TYPES.indexOf(change.change),
      storedTime(at),
      field,
      before === null ? null : JSON.stringify(before),
      after === null ? null : JSON.stringify(after),
    );
  }

  recordAll(key: number, changes: Iterable<FieldChange>): void {
    for (const change of changes) this.record(key, change);
  }

  #startBatch(): { id: number; insert: StatementSync } {
    const { source, file, seenAt, isBaseline, isImported = false } = this.origin;
    const { lastInsertRowid } = this.#db
      .prepare(
        'INSERT INTO change_batch (source, file, seen_at, first_seq, baseline, imported) VALUES (?, ?, ?, ?, ?, ?)',
      )
      .run(source, file, seenAt.getTime(), lastChange(this.#db) + 1, isBaseline ? 1 : 0, isImported ? 1 : 0);
    const insert = this.#db.prepare(
      'INSERT INTO change (batch, cve, kind, type, at, field, before, after) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    );
    this.#batch = { id: Number(lastInsertRowid), insert };
    return this.#batch;
  }
}

/** The highest `seq` that was given out; 0: none. It never becomes less, also when changes are removed. */
export function lastChange(db: Pick<DatabaseSync, 'prepare'>): number {
  const row = db.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'change'").get() as { seq: number } | undefined;
  return row?.seq ?? 0;
}

/** Removes changes that syncs saw too long ago; what was imported stays. Sources are then known since that time. */
export function removeOldChanges(db: DatabaseSync, now: Date): void {
  const before = now.getTime() - CHANGE_DAYS * DAY_MS;
  const old = 'imported = 0 AND seen_at < ?';
  db.prepare(`DELETE FROM change WHERE batch IN (SELECT id FROM change_batch WHERE ${old})`).run(before);
  db.prepare(`DELETE FROM change_batch WHERE baseline = 0 AND ${old}`).run(before);
  db.prepare(`UPDATE change_batch SET seen_at = ? WHERE ${old}`).run(before, before);
}

/** Milliseconds since 1970 of a time with milliseconds, other texts as they are. */
function storedTime(at: string | null): number | string | null {
  if (at === null || at.length !== 24) return at;
  const ms = Date.parse(at);
  return Number.isNaN(ms) ? at : ms;
}
