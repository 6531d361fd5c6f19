import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ByteParts } from '../engine/cached-answer.ts';

/** A response as it is written: the head is ASCII. */
export interface WrittenResponse {
  head: string;
  parts: ByteParts;
}

/**
 * Answers a request whose head was judged before, by its URL, and its body if it has one; null, without any effect, where it must be
 * parsed: a URL that was never parsed may be one that the parser refuses.
 */
export type KnownHeadAnswerer = (url: string, body: Buffer | null) => WrittenResponse | null;

/** What answers requests with the head of this one; null where they must be parsed. */
export type HeadJudge = (request: IncomingMessage) => KnownHeadAnswerer | null;

/** The bytes of a head that was parsed, around the part in which others with the same meaning differ. */
interface KnownHead {
  request: IncomingMessage;
  /** Up to the URL of a GET, or to the number in the Content-Length header of a request with a body. */
  before: Buffer;
  /** After the URL or the number, up to and with the empty line. */
  after: Buffer;
  /** Head and body. */
  requestBytes: number;
  hasBody: boolean;
  /** Undefined: not judged yet. */
  answer: KnownHeadAnswerer | null | undefined;
}

type DataListener = (this: Socket, chunk: Buffer) => void;

export const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const KEEP_ALIVE_LINES = `Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_TIMEOUT_MS / 1000}\r\n\r\n`;
const MAX_HEAD_BYTES = 4096;
const MAX_BODY_BYTES = 64 * 1024;
const END_OF_HEAD = '\r\n\r\n';
const CONTENT_LENGTH_PATTERN = /\r\ncontent-length:[ \t]*(\d{1,7})[ \t]*\r\n/i;
const CONTENT_LENGTH = /^[1-9]\d{0,5}$/;

/**
 * Answers requests without parsing them again: a client that keeps its connection sends the same headers each time. A request on it whose
 * head has the bytes of the one before, but for the URL of a GET and the length of a body, means what that one meant
 * (docs/decisions/024-requests-known-by-their-bytes.md). Every other request goes to the parser of Node, as it came.
 */
export class UnparsedRequests {
  readonly #judge: HeadJudge;
  readonly #connections = new WeakMap<Socket, Connection>();

  /** `judge` is called when a head comes again. */
  constructor(judge: HeadJudge) {
    this.#judge = judge;
  }

  /** Reads the connections of a server before its parser does. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      const listeners = socket.listeners('data') as DataListener[];
      // The parser's own. If a version of Node has none, or another one, its connections stay with the parser.
      if (listeners.length !== 1) return;
      const connection = new Connection(socket, listeners[0]!, this.#judge);
      this.#connections.set(socket, connection);
      socket.removeListener('data', listeners[0]!);
      socket.on('data', (chunk: Buffer) => connection.read(chunk));
    });
  }

  /** To be called for each request that was parsed. */
  noteParsed(request: IncomingMessage, response: ServerResponse): void {
    this.#connections.get(request.socket)?.noteParsed(request, response);
  }
}

/** Whether the connection stays open after the response, as it does by default in HTTP/1.1. */
export function isKeptOpen({ headers: { connection }, httpVersion }: IncomingMessage): boolean {
  return httpVersion === '1.1' && (connection === undefined || connection.toLowerCase() === 'keep-alive');
}

/** The head of a response as Node writes it. `headers`: names and values in turn; `lines`: further headers, each with its line end. */
export function responseHead(status: number, headers: readonly string[], lines: string): string {
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
  for (let index = 0; index < headers.length; index += 2) head += `${headers[index]}: ${headers[index + 1]}\r\n`;
  return `${head}${lines}Date: ${httpDate()}\r\n${KEEP_ALIVE_LINES}`;
}

class Connection {
  readonly #socket: Socket;
  readonly #parse: DataListener;
  readonly #judge: HeadJudge;
  /** Of the last request that was parsed. */
  #known: KnownHead | null = null;
  #response: ServerResponse | null = null;
  /** What the parser got since it was last between two requests: bytes, requests, and the first chunk until it has the first request. */
  #parsedBytes = 0;
  #parsedRequests = 0;
  #firstChunk: Buffer | null = null;
  /** A known head whose body is still to come. */
  #waitingHead: Buffer | null = null;

  constructor(socket: Socket, parse: DataListener, judge: HeadJudge) {
    this.#socket = socket;
    this.#parse = parse;
    this.#judge = judge;
  }

