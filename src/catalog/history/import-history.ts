import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { cveKey } from '../../analysis/cve/cve-id.ts';
import { createUpstream } from '../../feeds/create-upstream.ts';
import { cvelistFeed } from '../../feeds/cvelist/cvelist.ts';
import { cvelistFiles, dataTimeOf } from '../../feeds/cvelist/releases.ts';
import { epssFeed } from '../../feeds/epss.ts';
import { type Feed, type FeedFile, feedFile, type FeedId } from '../../feeds/feed.ts';
import { kevFeed } from '../../feeds/kev.ts';
import type { OpenResult, Upstream } from '../../feeds/upstream.ts';
import { UpstreamError } from '../../feeds/upstream-error.ts';
import { gunzipIfPacked } from '../../feeds/unpack.ts';
import { tryLockCatalog } from '../catalog-lock.ts';
import { EPSS_SCALE } from '../cve-columns.ts';
import { dayNumber } from '../epss-history.ts';
import { type Generation, publishGeneration } from '../generation.ts';
import { recoverGeneration } from '../recover-generation.ts';
import { createTables } from '../schema.ts';
import { Deadline } from '../sync/deadline.ts';
import { FileParseStats, findRejection } from '../sync/file-parse-stats.ts';
import { GenerationDraft } from '../sync/generation-draft.ts';
import { loadFeedFile } from '../sync/load-feed-file.ts';
import { RecordThreads } from '../sync/parse-in-threads.ts';
import { FeedRejectedError, publicSyncErrorText, SyncBusyError } from '../sync/sync-errors.ts';
import { type ChangeOrigin, ChangeRecorder, lastChange } from './change-recorder.ts';
import { linkHistory } from './link-history.ts';
import { recordEpssDay } from './record-epss-day.ts';

/** What became of one file. */
export type HistoryImportEvent =
  | { type: 'imported'; source: FeedId; file: string; day: string; isBaseline: boolean; changes: number }
  /** It is in the history already. */
  | { type: 'known'; source: FeedId; file: string; day: string }
  | { type: 'refused'; source: FeedId; file: string; reason: string }
  /** The files lack many records of the catalog: they are not the whole source, and its days are not reached from today. */
  | { type: 'not_linked'; source: FeedId; missing: number };

export interface HistoryImportOptions {
  /** That of the catalog, which must exist. */
  folder: string;
  /** Has `epss/`, `kev/history/` and `cvelistV5/`; what is not there is left out. */
  from: string;
  now: () => Date;
  report: (event: HistoryImportEvent) => void;
  signal?: AbortSignal;
}

export interface HistoryImportResult {
  generation: Generation;
  imported: number;
  changes: number;
  refused: number;
}

const EPSS_NAME = /^epss_scores-(\d{4}-\d{2}-\d{2})\.csv\.gz$/;
const KEV_NAME = /^known_exploited_vulnerabilities-(\d{4}-\d{2}-\d{2})\.json(?:\.gz)?$/;
const MAX_FILE_MS = 60 * 60_000;

/** A file with the time at which it counts as seen. */
interface HistoryFile {
  file: FeedFile;
  seenAt: Date;
}

/**
 * Adds what files of earlier days changed to the history; what the catalog knows of today stays as it is. The first file of a source is what
 * the next one is compared with. A broken file is reported and left out. Files that were imported before, and days since which syncs
 * recorded the changes of a source, are not recorded again. Throws `SyncBusyError` while another process writes the catalog, and
 * `UpstreamError` where the folder has none of these files.
 */
export async function importHistory(options: HistoryImportOptions): Promise<HistoryImportResult> {
  const lock = tryLockCatalog(options.folder);
  if (lock === null) throw new SyncBusyError();
  try {
    return await new HistoryImport(options).run();
  } finally {
    lock.release();
  }
}

class HistoryImport {
  readonly #options: HistoryImportOptions;
  readonly #base: Generation;
  readonly #draft: GenerationDraft;
  readonly #db: DatabaseSync;
  readonly #threads = new RecordThreads();
  #imported = 0;
  #changes = 0;
  #refused = 0;

  constructor(options: HistoryImportOptions) {
    this.#options = options;
    const { generation } = recoverGeneration(options.folder);
    if (generation === null) throw new UpstreamError('there is no catalog yet');
    this.#base = generation;
    this.#draft = new GenerationDraft(options.folder, generation);
    this.#db = this.#draft.open(options.now());
  }

