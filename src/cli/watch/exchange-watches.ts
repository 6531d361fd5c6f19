import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { isJsonObject, parseBoundedJson } from '../../analysis/bounded-json.ts';
import type { watchCreate } from '../../operations/watches/watch-create.ts';
import type { watchList } from '../../operations/watches/watch-list.ts';
import { formatCount } from '../../engine/summary.ts';
import { ApiError } from '../../errors.ts';
import { CliError } from '../../exit-codes.ts';
import { printOutput } from '../output.ts';
import { runWatchOperation } from './run-watch-operation.ts';
import { withLocalWatches } from './with-local-watches.ts';

type Listed = z.output<typeof watchList.output>['results'][number];
type Created = z.output<typeof watchCreate.output>;

const PAGE_SIZE = 200;
const STDIN = 0;

/** `sextant watch export`: all watches, in the form that watch_create takes. */
export async function exportWatches(): Promise<void> {
  const watches = await withLocalWatches(async (local) => {
    const all: Partial<Listed>[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const query = { include: 'full', limit: PAGE_SIZE, offset };
      const { answer } = await runWatchOperation('watch_list', query, local);
      const page = answer as unknown as z.output<typeof watchList.output>;
      for (const { name, subject, conditions, channels, schedule } of page.results)
        all.push({ name, subject, conditions, channels, schedule });
      offset = page.next_offset;
    }
    return all;
  });
  printOutput(true, { watches }, () => []);
}

/** `sextant watch import`. Throws `CliError` for a file that is no export, and where a watch could not be made. */
export async function importWatches(file: string, json: boolean): Promise<void> {
  const given = readExport(file);
  const results = await withLocalWatches(async (local) => {
    const made: { created: Created | null; error: string | null }[] = [];
    // Exports list the newest first.
    for (const one of given.toReversed()) {
      try {
        const { answer } = await runWatchOperation('watch_create', one, local);
        made.push({ created: answer as unknown as Created, error: null });
      } catch (error) {
        if (!(error instanceof CliError || error instanceof ApiError)) throw error;
        made.push({ created: null, error: error.message });
      }
    }
    return made;
  });
  const failed = results.filter(({ error }) => error !== null).length;
  if (failed > 0) process.exitCode = 1;
  const document = { imported: results.length - failed, failed, results };
  printOutput(json, document, () => [
    ...results.flatMap(({ created, error }) =>
      created === null
        ? [`not imported: ${error}`]
        : [
            `${created.watch.id}  ${created.watch.label}`,
            ...created.secrets.map(({ channel_id, secret }) => `  secret of ${channel_id}, shown this once: ${secret}`),
          ],
    ),
    `${formatCount(results.length - failed, 'watch')} imported${failed > 0 ? `, ${failed} not` : ''}.`,
  ]);
}

function readExport(file: string): Record<string, unknown>[] {
  let document: unknown;
  try {
    document = parseBoundedJson(readFileSync(file === '-' ? STDIN : file, 'utf8'));
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new CliError(
      isMissing ? 'not_found' : 'usage',
      `${file}: ${isMissing ? 'there is no such file' : 'no JSON'}`,
    );
  }
  const watches = isJsonObject(document) ? document['watches'] : null;
  if (Array.isArray(watches) && watches.every(isJsonObject)) return watches;
  throw new CliError('usage', `${file}: not what sextant watch export prints, {"watches": [...]}`);
}
