import { copyFileSync, constants as fsConstants, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Feed, FeedFile, FeedId } from '../feeds/feed.ts';
import type { OpenResult, Upstream } from '../feeds/upstream.ts';
import { NetError, type NetErrorCode } from '../net/net-error.ts';
import { buildIndex } from './build-index.ts';
import { forgetVerified, checksumMismatchError } from './verify-file.ts';
import { hashFile } from './database-file.ts';
import {
  finishDatabase,
  type Generation,
  newDatabaseName,
  publishGeneration,
  removeLeftoverFiles,
  removeOldGenerations,
  type FeedState,
  unfinishedPath,
} from './generation.ts';
import { tryLockCatalog } from './catalog-lock.ts';
import { recordSourceCondition } from './record-id.ts';
import { recoverGeneration } from './recover-generation.ts';
import { createTables, SCHEMA_VERSION, schemaVersion } from './schema.ts';
import { startLoad } from './start-load.ts';
import { FeedRejectedError, publicSyncErrorText } from './sync-errors.ts';
import { FileParseStats, findRejection } from './file-parse-stats.ts';
import { formatDuration, Deadline } from './deadline.ts';

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

export interface SyncResult {
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
const ANSWERED_ERROR_CODES: ReadonlySet<NetErrorCode> = new Set([
  'too_large',
  'too_many_redirects',
  'bad_redirect',
  'protocol',
]);
const PROGRESS_INTERVAL_BYTES = 1 << 20;
const MINUTE_MS = 60_000;
/** A first sync of everything takes some minutes; on a slow line an hour. */
export const SYNC_LIMITS = { feedMs: 60 * MINUTE_MS, syncMs: 180 * MINUTE_MS };

/**
 * Reads what changed in the feeds into a copy of the catalog and publishes that copy. A feed that fails, shrinks by more
 * than a tenth, or is not what it should be leaves its old data in place and says why in its state; others go on.
 * Throws `SyncBusyError` when another process syncs the same folder.
 */
export async function syncCatalog(options: SyncOptions): Promise<SyncResult> {
  mkdirSync(options.folder, { recursive: true });
  const lock = tryLockCatalog(options.folder);
  if (lock === null) throw new SyncBusyError();
  try {
    return await new SyncRun(options).run();
  } finally {
    lock.release();
  }
}

class SyncRun {
  readonly #options: SyncOptions;
  readonly #startedAtMs = performance.now();
  /** What a new generation starts from; null: from nothing. */
  readonly #baseGeneration: Generation | null;
  readonly #feedStates: Record<string, FeedState>;
  readonly #failedFeeds: FeedId[] = [];
  readonly #limits: { feedMs: number; syncMs: number };
  #newDatabase: { name: string; db: DatabaseSync } | null = null;
  #filesLoaded = 0;
  /** Whether anything came that searches are made from. */
  #needsIndex: boolean;

  constructor(options: SyncOptions) {
    this.#options = options;
    this.#limits = options.limits ?? SYNC_LIMITS;
    this.#baseGeneration = recoverGeneration(options.folder).generation;
    this.#feedStates = structuredClone(this.#baseGeneration?.sources ?? {});
    this.#needsIndex = this.#baseGeneration === null || this.#feedStates.starter !== undefined;
    removeLeftoverFiles(options.folder);
  }

