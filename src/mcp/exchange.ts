import { Readable } from 'node:stream';
import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCResponse,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/server';

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
  readonly #answers: JSONRPCResponse[] = [];
  #batch = false;
  #expected = 0;
  #stream: Readable | null = null;
  #closed = false;

  async start(): Promise<void> {}

  /** Puts the messages to the server that is connected; one exchange is for one body. */
  handle(messages: readonly JSONRPCMessage[], batch: boolean): Promise<ExchangeBody> {
    this.#batch = batch;
    this.#expected = messages.filter(isJSONRPCRequest).length;
    // A request that was called off gets no answer, and this body would wait for it: who wants none hangs up.
    for (const message of messages) if (!isCancellation(message)) this.onmessage?.(message);
    if (this.#expected === 0) this.#done.resolve(null);
    return this.#done.promise;
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.#closed) return;
    const answer = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
    // What belongs to no request has nowhere to go: there is no stream beside the answers.
    if (!answer && options?.relatedRequestId === undefined) return;
    if (!answer) this.#stream ??= this.#openStream();
    this.#stream?.push(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    if (!answer) return;
    this.#answers.push(message);
    if (this.#answers.length < this.#expected) return;
    this.#stream?.push(null);
    this.#done.resolve(JSON.stringify(this.#batch ? this.#answers : this.#answers[0]));
  }

  /** Ends it, answered or not: work under way for it is aborted. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#stream?.destroy();
    this.#done.resolve(null);
    this.onclose?.();
  }

  #openStream(): Readable {
    const stream = new Readable({ read() {} });
    // What was answered before goes first.
    for (const answer of this.#answers) stream.push(`event: message\ndata: ${JSON.stringify(answer)}\n\n`);
    this.#done.resolve(stream);
    return stream;
  }
}

function isCancellation(message: JSONRPCMessage): boolean {
  return 'method' in message && message.method === 'notifications/cancelled';
}
