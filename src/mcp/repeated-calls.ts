import { createLruCache } from '../lru-cache.ts';
import { priceOf } from '../access/admission-controller.ts';
import type { CachedAnswer } from '../engine/cached-answer.ts';
import type { Operation, OperationInput } from '../engine/operation.ts';
import { findCachedAnswer, isAnswerShared, responseCacheKey, type RunnerDeps } from '../engine/runner.ts';

/** A call that was answered before, and its answer as REST gives it. */
export interface RepeatedCall {
  answer: CachedAnswer;
  price: number;
}

interface KnownCall {
  /** Of the answer in the response cache. */
  cacheKey: string;
  price: number;
}

const MAX_KNOWN = 20_000;
const MAX_KEY_CHARACTERS = 500;

/**
 * Knows tool calls that were answered before and whose answer is in the response cache: their input is not checked again
 * (docs/decisions/022-repeated-requests.md).
 */
export class RepeatedCalls {
  readonly #runnerDeps: RunnerDeps;
  readonly #known = createLruCache<string, KnownCall>(MAX_KNOWN);

  constructor(runnerDeps: RunnerDeps) {
    this.#runnerDeps = runnerDeps;
  }

  /** Remembers a call that was answered. `key`: operation and input as it was sent; `input`: as it was checked. */
  remember(key: string, operation: Operation, input: OperationInput): void {
    if (!isAnswerShared(operation) || key.length > MAX_KEY_CHARACTERS) return;
    this.#known.set(key, { cacheKey: responseCacheKey(operation, input), price: priceOf(operation, input) });
  }

  /** The call with its answer, not charged or counted yet; null where the call must be run. */
  find(key: string): RepeatedCall | null {
    const known = this.#known.get(key);
    const answer = known === undefined ? null : findCachedAnswer(known.cacheKey, this.#runnerDeps);
    return answer === null ? null : { answer, price: known!.price };
  }
}
