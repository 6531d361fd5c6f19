import { copyFileSync, constants as fsConstants, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Feed, FeedFile, FeedId } from '../feeds/feed.ts';
import type { Opened, Upstream } from '../feeds/upstream.ts';
import { NetError, type NetErrorCode } from '../net/net-error.ts';
import { buildIndex } from './build-index.ts';
import { forgetChecked, wrongChecksum } from './checked-file.ts';
import { hashFile } from './database-file.ts';
import {
  finishDatabase,
  type Generation,
  newDatabaseName,
  publish,
  removeLeftOvers,
  removeOthers,
  type SourceState,
  unfinishedPath,
} from './generation.ts';
import { lockCatalog } from './lock.ts';
import { isOfSource } from './record-key.ts';
import { recoverGeneration } from './recovery.ts';
import { createTables, SCHEMA_VERSION, schemaVersion } from './schema.ts';
import { openStore } from './stores.ts';
import { SyncRefusal, syncErrorText } from './sync-errors.ts';
import { FileTally, refusalOf } from './tally.ts';
import { durationText, TimeLimit } from './time-limit.ts';

/** What happens during a sync, for a progress bar, a log or a parent process. */
export type SyncEvent =
  | { type: 'feed'; feed: FeedId; title: string }
  | { type: 'file'; feed: FeedId; file: string; bytes: number; size: number | null; entries: number }
  | { type: 'file_done'; feed: FeedId; file: string; entries: number; skipped: number; skips: string[] }
  /** `file` null: the feed as a whole. `reason` is for the operator, `text` for everybody. */
  | { type: 'refused'; feed: FeedId; file: string | null; reason: string; text: string; unreachable: boolean }
  | { type: 'feed_done'; feed: FeedId; result: 'loaded' | 'unchanged' | 'failed' | 'partial'; records: number }
  | { type: 'indexing' }
  | { type: 'done'; result: 'published' | 'unchanged'; file: string | null; seconds: number };

export interface SyncOptions {
  folder: string;
  /** Each feed with what opens its addresses; the first whose file list can be read is taken. All stop at the signal. */
  feeds: readonly { feed: Feed; upstreams: (signal: AbortSignal) => readonly Upstream[] }[];
  now: () => Date;
  report: (event: SyncEvent) => void;
  signal?: AbortSignal;
  /** Takes a complete file also when it lost more than a tenth of its records. */
  allowShrink?: boolean;
  /** How long one feed, and all of them together, may take. */
  limits?: { feedMs: number; syncMs: number };
}

export interface SyncOutcome {
  generation: Generation | null;
  /** Feeds of which nothing or not all could be taken. */
  failed: FeedId[];
}

/** Another process is syncing this data folder. */
export class SyncBusyError extends Error {
  override readonly name = 'SyncBusyError';
  constructor() {
    super('another sync of this data folder is running');
  }
}

/** What an upstream did that was reached. */
const ANSWERED: ReadonlySet<NetErrorCode> = new Set(['too_large', 'too_many_redirects', 'bad_redirect', 'protocol']);
const REPORT_EVERY_BYTES = 1 << 20;
const MINUTE_MS = 60_000;
/** A first sync of everything takes some minutes; on a slow line an hour. */
export const SYNC_LIMITS = { feedMs: 60 * MINUTE_MS, syncMs: 180 * MINUTE_MS };

/**
 * Reads what changed in the feeds into a copy of the catalog and publishes that copy. A feed that fails, shrinks by more
 * than a tenth, or is not what it should be leaves its old data in place and says why in its state; others go on.
 * Throws `SyncBusyError` when another process syncs the same folder.
 */
export async function syncCatalog(options: SyncOptions): Promise<SyncOutcome> {
  mkdirSync(options.folder, { recursive: true });
  const lock = lockCatalog(options.folder);
  if (lock === null) throw new SyncBusyError();
  try {
    return await new Sync(options).run();
  } finally {
    lock.release();
  }
}

class Sync {
  readonly #options: SyncOptions;
  readonly #started = performance.now();
  /** What a new generation starts from; null: from nothing. */
  readonly #current: Generation | null;
  readonly #sources: Record<string, SourceState>;
  readonly #failed: FeedId[] = [];
  readonly #limits: { feedMs: number; syncMs: number };
  #building: { name: string; db: DatabaseSync } | null = null;
  #filesLoaded = 0;
  /** Whether anything came that searches are made from. */
  #toIndex: boolean;

