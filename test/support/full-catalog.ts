import { constants, cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Catalog } from '../../src/catalog/catalog.ts';
import { createFeedUpstreams } from '../../src/catalog/create-feed-upstreams.ts';
import { CatalogHandle } from '../../src/catalog/catalog-handle.ts';
import { importHistory } from '../../src/catalog/history/import-history.ts';
import { syncCatalog } from '../../src/catalog/sync.ts';
import { FEEDS } from '../../src/feeds/list.ts';
import { OPERATIONS } from '../../src/operations/list.ts';
import { parseInput } from '../../src/engine/input/parse-input.ts';
import { ResponseCache } from '../../src/engine/response-cache.ts';
import { runOperation, type RunnerDeps } from '../../src/engine/runner.ts';
import { SharedOrLocalStore } from '../../src/sources/expiring-store.ts';
import { buildOnce, keyOf } from './build-once.ts';
import { sharedPath } from './shared.ts';

const feeds = sharedPath('feeds');
const history = sharedPath('feeds-history');
/** Below the kept folder, which has a lock of its own. */
const DATA = 'data';
/** Without these the tests over the full catalog have nothing to say. */
const NEEDED: readonly string[] = ['kev', 'epss', 'cwe', 'nvd', 'cvelist', 'ghsa', 'exploitdb'];

const FOLDERS = FEEDS.map(({ folder }) => folder);

/** For `skip`: tests over the full catalog need the feeds. */
export const noFeeds: false | 'no feeds' = feeds === null && 'no feeds';
export const noHistory: false | 'no feeds' | 'no history of feeds' =
  noFeeds || (history === null && 'no history of feeds');

/** Some time after the newest day in the feeds. */
export const FEEDS_NOW = new Date('2025-09-01T00:00:00Z');

export interface FullCatalog {
  /** The catalog's data folder. */
  folder: string;
  catalog: Catalog;
  services: RunnerDeps;
  /** Runs an operation as a surface would, on raw input. */
  ask: (operationId: string, input: Record<string, unknown>) => Promise<Record<string, any>>;
}

let opened: Promise<FullCatalog> | null = null;

/** The catalog of all feeds in the shared data, synced once (some 25 s) and kept until the code that makes it changes. */
export function fullCatalog(): Promise<FullCatalog> {
  opened ??= open();
  return opened;
}

async function open(): Promise<FullCatalog> {
  return contextOf(await fullFolder());
}

async function fullFolder(): Promise<string> {
  if (feeds === null) throw new Error('no feeds');
  const kept = await buildOnce('catalog', `${sourceKey()}-${feedKey(feeds, FOLDERS)}`, (target) =>
    syncAll(feeds, join(target, DATA)),
  );
  return join(kept, DATA);
}

/** The data folder of the full catalog with the history of the shared earlier days, made once (some 40 s). Only to be read. */
export async function catalogWithHistory(): Promise<string> {
  const full = await fullFolder();
  const key = `${sourceKey()}-${feedKey(feeds!, FOLDERS)}-${feedKey(history!, ['epss', 'kev/history', 'cvelistV5'])}`;
  const kept = await buildOnce('history', key, async (target) => {
    const folder = join(target, DATA);
    cpSync(full, folder, { recursive: true, mode: constants.COPYFILE_FICLONE });
    const { refused } = await importHistory({ folder, from: history!, now: () => FEEDS_NOW, report: () => {} });
    if (refused > 0) throw new Error(`${refused} files of earlier days were refused`);
  });
  return join(kept, DATA);
}

/** Opens a data folder for in-process calls; live sources are not asked. */
export function contextOf(folder: string, now: () => Date = () => FEEDS_NOW): FullCatalog {
  let opened = false;
  const handle = new CatalogHandle(folder, (problem) => {
    // Later on the test has removed the folder.
    if (!opened) throw problem;
  });
  opened = true;
  const services: RunnerDeps = {
    catalog: handle,
    ask: async () => ({ status: 'not_configured' }),
    responseCache: new ResponseCache(),
    now,
    memory: new SharedOrLocalStore(null, now),
    serviceState: {
      version: '0',
      startedAt: now(),
      unavailableBackends: () => [],
      catalogProblem: () => handle.problem,
      followedCatalog: () => null,
      sourceHealth: () => ({ last_success_at: null, last_error: null, configured: false }),
    },
  };
  return {
    folder,
    services,
    get catalog() {
      if (handle.current === null) throw new Error('the folder holds no catalog');
      return handle.current;
    },
    async ask(operationId, input) {
      const operation = OPERATIONS.find(({ id }) => id === operationId);
      if (operation === undefined) throw new Error(`no operation ${operationId}`);
      return runOperation(operation, parseInput(operation, input, OPERATIONS), services, {
        disconnectSignal: () => new AbortController().signal,
      });
    },
  };
}

async function syncAll(from: string, folder: string): Promise<void> {
  const addressing = {
    feeds: pathToFileURL(`${from}/`).href,
    sourceUrls: new Map<string, string>(),
    githubToken: null,
  };
  rmSync(folder, { recursive: true, force: true });
  const { failed, generation } = await syncCatalog({
    folder,
    feeds: FEEDS.map((feed) => ({ feed, upstreams: (signal) => createFeedUpstreams(feed, addressing, signal) })),
    now: () => FEEDS_NOW,
    report: () => {},
  });
  const why = failed.filter((id) => NEEDED.includes(id)).map((id) => `${id}: ${generation?.sources[id]?.last_error}`);
  if (why.length > 0) throw new Error(`feeds failed: ${why.join(', ')}`);
}

function sourceKey(): string {
  const folders = ['feeds', 'catalog', 'analysis'];
  return keyOf(
    folders.map((name) => fileURLToPath(new URL(`../../src/${name}`, import.meta.url))),
    'content',
  );
}

/** Of feeds as they lie there now. */
export function feedKey(from: string, folders: readonly string[]): string {
  return keyOf(
    folders.map((name) => join(from, name)).filter((path) => existsSync(path)),
    'stat',
  );
}
