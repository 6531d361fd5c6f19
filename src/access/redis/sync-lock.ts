import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { CONNECT_TIMEOUT_MS } from '../backends.ts';
import { KEY_PREFIX, RedisConnection } from './redis-connection.ts';

const LOCK_KEY = `${KEY_PREFIX}turn:sync`;
const POLL_INTERVAL_MS = 500;
/** The lock survives one or two failed renewals. */
const RENEWALS_PER_TTL = 4;

interface SyncLockOptions {
  /** The longest wait for the lock; then the work runs without it. */
  maxWaitMs: number;
  /** The lock is renewed while the work runs; it expires after this time if the replica dies. */
  lockTtlMs: number;
  signal: AbortSignal;
}

/**
 * Runs `work` while no other replica that shares this Redis runs its own, so that replicas do not ask the upstreams at the same time.
 * Not a strict lock: without Redis, or after `maxWaitMs`, the work runs anyway.
 */
export async function withSyncLock<T>(redisUrl: string, options: SyncLockOptions, work: () => Promise<T>): Promise<T> {
  const redis = new RedisConnection({ url: redisUrl, onProblem: () => {} });
  const lockId = randomBytes(12).toString('hex');
  let renewing: NodeJS.Timeout | undefined;
  try {
    await redis.health.waitUntilUp(CONNECT_TIMEOUT_MS);
    await waitForLock(redis, lockId, options);
    renewing = setInterval(
      () => void renewLock(redis, lockId, options.lockTtlMs),
      options.lockTtlMs / RENEWALS_PER_TTL,
    );
    return await work();
  } finally {
    clearInterval(renewing);
    await redis.run((commands) => commands.release(LOCK_KEY, lockId)).catch(() => {});
    redis.close();
  }
}

/** Does nothing without Redis, or where another replica has the lock. */
async function renewLock(redis: RedisConnection, lockId: string, ttlMs: number): Promise<void> {
  await redis.run((commands) => commands.renew(LOCK_KEY, lockId, ttlMs)).catch(() => {});
}

async function waitForLock(
  redis: RedisConnection,
  lockId: string,
  { maxWaitMs, lockTtlMs, signal }: SyncLockOptions,
): Promise<void> {
  const until = performance.now() + maxWaitMs;
  while (performance.now() < until) {
    const acquired = await redis
      .run((commands) => commands.set(LOCK_KEY, lockId, { PX: lockTtlMs, NX: true }))
      .catch(() => 'redis is down');
    if (acquired !== null) return;
    await pause(POLL_INTERVAL_MS, undefined, { signal });
  }
}