  read(chunk: Buffer): void {
    if (this.#isBetweenRequests()) {
      const bytes = this.#waitingHead === null ? chunk : Buffer.concat([this.#waitingHead, chunk]);
      const answer = this.#answerTo(bytes, this.#waitingHead === null);
      if (answer === 'wait') {
        this.#waitingHead = bytes;
        return;
      }
      this.#waitingHead = null;
      if (answer !== null) return write(this.#socket, answer);
      this.#parsedBytes = 0;
      this.#parsedRequests = 0;
      chunk = bytes;
    }
    if (this.#parsedBytes === 0) this.#firstChunk = chunk;
    this.#parsedBytes += chunk.length;
    this.#parse.call(this.#socket, chunk);
  }

  noteParsed(request: IncomingMessage, response: ServerResponse): void {
    this.#parsedRequests++;
    this.#response = response;
    this.#known = this.#firstChunk === null ? null : knownHeadOf(request, this.#firstChunk);
    this.#firstChunk = null;
  }

  /**
   * True where the parser has got exactly one request since it was last between two, and it is answered. The first request of a
   * connection is parsed always: until then Node's timeout for a request runs.
   */
  #isBetweenRequests(): boolean {
    const known = this.#known;
    const response = this.#response;
    return (
      known !== null &&
      this.#parsedRequests === 1 &&
      this.#parsedBytes === known.requestBytes &&
      known.request.complete &&
      response!.writableFinished &&
      // Node detaches the socket when it goes on to the next request.
      response!.socket === null &&
      // A client that does not take its responses is left to the parser, which then stops reading.
      this.#socket.writableLength === 0
    );
  }

  /** The answer to the request in `bytes`; `wait` where its body is missing, if it `mayWait`; null where it must be parsed. */
  #answerTo(bytes: Buffer, mayWait: boolean): WrittenResponse | 'wait' | null {
    const known = this.#known!;
    const { before, after, request, hasBody } = known;
    const start = before.length;
    if (bytes.length <= start || before.compare(bytes, 0, start) !== 0) return null;
    // Neither a URL nor a number has a byte with which a head goes on after it.
    const end = bytes.indexOf(after[0]!, start);
    const bodyStart = end + after.length;
    if (end <= start || bytes.length < bodyStart || after.compare(bytes, end, bodyStart) !== 0) return null;
    if (known.answer === undefined) known.answer = this.#judge(request);
    if (known.answer === null) return null;
    const varying = bytes.toString('latin1', start, end);
    if (!hasBody) return bytes.length === bodyStart ? known.answer(varying, null) : null;
    const bodyBytes = CONTENT_LENGTH.test(varying) ? Number(varying) : Number.NaN;
    if (bytes.length === bodyStart + bodyBytes) return known.answer(request.url!, bytes.subarray(bodyStart));
    return mayWait && bytes.length === bodyStart && bodyBytes <= MAX_BODY_BYTES ? 'wait' : null;
  }
}

/** The head of a request that was parsed from the start of `chunk`; null where its bytes are not known for certain. */
function knownHeadOf(request: IncomingMessage, chunk: Buffer): KnownHead | null {
  const { method, url, headers } = request;
  const headEnd = chunk.indexOf(END_OF_HEAD) + END_OF_HEAD.length;
  if (headEnd < END_OF_HEAD.length || headEnd > MAX_HEAD_BYTES || headers['transfer-encoding'] !== undefined)
    return null;
  const head = chunk.toString('latin1', 0, headEnd);
  if (!head.startsWith(`${method} ${url} HTTP/1.1\r\n`)) return null;
  const length = CONTENT_LENGTH_PATTERN.exec(head);
  const hasBody = length !== null;
  if (hasBody !== (headers['content-length'] !== undefined)) return null;
  const start = hasBody ? head.indexOf(length[1]!, length.index) : method!.length + 1;
  const end = start + (hasBody ? length[1]! : url!).length;
  return {
    request,
    before: Buffer.from(head.slice(0, start), 'latin1'),
    after: Buffer.from(head.slice(end), 'latin1'),
    requestBytes: headEnd + (hasBody ? Number(length[1]) : 0),
    hasBody,
    answer: undefined,
  };
}

/** In one packet where it fits. */
function write(socket: Socket, { head, parts }: WrittenResponse): void {
  socket.cork();
  socket.write(head, 'latin1');
  for (const part of parts) if (part.length > 0) socket.write(part, 'latin1');
  socket.uncork();
}

let dateSecond = 0;
let date = '';

/** The time now for a `Date` header, made once a second. */
function httpDate(): string {
  const now = Date.now();
  const second = Math.floor(now / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    date = new Date(now).toUTCString();
  }
  return date;
}
