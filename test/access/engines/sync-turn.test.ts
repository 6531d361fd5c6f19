import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { RedisConnection } from '../../../src/access/redis/redis-connection.ts';
import { withSyncLock } from '../../../src/access/redis/sync-lock.ts';
import { NO_REDIS, startRedis } from '../../support/engines.ts';

const PATIENCE = { maxWaitMs: 60_000, lockTtlMs: 10_000, signal: new AbortController().signal };

describe('the turn to sync', { skip: NO_REDIS, concurrency: 1 }, () => {
  test('replicas have it one after the other', async (t) => {
    const { url } = await startRedis(t);
    let underway = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      most = Math.max(most, ++underway);
      await pause(50);
      underway--;
    };
    await Promise.all([1, 2, 3].map(() => withSyncLock(url, PATIENCE, work)));
    assert.equal(most, 1);
  });

  test('one that failed, and one that died, leave it to the next', async (t) => {
    const { url, say } = await startRedis(t);
    const fail = async (): Promise<void> => {
      throw new Error('the feed is broken');
    };
    await assert.rejects(withSyncLock(url, PATIENCE, fail), /the feed is broken/);
    const started = performance.now();
    await say('SET sxt:turn:sync dead PX 700 NX');
    assert.equal(await withSyncLock(url, PATIENCE, async () => 'done'), 'done');
    assert.ok(performance.now() - started > 690, 'it did not wait');
  });

  test('the work is done after a long wait, and with Redis away', async (t) => {
    const { url, say, kill } = await startRedis(t);
    await say('SET sxt:turn:sync other PX 60000');
    assert.equal(await withSyncLock(url, { ...PATIENCE, maxWaitMs: 100 }, async () => 'done'), 'done');
    assert.match(await say('GET sxt:turn:sync'), /other/, 'the turn of another was ended');
    await kill();
    assert.equal(await withSyncLock(url, PATIENCE, async () => 'done'), 'done');
  });

  test('it is renewed while the work runs, and free when the work ends', { timeout: 120_000 }, async (t) => {
    const { url, say } = await startRedis(t);
    const leftMs = async (): Promise<number> => Number(/-?\d+/.exec(await say('PTTL sxt:turn:sync'))![0]);
    const holding = Promise.withResolvers<void>();
    t.after(() => holding.resolve());
    const patience = { ...PATIENCE, lockTtlMs: 6000 };
    const long = withSyncLock(url, patience, () => holding.promise);
    let other = 'waits';
    let left = -2;
    while (left === -2) left = await leftMs();
    const next = withSyncLock(url, PATIENCE, async () => (other = 'runs'));
    for (let renewals = 0; renewals < 3; ) {
      const now = await leftMs();
      assert.ok(now > 0, 'the turn was lost');
      if (now > left) renewals++;
      left = now;
      await pause(10);
    }
    assert.equal(other, 'waits');
    holding.resolve();
    await Promise.all([long, next]);
    assert.equal(await leftMs(), -2);
  });

  test('only the replica that has it may renew it', async (t) => {
    const { url, say } = await startRedis(t);
    const link = new RedisConnection({ url, onProblem: () => {} });
    t.after(() => link.close());
    await link.health.waitUntilUp(3000);
    const renew = (token: string): Promise<boolean> => link.run((redis) => redis.renew('sxt:turn', token, 60_000));
    assert.equal(await renew('mine'), false, 'nobody has it');
    await say('SET sxt:turn mine PX 5000');
    assert.equal(await renew('another'), false);
    assert.ok(Number(/\d+/.exec(await say('PTTL sxt:turn'))![0]) <= 5000);
    assert.equal(await renew('mine'), true);
    assert.ok(Number(/\d+/.exec(await say('PTTL sxt:turn'))![0]) > 5000);
    assert.match(await say('GET sxt:turn'), /mine/);
  });
});
