import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { PREFIX, RedisLink } from './link.ts';

const KEY = `${PREFIX}turn:sync`;
const LOOK_EVERY_MS = 500;
const REACH_WITHIN_MS = 3000;

interface Patience {
  /** The longest wait; then it goes on without the turn. */
  waitMs: number;
  /** A replica that dies in its turn has it no longer than that. */
  turnMs: number;
  signal: AbortSignal;
}

/**
 * Runs `work` while no other replica that shares this Redis runs its own: the upstreams are not asked by all at once. It is a
 * courtesy, not a lock: with Redis away, or after a long wait, the work is done all the same.
 */
export async function inSyncTurn<T>(redisUrl: string, patience: Patience, work: () => Promise<T>): Promise<T> {
  const link = new RedisLink({ url: redisUrl, onProblem: () => {} });
  const token = randomBytes(12).toString('hex');
  try {
    await link.presence.started(REACH_WITHIN_MS);
    await waitForTurn(link, token, patience);
    return await work();
  } finally {
    await link.run((redis) => redis.release(KEY, token)).catch(() => {});
    link.close();
  }
}

async function waitForTurn(link: RedisLink, token: string, { waitMs, turnMs, signal }: Patience): Promise<void> {
  const until = performance.now() + waitMs;
  while (performance.now() < until) {
    const taken = await link.run((redis) => redis.set(KEY, token, { PX: turnMs, NX: true })).catch(() => 'away');
    if (taken !== null) return;
    await pause(LOOK_EVERY_MS, undefined, { signal });
  }
}
