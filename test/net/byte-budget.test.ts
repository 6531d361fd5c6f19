import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteBudget, UNCOUNTED_BYTES } from '../../src/net/byte-budget.ts';
import { RequestDeadline } from '../../src/net/request-deadline.ts';

const exchange = (ms = 60_000, signal?: AbortSignal) =>
  new RequestDeadline('site.example', ms, performance.now(), signal);

test('small answers are not counted, and never wait', async () => {
  const budget = new ByteBudget(10);
  const full = budget.claim();
  await full.add(UNCOUNTED_BYTES + 10, exchange());
  assert.equal(budget.heldBytes, 10);
  await budget.claim().add(UNCOUNTED_BYTES, exchange());
  assert.equal(budget.heldBytes, 10);
});

test('who comes when all is taken waits until something is given back', async () => {
  const budget = new ByteBudget(100);
  const [one, other] = [budget.claim(), budget.claim()];
  await one.add(UNCOUNTED_BYTES + 60, exchange());
  let given = false;
  const waiting = other.add(UNCOUNTED_BYTES + 60, exchange()).then(() => (given = true));
  await Promise.resolve();
  assert.deepEqual([given, budget.heldBytes], [false, 60]);
  one.release();
  await waiting;
  assert.equal(budget.heldBytes, 60);
  other.release();
  assert.equal(budget.heldBytes, 0);
});

test('nobody waits for ever: those who hold what others want are told that the process is busy', {
  timeout: 20_000,
}, async () => {
  const budget = new ByteBudget(100);
  const [one, other] = [budget.claim(), budget.claim()];
  await one.add(UNCOUNTED_BYTES + 50, exchange());
  await other.add(UNCOUNTED_BYTES + 50, exchange());
  const outcomes = await Promise.allSettled([one.add(50, exchange()), other.add(50, exchange())]);
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status === 'rejected' && (outcome.reason as { code: string }).code),
    ['busy', 'busy'],
  );
  one.release();
  other.release();
  assert.equal(budget.heldBytes, 0);
});

test('who leaves while waiting leaves nothing behind, also when it is given at that moment', async () => {
  const budget = new ByteBudget(100);
  const one = budget.claim();
  await one.add(UNCOUNTED_BYTES + 100, exchange());
  const gone = new AbortController();
  const other = budget.claim();
  const waiting = other.add(UNCOUNTED_BYTES + 10, exchange(60_000, gone.signal));
  await Promise.resolve();
  gone.abort();
  one.release();
  await assert.rejects(waiting, { code: 'aborted' });
  other.release();
  assert.equal(budget.heldBytes, 0);
});
