import { join } from 'node:path';
import type { SharedAnswerCache } from '../sources/shared-answer-cache.ts';
import type { Accounts } from './accounts.ts';
import type { Counters } from './counters.ts';
import { openEmbeddedAccounts } from './embedded-accounts.ts';
import { EmbeddedCounters } from './embedded-counters.ts';
import { PostgresAccounts } from './postgres/postgres-accounts.ts';
import { RedisConnection } from './redis/redis-connection.ts';
import { RedisAnswerCache } from './redis/redis-answer-cache.ts';
import { RedisOrLocalCounters } from './redis/redis-counters.ts';
import { WriteBehindCounters } from './write-behind-counters.ts';
import type { Pseudonyms } from './pseudonyms.ts';

/** Longest wait for a remote backend; a service then starts without it. */
export const CONNECT_TIMEOUT_MS = 3000;

export interface BackendSettings {
  readonly dataDir: string;
  /** Null: embedded, in the data folder. */
  readonly redisUrl?: string | null;
  /** Redis for cached answers; null: they are in the Redis of the counters. */
  readonly redisCacheUrl?: string | null;
  readonly databaseUrl?: string | null;
}

/** Stores of counters, accounts and shared answers: in the data folder, or shared by replicas. */
export interface Backends {
  readonly counters: Counters;
  readonly accounts: Accounts;
  /** Null: each process asks live sources by itself. */
  readonly sharedAnswers: SharedAnswerCache | null;
  /** Names of the backends that are down. */
  unavailableBackends(): string[];
  close(): Promise<void>;
}

interface BackendsDeps {
  pseudonyms: Pseudonyms;
  now: () => Date;
  onProblem: (problem: Error) => void;
}

/** Opens the configured backends. A remote backend that is down does not stop the start. */
export async function openBackends(settings: BackendSettings, deps: BackendsDeps): Promise<Backends> {
  const { dataDir, redisUrl = null, redisCacheUrl = null, databaseUrl = null } = settings;
  const { pseudonyms, onProblem } = deps;
  const redis = redisUrl === null ? null : new RedisConnection({ url: redisUrl, onProblem });
  const cacheRedis =
    redisCacheUrl === null ? null : new RedisConnection({ url: redisCacheUrl, onProblem, name: 'redis_cache' });
  const answerRedis = cacheRedis ?? redis;
  const postgres = databaseUrl === null ? null : new PostgresAccounts({ url: databaseUrl, onProblem });
  const accounts = postgres ?? openEmbeddedAccounts(join(dataDir, 'accounts.db'), 'normal');
  const embeddedCounters = redis === null ? await openCounters(join(dataDir, 'counters.db'), deps) : null;
  const close = async (): Promise<void> => {
    await Promise.all([accounts.close(), embeddedCounters?.close()]);
    redis?.close();
    cacheRedis?.close();
  };
  try {
    await Promise.all([
      redis?.health.waitUntilUp(CONNECT_TIMEOUT_MS),
      cacheRedis?.health.waitUntilUp(CONNECT_TIMEOUT_MS),
      postgres === null ? accounts.migrate() : postgres.waitUntilReady(CONNECT_TIMEOUT_MS),
    ]);
  } catch (error) {
    await close();
    throw error;
  }
  const monitored = [redis?.health, cacheRedis?.health, postgres?.health, embeddedCounters];
  return {
    counters: embeddedCounters ?? new RedisOrLocalCounters(redis!),
    accounts,
    sharedAnswers: answerRedis === null ? null : new RedisAnswerCache(answerRedis, pseudonyms),
    unavailableBackends: () => monitored.flatMap((backend) => (backend == null || backend.isUp ? [] : [backend.name])),
    close,
  };
}

async function openCounters(path: string, { now, onProblem }: BackendsDeps): Promise<WriteBehindCounters> {
  const counters = new EmbeddedCounters(path, now, onProblem);
  try {
    return await WriteBehindCounters.open(path, counters, now);
  } catch (error) {
    await counters.close();
    throw error;
  }
}
