import { stop } from '../child.ts';
import { type Figure, judge } from '../figure.ts';
import { Load } from '../load.ts';
import { drawQueries } from '../search-queries.ts';
import { median } from '../statistics.ts';
import { drawCveIds, type Service } from '../workbench.ts';

const QUERIES = 200;
const DRAWN_FROM = 400;
const CONNECTIONS = 16;
const SLOT_SECONDS = 3;
const ROUNDS = 3;
const TARGET = 1.7;

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
    const perSecond = async ({ port }: Service): Promise<number> => {
      const task = { port, questions: queries, connections: CONNECTIONS, seconds: SLOT_SECONDS, pauseMs: 0 };
      const { requests, seconds } = await load.run(task);
      return requests / seconds;
    };
    await perSecond(one);
    await perSecond(two);
    const pairs: [number, number][] = [];
    for (let round = 0; round < bench.rounds(ROUNDS); round++) pairs.push([await perSecond(one), await perSecond(two)]);
    for (const { child } of [one, two, load]) await stop(child);
    const rate = (at: 0 | 1): string => `${Math.round(median(pairs.map((pair) => pair[at]))).toLocaleString('en')}/s`;
    const ratio = median(pairs.map(([alone, both]) => both / alone));
    return [
      {
        figure: 'two workers, searches: requests',
        measured: rate(1),
        reference: `one worker ${rate(0)}`,
        result: ratio.toFixed(2),
        target: `>= ${TARGET}`,
        verdict: judge(ratio >= TARGET),
      },
    ];
  },
};
