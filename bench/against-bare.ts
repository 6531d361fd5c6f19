import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cpuSeconds, freePort, nextMessage, projectFile, startNode } from './child.ts';
import { type Aim, information, judged, type Row, worse } from './figure.ts';
import { KeepAliveClient, type Question } from './http-client.ts';
import type { Load } from './load.ts';
import { median } from './statistics.ts';
import type { Service, Workbench } from './workbench.ts';

const CONNECTIONS = 50;
const SLOT_SECONDS = 2;
const WARM_SECONDS = 1;

/** What the next slot asks. */
export type Asked = () => readonly Question[];

interface Slot {
  perSecond: number;
  cpuMicros: number;
  /** Share of a core that the server used; NaN where unknown. */
  busy: number;
}

/** A bare `node:http` server that writes these bodies, each by its path. */
export async function serveBare(
  bench: Workbench,
  pages: readonly (readonly [path: string, body: string])[],
): Promise<Service> {
  const file = join(bench.folder('pages'), 'pages.json');
  writeFileSync(file, JSON.stringify(pages));
  const port = await freePort();
  const child = startNode([projectFile('children/bare-server.ts'), file, String(port)]);
  await nextMessage(child, 'the bare server');
  return { child, port };
}

/** What is measured: its title, the ratios it must reach (null: none), and what the other one is called. */
export interface Comparison {
  title: string;
  aim: Aim | null;
  against: string;
}

/** Alternating slots of both, so that other load of the machine affects both. */
export async function compare(
  { title, aim, against }: Comparison,
  [service, own]: [Service, Asked],
  [bare, reference]: [Service, Asked],
  load: Load,
  rounds: number,
): Promise<Row[]> {
  await measure(service, own(), load, WARM_SECONDS);
  await measure(bare, reference(), load, WARM_SECONDS);
  const pairs: [own: Slot, reference: Slot][] = [];
  for (let round = 0; round < rounds; round++) {
    pairs.push([
      await measure(service, own(), load, SLOT_SECONDS),
      await measure(bare, reference(), load, SLOT_SECONDS),
    ]);
  }
  const mine = (of: keyof Slot): number => median(pairs.map(([slot]) => slot[of]));
  const theirs = (of: keyof Slot): number => median(pairs.map(([, slot]) => slot[of]));
  const ratio = median(pairs.map(([a, b]) => a.perSecond / b.perSecond));
  const cpuRatio = median(pairs.map(([a, b]) => b.cpuMicros / a.cpuMicros));
  const rate = (perSecond: number): string => `${Math.round(perSecond).toLocaleString('en')}/s`;
  const cpu = (side: typeof mine): string =>
    `${side('cpuMicros').toFixed(0)} us, ${(side('busy') * 100).toFixed(0)} % of a core`;
  const requests = {
    figure: `${title}: requests`,
    measured: rate(mine('perSecond')),
    reference: `${against} ${rate(theirs('perSecond'))}`,
    result: ratio.toFixed(2),
  };
  return [
    // Other load or the client may have slowed the faster of the two: both ratios must agree. CPU time is not known everywhere.
    aim === null
      ? information(requests)
      : judged(requests, aim, Number.isNaN(cpuRatio) ? ratio : worse(aim.judge(ratio), aim.judge(cpuRatio))),
    information({
      figure: `${title}: server CPU a request`,
      measured: cpu(mine),
      reference: `${against} ${cpu(theirs)}`,
      result: cpuRatio.toFixed(2),
    }),
  ];
}

/** `count` other paths each time; all have had their turn before one comes again. */
export function inSlices(paths: readonly string[], count: number): Asked {
  let at = 0;
  return () => {
    const slice = paths.slice(at, at + count);
    at = at + count < paths.length ? at + count : 0;
    return slice;
  };
}

/** What the service answers at each path. */
export async function pagesOf(port: number, paths: readonly string[]): Promise<[path: string, body: string][]> {
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

async function measure(
  { child, port }: Service,
  questions: readonly Question[],
  load: Load,
  seconds: number,
): Promise<Slot> {
  const before = cpuSeconds(child) ?? Number.NaN;
  const done = await load.run({ port, questions, connections: CONNECTIONS, seconds, pauseMs: 0 });
  const cpu = (cpuSeconds(child) ?? Number.NaN) - before;
  return {
    perSecond: done.requests / done.seconds,
    cpuMicros: (cpu / done.requests) * 1e6,
    busy: cpu / done.seconds,
  };
}
