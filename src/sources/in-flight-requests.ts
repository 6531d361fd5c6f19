import { onAbort } from '../net/on-abort.ts';
import type { SourceResult } from './source.ts';
import { ABORTED_RESULT } from './source-failure.ts';

/** A running request and the number of callers that wait for it. */
interface PendingRequest {
  readonly result: Promise<SourceResult<unknown>>;
  readonly controller: AbortController;
  waiterCount: number;
}

/** Joins equal requests: later callers wait for the result of the first. */
export class InFlightRequests {
  readonly #pending = new Map<string, PendingRequest>();

  /**
   * The result of the running request with this key, else of `start`. A caller whose `signal` aborts gets `ABORTED_RESULT`; the
   * request is aborted when no caller waits any more.
   */
  async join(
    key: string,
    signal: AbortSignal | undefined,
    start: (signal: AbortSignal) => Promise<SourceResult<unknown>>,
  ): Promise<SourceResult<unknown>> {
    const request = this.#pending.get(key) ?? this.#start(key, start);
    request.waiterCount++;
    if (signal === undefined) return request.result;
    const { promise: aborted, resolve } = Promise.withResolvers<SourceResult<unknown>>();
    const removeListener = onAbort(signal, () => resolve(ABORTED_RESULT));
    try {
      return await Promise.race([request.result, aborted]);
    } finally {
      removeListener();
      request.waiterCount--;
      if (request.waiterCount === 0 && signal.aborted && this.#remove(key, request)) request.controller.abort();
    }
  }

  #start(key: string, start: (signal: AbortSignal) => Promise<SourceResult<unknown>>): PendingRequest {
    const controller = new AbortController();
    const request: PendingRequest = { result: start(controller.signal), controller, waiterCount: 0 };
    const remove = (): void => void this.#remove(key, request);
    request.result.then(remove, remove);
    this.#pending.set(key, request);
    return request;
  }

  #remove(key: string, request: PendingRequest): boolean {
    return this.#pending.get(key) === request && this.#pending.delete(key);
  }
}
