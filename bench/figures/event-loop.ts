import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { publishGeneration, readCurrentGeneration } from '../../src/catalog/generation.ts';
import type { LoopDelay } from '../children/serve-monitored.ts';
import { hasEnded, nextMessage, projectFile, stop } from '../child.ts';
import { atMost, type Figure, information, judged } from '../figure.ts';
import { Load, type LoadResult } from '../load.ts';
import { drawQueries } from '../search-queries.ts';
import { percentile } from '../statistics.ts';
import { drawCveIds, type Service, type Workbench } from '../workbench.ts';

const CLIENTS = 50;
const PAUSE_MS = 100;
const QUIET_SECONDS = 5;
const WARM_SECONDS = 1;
/** A search for every nine look-ups. */
const LOOKUPS = 1800;
const SEARCHES = 200;
/** A new generation is seen within a second; some answers from it belong to the picture. */
const AFTER_PUBLISHED_MS = 2000;
const SYNC_WITHIN_SECONDS = 180;
const LONG_AGO = '2020-01-01T00:00:00.000Z';
const TARGET_MS = 20;

interface Phase {
  delay: LoopDelay;
  load: LoadResult;
}

/** How late the service's event loop is while a sync runs beside it and fifty clients ask. */
export const eventLoop: Figure = {
  name: 'event-loop',
  withoutFeeds: ['event-loop delay p99 while syncing, 50 clients', 'answer p99 while syncing, 50 clients'],
  async run(bench) {
    const load = new Load();
    const quiet = await serveWhile(bench, load, 'off', () => sleep(QUIET_SECONDS * 1000));
    const busy = await serveWhile(bench, load, 'auto', published);
    await stop(load.child);
    const show = ({ delay }: Phase): string =>
      `p50 ${delay.p50.toFixed(1)}, p99 ${delay.p99.toFixed(1)}, max ${delay.max.toFixed(0)} ms`;
    const answers = ({ load: { latencies, requests, seconds } }: Phase): string =>
      `p50 ${percentile(latencies, 0.5).toFixed(1)}, p99 ${percentile(latencies, 0.99).toFixed(1)} ms at ${Math.round(requests / seconds)}/s`;
    return [
      judged(
        {
          figure: 'event-loop delay p99 while syncing, 50 clients',
          measured: show(busy),
          reference: `without sync ${show(quiet)}`,
          result: `${busy.delay.p99.toFixed(1)} ms`,
        },
        atMost(TARGET_MS, null, ' ms'),
        busy.delay.p99,
      ),
      information({
        figure: 'answer p99 while syncing, 50 clients',
        measured: answers(busy),
        reference: `without sync ${answers(quiet)}`,
        result: (percentile(busy.load.latencies, 0.99) / percentile(quiet.load.latencies, 0.99)).toFixed(2),
      }),
    ];
  },
};

/**
 * Serves a tenth of the catalog, with all feeds there to be synced into it, and loads it until `until` is over.
 * Each client waits a while between answer and question, as clients do: without that, fifty would only measure a queue.
 */
async function serveWhile(
  bench: Workbench,
  load: Load,
  sync: 'auto' | 'off',
  until: (service: Service, dataDir: string, before: string) => Promise<void>,
): Promise<Phase> {
  const tenth = await bench.tenth();
  const dataDir = bench.folder('served');
  cpSync(tenth, dataDir, { recursive: true });
  const file = makeAllDue(join(dataDir, 'catalog'));
  bench.say(`50 clients, sync ${sync}`);
  const settings = { SEXTANT_SYNC: sync, SEXTANT_FEEDS: bench.feeds! };
  const service = await bench.serve(dataDir, settings, projectFile('children/serve-monitored.ts'));
  const ids = drawCveIds(tenth, LOOKUPS);
  const searches = await drawQueries(service.port, ids.slice(0, 400), SEARCHES);
  const task = { port: service.port, questions: mixed(ids, searches), connections: CLIENTS, pauseMs: PAUSE_MS };
  await load.run({ ...task, seconds: WARM_SECONDS });
  service.child.send('reset');
  const loaded = load.run({ ...task, seconds: SYNC_WITHIN_SECONDS });
  await until(service, dataDir, file);
  const delay = nextMessage<LoopDelay>(service.child, 'the service');
  service.child.send('report');
  const phase = { delay: await delay };
  load.finish();
  const result = { ...phase, load: await loaded };
  await stop(service.child);
  return result;
}

/** Makes a catalog forget how young it is, so that the service's first sync takes every feed. Its file. */
function makeAllDue(folder: string): string {
  const generation = readCurrentGeneration(folder)!;
  for (const state of Object.values(generation.sources)) state.last_success_at = LONG_AGO;
  publishGeneration(folder, generation);
  return generation.file;
}

async function published({ child }: Service, dataDir: string, before: string): Promise<void> {
  const folder = join(dataDir, 'catalog');
  const until = performance.now() + SYNC_WITHIN_SECONDS * 1000;
  while (readCurrentGeneration(folder)?.file === before) {
    if (hasEnded(child)) throw new Error('the service ended while a sync ran');
    if (performance.now() > until) throw new Error(`no sync was published within ${SYNC_WITHIN_SECONDS} s`);
    await sleep(200);
  }
  await sleep(AFTER_PUBLISHED_MS);
}

function mixed(ids: readonly string[], searches: readonly string[]): string[] {
  const each = Math.ceil(ids.length / searches.length);
  return searches.flatMap((query, at) => [
    ...ids.slice(at * each, (at + 1) * each).map((id) => `/v1/cve/${id}`),
    query,
  ]);
}
