import { cpuSeconds, stop } from '../child.ts';
import { atLeast, type Figure, judged } from '../figure.ts';
import { Load } from '../load.ts';
import { drawQueries } from '../search-queries.ts';
import { median } from '../statistics.ts';
import { drawCveIds, type Service } from '../workbench.ts';

const QUERIES = 200;
const DRAWN_FROM = 400;
const CONNECTIONS = 16;
const SLOT_SECONDS = 3;
const ROUNDS = 3;
const AIM = atLeast(1.8, 1.9);

interface Slot {
  perSecond: number;
  /** Of the service, for each request. */
  cpuMillis: number;
}

/**
 * Two workers against one. Searches, which cost the service far more than they cost the client: it has no machine of its own
 * here, and what it takes of the two cores is missing from what the second worker can give.
 */
export const workers: Figure = {
  name: 'workers',
  async run(bench) {
    const dataDir = await bench.full();
    bench.say('two workers against one');
    const one = await bench.serve(dataDir);
    const queries = await drawQueries(one.port, drawCveIds(dataDir, DRAWN_FROM), QUERIES);
    const two = await bench.serve(dataDir, { SEXTANT_WORKERS: '2' });
    const load = new Load();
    const slot = async ({ child, port }: Service): Promise<Slot> => {
      const before = cpuSeconds(child) ?? Number.NaN;
      const task = { port, questions: queries, connections: CONNECTIONS, seconds: SLOT_SECONDS, pauseMs: 0 };
      const { requests, seconds } = await load.run(task);
      const cpu = (cpuSeconds(child) ?? Number.NaN) - before;
      return { perSecond: requests / seconds, cpuMillis: (cpu / requests) * 1000 };
    };
    await slot(one);
    await slot(two);
    const pairs: [Slot, Slot][] = [];
    for (let round = 0; round < bench.rounds(ROUNDS); round++) pairs.push([await slot(one), await slot(two)]);
    for (const { child } of [one, two, load]) await stop(child);
    const of = (at: 0 | 1, part: keyof Slot): number => median(pairs.map((pair) => pair[at][part]));
    const show = (at: 0 | 1): string =>
      `${Math.round(of(at, 'perSecond')).toLocaleString('en')}/s, CPU ${of(at, 'cpuMillis').toFixed(1)} ms`;
    const ratio = median(pairs.map(([alone, both]) => both.perSecond / alone.perSecond));
    return [
      judged(
        {
          figure: 'two workers, searches: requests',
          measured: show(1),
          reference: `one worker ${show(0)}`,
          result: ratio.toFixed(2),
        },
        AIM,
        ratio,
      ),
    ];
  },
};
