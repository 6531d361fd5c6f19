import type { ConsumeRequest, ConsumeResult } from '../counters.ts';

type Consume = (name: string, request: ConsumeRequest) => Promise<ConsumeResult>;

interface WaitingRequest {
  readonly request: ConsumeRequest;
  readonly settle: (result: Promise<ConsumeResult> | ConsumeResult) => void;
}

/**
 * Joins requests of one window that arrive in the same turn of the event loop into one that takes all their tokens or none. Where the
 * window does not have all of them, each request is made by itself, in order. So the results are those of single requests, and a caller
 * with many requests at once costs one round trip.
 */
export class JoinedConsumption {
  readonly #consume: Consume;
  /** By name and window. */
  readonly #waiting = new Map<string, WaitingRequest[]>();

  constructor(consume: Consume) {
    this.#consume = consume;
  }

  consume(name: string, request: ConsumeRequest): Promise<ConsumeResult> {
    const { promise, resolve: settle } = Promise.withResolvers<ConsumeResult>();
    const key = `${request.limit} ${request.windowSeconds} ${name}`;
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) waiting.push({ request, settle });
    else {
      this.#waiting.set(key, [{ request, settle }]);
      setImmediate(() => {
        const requests = this.#waiting.get(key)!;
        this.#waiting.delete(key);
        void this.#send(name, requests);
      });
    }
    return promise;
  }

  async #send(name: string, requests: readonly WaitingRequest[]): Promise<void> {
    const sendEach = (): void => {
      for (const { request, settle } of requests) settle(this.#consume(name, request));
    };
    if (requests.length === 1) return sendEach();
    const total = requests.reduce((sum, { request }) => sum + request.amount, 0);
    const joined = this.#consume(name, { ...requests[0]!.request, amount: total, allOrNothing: true });
    // What fails for all fails for each: the requests are settled with the same error.
    const result = await joined.catch(() => null);
    if (result === null) return requests.forEach(({ settle }) => settle(joined));
    if (result.granted === 0) return sendEach();
    let after = total;
    for (const { request, settle } of requests) {
      after -= request.amount;
      settle({ ...result, granted: request.amount, remaining: result.remaining + after });
    }
  }
}