  constructor(options: SyncOptions) {
    this.#options = options;
    this.#limits = options.limits ?? SYNC_LIMITS;
    this.#current = recoverGeneration(options.folder).generation;
    this.#sources = structuredClone(this.#current?.sources ?? {});
    this.#toIndex = this.#current === null || this.#sources.starter !== undefined;
    removeLeftOvers(options.folder);
  }

  async run(): Promise<SyncOutcome> {
    const { folder, feeds, report, now } = this.#options;
    try {
      for (const { feed, upstreams } of feeds) await this.#syncFeed(feed, upstreams);
      const built = this.#filesLoaded > 0 ? this.#finishBuilding() : null;
      if (built === null) this.#abandonBuilding();
      const file = built ?? this.#current?.file ?? null;
      const generation: Generation | null =
        file === null
          ? null
          : {
              file,
              created_at: built === null ? this.#current!.created_at : now().toISOString(),
              sources: this.#sources,
              // Until every feed was asked with success, what answers may be older than what was lost.
              ...(this.#failed.length > 0 && this.#current?.recovered !== undefined
                ? { recovered: this.#current.recovered }
                : null),
            };
      if (generation !== null) publish(folder, generation);
      const seconds = (performance.now() - this.#started) / 1000;
      report({ type: 'done', result: built === null ? 'unchanged' : 'published', file, seconds });
      return { generation, failed: this.#failed };
    } catch (error) {
      this.#abandonBuilding();
      throw error;
    }
  }

  async #syncFeed(feed: Feed, upstreams: (signal: AbortSignal) => readonly Upstream[]): Promise<void> {
    const { report, now } = this.#options;
    report({ type: 'feed', feed: feed.id, title: feed.title });
    const state: SourceState = this.#sources[feed.id] ?? emptyState();
    state.last_attempt_at = now().toISOString();
    const problems: string[] = [];
    let loaded = 0;
    let dataTime = state.data_time;
    using limit = this.#limitOfFeed();
    try {
      limit.check();
      const { upstream, files } = await listFiles(feed, upstreams(limit.signal), state);
      state.missing_files = [];
      forgetUnlisted(state, files);
      for (const file of files) {
        const outcome = await this.#syncFile(feed, upstream, file, state, limit);
        if (outcome === 'unchanged') continue;
        if ('refused' in outcome) {
          problems.push(`${file.name}: ${outcome.refused}`);
          if (state.files[file.name] === undefined) state.missing_files.push(file.name);
          if (limit.isOver) break;
          continue;
        }
        loaded++;
        if (outcome.loaded !== null && (dataTime === null || outcome.loaded > dataTime)) dataTime = outcome.loaded;
      }
      // Delta feeds ask for what is newer than this: past a refused file it may not move on.
      if (problems.length === 0) state.data_time = dataTime;
      state.from_origin = upstream.layout === 'origin';
    } catch (error) {
      problems.push(this.#refuse(feed, null, error, limit));
    }
    const firstData = loaded > 0 && state.last_success_at === null;
    if (problems.length === 0 || firstData) state.last_success_at = state.last_attempt_at;
    if (problems.length > 0) this.#failed.push(feed.id);
    state.last_error = problems.length === 0 ? null : problems.join('; ').slice(0, 500);
    this.#filesLoaded += loaded;
    if (loaded > 0) state.records = countRecords(this.#building!.db, feed);
    this.#sources[feed.id] = state;
    const result =
      loaded > 0 ? (problems.length > 0 ? 'partial' : 'loaded') : problems.length > 0 ? 'failed' : 'unchanged';
    report({ type: 'feed_done', feed: feed.id, result, records: state.records });
  }

  async #syncFile(
    feed: Feed,
    upstream: Upstream,
    file: FeedFile,
    state: SourceState,
    limit: TimeLimit,
  ): Promise<{ loaded: string | null } | 'unchanged' | { refused: string }> {
    const known = state.files[file.name];
    if (known !== undefined && file.fingerprint !== null && known.fingerprint === file.fingerprint) return 'unchanged';
    try {
      const opened = await openFile(upstream, file, file.fingerprint === null ? (known?.validator ?? null) : null);
      if (opened.status === 'unchanged') return 'unchanged';
      if (opened.status === 'missing') throw new SyncRefusal('not found at its address');
      const tally = await this.#load(feed, file, opened, known?.records ?? 0, limit);
      const { records, skipped } = tally;
      state.files[file.name] = { fingerprint: file.fingerprint, validator: opened.validator, records, skipped };
      const notes = Object.entries({ ...state.notes, ...tally.notes });
      state.notes = Object.fromEntries(notes.filter(([, text]) => text !== ''));
      state.skipped = skippedIn(state);
      return { loaded: tally.dataTime };
    } catch (error) {
      return { refused: this.#refuse(feed, file.name, error, limit) };
    }
  }

  /** Reports what was not taken and gives the reason in words for everybody. Throws where the caller stopped the sync. */
  #refuse(feed: Feed, file: string | null, thrown: unknown, limit: TimeLimit): string {
    this.#options.signal?.throwIfAborted();
    // What was under way when the time ran out fails in its own way.
    const error = limit.isOver ? limit.signal.reason : thrown;
    const text = syncErrorText(error);
    const reason = error instanceof Error ? error.message : String(error);
    const unreachable = error instanceof NetError && !ANSWERED.has(error.code);
    this.#options.report({ type: 'refused', feed: feed.id, file, reason, text, unreachable });
    return text;
  }

  #limitOfFeed(): TimeLimit {
    const { feedMs, syncMs } = this.#limits;
    const left = Math.max(0, syncMs - (performance.now() - this.#started));
    const text =
      left < feedMs
        ? `the sync as a whole took longer than ${durationText(syncMs)}`
        : `it took longer than ${durationText(feedMs)}`;
    return new TimeLimit(Math.min(feedMs, left), text, this.#options.signal);
  }

  /** One file in one transaction: taken whole, or not at all. */
  async #load(
    feed: Feed,
    file: FeedFile,
    { bytes, size }: Extract<Opened, { status: 'open' }>,
    knownRecords: number,
    limit: TimeLimit,
  ): Promise<FileTally> {
    const { report } = this.#options;
    const db = this.#openBuilding();
    const tally = new FileTally();
    let announced = 0;
    const counted = tally.countBytes(bytes, () => {
      limit.check();
      if (tally.bytes - announced < REPORT_EVERY_BYTES) return;
      announced = tally.bytes;
      report({ type: 'file', feed: feed.id, file: file.name, bytes: tally.bytes, size, entries: tally.entries });
    });
    db.exec('BEGIN');
    try {
      const store = openStore(db, feed.kind, file.name);
      for await (const entries of feed.parse(counted, file, tally)) {
        limit.check();
        store.put(entries);
        tally.entries += entries.length;
      }
      const refusal = refusalOf(tally, file, this.#options.allowShrink === true ? 0 : knownRecords);
      if (refusal !== null) {
        const remedy = refusal.shrank ? `; if that is right: sextant sync ${feed.id} --allow-shrink` : '';
        throw new SyncRefusal(`${refusal.reason}${remedy}`);
      }
      store.finish(tally.dataTime);
      db.exec('COMMIT');
    } catch (error) {
      // On a full disk SQLite has done it by itself.
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
    if (feed.kind !== 'network') this.#toIndex = true;
    const { entries, skipped, skips } = tally;
    report({ type: 'file_done', feed: feed.id, file: file.name, entries, skipped, skips });
    return tally;
  }

  /** The copy being written; made when the first change is there to be written. */
  #openBuilding(): DatabaseSync {
    if (this.#building !== null) return this.#building.db;
    const { folder, now } = this.#options;
    const name = newDatabaseName(folder, now());
    const path = unfinishedPath(folder, name);
    // What was replaced last time was kept until now, for the day on which the current one is lost.
    removeOthers(folder, this.#current?.file ?? null);
    if (this.#current !== null) copyDatabase(folder, this.#current, path);
    const db = new DatabaseSync(path);
    // Nobody reads this copy yet and a killed sync throws it away, so the journal need not survive.
    db.exec(
      'PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -32768; PRAGMA temp_store = FILE',
    );
    if (schemaVersion(db) !== SCHEMA_VERSION) createTables(db);
    this.#building = { name, db };
    return db;
  }

  #finishBuilding(): string {
    const { name, db } = this.#building!;
    this.#options.report({ type: 'indexing' });
    db.exec('BEGIN');
    this.#retireStarter(db);
    if (this.#toIndex) buildIndex(db);
    db.exec('COMMIT');
    db.close();
    finishDatabase(this.#options.folder, name);
    return name;
  }

  #abandonBuilding(): void {
    if (this.#building?.db.isOpen) this.#building.db.close();
    removeLeftOvers(this.#options.folder);
  }

  /** The starter's records go when the NVD's are there; its name goes when every feed has brought its own. */
  #retireStarter(db: DatabaseSync): void {
    if (this.#sources.starter === undefined) return;
    const has = (id: FeedId): boolean => (this.#sources[id]?.records ?? 0) > 0;
    if (has('nvd')) db.exec(`DELETE FROM record WHERE ${isOfSource('starter')}`);
    if ((['nvd', 'kev', 'epss', 'cwe', 'exploitdb'] as const).every(has)) delete this.#sources.starter;
  }
}

/** A copy of what the disk has lost parts of would be given a right checksum: it is compared before anything is built on it. */
function copyDatabase(folder: string, { file, sha256 }: Generation, path: string): void {
  try {
    copyFileSync(join(folder, file), path, fsConstants.COPYFILE_FICLONE);
    if (sha256 === undefined || hashFile(path) === sha256) return;
    forgetChecked(folder);
    throw wrongChecksum();
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}

async function openFile(upstream: Upstream, file: FeedFile, validator: string | null): Promise<Opened> {
  if (file.open !== undefined) return file.open(validator);
  if (file.content === undefined) return upstream.open(file.path, validator);
  const { content } = file;
  return {
    status: 'open',
    bytes: (async function* () {
      yield content;
    })(),
    size: content.length,
    validator: null,
  };
}

async function listFiles(
  feed: Feed,
  upstreams: readonly Upstream[],
  state: SourceState,
): Promise<{ upstream: Upstream; files: FeedFile[] }> {
  const memory = { asOf: state.data_time, files: new Set(Object.keys(state.files)), notes: state.notes };
  let failure: unknown = new SyncRefusal('no address is configured');
  for (const upstream of upstreams) {
    try {
      return { upstream, files: await feed.files(upstream, memory) };
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function countRecords(db: DatabaseSync, feed: Feed): number {
  const from: Record<Feed['kind'], string> = {
    cve: feed.kind === 'cve' ? `record WHERE ${isOfSource(feed.id as 'nvd' | 'cvelist')}` : '',
    kev: 'kev',
    epss: 'epss',
    exploit: 'exploit',
    weakness: 'weakness',
    advisory: 'advisory',
    package_advisory: "package_advisory WHERE source = 'osv'",
    network: `network WHERE list = '${feed.id}' OR list LIKE '${feed.id}/%'`,
    document: `document WHERE catalog LIKE '${feed.id}!_%' ESCAPE '!'`,
  };
  return Number(db.prepare(`SELECT count(*) AS count FROM ${from[feed.kind]}`).get()?.count ?? 0);
}

/**
 * Of a feed of changes the files taken before are of no more use once they are no longer listed: each sync would add some,
 * and what could not be read in them would be counted again. Of other feeds they say how much a file held.
 */
function forgetUnlisted(state: SourceState, files: readonly FeedFile[]): void {
  if (files.length === 0 || files.some(({ extent }) => extent !== 'delta')) return;
  const listed = new Set(files.map(({ name }) => name));
  state.files = Object.fromEntries(Object.entries(state.files).filter(([name]) => listed.has(name)));
  state.skipped = skippedIn(state);
}

function skippedIn(state: SourceState): number {
  return Object.values(state.files).reduce((sum, { skipped }) => sum + skipped, 0);
}

function emptyState(): SourceState {
  return {
    records: 0,
    data_time: null,
    last_success_at: null,
    last_attempt_at: null,
    last_error: null,
    from_origin: false,
    skipped: 0,
    missing_files: [],
    notes: {},
    files: {},
  };
}
