import { setTimeout } from 'node:timers/promises';
import type { Outcome, SourcePolicy } from './source.ts';

/**
 * Answers of live sources that replicas share, so that one of them asks for all. `name` is opaque. Nothing here rejects or
 * takes long: without the engine there is no answer, and everybody may ask.
 */
export interface SharedAnswers {
  get(name: string): Promise<SharedAnswer | null>;
  put(name: string, answer: SharedAnswer, ttlMs: number): Promise<void>;
  /** The turn to ask, held for at most `ttlMs`; null while another replica has it. */
  turn(name: string, ttlMs: number): Promise<Turn | null>;
  /** Whether a replica has the turn. */
  isTaken(name: string): Promise<boolean>;
}

export interface SharedAnswer {
  found: unknown;
  /** When it was asked for, milliseconds since 1970. */
  at: number;
}

export interface Turn {
  end(): Promise<void>;
}

const LOOK_EVERY_MS = 50;
const SPARE_MS = 1000;

interface Flight<Found> {
  shared: SharedAnswers;
  name: string;
  policy: Pick<SourcePolicy, 'timeoutMs' | 'ttlSeconds'>;
  now: () => Date;
  ask: () => Promise<Outcome<Found>>;
  /** Nobody wants the answer any more: the wait for another replica ends. */
  signal?: AbortSignal;
  /** Whether an answer may be given to others. */
  keep?: (found: Found) => boolean;
}

/**
 * Asks, unless another replica has asked already or is asking just now: then waits for its answer, at most as long as the
 * source may take. A replica that failed or died leaves the question to the next.
 */
export async function askOnceForAll<Found>(flight: Flight<Found>): Promise<Outcome<Found>> {
  const { shared, name, policy } = flight;
  const deadline = performance.now() + policy.timeoutMs;
  for (;;) {
    const there = await answerOf(flight);
    if (there !== null) return there;
    const turn = await shared.turn(name, 2 * policy.timeoutMs + SPARE_MS);
    if (turn !== null) return askInTurn(flight, turn);
    while (await shared.isTaken(name)) {
      if (performance.now() > deadline || flight.signal?.aborted)
        return { status: 'unavailable', reason: 'it took too long', timedOut: true, failure: 'timeout' };
      await setTimeout(LOOK_EVERY_MS);
    }
  }
}

async function askInTurn<Found>(flight: Flight<Found>, turn: Turn): Promise<Outcome<Found>> {
  const { shared, name, policy, now, ask, keep = () => true } = flight;
  try {
    // Another replica may have had its turn between our look and ours.
    const there = await answerOf(flight);
    if (there !== null) return there;
    const outcome = await ask();
    if (outcome.status === 'ok' && keep(outcome.found)) {
      await shared.put(name, { found: outcome.found, at: now().getTime() }, policy.ttlSeconds * 1000);
    }
    return outcome;
  } finally {
    await turn.end();
  }
}

async function answerOf<Found>({ shared, name, policy, now }: Flight<Found>): Promise<Outcome<Found> | null> {
  const answer = await shared.get(name);
  if (answer === null) return null;
  const ageMs = Math.max(0, now().getTime() - answer.at);
  if (ageMs >= policy.ttlSeconds * 1000) return null;
  return { status: 'ok', found: answer.found as Found, ageSeconds: Math.floor(ageMs / 1000) };
}
