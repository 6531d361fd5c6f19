import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCResponse,
  type RequestId,
} from '@modelcontextprotocol/server';
import { RPC, type RpcError, rpcError } from './rpc.ts';

/** The longest that a request may wait for its answer: longer than any operation may take (`deadlineMs`). */
export const EXCHANGE_MS = 90_000;

/**
 * The answers to the messages of one body (HTTP) or one line (stdio), as they come. An id that stands twice is answered twice.
 * What has no answer after `ms` is told so by `late`, which is to send that answer.
 */
export class Answers {
  readonly #batch: boolean;
  readonly #open: RequestId[];
  readonly #given: JSONRPCResponse[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(
    messages: JSONRPCMessage | readonly JSONRPCMessage[],
    ms: number,
    late: (answer: JSONRPCErrorResponse) => void,
  ) {
    this.#batch = Array.isArray(messages);
    this.#open = [messages].flat().flatMap((message) => (isJSONRPCRequest(message) ? [message.id] : []));
    this.#timer = setTimeout(() => {
      const open = [...this.#open];
      for (const id of open) late({ ...lateAnswer(id), id });
    }, ms).unref();
    if (this.areComplete) this.end();
  }

  /** True when no request waits any more. */
  get areComplete(): boolean {
    return this.#open.length === 0;
  }

  /** What was given so far. */
  get given(): readonly JSONRPCResponse[] {
    return this.#given;
  }

  /** False for an answer that nothing here waits for. */
  take(answer: JSONRPCResponse): boolean {
    if (answer.id === undefined || !this.callOff(answer.id)) return false;
    this.#given.push(answer);
    return true;
  }

  /** A request will have no answer. False where none of this id waits. */
  callOff(id: RequestId): boolean {
    const at = this.#open.indexOf(id);
    if (at === -1) return false;
    this.#open.splice(at, 1);
    if (this.areComplete) this.end();
    return true;
  }

  /** Waits no longer. */
  end(): void {
    clearTimeout(this.#timer);
  }

  /** All answers as they go out; null where there are none. */
  toJson(): string | null {
    if (this.#given.length === 0) return null;
    return JSON.stringify(this.#batch ? this.#given : this.#given[0]);
  }
}

/** The id that a message calls off; undefined where it is no such notification. A request of this name calls nothing off. */
export function calledOff(message: JSONRPCMessage): RequestId | undefined {
  if (!isCancellation(message) || !('params' in message)) return undefined;
  return message.params?.['requestId'] as RequestId | undefined;
}

export function isCancellation(message: JSONRPCMessage): boolean {
  return isJSONRPCNotification(message) && message.method === 'notifications/cancelled';
}

/** For a request whose answer took too long. */
export function lateAnswer(id: RequestId | null): RpcError {
  return rpcError(RPC.serverError, 'There was no answer in time', id);
}
