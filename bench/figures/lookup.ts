import { type Asked, compare, serveBare } from '../against-bare.ts';
import { stop } from '../child.ts';
import { type Figure, type Row, skipped } from '../figure.ts';
import { KeepAliveClient } from '../http-client.ts';
import { Load } from '../load.ts';
import { drawCveIds } from '../workbench.ts';

/** More than any slot asks for, and far more than the service keeps answers of. */
const FRESH_IDS = 60_000;
const REPEATED_IDS = 5000;
const HOT_IDS = 100;
const FAMOUS = 'CVE-2021-44228';
const ROUNDS = 3;
const TARGET = 0.5;
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
    const against = (title: string, own: Asked, reference: readonly string[]): Promise<Row[]> =>
      compare(
        { title, target: TARGET, against: 'bare' },
        [service, own],
        [bare, () => reference],
        load,
        bench.rounds(ROUNDS),
      );
    const count = repeated.length.toLocaleString('en');
    const rows = [
      ...(all.length < FRESH_IDS ? [skipped(FRESH)] : await against(FRESH, inSlices(all), repeated)),
      ...(await against(`look-up, ${count} ids again and again`, () => repeated, repeated)),
      ...(await against(`look-up, ${hot.length} ids again and again`, () => hot, hot)),
      ...(await against(`look-up, ${FAMOUS}`, () => famous, famous)),
    ];
    for (const { child } of [service, bare, load]) await stop(child);
    return rows;
  },
};

/** Other paths each time; all have had their turn before one comes again. */
function inSlices(paths: readonly string[]): Asked {
  let at = 0;
  return () => {
    const slice = paths.slice(at, at + FRESH_IDS);
    at = at + FRESH_IDS < paths.length ? at + FRESH_IDS : 0;
    return slice;
  };
}

/** What the service answers at each path. */
async function pagesOf(port: number, paths: readonly string[]): Promise<[path: string, body: string][]> {
  const client = new KeepAliveClient(port);
  const pages: [string, string][] = [];
  for (const path of new Set(paths)) {
    const { status, body } = await client.ask(path);
    if (status !== 200) throw new Error(`${path} is answered with ${status}`);
    pages.push([path, body.toString()]);
  }
  client.close();
  return pages;
}
