import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { REDIS_TIMEOUT_MS, RedisConnection } from '../../../src/access/redis/redis-connection.ts';
import { RedisOrLocalCounters } from '../../../src/access/redis/redis-counters.ts';
import { eventually, NO_REDIS, startRedis } from '../../support/engines.ts';
import { runChild } from '../children/run-child.ts';

const LIMIT = 10;
const HOUR = { limit: LIMIT, windowSeconds: 3600 };
const ONE = { ...HOUR, amount: 1, allOrNothing: true };
/** The bound of one wait, and what a busy machine adds to it. */
const WAIT_MS = REDIS_TIMEOUT_MS + 20_000;

interface Owner {
  after(end: () => Promise<void> | void): void;
}

interface Replica {
  link: RedisConnection;
  counters: RedisOrLocalCounters;
  problems: string[];
}

async function replica(owner: Owner, url: string, startMs = 30_000): Promise<Replica> {
  const problems: string[] = [];
  const link = new RedisConnection({ url, onProblem: ({ message }) => problems.push(message) });
  owner.after(() => link.close());
  await link.health.waitUntilUp(startMs);
  return { link, counters: new RedisOrLocalCounters(link), problems };
}

/** Takes one by one; gives what was granted, and the longest wait in milliseconds. */
async function takeMany(
  { counters }: Replica,
  name: string,
  times: number,
): Promise<{ granted: number; longest: number }> {
  let [granted, longest] = [0, 0];
  for (let count = 0; count < times; count++) {
    const begun = performance.now();
    granted += (await counters.consume(name, ONE)).granted;
    longest = Math.max(longest, performance.now() - begun);
  }
  return { granted, longest };
}

const isHere = ({ link }: Replica) => link.health.isUp;

describe('Redis, away and back', { skip: NO_REDIS, concurrency: 1 }, () => {
  for (const cluster of [false, true]) {
    const kind = cluster ? 'a cluster' : 'one server';

    test(`${kind}: gone at the start: counts alone, then together`, async (t) => {
      const redis = await startRedis(t, { cluster, start: false });
      const one = await replica(t, redis.url, 300);
      assert.deepEqual(one.problems, ['redis is away; going on without it']);
      const { granted, longest } = await takeMany(one, 'quota:a', 7);
      assert.equal(granted, 7);
      assert.ok(longest < REDIS_TIMEOUT_MS - 50, `waited ${longest} ms for what was known to be away`);
      await redis.restart();
      await eventually(() => isHere(one), 'it is noticed');
      assert.deepEqual(one.problems.slice(1), ['redis is back']);
      // What was granted alone is told with the first request, and then known to all.
      assert.equal((await one.counters.consume('quota:a', ONE)).remaining, 2);
      const other = await replica(t, redis.url);
      assert.equal((await other.counters.peek('quota:a', HOUR)).remaining, 2);
    });

    test(`${kind}: killed midway and back with an empty memory: nobody waits, no replica gives more than the limit`, async (t) => {
      const redis = await startRedis(t, { cluster });
      const replicas = await Promise.all([replica(t, redis.url), replica(t, redis.url), replica(t, redis.url)]);
      const totals = [0, 0, 0];
      const round = async (times: number): Promise<void> => {
        for (const [index, each] of replicas.entries()) {
          const { granted, longest } = await takeMany(each, 'quota:b', times);
          totals[index]! += granted;
          assert.ok(longest < WAIT_MS, `waited ${longest} ms`);
        }
      };
      await round(2);
      assert.deepEqual(totals, [2, 2, 2]);
      await redis.kill();
      await round(3);
      await redis.restart();
      await eventually(() => replicas.every(isHere), 'all notice');
      await round(20);
      for (const total of totals) assert.ok(total <= LIMIT, totals.join(' + '));
      assert.equal((await replicas[0].counters.peek('quota:b', HOUR)).remaining, 0);
    });
  }

  test('it stands still and goes on: every wait is bounded, and one is enough', async (t) => {
    const redis = await startRedis(t);
    const one = await replica(t, redis.url);
    await one.counters.consume('quota:c', ONE);
    redis.stop();
    const together = await Promise.all(
      Array.from({ length: 200 }, async (_, count) => {
        const begun = performance.now();
        await one.counters.consume(`quota:c${count}`, ONE);
        return performance.now() - begun;
      }),
    );
    assert.ok(Math.max(...together) < WAIT_MS, `${Math.max(...together)} ms`);
    assert.equal(isHere(one), false);
    const { longest } = await takeMany(one, 'quota:c', 20);
    assert.ok(longest < REDIS_TIMEOUT_MS - 50, `${longest} ms`);
    redis.resume();
    await eventually(() => isHere(one), 'it is noticed');
    assert.equal((await one.counters.consume('quota:c', ONE)).granted, 0);
  });

  test('it stands still for so long that its connection is given up: heals all the same', async (t) => {
    const redis = await startRedis(t);
    const one = await replica(t, redis.url);
    redis.stop();
    await one.counters.consume('quota:d', ONE);
    await new Promise((resolve) => setTimeout(resolve, 7000));
    redis.resume();
    await eventually(() => isHere(one), 'it is noticed');
    assert.equal((await one.counters.consume('quota:d', ONE)).remaining, 8);
  });

  test('one that only reads is of no use, and is noticed without a request', async (t) => {
    const redis = await startRedis(t);
    const one = await replica(t, redis.url);
    await redis.say('CONFIG SET min-replicas-to-write 1');
    await eventually(() => !isHere(one), 'it is noticed');
    assert.equal((await one.counters.consume('quota:e', ONE)).granted, 1);
    await redis.say('CONFIG SET min-replicas-to-write 0');
    await eventually(() => isHere(one), 'it is back');
  });

  test('a script that it forgot is sent again', async (t) => {
    const redis = await startRedis(t);
    const one = await replica(t, redis.url);
    await one.counters.consume('quota:f', ONE);
    await redis.say('SCRIPT FLUSH');
    assert.equal((await one.counters.consume('quota:f', ONE)).remaining, 8);
    assert.deepEqual(one.problems, []);
  });

  test('three processes, 2,000 at once: exactly the limit; every key has an end', async (t) => {
    const redis = await startRedis(t);
    const printed = await Promise.all(
      [667, 667, 666].map((tries) => runChild('take-shared-tokens.ts', [redis.url, `${tries}`, '500'])),
    );
    const counts = printed.map((line) => JSON.parse(line) as { granted: number; problems: string[] });
    assert.deepEqual(
      counts.flatMap(({ problems }) => problems),
      [],
    );
    assert.equal(
      counts.reduce((sum, { granted }) => sum + granted, 0),
      500,
    );
    const ttl = /^:(\d+)/.exec(await redis.say('PTTL sxt:quota:shared'));
    assert.ok(Number(ttl?.[1]) > 3_500_000, 'the window has an end');
  });
});
