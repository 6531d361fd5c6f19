import type { DatabaseSync } from 'node:sqlite';
import { cveIdFromKey } from '../../analysis/cve/cve-id.ts';
import {
  CHANGE_KINDS,
  CHANGE_TYPES,
  type ChangedValue,
  type ChangeKind,
  type FieldChange,
} from '../../analysis/cve/field-change.ts';
import { isoTime } from '../../analysis/iso-time.ts';
import type { FeedId } from '../../feeds/feed.ts';
import { DAY_MS } from '../epss-history.ts';
import { lastChange, LINK_FILE } from './change-recorder.ts';
import { CARRIED } from './carry-history.ts';

/** Rows that one page of changes may go over: where few match it is short, or empty, and the next one goes on. */
const MAX_ROWS_OF_PAGE = 50_000;

/** One change as it was recorded. */
export interface RecordedChange extends FieldChange {
  cve_id: string;
  source: FeedId;
  /** When it was seen here (ISO 8601 UTC). */
  seen_at: string;
  /** Its place in the sequence of changes. */
  seq: number;
}

export interface ChangesOfCveQuery {
  /** Milliseconds since 1970; null: all. */
  seenFrom: number | null;
  /** Null: all. */
  kinds: ReadonlySet<ChangeKind> | null;
  limit: number;
  offset: number;
}

export interface ChangesQuery {
  /** Only changes with a higher `seq`; `latest`: the last ones. */
  after: number | 'latest';
  /** Only changes that were seen then or later, in milliseconds since 1970; null: all. */
  seenFrom: number | null;
  kinds: ReadonlySet<ChangeKind> | null;
  /** `cveKey()`s; null: every CVE. */
  cves: ReadonlySet<number> | null;
  limit: number;
}

export interface ChangesPage {
  changes: RecordedChange[];
  /** The `seq` after which the next page begins. */
  last: number;
  /** Whether there are later changes that were not looked at. */
  hasMore: boolean;
}

interface Row {
  seq: number;
  batch: number;
  cve: number;
  kind: number;
  type: number;
  at: number | string | null;
  field: string;
  before: string | null;
  after: string | null;
}

interface Batch {
  source: FeedId | typeof CARRIED;
  seenAt: number;
  /** Infinity: it changed nothing. */
  firstSeq: number;
  isImported: boolean;
  /** Whether its changes lead from the last imported file of its source to what syncs began with. */
  isLink: boolean;
}

/** Reads the changes that syncs and imports recorded. */
export class ChangeReader {
  /** Names this sequence of changes: a `seq` says nothing about another one. */
  readonly historyId: string;
  /** The highest `seq`; 0: there is none. */
  readonly last: number;
  readonly #batches: ReadonlyMap<number, Batch>;
  readonly #ofCve;
  readonly #scan;
  readonly #scanBack;
  readonly #row;

