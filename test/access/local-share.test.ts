import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { LocalCounters, type WindowState } from '../../src/access/local-counters.ts';

const HOUR = { limit: 10, windowSeconds: 3600 };
const NOTHING: WindowState = { used: 0, leftMs: 0 };

function share(): { share: LocalCounters; clock: { ms: number } } {
  const clock = { ms: 0 };
  return { share: new LocalCounters(() => clock.ms, 10), clock };
}

describe('local share', () => {
  test('goes on from what the engine last said, to the end of that window', () => {
    const { share: local, clock } = share();
    local.applyRemote('name', { used: 7, leftMs: 60_000 }, NOTHING, 0);
    assert.deepEqual(local.consume('name', { ...HOUR, amount: 5, allOrNothing: false }), {
      granted: 3,
      remaining: 0,
      resetSeconds: 60,
    });
    assert.equal(local.consume('name', { ...HOUR, amount: 1, allOrNothing: true }).granted, 0);
    clock.ms = 60_000;
    assert.deepEqual(local.peek('name', HOUR), { granted: 0, remaining: 10, resetSeconds: 3600 });
  });

  test('the engine is told what it missed, once, and what it may have forgotten after an outage', () => {
    const { share: local } = share();
    local.applyRemote('name', { used: 4, leftMs: 60_000 }, NOTHING, 0);
    assert.deepEqual(local.unsynced('name', 0), NOTHING);
    assert.deepEqual(local.unsynced('name', 1), { used: 4, leftMs: 60_000 });
    local.consume('name', { ...HOUR, amount: 2, allOrNothing: true });
    const told = local.unsynced('name', 1);
    assert.deepEqual(told, { used: 6, leftMs: 60_000 });
    local.applyRemote('name', { used: 7, leftMs: 60_000 }, told, 1);
    assert.deepEqual(local.unsynced('name', 1), NOTHING);
  });

  test('an answer that was on its way does not undo what was taken since', () => {
    const { share: local } = share();
    local.consume('name', { ...HOUR, amount: 6, allOrNothing: true });
    local.applyRemote('name', { used: 1, leftMs: 60_000 }, NOTHING, 0);
    assert.equal(local.peek('name', HOUR).remaining, 4);
    assert.equal(local.unsynced('name', 0).used, 6);
  });

  test('over an engine that comes, goes and forgets, replicas give at most their number times the limit', () => {
    const event = fc.record({
      replica: fc.nat({ max: 2 }),
      amount: fc.integer({ min: 1, max: 6 }),
      engine: fc.constantFrom('here', 'here', 'away', 'forgets'),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 120 }), (events) => {
        const replicas = [0, 1, 2].map(() => ({ ...share(), outages: 0, isAway: false, granted: 0 }));
        let used = 0;
        for (const { replica, amount, engine } of events) {
          const asked = replicas[replica]!;
          if (engine === 'forgets') used = 0;
          if (engine !== 'here') for (const each of replicas) each.outages++;
          if (engine !== 'here') {
            asked.granted += asked.share.consume('name', { ...HOUR, amount, allOrNothing: false }).granted;
            continue;
          }
          // As the script of Redis counts.
          const told = asked.share.unsynced('name', asked.outages);
          used = Math.max(used, told.used);
          const granted = Math.min(amount, HOUR.limit - used);
          used += granted;
          asked.granted += granted;
          asked.share.applyRemote('name', { used, leftMs: used === 0 ? 0 : 60_000 }, told, asked.outages);
        }
        for (const { granted } of replicas) assert.ok(granted <= HOUR.limit, `one replica gave ${granted}`);
      }),
      { numRuns: 500 },
    );
  });
});
