import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { ApiError, CallerDisconnectedError } from '../../src/errors.ts';
import { StartQueue } from '../../src/server/start-queue.ts';

/** A queue on a clock of its own, whose turns come when `next` is called and take `turnMs`. */
function createQueue(turnMs: number) {
  const clock = { now: 0 };
  const pending: (() => void)[] = [];
  const queue = new StartQueue({
    now: () => clock.now,
    untilTurn: () => new Promise((resolve) => pending.push(resolve)),
  });
  const next = async (): Promise<void> => {
    clock.now += turnMs;
    pending.shift()?.();
    await turn();
  };
  return { queue, clock, next };
}

const never = new AbortController().signal;

/** Waits in the queue; the outcome once there is one: `started`, or the error. */
function waiter(queue: StartQueue, deadlineAt: number, signal = never): { outcome: unknown } {
  const state: { outcome: unknown } = { outcome: null };
  queue.wait(deadlineAt, signal).then(
    () => (state.outcome = 'started'),
    (error: unknown) => (state.outcome = error),
  );
  return state;
}

function retryAfter(outcome: unknown): number | null {
  assert.ok(outcome instanceof ApiError);
  assert.equal(outcome.code, 'not_ready');
  return outcome.retryAfterSeconds;
}

describe('calls that wait to be started', () => {
  test('start in the order in which they came, one in each turn', async () => {
    const { queue, next } = createQueue(10);
    const calls = [1, 2, 3].map(() => waiter(queue, 10_000));
    await turn();
    assert.deepEqual(
      calls.map(({ outcome }) => outcome),
      ['started', null, null],
    );
    await next();
    assert.deepEqual(
      calls.map(({ outcome }) => outcome),
      ['started', 'started', null],
    );
    await next();
    assert.deepEqual(
      calls.map(({ outcome }) => outcome),
      ['started', 'started', 'started'],
    );
  });

  test('a call that could not be answered by its deadline is refused when it comes, with the time to wait', async () => {
    const { queue, next, clock } = createQueue(1000);
    // A turn takes a second, as the queue sees by the second of these.
    for (let at = 0; at < 3; at++) waiter(queue, 1_000_000);
    await turn();
    for (let at = 0; at < 3; at++) await next();
    const calls = Array.from({ length: 12 }, () => waiter(queue, clock.now + 8000));
    await turn();
    // Three quarters of eight seconds are six turns: the first starts at once, those with up to six before them wait.
    assert.deepEqual(
      calls.map(({ outcome }) => (outcome instanceof ApiError ? 'refused' : outcome)),
      ['started', ...Array(6).fill(null), ...Array(5).fill('refused')],
    );
    assert.equal(retryAfter(calls[7]!.outcome), 1);
    assert.equal(waiter(queue, clock.now + 60_000).outcome, null, 'one with more time may wait');
  });

  test('a call that waited for too long is refused, not started late', async () => {
    const { queue, next } = createQueue(5000);
    const calls = [1, 2, 3, 4].map(() => waiter(queue, 12_000));
    await turn();
    for (let at = 0; at < 3; at++) await next();
    assert.deepEqual(
      calls.slice(0, 2).map(({ outcome }) => outcome),
      ['started', 'started'],
    );
    for (const { outcome } of calls.slice(2)) assert.ok(retryAfter(outcome)! >= 1);
  });

  test('a caller who leaves makes room, and is not started', async () => {
    const { queue, next } = createQueue(10);
    const controller = new AbortController();
    const first = waiter(queue, 10_000);
    const gone = waiter(queue, 10_000, controller.signal);
    const last = waiter(queue, 10_000);
    controller.abort();
    await next();
    assert.deepEqual([first.outcome, last.outcome], ['started', 'started']);
    assert.ok(gone.outcome instanceof CallerDisconnectedError);
  });

  test('at most 512 wait', async () => {
    const { queue } = createQueue(10);
    const calls = Array.from({ length: 514 }, () => waiter(queue, 1_000_000));
    await turn();
    assert.deepEqual(
      calls.map(({ outcome }) => outcome).filter((outcome) => outcome !== null).length,
      2,
      'the first is started, the last is refused',
    );
    assert.ok(retryAfter(calls.at(-1)!.outcome)! >= 1);
  });
});
