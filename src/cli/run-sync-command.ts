import { constants, setPriority } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { recoverOrCreateCatalog } from '../catalog/recover-or-create-catalog.ts';
import type { SyncResult } from '../catalog/sync.ts';
import { SyncBusyError } from '../catalog/sync/sync-errors.ts';
import { FEEDS } from '../feeds/list.ts';
import { didYouMean } from '../engine/input/did-you-mean.ts';
import { catalogFolderOf } from '../server/runner-deps.ts';
import { createGarbageCollector } from '../garbage-collector.ts';
import { CliError, EXIT_CODES } from '../exit-codes.ts';
import { parentDisconnectSignal } from './parent-disconnect-signal.ts';
import { runInterruptible } from './run-interruptible.ts';
import { loadConfig } from './load-config.ts';
import { toPrintableJson } from './output.ts';
import { runSync } from './run-sync.ts';
import { LineSyncReporter } from './sync-report/line-sync-reporter.ts';
import { ProgressSyncReporter } from './sync-report/progress-sync-reporter.ts';
import { type SyncReporter, SyncTally } from './sync-report/sync-tally.ts';

/** What one feed left behind would stand beside what the next one needs: it is collected between them where it is large. */
const LARGE_HEAP_BYTES = 80 * 1024 * 1024;

export interface SyncCommandOptions {
  sources: readonly string[];
  onlyDue: boolean;
  /** Accepts named feeds although they lost more than a tenth of their records. */
  allowShrink: boolean;
  /** Sends events to the parent process instead of printing them. */
  reportsOverIpc: boolean;
  json: boolean;
}

/** `sextant sync`: reads the feeds, reports progress, and sets the exit status. Throws `CliError`. */
export async function runSyncCommand(options: SyncCommandOptions): Promise<void> {
  const { sources, onlyDue, allowShrink, reportsOverIpc, json } = options;
  const config = loadConfig();
  if (config.catalogFrom !== null) {
    throw new CliError(
      'usage',
      'this data folder follows a published catalog (SEXTANT_CATALOG_FROM): sextant catalog update fetches it; feeds are synced by its publisher',
    );
  }
  requireKnownFeeds(sources);
  if (allowShrink && sources.length === 0) {
    throw new CliError('usage', '--allow-shrink is for feeds that are named: sextant sync kev --allow-shrink');
  }
  lowerPriority();
  keepNewSpaceSmall();
  // During the first sync, and for feeds that are not synced yet, questions are answered from the starter catalog.
  await recoverOrCreateCatalog(catalogFolderOf(config), new Date());
  const reporter = createSyncReporter(reportsOverIpc, json);
  const tally = new SyncTally();
  const collect = createGarbageCollector();
  try {
    const outcome = await runInterruptible((signal) =>
      runSync(config, {
        feedIds: sources,
        onlyDue,
        allowShrink,
        signal: reportsOverIpc ? AbortSignal.any([signal, parentDisconnectSignal()]) : signal,
        onEvent: (event) => {
          if (event.type === 'indexing') collectEarly();
          if (event.type === 'feed_done' && process.memoryUsage().heapTotal > LARGE_HEAP_BYTES) collect();
          tally.add(event);
          reporter.onEvent(event);
        },
      }),
    );
    if (tally.done === null && !json && !reportsOverIpc) process.stdout.write('No feed is due.\n');
    if (json) process.stdout.write(`${toPrintableJson(syncDocument(tally, outcome))}\n`);
    process.exitCode = outcome.failed.length === 0 ? EXIT_CODES.ok.status : EXIT_CODES.failed.status;
  } catch (error) {
    throw error instanceof SyncBusyError ? new CliError('busy', error.message) : error;
  } finally {
    reporter.end?.();
    if (reportsOverIpc) process.disconnect?.();
  }
}

function createSyncReporter(reportsOverIpc: boolean, json: boolean): SyncReporter {
  if (reportsOverIpc) return { onEvent: (event) => void process.send?.(event) };
  if (process.stderr.isTTY) return new ProgressSyncReporter(process.stderr);
  return json ? { onEvent: () => {} } : new LineSyncReporter((line) => void process.stdout.write(`${line}\n`));
}

function syncDocument({ done, feeds }: SyncTally, { generation }: SyncResult): object {
  return { result: done?.result ?? 'unchanged', file: generation?.file ?? null, seconds: done?.seconds ?? 0, feeds };
}

function requireKnownFeeds(sources: readonly string[]): void {
  const known = FEEDS.map(({ id }) => id);
  const unknown = sources.find((source) => !(known as string[]).includes(source));
  if (unknown === undefined) return;
  throw new CliError(
    'usage',
    `no feed is called "${unknown}".${didYouMean(unknown, known)} Known: ${known.join(', ')}`,
  );
}

/**
 * V8 lets the space for new objects grow to 64 MiB in each thread, which a sync fills with what it parses and drops: a machine
 * that answers at the same time has better uses for them.
 */
function keepNewSpaceSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** Indexing needs the most memory. Collecting garbage early there adds a seventh to the CPU time of a sync; from the start it would add a half. */
function collectEarly(): void {
  setFlagsFromString('--optimize-for-size');
}

/** Answering requests has priority over a sync. */
function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Some systems do not allow it; the sync then runs at normal priority.
  }
}
