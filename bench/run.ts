import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { sharedPath } from '../test/support/shared.ts';
import { killAll } from './child.ts';
import { COLUMNS, type Figure, type Row, skipped, unmeasured } from './figure.ts';
import { COMPARED, COMPARISON_COLUMNS, compareWith, forgetCheckOuts } from './compare.ts';
import { agents } from './figures/agents.ts';
import { codeChecks } from './figures/code-checks.ts';
import { dependencies } from './figures/dependencies.ts';
import { eventLoop } from './figures/event-loop.ts';
import { fastapi } from './figures/fastapi.ts';
import { gate } from './figures/gate.ts';
import { install } from './figures/install.ts';
import { lookup } from './figures/lookup.ts';
import { matcher } from './figures/matcher.ts';
import { mcpCall } from './figures/mcp-call.ts';
import { memory } from './figures/memory.ts';
import { page } from './figures/page.ts';
import { pages } from './figures/pages.ts';
import { report } from './figures/report.ts';
import { scan } from './figures/scan.ts';
import { search } from './figures/search.ts';
import { smallSync } from './figures/small-sync.ts';
import { start } from './figures/start.ts';
import { sync } from './figures/sync.ts';
import { workers } from './figures/workers.ts';
import { describeMachine, load } from './machine.ts';
import { table } from './table.ts';
import { Workbench } from './workbench.ts';

/** `sync` first: what it makes is the full catalog of the others. */
const FIGURES: readonly Figure[] = [
  sync,
  smallSync,
  lookup,
  fastapi,
  mcpCall,
  gate,
  search,
  pages,
  workers,
  start,
  memory,
  install,
  eventLoop,
  report,
  scan,
  page,
  codeChecks,
  dependencies,
  matcher,
  agents,
];

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    data: { type: 'string' },
    compare: { type: 'string' },
  },
});
const names = values.compare === undefined ? FIGURES.map(({ name }) => name) : [...COMPARED];
const chosen = values.only?.split(',') ?? names;
const unknown = chosen.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`no figure ${unknown.join(', ')}; there are ${names.join(', ')}`);
  process.exit(2);
}

const given = values.data === undefined ? null : resolve(values.data);
const bench = new Workbench(sharedPath('feeds'), given, values.quick);
process.on('exit', () => {
  bench.close();
  if (values.compare !== undefined) forgetCheckOuts();
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));

const started = performance.now();
const loadBefore = load();
if (values.compare === undefined) {
  const rows: Row[] = [];
  for (const figure of FIGURES.filter(({ name }) => chosen.includes(name))) rows.push(...(await measured(figure)));
  console.log(table(COLUMNS, rows));
} else console.log(table(COMPARISON_COLUMNS, await compareWith(bench, values.compare, chosen)));
console.log(`\n${describeMachine(loadBefore, load())}`);
bench.say(`${Math.round((performance.now() - started) / 1000)} s`);

/** A figure that cannot be measured says so in the table and in the exit code; the others go on. */
async function measured(figure: Figure): Promise<Row[]> {
  if (bench.feeds === null && figure.withoutFeeds !== undefined)
    return figure.withoutFeeds.map((title) => skipped(title));
  try {
    return await figure.run(bench);
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
    return [unmeasured(figure.name)];
  } finally {
    killAll();
  }
}