  constructor(db: Pick<DatabaseSync, 'prepare'>) {
    this.historyId = (db.prepare('SELECT id FROM history').get() as { id: string }).id;
    this.last = lastChange(db);
    const batches = db
      .prepare('SELECT id, source, file, seen_at, first_seq, imported FROM change_batch ORDER BY id')
      .all() as {
      id: number;
      source: Batch['source'];
      file: string;
      seen_at: number;
      first_seq: number;
      imported: number;
    }[];
    this.#batches = new Map(
      batches.map(({ id, source, file, seen_at: seenAt, first_seq, imported }, at) => {
        // A file that changed nothing is followed by changes of other files.
        const isEmpty = first_seq === (batches[at + 1]?.first_seq ?? this.last + 1);
        const firstSeq = isEmpty ? Infinity : first_seq;
        return [id, { source, seenAt, firstSeq, isImported: imported === 1, isLink: file === LINK_FILE }];
      }),
    );
    this.#ofCve = db.prepare('SELECT * FROM change WHERE cve = ?');
    this.#scan = db.prepare('SELECT seq, batch, cve, kind FROM change WHERE seq > ? ORDER BY seq LIMIT ?');
    this.#scan.setReturnArrays(true);
    this.#scanBack = db.prepare('SELECT seq, batch, cve, kind FROM change ORDER BY seq DESC LIMIT ?');
    this.#scanBack.setReturnArrays(true);
    this.#row = db.prepare('SELECT * FROM change WHERE seq = ?');
  }

  /** Since when changes of each source are known: since it was first seen. */
  get reach(): ReadonlyMap<FeedId, string> {
    const first = new Map<FeedId, number>();
    for (const { source, seenAt } of this.#batches.values())
      if (source !== CARRIED) first.set(source, Math.min(seenAt, first.get(source) ?? seenAt));
    return new Map([...first].map(([source, seenAt]) => [source, isoTime(seenAt)]));
  }

  /** When the catalog was built anew: what changed between the sync before and that one was not seen. */
  get restarts(): readonly string[] {
    return [...this.#batches.values()].filter(({ source }) => source === CARRIED).map(({ seenAt }) => isoTime(seenAt));
  }

  /** The changes of one CVE that were seen at this time (milliseconds since 1970) or later, what was seen last first. */
  ofCveSince(key: number, seenFrom: number): RecordedChange[] {
    return this.ofCve(key, { seenFrom, kinds: null, limit: Infinity, offset: 0 }).changes;
  }

  /** `seq`, CVE and kind of up to `limit` changes after this `seq`, if they were seen after the end of the day. */
  *keysSeenAfter(
    day: number,
    after: number,
    limit: number,
  ): Iterable<{ seq: number; key: number; kind: ChangeKind; isLater: boolean }> {
    const end = (day + 1) * DAY_MS;
    for (const row of this.#scan.iterate(Math.max(after, this.#lastBefore(end)), limit) as Iterable<unknown>) {
      const [seq, batch, key, kind] = row as [number, number, number, number];
      yield { seq, key, kind: CHANGE_KINDS[kind]!, isLater: this.#seenAt(batch) >= end };
    }
  }

  /**
   * The first day from this one on (days since 1970) at whose end it is known what a source said then: since syncs follow it, or on a day
   * of files that were imported and lead to what syncs began with. Null: no sync has recorded the source.
   */
  firstKnownDay(source: FeedId, day: number): number | null {
    const batches = [...this.#batches.values()].filter((batch) => batch.source === source);
    const synced = Math.min(...batches.filter(({ isImported }) => !isImported).map(({ seenAt }) => seenAt));
    if (synced === Infinity) return null;
    const syncedDay = Math.floor(synced / DAY_MS);
    const isLinked = batches.some(({ isLink, seenAt }) => isLink && seenAt === synced);
    const imported = batches.filter(({ isImported, isLink }) => isImported && !isLink);
    if (day >= syncedDay || !isLinked || imported.length === 0) return Math.max(day, syncedDay);
    const days = imported.map(({ seenAt }) => Math.floor(seenAt / DAY_MS));
    if (day > Math.max(...days)) return syncedDay;
    return Math.max(day, Math.min(...days));
  }

  /** A page of the changes of one CVE, what was seen last first. */
  ofCve(
    key: number,
    { seenFrom, kinds, limit, offset }: ChangesOfCveQuery,
  ): { total: number; changes: RecordedChange[] } {
    const rows = (this.#ofCve.all(key) as unknown as Row[])
      .filter(({ kind, batch }) => hasKind(kinds, kind) && this.#seenAt(batch) >= (seenFrom ?? -Infinity))
      .sort((a, b) => this.#seenAt(b.batch) - this.#seenAt(a.batch) || b.seq - a.seq);
    return { total: rows.length, changes: rows.slice(offset, offset + limit).map((row) => this.#present(row)) };
  }

  /** The next changes in the order in which they were recorded. */
  page({ after, seenFrom, kinds, cves, limit }: ChangesQuery): ChangesPage {
    if (after === 'latest') return this.#latest(kinds, cves, limit);
    const start = Math.max(after, seenFrom === null ? 0 : this.#lastBefore(seenFrom));
    const changes: RecordedChange[] = [];
    let last = start;
    let looked = 0;
    for (const row of this.#scan.iterate(start, MAX_ROWS_OF_PAGE) as Iterable<unknown>) {
      const [seq, batch, cve, kind] = row as [number, number, number, number];
      last = seq;
      looked++;
      if (!hasKind(kinds, kind) || cves?.has(cve) === false || this.#seenAt(batch) < (seenFrom ?? -Infinity)) continue;
      changes.push(this.#present(this.#row.get(seq) as unknown as Row));
      if (changes.length === limit) break;
    }
    if (looked === 0) last = Math.max(after, this.last);
    return { changes, last, hasMore: last < this.last };
  }

  #latest(kinds: ChangesQuery['kinds'], cves: ChangesQuery['cves'], limit: number): ChangesPage {
    const changes: RecordedChange[] = [];
    for (const row of this.#scanBack.iterate(MAX_ROWS_OF_PAGE) as Iterable<unknown>) {
      const [seq, , cve, kind] = row as [number, number, number, number];
      if (!hasKind(kinds, kind) || cves?.has(cve) === false) continue;
      changes.push(this.#present(this.#row.get(seq) as unknown as Row));
      if (changes.length === limit) break;
    }
    return { changes: changes.toReversed(), last: this.last, hasMore: false };
  }

  /** The last `seq` before the first change that was seen at this time or later. */
  #lastBefore(time: number): number {
    let first = this.last + 1;
    for (const { seenAt, firstSeq } of this.#batches.values()) if (seenAt >= time) first = Math.min(first, firstSeq);
    return first - 1;
  }

  #seenAt(batch: number): number {
    return this.#batches.get(batch)!.seenAt;
  }

  #present({ seq, batch, cve, kind, type, at, field, before, after }: Row): RecordedChange {
    return {
      seq,
      cve_id: cveIdFromKey(cve),
      kind: CHANGE_KINDS[kind]!,
      change: CHANGE_TYPES[type]!,
      at: typeof at === 'number' ? isoTime(at) : at,
      seen_at: isoTime(this.#seenAt(batch)),
      source: this.#batches.get(batch)!.source as FeedId,
      field,
      before: parseValue(before),
      after: parseValue(after),
    };
  }
}

function hasKind(kinds: ReadonlySet<ChangeKind> | null, kind: number): boolean {
  return kinds === null || kinds.has(CHANGE_KINDS[kind]!);
}

function parseValue(json: string | null): ChangedValue {
  return json === null ? null : (JSON.parse(json) as ChangedValue);
}
