import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ConsumeRequest } from '../../src/access/counters.ts';
import { LocalCounters } from '../../src/access/local-counters.ts';
import { JoinedConsumption } from '../../src/access/redis/joined-consumption.ts';

const WINDOW = { limit: 10, windowSeconds: 3600 };

function joinedOver(counters: LocalCounters, calls: ConsumeRequest[] = []): JoinedConsumption {
  return new JoinedConsumption(async (name, request) => {
    calls.push(request);
    return counters.consume(name, request);
  });
}

test('requests at once are one request of the counter, and each is told what is left after it', async () => {
  const calls: ConsumeRequest[] = [];
  const joined = joinedOver(new LocalCounters(() => 0, 10), calls);
  const take = (amount: number) => joined.consume('caller', { ...WINDOW, amount, allOrNothing: true });
  const results = await Promise.all([take(1), take(4), take(2)]);
  assert.equal(calls.length, 1);
  assert.deepEqual(
    results.map(({ granted, remaining }) => [granted, remaining]),
    [
      [1, 9],
      [4, 5],
      [2, 3],
    ],
  );
});

test('requests at once have the results of the same requests one after the other', async () => {
  const request = fc.record({
    name: fc.constantFrom('a', 'b'),
    amount: fc.integer({ min: 1, max: 7 }),
    allOrNothing: fc.boolean(),
  });
  const rounds = fc.array(fc.array(request, { maxLength: 6 }), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(rounds, async (batches) => {
      const single = new LocalCounters(() => 0, 10);
      const joined = joinedOver(new LocalCounters(() => 0, 10));
      for (const batch of batches) {
        const expected = batch.map(({ name, ...rest }) => single.consume(name, { ...WINDOW, ...rest }));
        const results = await Promise.all(
          batch.map(({ name, ...rest }) => joined.consume(name, { ...WINDOW, ...rest })),
        );
        assert.deepEqual(results, expected);
      }
    }),
  );
});

test('an error of the joined request is the error of each', async () => {
  const joined = new JoinedConsumption(() => Promise.reject(new Error('down')));
  const take = () => joined.consume('caller', { ...WINDOW, amount: 1, allOrNothing: true });
  const results = await Promise.allSettled([take(), take()]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
});
