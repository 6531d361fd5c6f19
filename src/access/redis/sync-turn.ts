import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { PREFIX, RedisLink } from './link.ts';

const KEY = `${PREFIX}turn:sync`;
const LOOK_EVERY_MS = 500;
/** One or two that are lost do not lose the turn. */
const RENEWALS_PER_TURN = 4;
const REACH_WITHIN_MS = 3000;

interface Patience {
  /** The longest wait; then it goes on without the turn. */
  waitMs: number;
  /** The turn is renewed while the work runs; a replica that dies in its turn has it no longer than that. */
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
  let renewing: NodeJS.Timeout | undefined;
  try {
    await link.presence.started(REACH_WITHIN_MS);
    await waitForTurn(link, token, patience);
    renewing = setInterval(() => void renew(link, token, patience.turnMs), patience.turnMs / RENEWALS_PER_TURN);
    return await work();
  } finally {
    clearInterval(renewing);
    await link.run((redis) => redis.release(KEY, token)).catch(() => {});
    link.close();
  }
}

/** Without Redis there is nothing to renew; a turn that another replica has is left alone. */
async function renew(link: RedisLink, token: string, turnMs: number): Promise<void> {
  await link.run((redis) => redis.renew(KEY, token, turnMs)).catch(() => {});
}

async function waitForTurn(link: RedisLink, token: string, { waitMs, turnMs, signal }: Patience): Promise<void> {
  const until = performance.now() + waitMs;
  while (performance.now() < until) {
    const taken = await link.run((redis) => redis.set(KEY, token, { PX: turnMs, NX: true })).catch(() => 'away');
    if (taken !== null) return;
    await pause(LOOK_EVERY_MS, undefined, { signal });
  }
}