  async run(): Promise<HistoryImportResult> {
    try {
      const [epss, kev, cvelist] = ['epss', 'kev/history', 'cvelistV5'].map((path) => this.#upstream(path));
      const lists = [await datedFiles(epss!, EPSS_NAME), await datedFiles(kev!, KEV_NAME), await deltaFiles(cvelist!)];
      if (lists.every((files) => files.length === 0))
        throw new UpstreamError(
          'the folder has no epss/epss_scores-*.csv.gz, kev/history/*.json.gz or cvelistV5/*.zip',
        );
      await this.#importEpss(epss!, lists[0]!);
      await this.#importRecords(kevFeed, 'kev', kev!, lists[1]!);
      await this.#importRecords(cvelistFeed, 'cvelist', cvelist!, lists[2]!);
      return this.#finish();
    } catch (error) {
      this.#draft.discard();
      throw error;
    } finally {
      await this.#threads.close();
    }
  }

  #finish(): HistoryImportResult {
    const [imported, changes, refused] = [this.#imported, this.#changes, this.#refused];
    if (imported === 0) {
      this.#draft.discard();
      return { generation: this.#base, imported, changes, refused };
    }
    const file = this.#draft.finish(() => {});
    const { created_at, sources } = this.#base;
    const generation = publishGeneration(this.#options.folder, { file, created_at, sources });
    return { generation, imported, changes, refused };
  }

  #upstream(path: string): Upstream {
    const address = pathToFileURL(`${join(this.#options.from, path)}/`).href;
    return createUpstream({ address, layout: 'mirror', signal: this.#options.signal });
  }

  async #importEpss(upstream: Upstream, files: readonly HistoryFile[]): Promise<void> {
    const held = this.#db.prepare('SELECT 1 FROM epss_day WHERE day = ?');
    let isFirst = true;
    for (const { file, seenAt } of files) {
      const day = seenAt.toISOString().slice(0, 10);
      if (held.get(dayNumber(day)) !== undefined || this.#isImported('epss', file)) {
        this.#options.report({ type: 'known', source: 'epss', file: file.name, day });
        isFirst = false;
        continue;
      }
      const origin = { ...this.#origin('epss', file, seenAt), isBaseline: isFirst && !this.#hasEpssBefore(day) };
      const isDone = await this.#load(upstream, 'epss', file, origin, async (bytes, stats) => {
        const scores: [number, number, number][] = [];
        for await (const entries of epssFeed.parse(bytes, file, stats)) {
          stats.entries += entries.length;
          for (const { cve_id, score, percentile } of entries)
            scores.push([cveKey(cve_id)!, Math.round(score * EPSS_SCALE), Math.round(percentile * EPSS_SCALE)]);
        }
        const rejection = findRejection(stats, file, 0);
        if (rejection !== null) throw new FeedRejectedError(rejection.reason);
        if (stats.dataTime?.slice(0, 10) !== day) throw new FeedRejectedError(`holds the scores of ${stats.dataTime}`);
        const changes = new ChangeRecorder(this.#db, origin);
        const isSeen = this.#isRecordedBySyncs('epss', seenAt);
        recordEpssDay(this.#db, day, stats.notes['model_version'] ?? null, scores, isSeen ? null : changes);
      });
      if (isDone) isFirst = false;
    }
  }

  #hasEpssBefore(day: string): boolean {
    return this.#db.prepare('SELECT 1 FROM epss_day WHERE day < ? LIMIT 1').get(dayNumber(day)) !== undefined;
  }

  /** Loads the files one after the other into a catalog of their own, each of which is compared with what was there. */
  async #importRecords(
    feed: Feed,
    source: 'kev' | 'cvelist',
    upstream: Upstream,
    files: readonly HistoryFile[],
  ): Promise<void> {
    const isKnown = ({ file, seenAt }: HistoryFile): boolean =>
      this.#isImported(feed.id, file) || this.#isRecordedBySyncs(feed.id, seenAt);
    const known = new Set(files.filter(isKnown));
    for (const { file, seenAt } of known)
      this.#options.report({ type: 'known', source: feed.id, file: file.name, day: seenAt.toISOString().slice(0, 10) });
    if (known.size === files.length) return;
    const path = join(this.#options.folder, `history-${process.pid}.db.tmp`);
    rmSync(path, { force: true });
    const records = new DatabaseSync(path);
    try {
      records.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -32768');
      createTables(records);
      let isFirst = true;
      let last: HistoryFile | null = null;
      // Later files were seen by syncs: what is imported leads to the first one of these.
      for (const listed of files.filter(({ seenAt }) => !this.#isRecordedBySyncs(source, seenAt))) {
        const origin = { ...this.#origin(feed.id, listed.file, listed.seenAt), isBaseline: isFirst };
        const history = known.has(listed) ? null : { db: this.#db, origin };
        const isDone = await this.#load(
          upstream,
          feed.id,
          listed.file,
          history === null ? null : origin,
          async (bytes) => {
            using deadline = new Deadline(MAX_FILE_MS, 'it took too long', this.#options.signal);
            const opened = { status: 'open', bytes, size: null, validator: null } as const;
            const parse = { knownRecords: 0, deadline, threads: this.#threads, report: () => {}, history };
            await loadFeedFile(records, feed, listed.file, opened, parse);
          },
        );
        if (isDone) [isFirst, last] = [false, listed];
      }
      if (last !== null) this.#link(source, records, last.seenAt);
    } finally {
      records.close();
      rmSync(path, { force: true });
    }
  }

  #link(source: 'kev' | 'cvelist', records: DatabaseSync, until: Date): void {
    const before = this.#changeCount();
    this.#db.exec('BEGIN');
    const link = linkHistory(this.#db, records, source, until);
    this.#db.exec('COMMIT');
    this.#changes += this.#changeCount() - before;
    if (link !== null && !link.isLinked) this.#options.report({ type: 'not_linked', source, missing: link.missing });
  }

  /** Loads one file: all of it, or nothing. `origin` null: it is read for the next one alone. Gives whether it could be read. */
  async #load(
    upstream: Upstream,
    source: FeedId,
    file: FeedFile,
    origin: ChangeOrigin | null,
    load: (bytes: AsyncIterable<Uint8Array>, stats: FileParseStats) => Promise<void>,
  ): Promise<boolean> {
    const { report, signal } = this.#options;
    const before = this.#changeCount();
    this.#db.exec('BEGIN');
    try {
      const opened = await upstream.openFile(file.path, null);
      if (opened.status !== 'open') throw new FeedRejectedError('not found');
      await load(unpacked(file, opened), new FileParseStats());
      this.#db.exec('COMMIT');
    } catch (error) {
      this.#db.exec('ROLLBACK');
      signal?.throwIfAborted();
      this.#refused++;
      report({
        type: 'refused',
        source,
        file: file.name,
        reason: publicSyncErrorText(error),
      });
      return false;
    }
    if (origin === null) return true;
    const changes = this.#changeCount() - before;
    this.#imported++;
    this.#changes += changes;
    const { isBaseline, seenAt } = origin;
    report({ type: 'imported', source, file: file.name, day: seenAt.toISOString().slice(0, 10), isBaseline, changes });
    return true;
  }

  #origin(source: FeedId, file: FeedFile, seenAt: Date): Omit<ChangeOrigin, 'isBaseline'> {
    return { source, file: file.name, seenAt, recordsAdditions: true, isImported: true };
  }

  #isImported(source: FeedId, { name }: FeedFile): boolean {
    const known = this.#db.prepare('SELECT 1 FROM change_batch WHERE source = ? AND file = ? AND imported = 1');
    return known.get(source, name) !== undefined;
  }

  /** Whether the changes of this time were recorded when syncs saw them. */
  #isRecordedBySyncs(source: FeedId, seenAt: Date): boolean {
    const known = this.#db.prepare('SELECT min(seen_at) AS since FROM change_batch WHERE source = ? AND imported = 0');
    const { since } = known.get(source) as { since: number | null };
    return since !== null && seenAt.getTime() > since;
  }

  #changeCount(): number {
    return lastChange(this.#db);
  }
}

function unpacked(file: FeedFile, { bytes }: Extract<OpenResult, { status: 'open' }>): AsyncIterable<Uint8Array> {
  return KEV_NAME.test(file.name) ? gunzipIfPacked(bytes, kevFeed) : bytes;
}

/** Files with a day in their name, oldest first; [] where there is no such folder. */
async function datedFiles(upstream: Upstream, name: RegExp): Promise<HistoryFile[]> {
  const names = await listOrNone(upstream.listFiles(name));
  return names
    .toSorted()
    .map((file) => ({ file: feedFile(file), seenAt: new Date(`${name.exec(file)![1]}T00:00:00Z`) }));
}

async function deltaFiles(upstream: Upstream): Promise<HistoryFile[]> {
  const files = await listOrNone(cvelistFiles(upstream, { asOf: null, files: new Set() }));
  return files.map((file) => ({ file, seenAt: new Date(dataTimeOf(file)!) }));
}

async function listOrNone<Item>(list: Promise<Item[]>): Promise<Item[]> {
  try {
    return await list;
  } catch (error) {
    if (error instanceof UpstreamError) return [];
    throw error;
  }
}
