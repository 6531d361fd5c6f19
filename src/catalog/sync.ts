import { mkdirSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { BASELINE_NOTE, isBaseline } from '../feeds/cvelist/releases.ts';
import type { Feed, FeedFile, FeedId } from '../feeds/feed.ts';
import type { Upstream } from '../feeds/upstream.ts';
import { NetError, type NetErrorCode } from '../net/net-error.ts';
import { buildIndex } from './build-index.ts';
import { tryLockCatalog } from './catalog-lock.ts';
import { type FeedState, type Generation, publishGeneration, removeLeftoverFiles } from './generation.ts';
import { type ChangeOrigin, removeOldChanges } from './history/change-recorder.ts';
import { recordSourceCondition } from './record-id.ts';
import { recoverGeneration } from './recover-generation.ts';
import { Deadline, formatDuration } from './sync/deadline.ts';
import { countRecords, countSkipped, dropUnlistedFiles, emptyFeedState } from './sync/feed-state.ts';
import { GenerationDraft } from './sync/generation-draft.ts';
import { listFeedFiles, openFeedFile } from './sync/list-feed-files.ts';
import { type FileLoadEvent, loadFeedFile } from './sync/load-feed-file.ts';
import { RecordThreads } from './sync/parse-in-threads.ts';
import { FeedRejectedError, publicSyncErrorText, SyncBusyError } from './sync/sync-errors.ts';

/** What happens during a sync, for a progress bar, a log or a parent process. */
export type SyncEvent =
  | FileLoadEvent
  | { type: 'feed'; feed: FeedId; title: string }
  /** `file` null: the feed as a whole. `reason` is for the operator; `text` may be shown to every caller. */
  | { type: 'refused'; feed: FeedId; file: string | null; reason: string; text: string; unreachable: boolean }
  | { type: 'feed_done'; feed: FeedId; result: FeedResult; records: number }
  | { type: 'indexing' }
  | { type: 'done'; result: 'published' | 'unchanged'; file: string | null; seconds: number };

type FeedResult = 'loaded' | 'unchanged' | 'failed' | 'partial';

export interface SyncOptions {
  folder: string;
  /** Each feed with a function that opens its addresses, which stop at the signal. The first one that lists its files is used. */
  feeds: readonly { feed: Feed; upstreams: (signal: AbortSignal) => readonly Upstream[] }[];
  now: () => Date;
  report: (event: SyncEvent) => void;
  signal?: AbortSignal;
  /** Also accepts a complete file that lost more than a tenth of its records. */
  allowShrink?: boolean;
  /** How long one feed, and all of them together, may take. */
  limits?: { feedMs: number; syncMs: number };
}

export interface SyncResult {
  generation: Generation | null;
  /** Feeds of which nothing, or only a part, could be loaded. */
  failed: FeedId[];
}

/** Errors of an upstream that was reached. */
const ANSWERED_ERROR_CODES: ReadonlySet<NetErrorCode> = new Set([
  'too_large',
  'too_many_redirects',
  'bad_redirect',
  'protocol',
]);
const MAX_ERROR_CHARACTERS = 500;
const MINUTE_MS = 60_000;
/** A first sync of all feeds takes some minutes; on a slow line an hour. */
export const SYNC_LIMITS = { feedMs: 60 * MINUTE_MS, syncMs: 180 * MINUTE_MS };

/**
 * Reads what changed in the feeds into a copy of the catalog and publishes that copy. A feed that fails, shrinks by more
 * than a tenth, or has another format keeps its old data, and its state says why; the other feeds are still loaded.
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
  /** The generation that the new one starts from; null: the new one starts empty. */
  readonly #base: Generation | null;
  readonly #draft: GenerationDraft;
  readonly #feedStates: Record<string, FeedState>;
  readonly #failedFeeds: FeedId[] = [];
  readonly #threads = new RecordThreads();
  #filesLoaded = 0;
  /** Whether data changed that the search index is made from. */
  #needsIndex: boolean;

  constructor(options: SyncOptions) {
    const { folder } = options;
    this.#options = options;
    this.#base = recoverGeneration(folder).generation;
    this.#draft = new GenerationDraft(folder, this.#base);
    this.#feedStates = structuredClone(this.#base?.sources ?? {});
    this.#needsIndex = this.#base === null || this.#feedStates.starter !== undefined;
    removeLeftoverFiles(folder);
  }

  async run(): Promise<SyncResult> {
    const { folder, feeds, report } = this.#options;
    try {
      for (const { feed, upstreams } of feeds) {
        // The threads' memory is needed by what comes after them.
        if (feed.kind !== 'cve') await this.#threads.close();
        await this.#syncFeed(feed, upstreams);
      }
      await this.#threads.close();
      const newFile = this.#filesLoaded > 0 ? this.#finishDraft() : null;
      if (newFile === null) this.#draft.discard();
      const generation = this.#describeGeneration(newFile);
      if (generation !== null) publishGeneration(folder, generation);
      const seconds = (performance.now() - this.#startedAtMs) / 1000;
      const result = newFile === null ? 'unchanged' : 'published';
      report({ type: 'done', result, file: generation?.file ?? null, seconds });
      return { generation, failed: this.#failedFeeds };
    } catch (error) {
      this.#draft.discard();
      throw error;
    } finally {
      await this.#threads.close();
    }
  }

  /** The generation to publish: the new file, or the base with its new feed states; null where there is neither. */
  #describeGeneration(newFile: string | null): Generation | null {
    const sources = this.#feedStates;
    // Until all feeds were synced without failure, the catalog may be older than the one that was lost.
    const recovered = this.#failedFeeds.length > 0 ? this.#base?.recovered : undefined;
    const notice = recovered === undefined ? null : { recovered };
    if (newFile !== null) return { file: newFile, created_at: this.#options.now().toISOString(), sources, ...notice };
    if (this.#base === null) return null;
    return { file: this.#base.file, created_at: this.#base.created_at, sources, ...notice };
  }

  async #syncFeed(feed: Feed, upstreams: (signal: AbortSignal) => readonly Upstream[]): Promise<void> {
    const { report, now } = this.#options;
    report({ type: 'feed', feed: feed.id, title: feed.title });
    const state: FeedState = this.#feedStates[feed.id] ?? emptyFeedState();
    state.last_attempt_at = now().toISOString();
    const problems: string[] = [];
    let loaded = 0;
    let dataTime = state.data_time;
    using deadline = this.#feedDeadline();
    try {
      deadline.throwIfExpired();
      const { upstream, files } = await listFeedFiles(feed, upstreams(deadline.signal), state);
      state.missing_files = [];
      dropUnlistedFiles(state, files);
      for (const file of files) {
        const outcome = await this.#syncFile(feed, upstream, file, state, deadline);
        if (outcome === 'unchanged') continue;
        if ('problem' in outcome) {
          problems.push(`${file.name}: ${outcome.problem}`);
          if (state.files[file.name] === undefined) state.missing_files.push(file.name);
          if (deadline.isExpired) break;
          continue;
        }
        loaded++;
        if (outcome.dataTime !== null && (dataTime === null || outcome.dataTime > dataTime))
          dataTime = outcome.dataTime;
      }
      // Feeds of changes ask for what is newer than this time: after a rejected file it must stay as it was.
      if (problems.length === 0) state.data_time = dataTime;
      state.from_origin = upstream.layout === 'origin';
    } catch (error) {
      problems.push(this.#reportFailure(feed, null, error, deadline));
    }
    const isFirstData = loaded > 0 && state.last_success_at === null;
    if (problems.length === 0 || isFirstData) state.last_success_at = state.last_attempt_at;
    if (problems.length > 0) this.#failedFeeds.push(feed.id);
    state.last_error = problems.length === 0 ? null : problems.join('; ').slice(0, MAX_ERROR_CHARACTERS);
    this.#filesLoaded += loaded;
    if (loaded > 0) state.records = countRecords(this.#draft.open(now()), feed);
    this.#feedStates[feed.id] = state;
    const result = feedResult(loaded, problems.length);
    report({ type: 'feed_done', feed: feed.id, result, records: state.records });
  }

  async #syncFile(
    feed: Feed,
    upstream: Upstream,
    file: FeedFile,
    state: FeedState,
    deadline: Deadline,
  ): Promise<{ dataTime: string | null } | { problem: string } | 'unchanged'> {
    const { allowShrink = false, now, report } = this.#options;
    const known = state.files[file.name];
    if (known !== undefined && file.fingerprint !== null && known.fingerprint === file.fingerprint) return 'unchanged';
    try {
      const opened = await openFeedFile(upstream, file, file.fingerprint === null ? (known?.validator ?? null) : null);
      if (opened.status === 'unchanged') return 'unchanged';
      if (opened.status === 'missing') throw new FeedRejectedError('not found at its address');
      const knownRecords = allowShrink ? 0 : (known?.records ?? 0);
      const db = this.#draft.open(now());
      const stats = await loadFeedFile(db, feed, file, opened, {
        knownRecords,
        deadline,
        report,
        threads: this.#threads,
        history: hasHistory(feed) ? { db, origin: changeOrigin(feed, file, state, now()) } : null,
      });
      if (feed.kind !== 'network') this.#needsIndex = true;
      const { records, skipped } = stats;
      state.files[file.name] = { fingerprint: file.fingerprint, validator: opened.validator, records, skipped };
      const notes = Object.entries({ ...state.notes, ...stats.notes });
      state.notes = Object.fromEntries(notes.filter(([, text]) => text !== ''));
      state.skipped = countSkipped(state);
      return { dataTime: stats.dataTime };
    } catch (error) {
      return { problem: this.#reportFailure(feed, file.name, error, deadline) };
    }
  }

  /** Reports what could not be loaded and gives the reason as a public text. Throws where the caller stopped the sync. */
  #reportFailure(feed: Feed, file: string | null, thrown: unknown, deadline: Deadline): string {
    this.#options.signal?.throwIfAborted();
    // When the time is over, the work in progress fails with some other error.
    const error = deadline.isExpired ? deadline.signal.reason : thrown;
    const text = publicSyncErrorText(error);
    const reason = error instanceof Error ? error.message : String(error);
    const unreachable = error instanceof NetError && !ANSWERED_ERROR_CODES.has(error.code);
    this.#options.report({ type: 'refused', feed: feed.id, file, reason, text, unreachable });
    return text;
  }

  #feedDeadline(): Deadline {
    const { limits: { feedMs, syncMs } = SYNC_LIMITS, signal } = this.#options;
    const leftMs = Math.max(0, syncMs - (performance.now() - this.#startedAtMs));
    const text =
      leftMs < feedMs
        ? `the sync as a whole took longer than ${formatDuration(syncMs)}`
        : `it took longer than ${formatDuration(feedMs)}`;
    return new Deadline(Math.min(feedMs, leftMs), text, signal);
  }

  #finishDraft(): string {
    this.#options.report({ type: 'indexing' });
    return this.#draft.finish((db) => {
      this.#removeStarterRecords(db);
      removeOldChanges(db, this.#options.now());
      if (this.#needsIndex) buildIndex(db);
    });
  }

  /** Deletes the starter's records as soon as those of the NVD are loaded, and its state when all feeds that it replaces are loaded. */
  #removeStarterRecords(db: DatabaseSync): void {
    if (this.#feedStates.starter === undefined) return;
    const hasRecords = (id: FeedId): boolean => (this.#feedStates[id]?.records ?? 0) > 0;
    if (hasRecords('nvd')) db.exec(`DELETE FROM record WHERE ${recordSourceCondition('starter')}; DELETE FROM joined`);
    if ((['nvd', 'kev', 'epss', 'cwe', 'exploitdb'] as const).every(hasRecords)) delete this.#feedStates.starter;
  }
}

const KINDS_WITH_HISTORY: ReadonlySet<Feed['kind']> = new Set(['cve', 'advisory', 'kev', 'epss', 'exploit']);

/** Whether changes of the feed are recorded: those of what is known of CVEs, not of other catalogs and lists. */
function hasHistory({ kind }: Feed): boolean {
  return KINDS_WITH_HISTORY.has(kind);
}

/**
 * What the changes of a file rest on. The first data of a feed changes nothing; nor does the first baseline of the CVE List, where
 * deltas came before it.
 */
function changeOrigin(feed: Feed, file: FeedFile, state: FeedState, seenAt: Date): ChangeOrigin {
  const isFirstBaseline = feed.id === 'cvelist' && isBaseline(file) && state.notes[BASELINE_NOTE] === undefined;
  return {
    source: feed.id,
    file: file.name,
    seenAt,
    isBaseline: state.last_success_at === null || isFirstBaseline,
    recordsAdditions: file.extent === 'delta' || state.files[file.name] !== undefined,
  };
}

function feedResult(loaded: number, problems: number): FeedResult {
  if (problems > 0) return loaded > 0 ? 'partial' : 'failed';
  return loaded > 0 ? 'loaded' : 'unchanged';
}
