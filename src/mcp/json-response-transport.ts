import { Readable } from 'node:stream';
import {
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/server';
import { ResponseCollector, isCancellation } from './response-collector.ts';

/** JSON text, an event stream, or null if there was no request or the client has disconnected. */
export type McpResponseBody = string | Readable | null;

/**
 * An SDK transport for one HTTP body of the legacy protocol: its messages go in, one JSON text comes out. It becomes an event stream
 * if something is sent before the response (progress, a log message).
 */
export class JsonResponseTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #body = Promise.withResolvers<McpResponseBody>();
  readonly #collector: ResponseCollector;
  readonly #messages: readonly JSONRPCMessage[];
  #stream: Readable | null = null;
  #isClosed = false;

  /** `timeoutMs`: requests without a response after this time get an error response. */
  constructor(body: JSONRPCMessage | JSONRPCMessage[], timeoutMs: number) {
    this.#messages = [body].flat();
    this.#collector = new ResponseCollector(body, timeoutMs, (answer) => {
      void this.send(answer);
      // Aborts the work of requests that timed out.
      if (this.#collector.isComplete) void this.close();
    });
  }

  async start(): Promise<void> {}

  /** Delivers the messages to the connected server; resolves with the response body. */
  deliverAndWait(): Promise<McpResponseBody> {
    // A cancelled request would get no response, and this body would wait for it. HTTP clients cancel by disconnecting.
    for (const message of this.#messages) if (!isCancellation(message)) this.onmessage?.(message);
    if (this.#collector.isComplete) this.#body.resolve(null);
    return this.#body.promise;
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.#isClosed) return;
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) {
      if (!this.#collector.addResponse(message)) return;
      this.#stream?.push(toServerSentEvent(message));
      if (!this.#collector.isComplete) return;
      this.#stream?.push(null);
      this.#body.resolve(this.#collector.toJson());
      return;
    }
    // Messages that belong to no request are dropped: there is no stream for them.
    if (options?.relatedRequestId === undefined) return;
    this.#stream ??= this.#openStream();
    this.#stream.push(toServerSentEvent(message));
  }

  /** Closes the transport, also before the response; unfinished work is aborted. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (!this.#collector.isComplete) this.#stream?.destroy();
    this.#collector.stopTimeout();
    this.#body.resolve(null);
    this.onclose?.();
  }

  #openStream(): Readable {
    const stream = new Readable({ read() {} });
    // First the responses so far.
    for (const answer of this.#collector.responses) stream.push(toServerSentEvent(answer));
    this.#body.resolve(stream);
    return stream;
  }
}

function toServerSentEvent(message: JSONRPCMessage): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}
