import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { type BackendSettings, openBackends } from '../../../src/access/backends.ts';
import { Pseudonyms } from '../../../src/access/pseudonyms.ts';
import { NO_REDIS, startRedis } from '../../support/engines.ts';

/** Cached answers may be thrown out when memory is short, counters may not: each can have a Redis of its own. */

const MINUTE_MS = 60_000;
const ANSWER = { body: 'x' } as never;

async function engines(t: TestContext, settings: Partial<BackendSettings>) {
  const dataDir = mkdtempSync(join(tmpdir(), 'sextant-cache-'));
  const opened = await openBackends(
    { dataDir, ...settings },
    {
      pseudonyms: new Pseudonyms('a secret of this installation, for tests'),
      now: () => new Date(),
      onProblem: () => {},
    },
  );
  t.after(async () => {
    await opened.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return opened;
}

describe('a Redis for cached answers alone', { skip: NO_REDIS, concurrency: 1 }, () => {
  const keysIn = async (redis: { say: (command: string) => Promise<string> }): Promise<string[]> =>
    [...(await redis.say('KEYS *')).matchAll(/sxt:(\w+)/g)].map(([, kind]) => kind!).filter((kind) => kind !== 'probe');

  test('has the answers and the turns to ask; the other one has none of them', async (t) => {
    const [counting, caching] = await Promise.all([startRedis(t), startRedis(t)]);
    const { sharedAnswers } = await engines(t, { redisUrl: counting.url, redisCacheUrl: caching.url });
    await sharedAnswers!.put('a question', ANSWER, MINUTE_MS);
    await sharedAnswers!.acquireLease('a question', MINUTE_MS);
    assert.deepEqual(await sharedAnswers!.get('a question'), ANSWER);
    assert.deepEqual((await keysIn(caching)).toSorted(), ['answer', 'turn']);
    assert.deepEqual(await keysIn(counting), []);
  });

  test('is the one that counts where no other is named', async (t) => {
    const redis = await startRedis(t);
    const { sharedAnswers } = await engines(t, { redisUrl: redis.url });
    await sharedAnswers!.put('a question', ANSWER, MINUTE_MS);
    assert.deepEqual(await keysIn(redis), ['answer']);
  });

  test('is said to be away by its own name', async (t) => {
    const redis = await startRedis(t);
    const opened = await engines(t, { redisUrl: redis.url, redisCacheUrl: 'redis://127.0.0.1:9' });
    assert.deepEqual(opened.unavailableBackends(), ['redis_cache']);
    assert.equal(await opened.sharedAnswers!.get('a question'), null);
  });
});
