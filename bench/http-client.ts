import { connect, type Socket } from 'node:net';

export interface Answer {
  status: number;
  /** Empty where bodies are not kept. */
  body: Buffer;
}

/** A path to get, or a JSON body to post to one. */
export type Question = string | { path: string; body: string };

interface Waiting {
  resolve(answer: Answer): void;
  reject(problem: Error): void;
}

const READ_BYTES = 64 * 1024;
const NOTHING = Buffer.alloc(0);
const POSTED = 'content-type: application/json\r\naccept: application/json, text/event-stream\r\n';

/**
 * One keep-alive HTTP/1.1 connection to this machine, one request at a time. It reads only what the two servers measured
 * here send (a status line and a content-length) and into one buffer, so that it costs a fraction of what a server does.
 */
export class KeepAliveClient {
  readonly #socket: Socket;
  readonly #host: string;
  readonly #keepBodies: boolean;
  #waiting: Waiting | null = null;
  /** The head as far as it has come. */
  #head = NOTHING;
  #status = 0;
  /** Bytes of the body still to come; null before the head is complete. */
  #left: number | null = null;
  #body: Buffer[] = [];

  constructor(port: number, { keepBodies = true } = {}) {
    this.#keepBodies = keepBodies;
    this.#host = ` HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n`;
    const buffer = Buffer.alloc(READ_BYTES);
    const callback = (bytes: number): boolean => {
      this.#take(buffer.subarray(0, bytes));
      return true;
    };
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer, callback } });
    this.#socket.on('error', (problem) => this.#fail(problem));
    this.#socket.on('close', () => this.#fail(new Error('the server closed the connection')));
  }

  ask(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) return reject(new Error('the connection is closed'));
      this.#waiting = { resolve, reject };
      this.#socket.write(this.#request(question), 'latin1');
    });
  }

  #request(question: Question): string {
    if (typeof question === 'string') return `GET ${question}${this.#host}\r\n`;
    const { path, body } = question;
    return `POST ${path}${this.#host}${POSTED}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  }

  close(): void {
    this.#waiting = null;
    this.#socket.destroy();
  }

  /** `chunk` is overwritten by the next read. */
  #take(chunk: Buffer): void {
    const body = this.#left === null ? this.#takeHead(chunk) : chunk;
    if (this.#left === null) return;
    this.#left -= body.length;
    if (this.#keepBodies) this.#body.push(Buffer.from(body));
    if (this.#left > 0) return;
    const answer = { status: this.#status, body: this.#keepBodies ? Buffer.concat(this.#body) : NOTHING };
    this.#body = [];
    this.#left = null;
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.resolve(answer);
  }

  /** What of the chunk belongs to the body. */
  #takeHead(chunk: Buffer): Buffer {
    const start = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
    const end = start.indexOf('\r\n\r\n');
    if (end === -1) {
      this.#head = Buffer.from(start);
      return NOTHING;
    }
    const head = start.toString('latin1', 0, end);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length === undefined) {
      this.#socket.destroy(new Error(`an answer without content-length: ${head}`));
      return NOTHING;
    }
    this.#head = NOTHING;
    this.#status = Number(head.slice(9, 12));
    this.#left = Number(length);
    return start.subarray(end + 4);
  }

  #fail(problem: Error): void {
    this.#waiting?.reject(problem);
    this.#waiting = null;
  }
}