  async run(): Promise<SyncResult> {
    const { folder, feeds, report, now } = this.#options;
    try {
      for (const { feed, upstreams } of feeds) await this.#syncFeed(feed, upstreams);
      const built = this.#filesLoaded > 0 ? this.#finishNewDatabase() : null;
      if (built === null) this.#discardNewDatabase();
      const file = built ?? this.#baseGeneration?.file ?? null;
      const generation: Generation | null =
        file === null
          ? null
          : {
              file,
              created_at: built === null ? this.#baseGeneration!.created_at : now().toISOString(),
              sources: this.#feedStates,
              // Until every feed was asked with success, what answers may be older than what was lost.
              ...(this.#failedFeeds.length > 0 && this.#baseGeneration?.recovered !== undefined
                ? { recovered: this.#baseGeneration.recovered }
                : null),
            };
      if (generation !== null) publishGeneration(folder, generation);
      const seconds = (performance.now() - this.#startedAtMs) / 1000;
      report({ type: 'done', result: built === null ? 'unchanged' : 'published', file, seconds });
      return { generation, failed: this.#failedFeeds };
    } catch (error) {
      this.#discardNewDatabase();
      throw error;
    }
  }

  async #syncFeed(feed: Feed, upstreams: (signal: AbortSignal) => readonly Upstream[]): Promise<void> {
    const { report, now } = this.#options;
    report({ type: 'feed', feed: feed.id, title: feed.title });
    const state: FeedState = this.#feedStates[feed.id] ?? emptyFeedState();
    state.last_attempt_at = now().toISOString();
    const problems: string[] = [];
    let loaded = 0;
    let dataTime = state.data_time;
    using limit = this.#feedDeadline();
    try {
      limit.throwIfExpired();
      const { upstream, files } = await listFeedFiles(feed, upstreams(limit.signal), state);
      state.missing_files = [];
      dropUnlistedFiles(state, files);
      for (const file of files) {
        const outcome = await this.#syncFile(feed, upstream, file, state, limit);
        if (outcome === 'unchanged') continue;
        if ('refused' in outcome) {
          problems.push(`${file.name}: ${outcome.refused}`);
          if (state.files[file.name] === undefined) state.missing_files.push(file.name);
          if (limit.isExpired) break;
          continue;
        }
        loaded++;
        if (outcome.loaded !== null && (dataTime === null || outcome.loaded > dataTime)) dataTime = outcome.loaded;
      }
      // Delta feeds ask for what is newer than this: past a refused file it may not move on.
      if (problems.length === 0) state.data_time = dataTime;
      state.from_origin = upstream.layout === 'origin';
    } catch (error) {
      problems.push(this.#reportFailure(feed, null, error, limit));
    }
    const firstData = loaded > 0 && state.last_success_at === null;
    if (problems.length === 0 || firstData) state.last_success_at = state.last_attempt_at;
    if (problems.length > 0) this.#failedFeeds.push(feed.id);
    state.last_error = problems.length === 0 ? null : problems.join('; ').slice(0, 500);
    this.#filesLoaded += loaded;
    if (loaded > 0) state.records = countRecords(this.#newDatabase!.db, feed);
    this.#feedStates[feed.id] = state;
    const result =
      loaded > 0 ? (problems.length > 0 ? 'partial' : 'loaded') : problems.length > 0 ? 'failed' : 'unchanged';
    report({ type: 'feed_done', feed: feed.id, result, records: state.records });
  }

  async #syncFile(
    feed: Feed,
    upstream: Upstream,
    file: FeedFile,
    state: FeedState,
    limit: Deadline,
  ): Promise<{ loaded: string | null } | 'unchanged' | { refused: string }> {
    const known = state.files[file.name];
    if (known !== undefined && file.fingerprint !== null && known.fingerprint === file.fingerprint) return 'unchanged';
    try {
      const opened = await openFeedFile(upstream, file, file.fingerprint === null ? (known?.validator ?? null) : null);
      if (opened.status === 'unchanged') return 'unchanged';
      if (opened.status === 'missing') throw new FeedRejectedError('not found at its address');
      const tally = await this.#loadFile(feed, file, opened, known?.records ?? 0, limit);
      const { records, skipped } = tally;
      state.files[file.name] = { fingerprint: file.fingerprint, validator: opened.validator, records, skipped };
      const notes = Object.entries({ ...state.notes, ...tally.notes });
      state.notes = Object.fromEntries(notes.filter(([, text]) => text !== ''));
      state.skipped = countSkipped(state);
      return { loaded: tally.dataTime };
    } catch (error) {
      return { refused: this.#reportFailure(feed, file.name, error, limit) };
    }
  }

  /** Reports what was not taken and gives the reason in words for everybody. Throws where the caller stopped the sync. */
  #reportFailure(feed: Feed, file: string | null, thrown: unknown, limit: Deadline): string {
    this.#options.signal?.throwIfAborted();
    // What was under way when the time ran out fails in its own way.
    const error = limit.isExpired ? limit.signal.reason : thrown;
    const text = publicSyncErrorText(error);
    const reason = error instanceof Error ? error.message : String(error);
    const unreachable = error instanceof NetError && !ANSWERED_ERROR_CODES.has(error.code);
    this.#options.report({ type: 'refused', feed: feed.id, file, reason, text, unreachable });
    return text;
  }

  #feedDeadline(): Deadline {
    const { feedMs, syncMs } = this.#limits;
    const left = Math.max(0, syncMs - (performance.now() - this.#startedAtMs));
    const text =
      left < feedMs
        ? `the sync as a whole took longer than ${formatDuration(syncMs)}`
        : `it took longer than ${formatDuration(feedMs)}`;
    return new Deadline(Math.min(feedMs, left), text, this.#options.signal);
  }

  /** One file in one transaction: taken whole, or not at all. */
  async #loadFile(
    feed: Feed,
    file: FeedFile,
    { bytes, size }: Extract<OpenResult, { status: 'open' }>,
    knownRecords: number,
    limit: Deadline,
  ): Promise<FileParseStats> {
    const { report } = this.#options;
    const db = this.#openNewDatabase();
    const tally = new FileParseStats();
    let announced = 0;
    const counted = tally.countBytes(bytes, () => {
      limit.throwIfExpired();
      if (tally.bytes - announced < PROGRESS_INTERVAL_BYTES) return;
      announced = tally.bytes;
      report({ type: 'file', feed: feed.id, file: file.name, bytes: tally.bytes, size, entries: tally.entries });
    });
    db.exec('BEGIN');
    try {
      const store = startLoad(db, feed.kind, file.name);
      for await (const entries of feed.parse(counted, file, tally)) {
        limit.throwIfExpired();
        store.put(entries);
        tally.entries += entries.length;
      }
      const refusal = findRejection(tally, file, this.#options.allowShrink === true ? 0 : knownRecords);
      if (refusal !== null) {
        const remedy = refusal.hasShrunk ? `; if that is right: sextant sync ${feed.id} --allow-shrink` : '';
        throw new FeedRejectedError(`${refusal.reason}${remedy}`);
      }
      store.finish(tally.dataTime);
      db.exec('COMMIT');
    } catch (error) {
      // On a full disk SQLite has done it by itself.
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
    if (feed.kind !== 'network') this.#needsIndex = true;
    const { entries, skipped, skips } = tally;
    report({ type: 'file_done', feed: feed.id, file: file.name, entries, skipped, skips });
    return tally;
  }

  /** The copy being written; made when the first change is there to be written. */
  #openNewDatabase(): DatabaseSync {
    if (this.#newDatabase !== null) return this.#newDatabase.db;
    const { folder, now } = this.#options;
    const name = newDatabaseName(folder, now());
    const path = unfinishedPath(folder, name);
    // What was replaced last time was kept until now, for the day on which the current one is lost.
    removeOldGenerations(folder, this.#baseGeneration?.file ?? null);
    if (this.#baseGeneration !== null) copyVerifiedDatabase(folder, this.#baseGeneration, path);
    const db = new DatabaseSync(path);
    // Nobody reads this copy yet and a killed sync throws it away, so the journal need not survive.
    db.exec(
      'PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -32768; PRAGMA temp_store = FILE',
    );
    if (schemaVersion(db) !== SCHEMA_VERSION) createTables(db);
    this.#newDatabase = { name, db };
    return db;
  }

  #finishNewDatabase(): string {
    const { name, db } = this.#newDatabase!;
    this.#options.report({ type: 'indexing' });
    db.exec('BEGIN');
    this.#removeStarterRecords(db);
    if (this.#needsIndex) buildIndex(db);
    db.exec('COMMIT');
    db.close();
    finishDatabase(this.#options.folder, name);
    return name;
  }

  #discardNewDatabase(): void {
    if (this.#newDatabase?.db.isOpen) this.#newDatabase.db.close();
    removeLeftoverFiles(this.#options.folder);
  }

  /** The starter's records go when the NVD's are there; its name goes when every feed has brought its own. */
  #removeStarterRecords(db: DatabaseSync): void {
    if (this.#feedStates.starter === undefined) return;
    const has = (id: FeedId): boolean => (this.#feedStates[id]?.records ?? 0) > 0;
    if (has('nvd')) db.exec(`DELETE FROM record WHERE ${recordSourceCondition('starter')}`);
    if ((['nvd', 'kev', 'epss', 'cwe', 'exploitdb'] as const).every(has)) delete this.#feedStates.starter;
  }
}

/** A copy of what the disk has lost parts of would be given a right checksum: it is compared before anything is built on it. */
function copyVerifiedDatabase(folder: string, { file, sha256 }: Generation, path: string): void {
  try {
    copyFileSync(join(folder, file), path, fsConstants.COPYFILE_FICLONE);
    if (sha256 === undefined || hashFile(path) === sha256) return;
    forgetVerified(folder);
    throw checksumMismatchError();
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}

async function openFeedFile(upstream: Upstream, file: FeedFile, validator: string | null): Promise<OpenResult> {
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

async function listFeedFiles(
  feed: Feed,
  upstreams: readonly Upstream[],
  state: FeedState,
): Promise<{ upstream: Upstream; files: FeedFile[] }> {
  const memory = { asOf: state.data_time, files: new Set(Object.keys(state.files)), notes: state.notes };
  let failure: unknown = new FeedRejectedError('no address is configured');
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
    cve: feed.kind === 'cve' ? `record WHERE ${recordSourceCondition(feed.id as 'nvd' | 'cvelist')}` : '',
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
function dropUnlistedFiles(state: FeedState, files: readonly FeedFile[]): void {
  if (files.length === 0 || files.some(({ extent }) => extent !== 'delta')) return;
  const listed = new Set(files.map(({ name }) => name));
  state.files = Object.fromEntries(Object.entries(state.files).filter(([name]) => listed.has(name)));
  state.skipped = countSkipped(state);
}

function countSkipped(state: FeedState): number {
  return Object.values(state.files).reduce((sum, { skipped }) => sum + skipped, 0);
}

function emptyFeedState(): FeedState {
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
