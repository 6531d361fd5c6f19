import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cpuSeconds, finished, nextMessage, projectFile, startNode, startProgram, stop } from './child.ts';
import type { Question } from './http-client.ts';
import { callOf } from './figures/mcp-call.ts';
import { Load } from './load.ts';
import { drawQueries } from './search-queries.ts';
import { median } from './statistics.ts';
import { measureRun } from './usage.ts';
import { answers, drawCveIds, environment, type Service, type Workbench } from './workbench.ts';

export const COMPARED = ['sync', 'start', 'lookup', 'mcp-call', 'search', 'code-checks'] as const;
export const COMPARISON_COLUMNS = { figure: 'figure', mine: 'this', other: 'that', ratio: 'this : that' } as const;
export type ComparisonRow = Record<keyof typeof COMPARISON_COLUMNS, string>;

const ROUNDS = 5;
const SLOW_ROUNDS = 3;
const SLOT_SECONDS = 2;
const WARM_SECONDS = 1;
const CONNECTIONS = 16;
const FRESH_IDS = 60_000;
const REPEATED_IDS = 5000;
const QUERIES = 200;
const FAMOUS = '/v1/cve/CVE-2021-44228';

/** A checkout whose processes are measured; the code that measures is that of this one. */
interface Version {
  folder: string;
  dataDir: string;
}
type Pair<T> = readonly [mine: T, other: T];
type Measured = Readonly<Record<string, number>>;

/** This checkout against another commit of it, figure by figure, in turns within one run. */
export async function compareWith(
  bench: Workbench,
  commit: string,
  chosen: readonly string[],
): Promise<ComparisonRow[]> {
  const folders = [projectFile('..'), await checkOut(bench, commit)] as const;
  for (const folder of folders) await build(bench, folder);
  const [mine, other] = folders;
  const versions: Pair<Version> = [
    { folder: mine, dataDir: bench.folder('data') },
    { folder: other, dataDir: bench.folder('data') },
  ];
  const rows: ComparisonRow[] = [];
  if (bench.feeds !== null && (chosen.includes('sync') || bench.given === null)) {
    rows.push(...(await compareSyncs(bench, versions)));
  } else
    for (const version of versions)
      version.dataDir = await (bench.given === null ? bench.full() : bench.copyOf(bench.given));
  if (chosen.includes('start')) rows.push(...(await compareStarts(bench, versions)));
  if (chosen.some((name) => ['lookup', 'mcp-call', 'search'].includes(name)))
    rows.push(...(await compareServices(bench, versions, chosen)));
  if (chosen.includes('code-checks')) rows.push(...(await compareCodeChecks(bench, versions)));
  return rows;
}

/** A folder with the other commit, and packages as its lock file says. */
async function checkOut(bench: Workbench, commit: string): Promise<string> {
  const folder = join(bench.folder('commit'), 'checkout');
  const here = projectFile('..');
  bench.say(`checking out ${commit}`);
  await promisify(execFile)('git', ['worktree', 'add', '--quiet', '--detach', folder, commit], { cwd: here });
  const lockOf = (root: string): string => readFileSync(join(root, 'package-lock.json'), 'utf8');
  if (lockOf(folder) === lockOf(here)) symlinkSync(join(here, 'node_modules'), join(folder, 'node_modules'));
  else await finished(startProgram('npm', ['ci'], { cwd: folder, stdio: 'ignore' }), 'npm ci');
  return folder;
}

/** Forgets folders of commits that are gone. */
export function forgetCheckOuts(): void {
  execFileSync('git', ['worktree', 'prune'], { cwd: projectFile('..') });
}

async function build(bench: Workbench, folder: string): Promise<void> {
  const script = join(folder, 'scripts/build.ts');
  if (!existsSync(script)) return;
  bench.say('building');
  await finished(startNode([script], { cwd: folder, stdio: 'ignore' }), 'the build');
}

function programOf({ folder }: Version): string {
  return join(folder, 'bin/sextant.js');
}

/** Measures both in turns; each turn of one is paired with the turn of the other beside it. */
async function inTurns(rounds: number, measure: (side: 0 | 1) => Promise<Measured>): Promise<Pair<Measured>[]> {
  const pairs: Pair<Measured>[] = [];
  for (let round = 0; round < rounds; round++) pairs.push([await measure(0), await measure(1)]);
  return pairs;
}

function rowOf(
  figure: string,
  pairs: readonly Pair<Measured>[],
  value: string,
  show: (n: number) => string,
): ComparisonRow {
  const of = (side: 0 | 1): string => show(median(pairs.map((pair) => pair[side][value]!)));
  const ratio = median(pairs.map(([mine, other]) => mine[value]! / other[value]!));
  return { figure, mine: of(0), other: of(1), ratio: ratio.toFixed(2) };
}

const seconds = (value: number): string => `${value.toFixed(2)} s`;

