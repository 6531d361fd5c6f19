import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { RedisConnection } from '../../../src/access/redis/redis-connection.ts';
import { RedisOrLocalCounters } from '../../../src/access/redis/redis-counters.ts';
import { NO_REDIS, startRedis } from '../../support/engines.ts';
import { countersSuite } from '../counters-suite.ts';

for (const cluster of [false, true]) {
  const driver = cluster ? 'a Redis cluster' : 'Redis';
  if (NO_REDIS !== false) test(`counters: ${driver}`, { skip: NO_REDIS });
  else {
    countersSuite(driver, async () => {
      const { url } = await startRedis({ after }, { cluster });
      const links = [1, 2].map(() => new RedisConnection({ url, onProblem: rethrow }));
      await Promise.all(links.map(({ health }) => health.waitUntilUp(30_000)));
      const [one, other] = links.map((link) => new RedisOrLocalCounters(link)) as [
        RedisOrLocalCounters,
        RedisOrLocalCounters,
      ];
      return {
        one,
        other,
        elapse: (seconds) => pause(seconds * 1000),
        async close() {
          for (const link of links) link.close();
        },
      };
    });
  }
}

function rethrow(problem: Error): never {
  throw problem;
}
