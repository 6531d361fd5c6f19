import { join } from 'node:path';
import type { SharedAnswerCache } from '../sources/shared-answer-cache.ts';
import type { Accounts } from './accounts.ts';
import type { Counters } from './counters.ts';
import { openEmbeddedAccounts } from './embedded-accounts.ts';
import { EmbeddedCounters } from './embedded-counters.ts';
import { PostgresAccounts } from './postgres/postgres-accounts.ts';
import { RedisConnection } from './redis/redis-connection.ts';
import { RedisAnswerCache } from './redis/redis-answer-cache.ts';
import { RedisCounters } from './redis/redis-counters.ts';
import type { Pseudonyms } from './installation-secret.ts';

/** A service waits so long at its start for an engine elsewhere; then it starts without. */
const START_TIMEOUT_MS = 3000;

export interface BackendSettings {
  readonly dataDir: string;
  /** Null: embedded, in the data folder. */
  readonly redisUrl?: string | null;
  /** Of cached answers alone; null: they lie where the counters do. */
  readonly redisCacheUrl?: string | null;
  readonly databaseUrl?: string | null;
}

/** What remembers callers: in the data folder of this machine, or shared by replicas. */
export interface Backends {
  readonly counters: Counters;
  readonly accounts: Accounts;
  /** Null: every process asks live sources for itself. */
  readonly sharedAnswers: SharedAnswerCache | null;
  /** The engines that are away at the moment. */
  unavailableBackends(): string[];
  close(): Promise<void>;
}

interface BackendsDeps {
  pseudonyms: Pseudonyms;
  now: () => Date;
  onProblem: (problem: Error) => void;
}

/** Opens the engines that are configured. One elsewhere that is away now is no reason not to start. */
export async function openBackends(settings: BackendSettings, running: BackendsDeps): Promise<Backends> {
  const { dataDir, redisUrl = null, redisCacheUrl = null, databaseUrl = null } = settings;
  const { pseudonyms, now, onProblem } = running;
  const link = redisUrl === null ? null : new RedisConnection({ url: redisUrl, onProblem });
  const ownCache =
    redisCacheUrl === null ? null : new RedisConnection({ url: redisCacheUrl, onProblem, name: 'redis_cache' });
  const cache = ownCache ?? link;
  const shared = databaseUrl === null ? null : new PostgresAccounts({ url: databaseUrl, onProblem });
  const accounts = shared ?? openEmbeddedAccounts(join(dataDir, 'accounts.db'), 'normal');
  const counters =
    link === null ? new EmbeddedCounters(join(dataDir, 'counters.db'), now, onProblem) : new RedisCounters(link);
  const close = async (): Promise<void> => {
    await Promise.all([accounts.close(), counters.close()]);
    link?.close();
    ownCache?.close();
  };
  try {
    await Promise.all([
      link?.health.waitUntilUp(START_TIMEOUT_MS),
      ownCache?.health.waitUntilUp(START_TIMEOUT_MS),
      shared === null ? accounts.migrate() : shared.waitUntilReady(START_TIMEOUT_MS),
    ]);
  } catch (error) {
    await close();
    throw error;
  }
  const parts = [
    link?.health,
    ownCache?.health,
    shared?.health,
    counters instanceof EmbeddedCounters ? counters : undefined,
  ].filter((part) => part !== undefined);
  return {
    counters,
    accounts,
    sharedAnswers: cache === null ? null : new RedisAnswerCache(cache, pseudonyms),
    unavailableBackends: () => parts.filter(({ isUp }) => !isUp).map(({ name }) => name),
    close,
  };
}
