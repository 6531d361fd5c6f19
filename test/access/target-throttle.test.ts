import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Counters } from '../../src/access/counters.ts';
import { EmbeddedCounters } from '../../src/access/embedded-counters.ts';
import { Pseudonyms } from '../../src/access/pseudonyms.ts';
import { TargetThrottle } from '../../src/access/target-throttle.ts';
import { ApiError } from '../../src/errors.ts';

function throttle() {
  const clock = { now: Date.UTC(2026, 5, 1) };
  const names = new Set<string>();
  const counters = new EmbeddedCounters(':memory:', () => new Date(clock.now));
  const watched = {
    consume: (name: string, request: Parameters<Counters['consume']>[1]) => {
      names.add(name);
      return counters.consume(name, request);
    },
  } as Counters;
  return {
    clock,
    names,
    throttle: new TargetThrottle({ counters: watched, pseudonyms: new Pseudonyms('s'.repeat(32)) }),
  };
}

async function refusals(work: () => unknown, times: number): Promise<ApiError[]> {
  const found: ApiError[] = [];
  for (let count = 0; count < times; count++) {
    try {
      await work();
    } catch (error) {
      assert.ok(error instanceof ApiError);
      found.push(error);
    }
  }
  return found;
}

describe('the throttle of a target', () => {
  test('lets 60 a minute through, and tells the 61st that it is not the quota', async () => {
    const { throttle: targets, clock } = throttle();
    assert.deepEqual(await refusals(() => targets.consume('example.com'), 60), []);
    clock.now += 20_000;
    const [refusal] = await refusals(() => targets.consume('example.com'), 1);
    assert.deepEqual([refusal?.code, refusal?.status, refusal?.retryAfterSeconds], ['target_throttled', 429, 40]);
    assert.match(refusal!.message, /not your quota/);
    assert.doesNotMatch(refusal!.message, /example/);
    clock.now += 40_000;
    assert.deepEqual(await refusals(() => targets.consume('example.com'), 60), []);
  });

  test('counts all names of a registrable domain together, in every form, and others apart', async () => {
    const { throttle: targets } = throttle();
    const hosts = ['example.co.uk', 'www.example.co.uk', 'a.b.example.co.uk', 'EXAMPLE.co.uk', 'www.example.co.uk.'];
    for (const host of hosts) await refusals(() => targets.consume(host), 12);
    assert.equal((await refusals(() => targets.consume('shop.example.co.uk'), 1)).length, 1);
    assert.deepEqual(await refusals(() => targets.consume('another.co.uk'), 60), []);
  });

  test('counts an address by itself', async () => {
    const { throttle: targets } = throttle();
    assert.equal((await refusals(() => targets.consume('198.51.100.1'), 61)).length, 1);
    assert.deepEqual(await refusals(() => targets.consume('198.51.100.2'), 60), []);
  });

  test('counts under names that do not tell the target', async () => {
    const { throttle: targets, names } = throttle();
    await targets.consume('example.com');
    for (const name of names) assert.match(name, /^target:[0-9a-f]{64}$/);
  });
});
