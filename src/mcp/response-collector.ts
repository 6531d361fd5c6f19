import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCResponse,
  type RequestId,
} from '@modelcontextprotocol/server';
import { RPC_CODES, type RpcError, createRpcError } from './json-rpc.ts';

/** The longest that a request may wait for its answer: longer than any operation may take (`deadlineMs`). */
export const RESPONSE_TIMEOUT_MS = 90_000;

/**
 * The answers to the messages of one body (HTTP) or one line (stdio), as they come. An id that stands twice is answered twice.
 * What has no answer after `ms` is told so by `late`, which is to send that answer.
 */
export class ResponseCollector {
  readonly #isBatch: boolean;
  readonly #pendingIds: RequestId[];
  readonly #responses: JSONRPCResponse[] = [];
  readonly #timeout: NodeJS.Timeout;

  constructor(
    messages: JSONRPCMessage | readonly JSONRPCMessage[],
    timeoutMs: number,
    sendTimeout: (answer: JSONRPCErrorResponse) => void,
  ) {
    this.#isBatch = Array.isArray(messages);
    this.#pendingIds = [messages].flat().flatMap((message) => (isJSONRPCRequest(message) ? [message.id] : []));
    this.#timeout = setTimeout(() => {
      const overdueIds = [...this.#pendingIds];
      for (const id of overdueIds) sendTimeout({ ...timeoutError(id), id });
    }, timeoutMs).unref();
    if (this.isComplete) this.stopTimeout();
  }

  /** True when no request waits any more. */
  get isComplete(): boolean {
    return this.#pendingIds.length === 0;
  }

  /** What was given so far. */
  get responses(): readonly JSONRPCResponse[] {
    return this.#responses;
  }

  /** False for an answer that nothing here waits for. */
  addResponse(response: JSONRPCResponse): boolean {
    if (response.id === undefined || !this.cancelRequest(response.id)) return false;
    this.#responses.push(response);
    return true;
  }

  /** A request will have no answer. False where none of this id waits. */
  cancelRequest(id: RequestId): boolean {
    const index = this.#pendingIds.indexOf(id);
    if (index === -1) return false;
    this.#pendingIds.splice(index, 1);
    if (this.isComplete) this.stopTimeout();
    return true;
  }

  /** Waits no longer. */
  stopTimeout(): void {
    clearTimeout(this.#timeout);
  }

  /** All answers as they go out; null where there are none. */
  toJson(): string | null {
    if (this.#responses.length === 0) return null;
    return JSON.stringify(this.#isBatch ? this.#responses : this.#responses[0]);
  }
}

/** The id that a message calls off; undefined where it is no such notification. A request of this name calls nothing off. */
export function cancelledRequestId(message: JSONRPCMessage): RequestId | undefined {
  if (!isCancellation(message) || !('params' in message)) return undefined;
  return message.params?.['requestId'] as RequestId | undefined;
}

export function isCancellation(message: JSONRPCMessage): boolean {
  return isJSONRPCNotification(message) && message.method === 'notifications/cancelled';
}

/** For a request whose answer took too long. */
export function timeoutError(id: RequestId | null): RpcError {
  return createRpcError(RPC_CODES.serverError, 'There was no answer in time', id);
}
