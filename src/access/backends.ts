import { join } from 'node:path';
import type { SharedAnswerCache } from '../sources/shared-answer-cache.ts';
import type { Accounts } from './accounts.ts';
import type { Counters } from './counters.ts';
import { openEmbeddedAccounts } from './embedded-accounts.ts';
import { EmbeddedCounters } from './embedded-counters.ts';
import type { PostgresAccounts, PostgresAccountsOptions } from './postgres/postgres-accounts.ts';
import { WriteBehindCounters } from './write-behind-counters.ts';
import { loadOrCreateInstallationSecret } from './installation-secret.ts';
import { Pseudonyms } from './pseudonyms.ts';

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

/** Opens the configured backends; the drivers of others are not loaded. A remote backend that is down does not stop the start. */
export async function openBackends(settings: BackendSettings, deps: BackendsDeps): Promise<Backends> {
  const { dataDir, redisUrl = null, redisCacheUrl = null, databaseUrl = null } = settings;
  const { pseudonyms, onProblem } = deps;
  const redisClasses = redisUrl === null && redisCacheUrl === null ? null : await loadRedis();
  const redis = redisUrl === null ? null : new redisClasses!.RedisConnection({ url: redisUrl, onProblem });
  const cacheRedis =
    redisCacheUrl === null
      ? null
      : new redisClasses!.RedisConnection({ url: redisCacheUrl, onProblem, name: 'redis_cache' });
  const answerRedis = cacheRedis ?? redis;
  const postgres = databaseUrl === null ? null : await createPostgresAccounts({ url: databaseUrl, onProblem });
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
    counters: embeddedCounters ?? new redisClasses!.RedisOrLocalCounters(redis!),
    accounts,
    sharedAnswers: answerRedis === null ? null : new redisClasses!.RedisAnswerCache(answerRedis, pseudonyms),
    unavailableBackends: () => monitored.flatMap((backend) => (backend == null || backend.isUp ? [] : [backend.name])),
    close,
  };
}

/**
 * Answers that replicas share, for a process that neither counts nor has accounts; null: not shared. The connection stays open while
 * the process runs, and its problems are reported by the process that opened all backends.
 */
export async function openSharedAnswers(
  settings: BackendSettings & { readonly secret: string | null },
): Promise<SharedAnswerCache | null> {
  const url = settings.redisCacheUrl ?? settings.redisUrl ?? null;
  if (url === null) return null;
  const { RedisConnection, RedisAnswerCache } = await loadRedis();
  const connection = new RedisConnection({ url, onProblem: () => {} });
  await connection.health.waitUntilUp(CONNECT_TIMEOUT_MS);
  const secret = loadOrCreateInstallationSecret(settings.dataDir, settings.secret);
  return new RedisAnswerCache(connection, new Pseudonyms(secret));
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

/** Accounts in PostgreSQL, not connected yet. Loads the driver. */
export async function createPostgresAccounts(options: PostgresAccountsOptions): Promise<PostgresAccounts> {
  const { PostgresAccounts } = await import('./postgres/postgres-accounts.ts');
  return new PostgresAccounts(options);
}

async function loadRedis() {
  const [{ RedisConnection }, { RedisAnswerCache }, { RedisOrLocalCounters }] = await Promise.all([
    import('./redis/redis-connection.ts'),
    import('./redis/redis-answer-cache.ts'),
    import('./redis/redis-counters.ts'),
  ]);
  return { RedisConnection, RedisAnswerCache, RedisOrLocalCounters };
}
