import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { KEY_PREFIX, RedisConnection } from './redis-connection.ts';

const LOCK_KEY = `${KEY_PREFIX}turn:sync`;
const POLL_INTERVAL_MS = 500;
/** One or two that are lost do not lose the turn. */
const RENEWALS_PER_TTL = 4;
const CONNECT_TIMEOUT_MS = 3000;

interface SyncLockOptions {
  /** The longest wait; then it goes on without the turn. */
  maxWaitMs: number;
  /** The turn is renewed while the work runs; a replica that dies in its turn has it no longer than that. */
  lockTtlMs: number;
  signal: AbortSignal;
}

/**
 * Runs `work` while no other replica that shares this Redis runs its own: the upstreams are not asked by all at once. It is a
 * courtesy, not a lock: with Redis away, or after a long wait, the work is done all the same.
 */
export async function withSyncLock<T>(redisUrl: string, patience: SyncLockOptions, work: () => Promise<T>): Promise<T> {
  const link = new RedisConnection({ url: redisUrl, onProblem: () => {} });
  const token = randomBytes(12).toString('hex');
  let renewing: NodeJS.Timeout | undefined;
  try {
    await link.health.waitUntilUp(CONNECT_TIMEOUT_MS);
    await waitForLock(link, token, patience);
    renewing = setInterval(
      () => void renewLock(link, token, patience.lockTtlMs),
      patience.lockTtlMs / RENEWALS_PER_TTL,
    );
    return await work();
  } finally {
    clearInterval(renewing);
    await link.run((redis) => redis.release(LOCK_KEY, token)).catch(() => {});
    link.close();
  }
}

/** Without Redis there is nothing to renew; a turn that another replica has is left alone. */
async function renewLock(link: RedisConnection, token: string, turnMs: number): Promise<void> {
  await link.run((redis) => redis.renew(LOCK_KEY, token, turnMs)).catch(() => {});
}

async function waitForLock(
  link: RedisConnection,
  token: string,
  { maxWaitMs, lockTtlMs, signal }: SyncLockOptions,
): Promise<void> {
  const until = performance.now() + maxWaitMs;
  while (performance.now() < until) {
    const taken = await link
      .run((redis) => redis.set(LOCK_KEY, token, { PX: lockTtlMs, NX: true }))
      .catch(() => 'away');
    if (taken !== null) return;
    await pause(POLL_INTERVAL_MS, undefined, { signal });
  }
}
