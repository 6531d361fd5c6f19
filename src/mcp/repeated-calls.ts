import { LRUCache } from 'lru-cache';
import { priceOf } from '../access/admission-controller.ts';
import type { Operation, OperationInput } from '../engine/operation.ts';
import { isAnswerShared, responseCacheKey, type RunnerDeps } from '../engine/runner.ts';
import type { ToolCallContext } from '../engine/tool-call-context.ts';

interface KnownCall {
  /** Of the answer in the response cache. */
  cacheKey: string;
  price: number;
}

const MAX_KNOWN = 20_000;
const MAX_KEY_CHARACTERS = 500;

/**
 * Answers tool calls that were answered before and whose answer is in the response cache, without checking their input again
 * (docs/decisions/022-repeated-requests.md).
 */
export class RepeatedCalls {
  readonly #runnerDeps: RunnerDeps;
  readonly #known = new LRUCache<string, KnownCall>({ max: MAX_KNOWN });

  constructor(runnerDeps: RunnerDeps) {
    this.#runnerDeps = runnerDeps;
  }

  /** Remembers a call that was answered. `key`: operation and input as it was sent; `input`: as it was checked. */
  remember(key: string, operation: Operation, input: OperationInput): void {
    if (!isAnswerShared(operation) || key.length > MAX_KEY_CHARACTERS) return;
    this.#known.set(key, { cacheKey: responseCacheKey(operation, input), price: priceOf(operation, input) });
  }

  /** The answer as REST gives it, charged and recorded; null where the call must be run: nothing was charged or recorded then. */
  async answer(key: string, operation: Operation, callContext: ToolCallContext): Promise<Buffer | null> {
    const started = performance.now();
    const { catalog, responseCache, now } = this.#runnerDeps;
    const known = catalog.openingId === null ? undefined : this.#known.get(key);
    const found = known === undefined ? null : responseCache.find(catalog.openingId!, known.cacheKey, now());
    if (found === null || !(await callContext.chargeAnswered(operation, known!.price))) return null;
    responseCache.hits++;
    const json = found.json(now());
    callContext.recordCall(operation.id, 'ok', Math.round((performance.now() - started) * 10) / 10);
    return json;
  }
}
