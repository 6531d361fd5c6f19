import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { RedisConnection } from '../../../src/access/redis/redis-connection.ts';
import { RedisAnswerCache } from '../../../src/access/redis/redis-answer-cache.ts';
import { Pseudonyms } from '../../../src/access/pseudonyms.ts';
import { SourceClient } from '../../../src/sources/source-client.ts';
import { openNetworkClient } from '../../../src/net/open-network-client.ts';
import { requireOk } from '../../../src/sources/source-failure.ts';
import { httpSource } from '../../../src/sources/http-source.ts';
import { NO_REDIS, startRedis } from '../../support/engines.ts';

interface Owner {
  after(end: () => Promise<void> | void): void;
}

const SECRET = 'a secret of this installation, for tests';
const TIMEOUT_MS = 3000;

const ECHO = httpSource<string, { said: string }>({
  policy: {
    id: 'echo',
    title: 'Echo',
    provides: 'what was asked',
    baseUrl: 'http://127.0.0.1:9/',
    timeoutMs: TIMEOUT_MS,
    maxBytes: 10_000,
    ttlSeconds: 60,
    concurrency: 4,
    key: null,
  },
  readerName: 'not_needed',
  request: (question) => ({ path: question }),
  read(status, body) {
    requireOk(status);
    return { said: body };
  },
});

/** A source that takes a while; replicas that ask it; how often it was asked. */
async function lab(owner: Owner, redisUrl: string, { replicas = 3, status = 200, takesMs = 200 } = {}) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url!);
    setTimeout(() => response.writeHead(status).end(`said ${request.url}`), takesMs);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  owner.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const net = openNetworkClient({ dnsServers: [], allowedPrivate: [], proxy: null, extraCa: [] });
  owner.after(() => net.close());
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
  const askers = await Promise.all(
    Array.from({ length: replicas }, async () => {
      const link = new RedisConnection({ url: redisUrl, onProblem: () => {} });
      owner.after(() => link.close());
      await link.health.waitUntilUp(30_000);
      const shared = new RedisAnswerCache(link, new Pseudonyms(SECRET));
      return {
        link,
        shared,
        asker: new SourceClient(net, { baseUrlOf: () => url, keyOf: () => null }, () => new Date(), {
          sharedAnswers: shared,
        }),
      };
    }),
  );
  return { asked, askers };
}

describe('answers that replicas share', { skip: NO_REDIS, concurrency: 1 }, () => {
  test('of all who ask at once, one asks the source; later ones ask nobody', async (t) => {
    const redis = await startRedis(t);
    const { asked, askers } = await lab(t, redis.url);
    const all = await Promise.all(askers.flatMap(({ asker }) => [asker.ask(ECHO, 'x'), asker.ask(ECHO, 'x')]));
    for (const outcome of all) assert.deepEqual(outcome.status === 'ok' && outcome.found, { said: 'said /x' });
    const late = (await lab(t, redis.url, { replicas: 1 })).askers[0]!;
    const outcome = await late.asker.ask(ECHO, 'x');
    assert.deepEqual(outcome.status === 'ok' && outcome.found, { said: 'said /x' });
    assert.deepEqual(asked, ['/x']);
  });

  test('keys name nothing that was asked, and all have an end', async (t) => {
    const redis = await startRedis(t);
    const { askers } = await lab(t, redis.url, { replicas: 1 });
    await askers[0]!.asker.ask(ECHO, '203.0.113.7/example.org');
    const keys = [...(await redis.say('KEYS *')).matchAll(/sxt:\S+/g)].map(([key]) => key);
    assert.ok(keys.some((key) => /^sxt:answer:[0-9a-f]{64}$/.test(key)));
    for (const key of keys) {
      assert.match(key, /^sxt:(probe|(answer|turn):[0-9a-f]{64})$/);
      assert.match(await redis.say(`PTTL ${key}`), /^:(\d+|-2)\r\n/);
    }
  });

  test('a failure is not shared: the next asks for itself, in time', async (t) => {
    const redis = await startRedis(t);
    const { asked, askers } = await lab(t, redis.url, { status: 500, takesMs: 50 });
    const all = await Promise.all(askers.map(({ asker }) => asker.ask(ECHO, 'x')));
    assert.deepEqual(
      all.map(({ status }) => status),
      ['unavailable', 'unavailable', 'unavailable'],
    );
    assert.equal(asked.length, 3);
  });

  test('who died with the turn is waited for no longer than the source may take', async (t) => {
    const redis = await startRedis(t);
    const { asked, askers } = await lab(t, redis.url, { replicas: 1 });
    const [{ asker, shared }] = askers as [(typeof askers)[0]];
    let name = '';
    const turn = shared.acquireLease.bind(shared);
    shared.acquireLease = async (asking, ttlMs) => {
      name = asking;
      return turn(asking, ttlMs);
    };
    await asker.ask(ECHO, 'x');
    // Everything is forgotten but the turn of somebody who is gone.
    await redis.say('FLUSHALL');
    assert.notEqual(await turn(name, 60_000), null);
    const fresh = (await lab(t, redis.url, { replicas: 1 })).askers[0]!;
    const begun = performance.now();
    const outcome = await fresh.asker.ask(ECHO, 'x');
    const took = performance.now() - begun;
    assert.deepEqual([outcome.status, outcome.status === 'unavailable' && outcome.timedOut], ['unavailable', true]);
    assert.ok(took >= TIMEOUT_MS && took < TIMEOUT_MS + 30_000, `${took} ms`);
    assert.equal(asked.length, 1);
  });

  test('while Redis stands still, everybody asks for itself', async (t) => {
    const redis = await startRedis(t);
    const { asked, askers } = await lab(t, redis.url, { replicas: 2 });
    redis.stop();
    const begun = performance.now();
    const all = await Promise.all(askers.map(({ asker }) => asker.ask(ECHO, 'x')));
    assert.deepEqual(
      all.map(({ status }) => status),
      ['ok', 'ok'],
    );
    assert.ok(performance.now() - begun < 30_000);
    assert.equal(asked.length, 2);
    redis.resume();
    await pause(10);
  });
});
