import { existsSync } from 'node:fs';
import { type HistoryImportEvent, importHistory } from '../catalog/history/import-history.ts';
import { recoverOrCreateCatalog } from '../catalog/recover-or-create-catalog.ts';
import { SyncBusyError } from '../catalog/sync/sync-errors.ts';
import { CliError } from '../exit-codes.ts';
import { UpstreamError } from '../feeds/upstream-error.ts';
import { catalogFolderOf } from '../server/runner-deps.ts';
import { loadConfig } from './load-config.ts';
import { printOutput } from './output.ts';
import { printToStderr } from './report-failure.ts';
import { runInterruptible } from './run-interruptible.ts';

/** `sextant history import`. Files that are refused are named on stderr, and in the document. Throws `CliError`. */
export async function importAndPrintHistory(from: string, json: boolean): Promise<void> {
  const folder = catalogFolderOf(loadConfig());
  if (!existsSync(from)) throw new CliError('not_found', `${from}: there is no such folder`);
  await recoverOrCreateCatalog(folder, new Date());
  const events: HistoryImportEvent[] = [];
  const report = (event: HistoryImportEvent): void => {
    events.push(event);
    if (!json) printToStderr(eventLine(event));
  };
  try {
    const { imported, changes, refused } = await runInterruptible((signal) =>
      importHistory({ folder, from, now: () => new Date(), report, signal }),
    );
    printOutput(json, { imported, changes, refused, files: events }, () => [
      `${imported} files imported, ${changes} changes recorded${refused === 0 ? '' : `, ${refused} files refused`}.`,
    ]);
  } catch (error) {
    if (error instanceof UpstreamError) throw new CliError('not_found', `${from}: ${error.message}`);
    throw error instanceof SyncBusyError ? new CliError('busy', error.message) : error;
  }
}

function eventLine(event: HistoryImportEvent): string {
  if (event.type === 'refused') return `${event.file}: refused, ${event.reason}`;
  if (event.type === 'not_linked')
    return `${event.source}: the files lack ${event.missing} records of the catalog, so that no question can be asked as of their days`;
  if (event.type === 'known') return `${event.file}: in the history already`;
  return `${event.file}: ${event.isBaseline ? 'what the next one is compared with' : `${event.changes} changes`}`;
}
