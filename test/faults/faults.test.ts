import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { FEEDS } from '../../src/feeds/list.ts';
import { eventually } from '../support/engines.ts';
import { noFeeds } from '../support/full-catalog.ts';
import { fullDataDir, type Installation, startInstallation } from './installation.ts';
import { FAULTS, type Fault } from './table.ts';

const SEEN_WITHIN_MS = 180_000;
const ANSWER_WITHIN_MS = 60_000;
/** Each has an installation of its own and mostly waits: for a look at the clock, for an engine, for a time-out. */
const AT_ONCE = 3;
const WELL: Fault['seen'] = { readyz: '200 ok', problems: [] };

/** Every fault of the table, on the full catalog: what a load balancer, an operator and a caller see while it lasts, and after. */
describe('faults', { skip: noFeeds, concurrency: AT_ONCE }, () => {
  for (const fault of FAULTS) {
    test(`${fault.part}: ${fault.name} ${fault.state}`, { skip: fault.skip ?? false }, (t) => befall(t, fault));
  }
});

test('the table of the documentation has these faults, no more and no less, and says the same of them', () => {
  const path = new URL('../../docs/running-it.md', import.meta.url);
  const [, table] = /^\| what breaks .*\n.*\n((?:\|.*\n)+)/m.exec(readFileSync(path, 'utf8'))!;
  const rows = table!
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  assert.deepEqual(new Set(rows.map(([, what]) => what)), new Set(FAULTS.map(({ documented }) => documented)));
  for (const { documented, name, state, seen, log } of FAULTS) {
    const [, , readyz, logged] = rows.find(([, what]) => what === documented)!;
    assert.ok(readyz!.includes(seen.readyz), `${name}, ${state}: ${readyz}`);
    assert.equal(logged!.startsWith('nothing'), log === null, `${name}, ${state}: ${logged}`);
  }
});

interface Owner {
  after(end: () => Promise<void>): void;
}

async function befall(owner: Owner, fault: Fault): Promise<void> {
  const dataDir = await fullDataDir(fault.writesCatalog === true);
  const { settings, words, through, inject, heal } = await fault.prepare(owner, dataDir);
  const installation = await startInstallation(dataDir, settings, words, through);
  owner.after(() => installation.end());
  await inject?.(installation);
  await eventually(() => assertSeen(installation, fault.seen), 'what is seen', SEEN_WITHIN_MS);
  const { log } = fault;
  if (log !== null) await eventually(() => log.test(installation.service.log()), `the log says ${log}`, SEEN_WITHIN_MS);
  assert.ok(!/unhandled|uncaught|internal error/i.test(installation.service.log()), 'an error of the service itself');
  for (const { path, status, says } of fault.callers) {
    const started = performance.now();
    const answer = await installation.get(path);
    assert.ok(performance.now() - started < ANSWER_WITHIN_MS, `${path} took its time`);
    assert.equal(answer.status, status, `${path}: ${answer.text.slice(0, 300)}`);
    assert.ok(says.test(answer.text), `${path} says not ${says}: ${answer.text.slice(-1000)}`);
    assert.doesNotMatch(answer.text, /\/tmp|E[A-Z]{4,}:|SQLITE|errno/);
  }
  if (heal === undefined) return;
  await heal(installation);
  await eventually(() => assertSeen(installation, WELL), 'all is well again', SEEN_WITHIN_MS);
}

async function assertSeen({ get }: Installation, { readyz, problems, of = [] }: Fault['seen']): Promise<true> {
  const ready = await get('/readyz');
  assert.equal(`${ready.status} ${(JSON.parse(ready.text) as { status: string }).status}`, readyz);
  const status = JSON.parse((await get('/v1/status')).text) as { problems: string[] };
  // The feeds of the tests are months old, and some are not among them.
  const others = FEEDS.filter(({ id }) => !of.includes(id));
  const found = status.problems.filter((problem) => !others.some(({ id }) => problem.startsWith(`${id}: `)));
  assert.equal(found.length, problems.length, JSON.stringify(found));
  for (const [at, problem] of problems.entries()) assert.match(found[at]!, problem);
  return true;
}
