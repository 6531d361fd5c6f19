import { Readable } from 'node:stream';
import {
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/server';
import { Answers, isCancellation } from './answers.ts';

/** A JSON text; an event stream; null where nothing was asked, or who asked is gone. */
export type ExchangeBody = string | Readable | null;

/**
 * One HTTP exchange of the protocol before 2026 as a transport: the messages of one body go in, one JSON answer comes out.
 * Only what has something to say before its answer (progress, a log message) turns it into an event stream.
 */
export class Exchange implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #done = Promise.withResolvers<ExchangeBody>();
  readonly #answers: Answers;
  readonly #messages: readonly JSONRPCMessage[];
  #stream: Readable | null = null;
  #closed = false;

  /** For one body, of which every request is answered within `ms`. */
  constructor(body: JSONRPCMessage | JSONRPCMessage[], ms: number) {
    this.#messages = [body].flat();
    this.#answers = new Answers(body, ms, (answer) => {
      void this.send(answer);
      // What works on it still is to end.
      if (this.#answers.areComplete) void this.close();
    });
  }

  async start(): Promise<void> {}

  /** Puts the messages to the server that is connected. */
  handle(): Promise<ExchangeBody> {
    // A request that was called off gets no answer, and this body would wait for it: who wants none hangs up.
    for (const message of this.#messages) if (!isCancellation(message)) this.onmessage?.(message);
    if (this.#answers.areComplete) this.#done.resolve(null);
    return this.#done.promise;
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.#closed) return;
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) {
      if (!this.#answers.take(message)) return;
      this.#stream?.push(eventOf(message));
      if (!this.#answers.areComplete) return;
      this.#stream?.push(null);
      this.#done.resolve(this.#answers.toJson());
      return;
    }
    // What belongs to no request has nowhere to go: there is no stream beside the answers.
    if (options?.relatedRequestId === undefined) return;
    this.#stream ??= this.#openStream();
    this.#stream.push(eventOf(message));
  }

  /** Ends it, answered or not: work under way for it is aborted. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    if (!this.#answers.areComplete) this.#stream?.destroy();
    this.#answers.end();
    this.#done.resolve(null);
    this.onclose?.();
  }

  #openStream(): Readable {
    const stream = new Readable({ read() {} });
    // What was answered before goes first.
    for (const answer of this.#answers.given) stream.push(eventOf(answer));
    this.#done.resolve(stream);
    return stream;
  }
}

function eventOf(message: JSONRPCMessage): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}
