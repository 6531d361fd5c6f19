import type { DatabaseSync } from 'node:sqlite';
import { cveIdFromKey } from '../../analysis/cve/cve-id.ts';
import { diffFacts } from '../../analysis/cve/diff-facts.ts';
import type { FieldChange } from '../../analysis/cve/field-change.ts';
import { undoFacts } from '../../analysis/cve/undo-facts.ts';
import type { KevEntry } from '../../feeds/entries.ts';
import type { FeedId } from '../../feeds/feed.ts';
import { decodeIndexEntry } from '../index-entry.ts';
import { decodeRecord, type HeadFacts } from '../record-codec.ts';
import { cveKeyOfRecord, recordSourceCondition } from '../record-id.ts';
import { SharedTexts } from '../shared-texts.ts';
import { ChangeReader } from './change-reader.ts';
import { ChangeRecorder, LINK_FILE } from './change-recorder.ts';
import { diffKevEntries } from './diff-entries.ts';
import { undoKev } from './undo-kev.ts';

/** Share of the records of a catalog that imported files may lack and still lead to it. */
const MAX_MISSING = 0.01;

interface RecordRow {
  id: number;
  modified: number | null;
  head: Uint8Array;
  body: Uint8Array | null;
}

/** The changes of a CVE that syncs saw after the first one, what was seen last first. */
type LaterChanges = (key: number) => readonly FieldChange[];

/**
 * Records what changed between the last imported file of a source and the first sync of it, as seen by that sync: so that the days of the
 * files are reached from what is known today. `imported`: a catalog as these files leave it; `until`: the time of the last one. Gives how
 * many records of that time the files lack; where they lack more than one in a hundred they are not the whole source, and nothing is
 * recorded. Null: no sync has recorded the source yet.
 */
export function linkHistory(
  db: DatabaseSync,
  imported: DatabaseSync,
  source: Extract<FeedId, 'kev' | 'cvelist'>,
  until: Date,
): { missing: number; isLinked: boolean } | null {
  const { since } = db
    .prepare('SELECT min(seen_at) AS since FROM change_batch WHERE source = ? AND imported = 0')
    .get(source) as { since: number | null };
  if (since === null) return null;
  removeLink(db, source);
  const missing = source === 'kev' ? 0 : countMissing(db, imported, until);
  if (missing > MAX_MISSING * count(imported, 'record')) return { missing, isLinked: false };
  const reader = new ChangeReader(db);
  const later: LaterChanges = (key) => reader.ofCveSince(key, since + 1).filter((change) => change.source === source);
  const origin = { source, file: LINK_FILE, seenAt: new Date(since), isImported: true };
  const changes = new ChangeRecorder(db, { ...origin, isBaseline: false, recordsAdditions: true });
  if (source === 'kev') linkKev(db, imported, changes, later);
  else linkRecords(db, imported, changes, later, until);
  return { missing, isLinked: true };
}

/** Files that are imported now may be newer than those that led to the first sync before. */
function removeLink(db: DatabaseSync, source: FeedId): void {
  const link = 'source = ? AND file = ? AND imported = 1';
  db.prepare(`DELETE FROM change WHERE batch IN (SELECT id FROM change_batch WHERE ${link})`).run(source, LINK_FILE);
  db.prepare(`DELETE FROM change_batch WHERE ${link}`).run(source, LINK_FILE);
}

function count(db: DatabaseSync, table: string): number {
  return (db.prepare(`SELECT count(*) AS rows FROM ${table}`).get() as { rows: number }).rows;
}

/** Records of the CVE List that were published before this time and that the imported files do not have. */
function countMissing(db: DatabaseSync, imported: DatabaseSync, until: Date): number {
  const has = imported.prepare('SELECT 1 FROM record WHERE id = ?');
  const rows = db.prepare(`SELECT id, indexed FROM record WHERE ${recordSourceCondition('cvelist')}`).iterate();
  let missing = 0;
  for (const { id, indexed } of rows as Iterable<unknown> as Iterable<{ id: number; indexed: Uint8Array }>) {
    const { published } = decodeIndexEntry(indexed);
    if (published * 1000 <= until.getTime() && has.get(id) === undefined) missing++;
  }
  return missing;
}

function linkRecords(
  db: DatabaseSync,
  imported: DatabaseSync,
  changes: ChangeRecorder,
  later: LaterChanges,
  until: Date,
): void {
  const [texts, importedTexts] = [SharedTexts.inCatalog(db), SharedTexts.inCatalog(imported)];
  const known = imported.prepare('SELECT id, modified, head, body FROM record WHERE id = ?');
  const rows = db
    .prepare(`SELECT id, modified, head, body FROM record WHERE ${recordSourceCondition('cvelist')}`)
    .iterate();
  for (const row of rows as Iterable<unknown> as Iterable<RecordRow>) {
    const key = cveKeyOfRecord(row.id);
    const before = known.get(row.id) as unknown as RecordRow | undefined;
    const after = asFirstSynced(decode(row, texts), later(key));
    if (before !== undefined) changes.recordAll(key, diffFacts(decode(before, importedTexts), after));
    // What was published later needs no change that says so.
    else if (after.published === null || Date.parse(after.published) <= until.getTime()) {
      const { status, published: at } = after;
      changes.record(key, { kind: 'record', change: 'added', at, field: 'cvelist', before: null, after: { status } });
    }
  }
}

function asFirstSynced(facts: HeadFacts, later: readonly FieldChange[]): HeadFacts {
  if (later.length === 0) return facts;
  const undone = undoFacts(facts, later);
  const versions = later.findLast(({ kind, field }) => kind === 'fix' && field === 'versions');
  const fix = versions === undefined ? facts.fix : { ...facts.fix, versions: (versions.before ?? []) as string[] };
  const { patchAvailable = facts.patch_available } = undone;
  return { ...facts, ...undone.facts, fix, patch_available: patchAvailable };
}

function decode({ id, modified, head, body }: RecordRow, texts: SharedTexts): HeadFacts {
  return decodeRecord(cveIdFromKey(cveKeyOfRecord(id)), 'cvelist', { modified, head, body }, texts);
}

function linkKev(db: DatabaseSync, imported: DatabaseSync, changes: ChangeRecorder, later: LaterChanges): void {
  const [before, today] = [kevEntries(imported), kevEntries(db)];
  const changed = db.prepare(
    "SELECT DISTINCT cve FROM change JOIN change_batch b ON b.id = batch WHERE source = 'kev'",
  );
  const keys = new Set([
    ...before.keys(),
    ...today.keys(),
    ...(changed.all() as { cve: number }[]).map(({ cve }) => cve),
  ]);
  for (const key of keys) {
    const after = undoKev(cveIdFromKey(key), today.get(key) ?? null, later(key));
    const was = before.get(key) ?? null;
    if (was !== null || after !== null) changes.recordAll(key, diffKevEntries(was, after, null));
  }
}

function kevEntries(db: DatabaseSync): Map<number, KevEntry> {
  const rows = db.prepare('SELECT cve, entry FROM kev').all() as { cve: number; entry: string }[];
  return new Map(rows.map(({ cve, entry }) => [cve, JSON.parse(entry) as KevEntry]));
}
