import type { Operation, OperationInput } from './operation.ts';

/** How the questions of one request for a page are asked; from the HTTP surface, which knows the caller. */
export interface PageCallContext {
  /** Charges the caller and runs the operation; gives the answer as JSON. Throws `ApiError`. */
  ask(operation: Operation, parseInput: () => OperationInput): Promise<Buffer>;
  /** The same by the caller of this API key. Throws `ApiError` 401 for one that is malformed, unknown or expired. */
  askWithKey(key: string, operation: Operation, parseInput: () => OperationInput): Promise<Buffer>;
  disconnectSignal(): AbortSignal;
  reportInternalError(error: unknown): void;
}

/** A request for a page as HTTP received it. */
export interface PageCall {
  readonly method: 'GET' | 'POST';
  /** Path and query. */
  readonly url: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: { readonly type: string; readonly bytes: Buffer } | null;
  readonly accept: string | undefined;
  /** Where this service is reached: `https://host`. */
  readonly origin: string;
  readonly requestId: string;
  /** A sentence for the reader about this visit: why they are no longer signed in. */
  readonly notice: string | null;
}

/** A response without what HTTP adds: coding, security headers. A body in pieces is sent as they come. */
export interface PageResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | AsyncIterable<string>;
}
