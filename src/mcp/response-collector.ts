import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCResponse,
  type RequestId,
} from '@modelcontextprotocol/server';
import { RPC_CODES, type RpcError, createRpcError } from './json-rpc.ts';

/** Time until a request without a response gets an error; longer than the `deadlineMs` of any operation. */
export const RESPONSE_TIMEOUT_MS = 90_000;

/**
 * Collects the responses to the requests of one body (HTTP) or one line (stdio). An id that is used twice needs two responses.
 * After `timeoutMs`, `sendTimeout` is called with an error response for each request that still has none.
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

  /** True when no request waits for a response. */
  get isComplete(): boolean {
    return this.#pendingIds.length === 0;
  }

  /** Responses so far. */
  get responses(): readonly JSONRPCResponse[] {
    return this.#responses;
  }

  /** False for a response to no waiting request. */
  addResponse(response: JSONRPCResponse): boolean {
    if (response.id === undefined || !this.cancelRequest(response.id)) return false;
    this.#responses.push(response);
    return true;
  }

  /** Stops waiting for a response to this id. False if no request with this id waits. */
  cancelRequest(id: RequestId): boolean {
    const index = this.#pendingIds.indexOf(id);
    if (index === -1) return false;
    this.#pendingIds.splice(index, 1);
    if (this.isComplete) this.stopTimeout();
    return true;
  }

  stopTimeout(): void {
    clearTimeout(this.#timeout);
  }

  /** JSON of the one response or the batch of responses; null if there are none. */
  toJson(): string | null {
    if (this.#responses.length === 0) return null;
    return JSON.stringify(this.#isBatch ? this.#responses : this.#responses[0]);
  }
}

/** The id of the request that a cancellation cancels; undefined for other messages. */
export function cancelledRequestId(message: JSONRPCMessage): RequestId | undefined {
  if (!isCancellation(message) || !('params' in message)) return undefined;
  return message.params?.['requestId'] as RequestId | undefined;
}

/** True for the notification `notifications/cancelled`, not for a request of this name. */
export function isCancellation(message: JSONRPCMessage): boolean {
  return isJSONRPCNotification(message) && message.method === 'notifications/cancelled';
}

/** The error response to a request that took too long. */
export function timeoutError(id: RequestId | null): RpcError {
  return createRpcError(RPC_CODES.serverError, 'There was no answer in time', id);
}
