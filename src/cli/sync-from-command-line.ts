import { constants, setPriority } from 'node:os';
import { ensureStarter } from '../catalog/starter.ts';
import { SyncBusyError, type SyncOutcome } from '../catalog/sync.ts';
import { FEEDS } from '../feeds/list.ts';
import { nearestName } from '../engine/input/parse-input.ts';
import { catalogFolder } from '../server/services.ts';
import { CliError, EXIT } from '../exit.ts';
import { interruptible } from './interrupt.ts';
import { loadConfig } from './load-config.ts';
import { jsonText } from './output.ts';
import { runSync } from './sync.ts';
import { LinesReport } from './sync-report/lines.ts';
import { ProgressReport } from './sync-report/progress.ts';
import type { SyncReport } from './sync-report/report.ts';
import { SyncTally } from './sync-report/tally.ts';

export interface SyncCall {
  sources: readonly string[];
  due: boolean;
  /** Takes a feed also when it lost more than a tenth of its records; only feeds that are named. */
  allowShrink: boolean;
  /** Events go to the parent process. */
  ipc: boolean;
  json: boolean;
}

/** `sextant sync`: reads the feeds, tells of it as fits who is looking, and sets the exit status. */
export async function syncFromCommandLine({ sources, due, allowShrink, ipc, json }: SyncCall): Promise<void> {
  const config = loadConfig();
  refuseUnknown(sources);
  if (allowShrink && sources.length === 0) {
    throw new CliError('usage', '--allow-shrink is for feeds that are named: sextant sync kev --allow-shrink');
  }
  lowerPriority();
  // Whoever asks during the first sync, or after a sync of some feeds only, is answered from the starter.
  await ensureStarter(catalogFolder(config), new Date());
  const report = reportFor(ipc, json);
  const tally = new SyncTally();
  try {
    const outcome = await interruptible((signal) =>
      runSync(config, {
        ids: sources,
        due,
        allowShrink,
        signal: ipc ? AbortSignal.any([signal, parentGone()]) : signal,
        report: (event) => {
          tally.add(event);
          report.event(event);
        },
      }),
    );
    if (outcome === null) throw new CliError('busy', new SyncBusyError().message);
    if (tally.done === null && !json && !ipc) process.stdout.write('No feed is due.\n');
    if (json) process.stdout.write(`${jsonText(documentOf(tally, outcome))}\n`);
    process.exitCode = outcome.failed.length === 0 ? EXIT.ok.status : EXIT.failed.status;
  } finally {
    report.end();
    if (ipc) process.disconnect?.();
  }
}

function reportFor(ipc: boolean, json: boolean): SyncReport {
  if (ipc) return { event: (event) => void process.send?.(event), end: () => {} };
  if (process.stderr.isTTY) return new ProgressReport(process.stderr);
  return json ? { event: () => {}, end: () => {} } : new LinesReport((line) => void process.stdout.write(`${line}\n`));
}

function documentOf({ done, feeds }: SyncTally, { generation }: SyncOutcome): object {
  return { result: done?.result ?? 'unchanged', file: generation?.file ?? null, seconds: done?.seconds ?? 0, feeds };
}

function refuseUnknown(sources: readonly string[]): void {
  const known = FEEDS.map(({ id }) => id);
  const unknown = sources.find((source) => !(known as string[]).includes(source));
  if (unknown === undefined) return;
  const nearest = nearestName(unknown, known);
  const hint = nearest === null ? '' : ` Did you mean ${nearest}?`;
  throw new CliError('usage', `no feed is called "${unknown}".${hint} Known: ${known.join(', ')}`);
}

/** A sync whose service has died has nobody left to work for. */
function parentGone(): AbortSignal {
  const controller = new AbortController();
  process.once('disconnect', () =>
    controller.abort(new CliError('interrupted', 'the service that asked for this sync is gone')),
  );
  return controller.signal;
}

/** A sync gives way to answers. */
function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Not allowed everywhere; it is a courtesy.
  }
}
