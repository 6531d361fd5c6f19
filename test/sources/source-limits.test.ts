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
  const slots = new RequestSlots(1);
  const stop = new AbortController();
  assert.equal(await slots.tryAcquire(1000, stop.signal), true);
  const waiting = Array.from({ length: 200 }, () => slots.tryAcquire(60_000, stop.signal));
  assert.equal(await slots.tryAcquire(60_000, stop.signal), false);
  slots.release();
  assert.equal(await waiting[0], true);
  stop.abort();
  assert.deepEqual(new Set(await Promise.all(waiting.slice(1))), new Set([false]));
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
