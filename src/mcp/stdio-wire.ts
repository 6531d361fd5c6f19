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
import { Answers, calledOff, EXCHANGE_MS } from './answers.ts';
import { MAX_BATCH, WITHOUT_BATCHES } from './legacy.ts';
import { isMessage, isPlain, notMessage, RPC, readJson, rpcError } from './rpc.ts';

const MAX_LINE_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;
/** Lines under way at once; what comes then waits in the pipe. */
const MAX_LINES = 100;

/**
 * One JSON-RPC message a line, in and out. A line that is none is answered with the protocol's error, and the next one is read; a
 * batch (protocol 2025-03-26) is answered as one. Nothing more is read while the other side does not take the answers. Ends when the
 * other side does, after the answers that are under way.
 */
export class StdioWire implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #exchangeMs: number;
  readonly #ended = Promise.withResolvers<void>();
  /** Of each line that is under way, its answers so far. */
  readonly #lines = new Set<Answers>();
  #version = DEFAULT_NEGOTIATED_PROTOCOL_VERSION;
  #parts: Buffer[] = [];
  #bytes = 0;
  #open = true;
  /** Runs when the input has ended. */
  #lastMoment: NodeJS.Timeout | undefined;
  #outputFull = false;

  /** `exchangeMs`: after so long a request that is not answered is told so. */
  constructor(input: Readable, output: Writable, exchangeMs: number = EXCHANGE_MS) {
    this.#input = input;
    this.#output = output;
    this.#exchangeMs = exchangeMs;
  }

  /** Resolved when the connection has ended, from either side. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  get isOpen(): boolean {
    return this.#open;
  }

  async start(): Promise<void> {
    const end = (): void => void this.close();
    const finish = (): void => {
      // The other side may have stopped reading, too.
      this.#lastMoment ??= setTimeout(end, this.#exchangeMs);
      this.#closeIfDone();
    };
    this.#input.on('data', (chunk: Buffer) => this.#take(chunk));
    for (const event of ['end', 'close']) this.#input.on(event, finish);
    for (const stream of [this.#input, this.#output]) stream.on('error', end);
    this.#output.on('close', end);
    this.#output.on('drain', () => {
      this.#outputFull = false;
      this.#readOrWait();
    });
  }

  setProtocolVersion(version: string): void {
    this.#version = version;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!isJSONRPCResultResponse(message) && !isJSONRPCErrorResponse(message)) return this.#write(message);
    // What nothing waits for was called off, or told that it is late.
    const line = this.#lines.values().find((answers) => answers.take(message));
    if (line?.areComplete === true) await this.#endLine(line);
  }

  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    clearTimeout(this.#lastMoment);
    this.#input.pause();
    for (const line of this.#lines) line.end();
    this.onclose?.();
    this.#ended.resolve();
  }

  /** All requests of a line have their answers, or are called off. */
  async #endLine(line: Answers): Promise<void> {
    const json = line.toJson();
    if (json !== null) await this.#writeJson(json);
    this.#lines.delete(line);
    this.#readOrWait();
    this.#closeIfDone();
  }

  #closeIfDone(): void {
    if (this.#lastMoment !== undefined && this.#lines.size === 0) void this.close();
  }

  #readOrWait(): void {
    if (!this.#open) return;
    if (this.#outputFull || this.#lines.size >= MAX_LINES) this.#input.pause();
    else if (this.#input.isPaused()) this.#input.resume();
  }

  #take(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, at));
      this.#readLine();
      from = at + 1;
    }
    this.#keep(chunk.subarray(from));
  }

  #keep(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes <= MAX_LINE_BYTES) this.#parts.push(part);
    else this.#parts = [];
  }

  #readLine(): void {
    const tooLong = this.#bytes > MAX_LINE_BYTES;
    const line = Buffer.concat(this.#parts).toString().trim();
    this.#parts = [];
    this.#bytes = 0;
    if (tooLong) this.#refuse('a message has at most 1 MiB');
    else if (line !== '') this.#read(line);
  }

  #read(line: string): void {
    const read = readJson(line);
    if ('error' in read) return void this.#write(read.error);
    const message = read.value;
    if (Array.isArray(message)) return this.#readBatch(message);
    if (!isMessage(message)) return void this.#write(notMessage(message));
    this.#deliver(message);
  }

  #readBatch(messages: unknown[]): void {
    if (this.#version >= WITHOUT_BATCHES || messages.some(isOfNewestProtocol)) {
      return this.#refuse(`no batches since protocol version ${WITHOUT_BATCHES}`);
    }
    if (messages.length === 0 || messages.length > MAX_BATCH || !messages.every(isMessage)) {
      return this.#refuse(`a batch holds 1 to ${MAX_BATCH} JSON-RPC messages`);
    }
    this.#deliver(messages);
  }

  #deliver(messages: JSONRPCMessage | JSONRPCMessage[]): void {
    const line = new Answers(messages, this.#exchangeMs, (answer) => void this.send(answer));
    if (!line.areComplete) this.#lines.add(line);
    for (const message of [messages].flat()) {
      // Nothing here ever changes unasked, so there is nothing to listen to.
      if (isJSONRPCRequest(message) && message.method === 'subscriptions/listen') {
        void this.send({ ...rpcError(RPC.methodNotFound, 'Method not found'), id: message.id });
      } else this.onmessage?.(message);
      this.#callOff(message);
    }
    this.#readOrWait();
  }

  /** What is called off is not answered, and its line does not wait for it. */
  #callOff(message: JSONRPCMessage): void {
    const id = calledOff(message);
    const line = id === undefined ? undefined : this.#lines.values().find((answers) => answers.callOff(id));
    if (line?.areComplete === true) void this.#endLine(line);
  }

  #refuse(message: string): void {
    void this.#write(rpcError(RPC.invalidRequest, `Invalid Request: ${message}`));
  }

  #write(message: object): Promise<void> {
    return this.#writeJson(JSON.stringify(message));
  }

  /** Resolved when the other side has taken it. Nothing but messages ever goes out here. */
  async #writeJson(json: string): Promise<void> {
    if (!this.#open) return;
    await new Promise<void>((resolve) => {
      this.#outputFull = !this.#output.write(`${json}\n`, () => resolve());
    });
    this.#readOrWait();
  }
}

function isOfNewestProtocol(message: unknown): boolean {
  const params = isPlain(message) ? message['params'] : undefined;
  const meta = isPlain(params) ? params['_meta'] : undefined;
  return isPlain(meta) && PROTOCOL_VERSION_META_KEY in meta;
}
