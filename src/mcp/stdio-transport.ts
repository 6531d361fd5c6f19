import type { Readable, Writable } from 'node:stream';
import {
  DEFAULT_NEGOTIATED_PROTOCOL_VERSION,
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  type Transport,
} from '@modelcontextprotocol/server';
import { isJsonObject } from '../analysis/bounded-json.ts';
import { ResponseCollector, cancelledRequestId, RESPONSE_TIMEOUT_MS } from './response-collector.ts';
import { MODERN_PROTOCOL_VERSION, validateBatch } from './protocol-versions.ts';
import {
  isRpcMessage,
  notMessageError,
  RPC_CODES,
  parseRpcJson,
  createRpcError,
  isSubscription,
  subscriptionError,
} from './json-rpc.ts';

const MAX_LINE_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;
/** Lines that are handled at the same time; further input stays unread in the pipe. */
const MAX_PENDING_LINES = 100;

interface StdioTransportOptions {
  responseTimeoutMs?: number | undefined;
  allowsListening?: boolean;
}

/**
 * JSON-RPC over streams, one message a line. A line that is no message gets an error response; a batch (protocol 2025-03-26) gets one
 * line with all responses. Reading pauses while the client does not read its responses. After the end of the input, the transport
 * closes when the pending responses are written.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #responseTimeoutMs: number;
  readonly #ended = Promise.withResolvers<void>();
  /** One for each line that still waits for responses. */
  readonly #pendingLines = new Set<ResponseCollector>();
  #protocolVersion = DEFAULT_NEGOTIATED_PROTOCOL_VERSION;
  #lineChunks: Buffer[] = [];
  #lineBytes = 0;
  #isOpen = true;
  /** Started when the input has ended. */
  #shutdownTimeout: NodeJS.Timeout | undefined;
  #isOutputFull = false;

  readonly #allowsListening: boolean;
  /** Ids of requests that stay open. */
  readonly #listeningIds = new Set<string | number>();

  /**
   * `responseTimeoutMs`: a request without a response after this time gets an error response. `allowsListening`: `subscriptions/listen` is
   * passed on; it has no response until the connection ends.
   */
  constructor(
    input: Readable,
    output: Writable,
    { responseTimeoutMs = RESPONSE_TIMEOUT_MS, allowsListening = false }: StdioTransportOptions = {},
  ) {
    this.#allowsListening = allowsListening;
    this.#input = input;
    this.#output = output;
    this.#responseTimeoutMs = responseTimeoutMs;
  }

  /** Resolved when the transport is closed, by either side. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  async start(): Promise<void> {
    const close = (): void => void this.close();
    const closeWhenDone = (): void => {
      // A client that stopped reading would keep the process alive.
      this.#shutdownTimeout ??= setTimeout(close, this.#responseTimeoutMs);
      this.#closeIfDone();
    };
    this.#input.on('data', (chunk: Buffer) => this.#splitChunk(chunk));
    for (const event of ['end', 'close']) this.#input.on(event, closeWhenDone);
    for (const stream of [this.#input, this.#output]) stream.on('error', close);
    this.#output.on('close', close);
    this.#output.on('drain', () => {
      this.#isOutputFull = false;
      this.#pauseOrResumeInput();
    });
  }

  setProtocolVersion(version: string): void {
    this.#protocolVersion = version;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!isJSONRPCResultResponse(message) && !isJSONRPCErrorResponse(message)) return this.#write(message);
    if (message.id !== undefined && this.#listeningIds.delete(message.id)) return this.#write(message);
    // No collector: the request was cancelled, or has already got its timeout error.
    const collector = this.#pendingLines.values().find((pending) => pending.addResponse(message));
    if (collector?.isComplete === true) await this.#finishPendingLine(collector);
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    clearTimeout(this.#shutdownTimeout);
    this.#input.pause();
    for (const collector of this.#pendingLines) collector.stopTimeout();
    this.onclose?.();
    this.#ended.resolve();
  }

  /** Writes the responses of a line whose requests are all answered or cancelled. */
  async #finishPendingLine(collector: ResponseCollector): Promise<void> {
    const json = collector.toJson();
    if (json !== null) await this.#writeJson(json);
    this.#pendingLines.delete(collector);
    this.#pauseOrResumeInput();
    this.#closeIfDone();
  }

  #closeIfDone(): void {
    if (this.#shutdownTimeout !== undefined && this.#pendingLines.size === 0) void this.close();
  }

  #pauseOrResumeInput(): void {
    if (!this.#isOpen) return;
    if (this.#isOutputFull || this.#pendingLines.size >= MAX_PENDING_LINES) this.#input.pause();
    else if (this.#input.isPaused()) this.#input.resume();
  }

  #splitChunk(chunk: Buffer): void {
    let start = 0;
    for (let newlineIndex = chunk.indexOf(NEWLINE); newlineIndex !== -1; newlineIndex = chunk.indexOf(NEWLINE, start)) {
      this.#appendToLine(chunk.subarray(start, newlineIndex));
      this.#finishLine();
      start = newlineIndex + 1;
    }
    this.#appendToLine(chunk.subarray(start));
  }

  #appendToLine(part: Buffer): void {
    this.#lineBytes += part.length;
    if (this.#lineBytes <= MAX_LINE_BYTES) this.#lineChunks.push(part);
    else this.#lineChunks = [];
  }

  #finishLine(): void {
    const tooLong = this.#lineBytes > MAX_LINE_BYTES;
    const line = Buffer.concat(this.#lineChunks).toString().trim();
    this.#lineChunks = [];
    this.#lineBytes = 0;
    if (tooLong) {
      void this.#write(createRpcError(RPC_CODES.invalidRequest, 'Invalid Request: a message has at most 1 MiB'));
    } else if (line !== '') this.#handleLine(line);
  }

  #handleLine(line: string): void {
    const parsed = parseRpcJson(line);
    if ('error' in parsed) return void this.#write(parsed.error);
    const message = parsed.value;
    if (Array.isArray(message)) return this.#handleBatch(message);
    if (!isRpcMessage(message)) return void this.#write(notMessageError(message));
    // It stays open: nothing waits for its response.
    if (this.#allowsListening && isSubscription(message) && isJSONRPCRequest(message)) {
      this.#listeningIds.add(message.id);
      return this.onmessage?.(message);
    }
    this.#deliver(message);
  }

  #handleBatch(messages: unknown[]): void {
    const version = messages.some(isModernMessage) ? MODERN_PROTOCOL_VERSION : this.#protocolVersion;
    const error = validateBatch(messages, version);
    if (error === null) this.#deliver(messages as JSONRPCMessage[]);
    else void this.#write(error);
  }

  #deliver(messages: JSONRPCMessage | JSONRPCMessage[]): void {
    const collector = new ResponseCollector(messages, this.#responseTimeoutMs, (answer) => void this.send(answer));
    if (!collector.isComplete) this.#pendingLines.add(collector);
    for (const message of [messages].flat()) {
      const error = isJSONRPCRequest(message) ? subscriptionError(message) : null;
      if (error === null) this.onmessage?.(message);
      else void this.send(error as JSONRPCErrorResponse);
      this.#applyCancellation(message);
    }
    this.#pauseOrResumeInput();
  }

  /** A cancelled request gets no response, so its line no longer waits for one. */
  #applyCancellation(message: JSONRPCMessage): void {
    const id = cancelledRequestId(message);
    const collector =
      id === undefined ? undefined : this.#pendingLines.values().find((pending) => pending.cancelRequest(id));
    if (collector?.isComplete === true) void this.#finishPendingLine(collector);
  }

  #write(message: object): Promise<void> {
    return this.#writeJson(JSON.stringify(message));
  }

  /** Resolved when the line is written to the stream. */
  async #writeJson(json: string): Promise<void> {
    if (!this.#isOpen) return;
    await new Promise<void>((resolve) => {
      this.#isOutputFull = !this.#output.write(`${json}\n`, () => resolve());
    });
    this.#pauseOrResumeInput();
  }
}

function isModernMessage(message: unknown): boolean {
  const params = isJsonObject(message) ? message['params'] : undefined;
  const meta = isJsonObject(params) ? params['_meta'] : undefined;
  return isJsonObject(meta) && PROTOCOL_VERSION_META_KEY in meta;
}
