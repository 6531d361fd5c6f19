import type { Readable, Writable } from 'node:stream';
import {
  DEFAULT_NEGOTIATED_PROTOCOL_VERSION,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCResponse,
  PROTOCOL_VERSION_META_KEY,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';
import { MAX_BATCH, WITHOUT_BATCHES } from './legacy.ts';
import { idOf, isPlain, RPC, rpcError } from './rpc.ts';

const MAX_LINE_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

/** The answers to one batch, as far as they have come. */
interface Batch {
  waiting: Set<RequestId>;
  answers: JSONRPCResponse[];
}

/**
 * One JSON-RPC message a line, in and out. A line that is none is answered with the protocol's error, and the next one is read; a
 * batch (protocol 2025-03-26) is answered as one. Ends when the other side does.
 */
export class StdioWire implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #ended = Promise.withResolvers<void>();
  readonly #batches = new Set<Batch>();
  #version = DEFAULT_NEGOTIATED_PROTOCOL_VERSION;
  #parts: Buffer[] = [];
  #bytes = 0;
  #open = true;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
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
    this.#input.on('data', (chunk: Buffer) => this.#take(chunk));
    for (const event of ['end', 'close', 'error']) this.#input.on(event, end);
    this.#output.on('error', end);
  }

  setProtocolVersion(version: string): void {
    this.#version = version;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!isJSONRPCResultResponse(message) && !isJSONRPCErrorResponse(message)) return this.#write(message);
    const { id } = message;
    const batch = this.#batchWaitingFor(id);
    if (batch === undefined) return this.#write(message);
    batch.answers.push(message);
    return this.#endIfAnswered(batch);
  }

  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    this.#input.pause();
    this.onclose?.();
    this.#ended.resolve();
  }

  /** The batch that waits for this answer, which it will not do twice. */
  #batchWaitingFor(id: RequestId | undefined): Batch | undefined {
    return this.#batches.values().find(({ waiting }) => id !== undefined && waiting.delete(id));
  }

  async #endIfAnswered(batch: Batch): Promise<void> {
    if (batch.waiting.size > 0) return;
    this.#batches.delete(batch);
    if (batch.answers.length > 0) await this.#write(batch.answers);
  }

  #take(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, at));
      this.#endLine();
      from = at + 1;
    }
    this.#keep(chunk.subarray(from));
  }

  #keep(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes <= MAX_LINE_BYTES) this.#parts.push(part);
    else this.#parts = [];
  }

  #endLine(): void {
    const tooLong = this.#bytes > MAX_LINE_BYTES;
    const line = Buffer.concat(this.#parts).toString().trim();
    this.#parts = [];
    this.#bytes = 0;
    if (tooLong) this.#refuse(RPC.invalidRequest, 'Invalid Request: a message has at most 1 MiB');
    else if (line !== '') this.#read(line);
  }

  #read(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      return this.#refuse(RPC.parseError, 'Parse error: the line is not JSON');
    }
    if (Array.isArray(message)) return this.#readBatch(message);
    if (!isMessage(message))
      return this.#refuse(RPC.invalidRequest, 'Invalid Request: not a JSON-RPC message', message);
    this.#deliver(message);
  }

  #deliver(message: JSONRPCMessage): void {
    this.onmessage?.(message);
    if (!('method' in message) || message.method !== 'notifications/cancelled') return;
    // What is called off is not answered, and its batch does not wait for it.
    const batch = this.#batchWaitingFor(message.params?.['requestId'] as RequestId | undefined);
    if (batch !== undefined) void this.#endIfAnswered(batch);
  }

  #readBatch(messages: unknown[]): void {
    if (this.#version >= WITHOUT_BATCHES || messages.some(isOfNewestProtocol)) {
      return this.#refuse(RPC.invalidRequest, `Invalid Request: no batches since protocol version ${WITHOUT_BATCHES}`);
    }
    if (messages.length === 0 || messages.length > MAX_BATCH || !messages.every(isMessage)) {
      return this.#refuse(RPC.invalidRequest, `Invalid Request: a batch holds 1 to ${MAX_BATCH} JSON-RPC messages`);
    }
    const waiting = new Set(messages.filter(isJSONRPCRequest).map(({ id }) => id));
    if (waiting.size > 0) this.#batches.add({ waiting, answers: [] });
    for (const message of messages) this.#deliver(message);
  }

  #refuse(code: number, message: string, of?: unknown): void {
    void this.#write(rpcError(code, message, idOf(of)));
  }

  /** Resolved when the other side can take more. Nothing but messages ever goes out here. */
  async #write(message: object): Promise<void> {
    if (!this.#open) return;
    await new Promise<void>((resolve) => this.#output.write(`${JSON.stringify(message)}\n`, () => resolve()));
  }
}

function isMessage(value: unknown): value is JSONRPCMessage {
  return (
    isPlain(value) &&
    [isJSONRPCRequest, isJSONRPCNotification, isJSONRPCResultResponse, isJSONRPCErrorResponse].some((is) => is(value))
  );
}

function isOfNewestProtocol(message: unknown): boolean {
  const params = isPlain(message) ? message['params'] : undefined;
  const meta = isPlain(params) ? params['_meta'] : undefined;
  return isPlain(meta) && PROTOCOL_VERSION_META_KEY in meta;
}
