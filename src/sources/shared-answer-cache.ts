import { setTimeout } from 'node:timers/promises';
import type { SourceResult, SourcePolicy } from './source.ts';

/**
 * Answers of live sources that replicas share, so that one of them asks for all. `name` is opaque. The methods never reject: without
 * Redis `get` resolves with null, and every replica may ask.
 */
export interface SharedAnswerCache {
  get(name: string): Promise<SharedAnswer | null>;
  put(name: string, answer: SharedAnswer, ttlMs: number): Promise<void>;
  /** The right to ask, for at most `ttlMs`; null: another replica has it. */
  acquireLease(name: string, ttlMs: number): Promise<Lease | null>;
  /** Whether a replica has the lease. */
  isLeased(name: string): Promise<boolean>;
}

export interface SharedAnswer {
  found: unknown;
  /** When the source was asked, milliseconds since 1970. */
  at: number;
}

export interface Lease {
  release(): Promise<void>;
}

const POLL_INTERVAL_MS = 50;
const LEASE_MARGIN_MS = 1000;

interface SharedAskOptions<Found> {
  shared: SharedAnswerCache;
  key: string;
  policy: Pick<SourcePolicy, 'timeoutMs' | 'ttlSeconds'>;
  now: () => Date;
  ask: () => Promise<SourceResult<Found>>;
  /** Ends the wait for another replica. */
  signal?: AbortSignal;
  /** Whether an answer may be shared. Default: yes. */
  isCacheable?: (found: Found) => boolean;
}

/**
 * Asks, unless another replica has asked or is asking: then waits for its answer, at most for the timeout of the source. If that replica
 * fails, the next one asks.
 */
export async function askOnceAcrossReplicas<Found>(options: SharedAskOptions<Found>): Promise<SourceResult<Found>> {
  const { shared, key, policy } = options;
  const deadline = performance.now() + policy.timeoutMs;
  for (;;) {
    const cached = await readSharedAnswer(options);
    if (cached !== null) return cached;
    const lease = await shared.acquireLease(key, 2 * policy.timeoutMs + LEASE_MARGIN_MS);
    if (lease !== null) return askWithLease(options, lease);
    while (await shared.isLeased(key)) {
      if (performance.now() > deadline || options.signal?.aborted)
        return { status: 'unavailable', reason: 'it took too long', timedOut: true, failure: 'timeout' };
      await setTimeout(POLL_INTERVAL_MS);
    }
  }
}

async function askWithLease<Found>(options: SharedAskOptions<Found>, lease: Lease): Promise<SourceResult<Found>> {
  const { shared, key, policy, now, ask, isCacheable = () => true } = options;
  try {
    // Another replica may have stored an answer between our read and our lease.
    const cached = await readSharedAnswer(options);
    if (cached !== null) return cached;
    const outcome = await ask();
    if (outcome.status === 'ok' && isCacheable(outcome.found)) {
      await shared.put(key, { found: outcome.found, at: now().getTime() }, policy.ttlSeconds * 1000);
    }
    return outcome;
  } finally {
    await lease.release();
  }
}

async function readSharedAnswer<Found>({
  shared,
  key,
  policy,
  now,
}: SharedAskOptions<Found>): Promise<SourceResult<Found> | null> {
  const answer = await shared.get(key);
  if (answer === null) return null;
  const ageMs = Math.max(0, now().getTime() - answer.at);
  if (ageMs >= policy.ttlSeconds * 1000) return null;
  return { status: 'ok', found: answer.found as Found, ageSeconds: Math.floor(ageMs / 1000) };
}
