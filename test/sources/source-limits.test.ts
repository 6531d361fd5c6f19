import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { CircuitBreaker } from '../../src/sources/circuit-breaker.ts';
import { RequestSlots } from '../../src/sources/request-slots.ts';
import type { Source } from '../../src/sources/source.ts';

const FOLDER = new URL('../../src/sources/', import.meta.url);

test('after its rest a source gets one trial request; one that came to nothing leaves it to the next', () => {
  const breaker = new CircuitBreaker();
  for (let failure = 0; failure < 5; failure++) breaker.recordFailure(0);
  breaker.recordNothing(1000);
  assert.equal(breaker.tryStartRequest(29_999), false);
  assert.deepEqual([breaker.tryStartRequest(30_000), breaker.tryStartRequest(30_001)], [true, false]);
  breaker.recordNothing(30_002);
  assert.deepEqual([breaker.tryStartRequest(30_002), breaker.tryStartRequest(30_003)], [true, false]);
  breaker.recordSuccess();
  assert.deepEqual([breaker.tryStartRequest(30_004), breaker.tryStartRequest(30_004)], [true, true]);
});

test('the queue of a source has a limit', async () => {
  const slots = new RequestSlots(1, () => 0);
  const stop = new AbortController();
  const release = await slots.tryAcquire(1000, stop.signal);
  assert.ok(release !== null);
  const waiting = Array.from({ length: 200 }, () => slots.tryAcquire(60_000, stop.signal));
  assert.equal(await slots.tryAcquire(60_000, stop.signal), null);
  release();
  // Once more does nothing.
  release();
  assert.ok((await waiting[0]) !== null);
  stop.abort();
  assert.deepEqual(new Set(await Promise.all(waiting.slice(1))), new Set([null]));
});

test('who could not get a slot in time is not asked to wait for it', async () => {
  const clock = { now: 0 };
  const slots = new RequestSlots(2, () => clock.now);
  const stop = new AbortController();
  const acquire = () => slots.tryAcquire(10_000, stop.signal);
  const outcomes = Array<string>(10).fill('waits');
  const running = [await acquire(), await acquire()];
  const waiting = Array.from({ length: 10 }, (_, at) =>
    acquire().then((release) => (outcomes[at] = release === null ? 'refused' : 'granted')),
  );
  // Four seconds have gone and six are left: who has three pairs before them would wait for twelve.
  clock.now = 4000;
  slots.refuseLate();
  await Promise.all(waiting.slice(4));
  assert.deepEqual(outcomes, [...Array<string>(4).fill('waits'), ...Array<string>(6).fill('refused')]);
  // Both end after eight seconds: the mean. The next two run; those behind them have two seconds left.
  clock.now = 8000;
  for (const release of running) release!();
  await Promise.all(waiting.slice(0, 2));
  slots.refuseLate();
  assert.deepEqual(outcomes.slice(0, 4), ['granted', 'granted', 'waits', 'waits']);
  // By the mean, two turns are more than ten seconds.
  const more = [acquire(), acquire()];
  assert.equal(await acquire(), null);
  stop.abort();
  assert.deepEqual(await Promise.all(more), [null, null]);
});

test('no two sources answer from the same cache entries', async () => {
  const kinds = new Map<string, string>();
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.ts') && name !== 'reader-thread.ts');
  for (const file of files) {
    const exported = (await import(new URL(file, FOLDER).href)) as Record<string, unknown>;
    for (const [name, value] of Object.entries(exported)) {
      const { policy, kind = policy?.id } = (value ?? {}) as Partial<Source<unknown, unknown>>;
      if (policy === undefined || kind === undefined) continue;
      assert.equal(kinds.get(kind), undefined, `${name} and ${kinds.get(kind)}: ${kind}`);
      kinds.set(kind, name);
    }
  }
  assert.ok(kinds.size >= 20);
});