async function compareSyncs(bench: Workbench, versions: Pair<Version>): Promise<ComparisonRow[]> {
  const pairs = await inTurns(bench.rounds(SLOW_ROUNDS), async (side) => {
    bench.say(`sync of ${side === 0 ? 'this' : 'that'}`);
    const version = versions[side];
    // The last one is the catalog of the other figures.
    version.dataDir = bench.folder('synced');
    const env = environment(version.dataDir, { SEXTANT_FEEDS: bench.feeds! });
    const usageFile = join(bench.folder('usage'), 'usage.json');
    return { ...(await measureRun([programOf(version), 'sync', '--report', 'ipc'], env, usageFile)) };
  });
  return [
    rowOf('sync of all feeds: time', pairs, 'wallSeconds', seconds),
    rowOf('sync of all feeds: CPU', pairs, 'cpuSeconds', seconds),
    rowOf('sync of all feeds: peak memory', pairs, 'peakMib', (mib) => `${mib.toFixed(0)} MiB`),
  ];
}

async function compareStarts(bench: Workbench, versions: Pair<Version>): Promise<ComparisonRow[]> {
  bench.say('starts');
  const measure = async (side: 0 | 1): Promise<Measured> => {
    const version = versions[side];
    const started = performance.now();
    const { child, port } = await bench.serve(version.dataDir, {}, programOf(version));
    await answers(child, port, FAMOUS);
    const start = (performance.now() - started) / 1000;
    const startCpu = cpuSeconds(child) ?? Number.NaN;
    await stop(child);
    const asked = performance.now();
    await finished(startNode([programOf(version), '--help'], { stdio: 'ignore' }), '--help');
    return { start, startCpu, help: (performance.now() - asked) / 1000 };
  };
  // The first start writes the compile cache.
  await inTurns(1, measure);
  const pairs = await inTurns(bench.rounds(ROUNDS), measure);
  return [
    rowOf('start to first answer', pairs, 'start', seconds),
    rowOf('start to first answer: CPU', pairs, 'startCpu', seconds),
    rowOf('--help', pairs, 'help', seconds),
  ];
}

async function compareServices(
  bench: Workbench,
  versions: Pair<Version>,
  chosen: readonly string[],
): Promise<ComparisonRow[]> {
  const services: Service[] = [];
  for (const version of versions) services.push(await bench.serve(version.dataDir, {}, programOf(version)));
  const load = new Load();
  const ids = drawCveIds(versions[0].dataDir);
  const rows: ComparisonRow[] = [];
  const compare = async (title: string, questions: readonly Question[]): Promise<void> => {
    bench.say(title);
    const ask = async (side: 0 | 1, forSeconds: number): Promise<Measured> => {
      const { child, port } = services[side]!;
      const before = cpuSeconds(child) ?? Number.NaN;
      const done = await load.run({ port, questions, connections: CONNECTIONS, seconds: forSeconds, pauseMs: 0 });
      const cpu = (cpuSeconds(child) ?? Number.NaN) - before;
      return { perSecond: done.requests / done.seconds, cpuMicros: (cpu / done.requests) * 1e6 };
    };
    for (const side of [0, 1] as const) await ask(side, WARM_SECONDS);
    const pairs = await inTurns(bench.rounds(ROUNDS), (side) => ask(side, SLOT_SECONDS));
    rows.push(rowOf(`${title}: requests`, pairs, 'perSecond', (rate) => `${Math.round(rate).toLocaleString('en')}/s`));
    rows.push(rowOf(`${title}: CPU a request`, pairs, 'cpuMicros', (micros) => `${micros.toFixed(0)} us`));
  };
  const repeated = ids.slice(0, REPEATED_IDS);
  if (chosen.includes('lookup')) {
    if (ids.length >= FRESH_IDS)
      await compare(
        'look-up, each id once',
        ids.map((id) => `/v1/cve/${id}`),
      );
    await compare(
      'look-up, repeated',
      repeated.map((id) => `/v1/cve/${id}`),
    );
  }
  if (chosen.includes('mcp-call'))
    await compare(
      'tools/call, repeated',
      repeated.map((id) => callOf(id, '/mcp/')),
    );
  if (chosen.includes('search'))
    await compare('search', await drawQueries(services[0]!.port, repeated.slice(0, 400), QUERIES));
  for (const { child } of [...services, load]) await stop(child);
  return rows;
}

async function compareCodeChecks(bench: Workbench, versions: Pair<Version>): Promise<ComparisonRow[]> {
  bench.say('checks of code');
  const pairs = await inTurns(bench.rounds(SLOW_ROUNDS), async (side) => {
    const child = startNode([projectFile('children/check-code.ts'), versions[side].folder]);
    const measured = await nextMessage<Measured>(child, 'the checks of code');
    await stop(child);
    return measured;
  });
  return ['secrets', 'injection'].flatMap((check) => [
    rowOf(`${check} in 512 KiB of code`, pairs, check, (ms) => `${ms.toFixed(0)} ms`),
    rowOf(`${check} in 512 KiB of code: CPU`, pairs, `${check}Cpu`, (ms) => `${ms.toFixed(0)} ms`),
  ]);
}
