import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cpuSeconds, freePort, nextMessage, projectFile, startNode, stop } from '../child.ts';
import { type Figure, judge, type Row, skipped } from '../figure.ts';
import { KeepAliveClient } from '../http-client.ts';
import { Load } from '../load.ts';
import { median } from '../statistics.ts';
import { drawCveIds, type Service, type Workbench } from '../workbench.ts';

/** More than any slot asks for, and far more than the service keeps answers of. */
const FRESH_IDS = 60_000;
const REPEATED_IDS = 5000;
const HOT_IDS = 100;
const FAMOUS = 'CVE-2021-44228';
const CONNECTIONS = 50;
const SLOT_SECONDS = 2;
const WARM_SECONDS = 1;
const ROUNDS = 3;
const TARGET = 0.5;
const FRESH = 'look-up, each id once';

interface Slot {
  perSecond: number;
  cpuMicros: number;
  /** Share of a core that the server used; NaN where unknown. */
  busy: number;
}

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
    const bare = await serveBare(bench, service.port, [...repeated, ...famous]);
    const load = new Load();
    const against = (title: string, own: Asked, reference: readonly string[]): Promise<Row[]> =>
      compare(title, [service, own], [bare, () => reference], load, bench.rounds(ROUNDS));
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

/** What the next slot asks. */
type Asked = () => readonly string[];

/** Other paths each time; all have had their turn before one comes again. */
function inSlices(paths: readonly string[]): Asked {
  let at = 0;
  return () => {
    const slice = paths.slice(at, at + FRESH_IDS);
    at = at + FRESH_IDS < paths.length ? at + FRESH_IDS : 0;
    return slice;
  };
}

async function serveBare(bench: Workbench, from: number, paths: readonly string[]): Promise<Service> {
  const client = new KeepAliveClient(from);
  const pages: [string, string][] = [];
  for (const path of new Set(paths)) {
    const { status, body } = await client.get(path);
    if (status !== 200) throw new Error(`${path} is answered with ${status}`);
    pages.push([path, body.toString()]);
  }
  client.close();
  const file = join(bench.folder('pages'), 'pages.json');
  writeFileSync(file, JSON.stringify(pages));
  const port = await freePort();
  const child = startNode([projectFile('children/bare-server.ts'), file, String(port)]);
  await nextMessage(child, 'the bare server');
  return { child, port };
}

/** Slots of one and the other in turn, so that a neighbour's noise falls on both. */
async function compare(
  title: string,
  [service, ownPaths]: [Service, Asked],
  [bare, barePaths]: [Service, Asked],
  load: Load,
  rounds: number,
): Promise<Row[]> {
  await measure(service, ownPaths(), load, WARM_SECONDS);
  await measure(bare, barePaths(), load, WARM_SECONDS);
  const pairs: [own: Slot, reference: Slot][] = [];
  for (let round = 0; round < rounds; round++) {
    pairs.push([
      await measure(service, ownPaths(), load, SLOT_SECONDS),
      await measure(bare, barePaths(), load, SLOT_SECONDS),
    ]);
  }
  const own = (of: keyof Slot): number => median(pairs.map(([slot]) => slot[of]));
  const reference = (of: keyof Slot): number => median(pairs.map(([, slot]) => slot[of]));
  const ratio = median(pairs.map(([a, b]) => a.perSecond / b.perSecond));
  const cpuRatio = median(pairs.map(([a, b]) => b.cpuMicros / a.cpuMicros));
  const rate = (perSecond: number): string => `${Math.round(perSecond).toLocaleString('en')}/s`;
  const cpu = (side: typeof own): string =>
    `${side('cpuMicros').toFixed(0)} us, ${(side('busy') * 100).toFixed(0)} % of a core`;
  return [
    {
      figure: `${title}: requests`,
      measured: rate(own('perSecond')),
      reference: `bare ${rate(reference('perSecond'))}`,
      result: ratio.toFixed(2),
      target: `>= ${TARGET}`,
      // A neighbour or the client may have held the faster of the two back: both ratios must agree.
      verdict: judge(ratio >= TARGET && !(cpuRatio < TARGET)),
    },
    {
      figure: `${title}: server CPU a request`,
      measured: cpu(own),
      reference: `bare ${cpu(reference)}`,
      result: cpuRatio.toFixed(2),
      target: '',
      verdict: '',
    },
  ];
}

async function measure({ child, port }: Service, paths: readonly string[], load: Load, seconds: number): Promise<Slot> {
  const before = cpuSeconds(child) ?? Number.NaN;
  const done = await load.run({ port, paths, connections: CONNECTIONS, seconds, pauseMs: 0 });
  const cpu = (cpuSeconds(child) ?? Number.NaN) - before;
  return {
    perSecond: done.requests / done.seconds,
    cpuMicros: (cpu / done.requests) * 1e6,
    busy: cpu / done.seconds,
  };
}
