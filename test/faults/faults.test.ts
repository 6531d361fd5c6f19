import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FEEDS } from '../../src/feeds/list.ts';
import { eventually } from '../support/engines.ts';
import { noFeeds } from '../support/full-catalog.ts';
import { fullDataDir, startInstallation } from './installation.ts';
import { FAULTS, type Fault } from './table.ts';

const SEEN_WITHIN_MS = 20_000;
const ANSWER_WITHIN_MS = 10_000;

/** Every fault of the table, on the full catalog: what a load balancer, an operator and a caller see while it lasts, and after. */
describe('faults', { skip: noFeeds, concurrency: 1 }, () => {
  for (const fault of FAULTS) {
    test(`${fault.part}: ${fault.name} ${fault.state}`, { skip: fault.skip ?? false }, (t) => befall(t, fault));
  }
});

interface Owner {
  after(end: () => Promise<void>): void;
}

async function befall(owner: Owner, fault: Fault): Promise<void> {
  const dataDir = await fullDataDir(fault.writesCatalog === true);
  const prepared = await fault.prepare?.(owner, dataDir);
  const installation = await startInstallation(dataDir, prepared?.settings, prepared?.words, prepared?.through);
  owner.after(() => installation.end());
  await prepared?.inject?.(installation);
  await eventually(
    async () => {
      assert.deepEqual(await seen(), fault.seen);
      return true;
    },
    'what is seen',
    SEEN_WITHIN_MS,
  );
  if (fault.log !== null)
    await eventually(() => fault.log!.test(installation.service.log()), `the log says ${fault.log}`);
  assert.ok(
    !/unhandled|uncaught|internal error/i.test(installation.service.log()),
    'the log has an error of the service itself',
  );
  for (const { path, status, says } of fault.callers) {
    const started = performance.now();
    const answer = await installation.get(path);
    assert.ok(performance.now() - started < ANSWER_WITHIN_MS, `${path} took its time`);
    assert.equal(answer.status, status, `${path}: ${answer.text.slice(0, 300)}`);
    assert.match(answer.text, says, path);
    assert.doesNotMatch(answer.text, /\/tmp|E[A-Z]{4,}:|SQLITE|errno/);
  }
  if (prepared?.heal === undefined) return;
  await prepared.heal(installation);
  await eventually(
    async () => {
      assert.deepEqual(await seen(), { readyz: '200 ok', problems: [] });
      return true;
    },
    'all is well again',
    SEEN_WITHIN_MS,
  );

  async function seen(): Promise<Fault['seen']> {
    const ready = await installation.get('/readyz');
    const status = JSON.parse((await installation.get('/v1/status')).text) as { problems: string[] };
    return {
      readyz: `${ready.status} ${(JSON.parse(ready.text) as { status: string }).status}`,
      // The feeds of the tests are months old, and some are not among them.
      problems: status.problems.filter((problem) => !FEEDS.some(({ id }) => problem.startsWith(`${id}: `))),
    };
  }
}
