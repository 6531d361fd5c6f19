import type { Readable, Writable } from 'node:stream';
import {
  DEFAULT_NEGOTIATED_PROTOCOL_VERSION,
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  type Transport,
} from '@modelcontextprotocol/server';
import { isJsonObject } from '../analysis/bounded-json.ts';
import { ResponseCollector, cancelledRequestId, RESPONSE_TIMEOUT_MS } from './response-collector.ts';
import { MAX_BATCH_MESSAGES, FIRST_VERSION_WITHOUT_BATCHES } from './legacy-protocol.ts';
import { isRpcMessage, notMessageError, RPC_CODES, parseRpcJson, createRpcError } from './json-rpc.ts';

const MAX_LINE_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;
/** Lines under way at once; what comes then waits in the pipe. */
const MAX_PENDING_LINES = 100;

/**
 * One JSON-RPC message a line, in and out. A line that is none is answered with the protocol's error, and the next one is read; a
 * batch (protocol 2025-03-26) is answered as one. Nothing more is read while the other side does not take the answers. Ends when the
 * other side does, after the answers that are under way.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #responseTimeoutMs: number;
  readonly #ended = Promise.withResolvers<void>();
  /** Of each line that is under way, its answers so far. */
  readonly #pendingLines = new Set<ResponseCollector>();
  #protocolVersion = DEFAULT_NEGOTIATED_PROTOCOL_VERSION;
  #lineChunks: Buffer[] = [];
  #lineBytes = 0;
  #isOpen = true;
  /** Runs when the input has ended. */
  #shutdownTimeout: NodeJS.Timeout | undefined;
  #isOutputFull = false;

  /** `exchangeMs`: after so long a request that is not answered is told so. */
  constructor(input: Readable, output: Writable, exchangeMs: number = RESPONSE_TIMEOUT_MS) {
    this.#input = input;
    this.#output = output;
    this.#responseTimeoutMs = exchangeMs;
  }

  /** Resolved when the connection has ended, from either side. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  async start(): Promise<void> {
    const close = (): void => void this.close();
    const closeWhenDone = (): void => {
      // The other side may have stopped reading, too.
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
    // What nothing waits for was called off, or told that it is late.
    const collector = this.#pendingLines.values().find((answers) => answers.addResponse(message));
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

  /** All requests of a line have their answers, or are called off. */
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
    if (tooLong) this.#sendInvalidRequest('a message has at most 1 MiB');
    else if (line !== '') this.#handleLine(line);
  }

  #handleLine(line: string): void {
    const parsed = parseRpcJson(line);
    if ('error' in parsed) return void this.#write(parsed.error);
    const message = parsed.value;
    if (Array.isArray(message)) return this.#handleBatch(message);
    if (!isRpcMessage(message)) return void this.#write(notMessageError(message));
    this.#deliver(message);
  }

  #handleBatch(messages: unknown[]): void {
    if (this.#protocolVersion >= FIRST_VERSION_WITHOUT_BATCHES || messages.some(isModernMessage)) {
      return this.#sendInvalidRequest(`no batches since protocol version ${FIRST_VERSION_WITHOUT_BATCHES}`);
    }
    if (messages.length === 0 || messages.length > MAX_BATCH_MESSAGES || !messages.every(isRpcMessage)) {
      return this.#sendInvalidRequest(`a batch holds 1 to ${MAX_BATCH_MESSAGES} JSON-RPC messages`);
    }
    this.#deliver(messages);
  }

  #deliver(messages: JSONRPCMessage | JSONRPCMessage[]): void {
    const collector = new ResponseCollector(messages, this.#responseTimeoutMs, (answer) => void this.send(answer));
    if (!collector.isComplete) this.#pendingLines.add(collector);
    for (const message of [messages].flat()) {
      // Nothing here ever changes unasked, so there is nothing to listen to.
      if (isJSONRPCRequest(message) && message.method === 'subscriptions/listen') {
        void this.send({ ...createRpcError(RPC_CODES.methodNotFound, 'Method not found'), id: message.id });
      } else this.onmessage?.(message);
      this.#applyCancellation(message);
    }
    this.#pauseOrResumeInput();
  }

  /** What is called off is not answered, and its line does not wait for it. */
  #applyCancellation(message: JSONRPCMessage): void {
    const id = cancelledRequestId(message);
    const collector =
      id === undefined ? undefined : this.#pendingLines.values().find((answers) => answers.cancelRequest(id));
    if (collector?.isComplete === true) void this.#finishPendingLine(collector);
  }

  #sendInvalidRequest(message: string): void {
    void this.#write(createRpcError(RPC_CODES.invalidRequest, `Invalid Request: ${message}`));
  }

  #write(message: object): Promise<void> {
    return this.#writeJson(JSON.stringify(message));
  }

  /** Resolved when the other side has taken it. Nothing but messages ever goes out here. */
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
