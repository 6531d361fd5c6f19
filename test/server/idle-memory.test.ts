import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGarbageCollector } from '../../src/garbage-collector.ts';
import { IdleMemory } from '../../src/server/idle-memory.ts';

const MIB = 1024 * 1024;

test('memory is returned when the event loop is idle and the heap has grown, and only then', () => {
  let busy = 0;
  let heap = 60 * MIB;
  let collections = 0;
  const idle = new IdleMemory({
    busyShare: () => busy,
    heapBytes: () => heap,
    collect() {
      collections++;
      heap = 40 * MIB;
    },
  });
  busy = 0.5;
  idle.look();
  assert.equal(collections, 0, 'there is work');
  busy = 0;
  idle.look();
  assert.equal(collections, 1, 'after the start');
  idle.look();
  assert.equal(collections, 1, 'nothing has grown');
  heap = 50 * MIB;
  idle.look();
  assert.equal(collections, 1, 'it has grown a little');
  heap = 120 * MIB;
  busy = 0.1;
  idle.look();
  assert.equal(collections, 1, 'there is work again');
  busy = 0.01;
  idle.look();
  assert.equal(collections, 2, 'the work is done');
});

test('a collection gives back what garbage took', () => {
  const collect = createGarbageCollector();
  // Two million objects of at least 24 bytes.
  let garbage: object[][] | null = Array.from({ length: 20 }, () =>
    Array.from({ length: 100_000 }, (_, at) => ({ at })),
  );
  const full = process.memoryUsage().heapTotal;
  assert.equal(garbage.length, 20);
  garbage = null;
  collect();
  assert.ok(process.memoryUsage().heapTotal < full - 30 * MIB);
});
