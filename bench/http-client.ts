import { connect, type Socket } from 'node:net';

export interface Answer {
  status: number;
  body: Buffer;
}

interface Head {
  status: number;
  /** Of head and body together. */
  bytes: number;
  bodyAt: number;
}

interface Waiting {
  resolve(answer: Answer): void;
  reject(problem: Error): void;
}

/**
 * One keep-alive HTTP/1.1 connection to this machine, one request at a time. It reads only what the two servers measured
 * here send (a status line and a content-length), so that it costs a fraction of what a server does for a request.
 */
export class KeepAliveClient {
  readonly #socket: Socket;
  readonly #host: string;
  #chunks: Buffer[] = [];
  #received = 0;
  #head: Head | null = null;
  #waiting: Waiting | null = null;

  constructor(port: number) {
    this.#host = `127.0.0.1:${port}`;
    this.#socket = connect(port, '127.0.0.1').setNoDelay(true);
    this.#socket.on('data', (chunk) => this.#take(chunk as Buffer));
    this.#socket.on('error', (problem) => this.#fail(problem));
    this.#socket.on('close', () => this.#fail(new Error('the server closed the connection')));
  }

  get(path: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) return reject(new Error('the connection is closed'));
      this.#waiting = { resolve, reject };
      this.#socket.write(`GET ${path} HTTP/1.1\r\nhost: ${this.#host}\r\n\r\n`);
    });
  }

  close(): void {
    this.#waiting = null;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#received += chunk.length;
    if (this.#head === null) {
      const start = this.#joined();
      this.#head = readHead(start);
      if (this.#head === null) return;
    }
    if (this.#received < this.#head.bytes) return;
    const { status, bodyAt } = this.#head;
    const body = this.#joined().subarray(bodyAt);
    this.#chunks = [];
    this.#received = 0;
    this.#head = null;
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.resolve({ status, body });
  }

  #joined(): Buffer {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0]!;
  }

  #fail(problem: Error): void {
    this.#waiting?.reject(problem);
    this.#waiting = null;
  }
}

/** Null while the head is not complete. */
function readHead(start: Buffer): Head | null {
  const end = start.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const text = start.toString('latin1', 0, end);
  const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
  if (length === undefined) throw new Error(`an answer without content-length: ${text}`);
  return { status: Number(text.slice(9, 12)), bodyAt: end + 4, bytes: end + 4 + Number(length) };
}
