import { Readable } from 'node:stream';
import {
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/server';
import { ResponseCollector, isCancellation } from './response-collector.ts';

/** A JSON text; an event stream; null where nothing was asked, or who asked is gone. */
export type McpResponseBody = string | Readable | null;

/**
 * One HTTP exchange of the protocol before 2026 as a transport: the messages of one body go in, one JSON answer comes out.
 * Only what has something to say before its answer (progress, a log message) turns it into an event stream.
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

  /** For one body, of which every request is answered within `ms`. */
  constructor(body: JSONRPCMessage | JSONRPCMessage[], timeoutMs: number) {
    this.#messages = [body].flat();
    this.#collector = new ResponseCollector(body, timeoutMs, (answer) => {
      void this.send(answer);
      // What works on it still is to end.
      if (this.#collector.isComplete) void this.close();
    });
  }

  async start(): Promise<void> {}

  /** Puts the messages to the server that is connected. */
  deliverAndWait(): Promise<McpResponseBody> {
    // A request that was called off gets no answer, and this body would wait for it: who wants none hangs up.
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
    // What belongs to no request has nowhere to go: there is no stream beside the answers.
    if (options?.relatedRequestId === undefined) return;
    this.#stream ??= this.#openStream();
    this.#stream.push(toServerSentEvent(message));
  }

  /** Ends it, answered or not: work under way for it is aborted. */
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
    // What was answered before goes first.
    for (const answer of this.#collector.responses) stream.push(toServerSentEvent(answer));
    this.#body.resolve(stream);
    return stream;
  }
}

function toServerSentEvent(message: JSONRPCMessage): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}
