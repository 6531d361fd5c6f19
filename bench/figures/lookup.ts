import { type Asked, compare, inSlices, pagesOf, serveBare } from '../against-bare.ts';
import { stop } from '../child.ts';
import { type Aim, atLeast, type Figure, type Row, skipped } from '../figure.ts';
import { Load } from '../load.ts';
import { drawCveIds } from '../workbench.ts';

/** More than any slot asks for, and far more than the service keeps answers of. */
const FRESH_IDS = 60_000;
const REPEATED_IDS = 5000;
const HOT_IDS = 100;
const FAMOUS = 'CVE-2021-44228';
const ROUNDS = 3;
const FRESH_AIM = atLeast(0.3, 0.5);
const REPEATED_AIM = atLeast(0.5, 0.7);
const FRESH = 'look-up, each id once';

/** Look-ups of one CVE against a bare `node:http` server that writes the same bytes. */
export const lookup: Figure = {
  name: 'lookup',
  async run(bench) {
    const dataDir = await bench.full();
    bench.say('look-ups against bare node:http');
    const all = drawCveIds(dataDir).map((id) => `/v1/cve/${id}`);
    const repeated = all.slice(0, REPEATED_IDS);
    const hot = repeated.slice(0, HOT_IDS);
    const famous = [`/v1/cve/${FAMOUS}`];
    const service = await bench.serve(dataDir);
    const bare = await serveBare(bench, await pagesOf(service.port, [...repeated, ...famous]));
    const load = new Load();
    const against = (title: string, aim: Aim, own: Asked, reference: readonly string[]): Promise<Row[]> =>
      compare({ title, aim, against: 'bare' }, [service, own], [bare, () => reference], load, bench.rounds(ROUNDS));
    const count = repeated.length.toLocaleString('en');
    const rows = [
      ...(all.length < FRESH_IDS
        ? [skipped(FRESH)]
        : await against(FRESH, FRESH_AIM, inSlices(all, FRESH_IDS), repeated)),
      ...(await against(`look-up, ${count} ids again and again`, REPEATED_AIM, () => repeated, repeated)),
      ...(await against(`look-up, ${hot.length} ids again and again`, REPEATED_AIM, () => hot, hot)),
      ...(await against(`look-up, ${FAMOUS}`, REPEATED_AIM, () => famous, famous)),
    ];
    for (const { child } of [service, bare, load]) await stop(child);
    return rows;
  },
};
