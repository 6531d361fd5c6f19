import { connect, type Socket } from 'node:net';

export interface RawResponse {
  status: number;
  /** Names in lower case, in the order in which they came. */
  headers: [name: string, value: string][];
  body: Buffer;
}

const END_OF_HEAD = '\r\n\r\n';

/** One connection to 127.0.0.1 that sends bytes as they are given, and reads responses that have a Content-Length or no body. */
export class RawConnection {
  readonly socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #wake: () => void = () => {};

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.socket.on('error', () => {});
    this.socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
    this.socket.on('close', () => this.#wake());
  }

  /** Sends each part in a packet of its own: the server has read one before the next is sent, as far as can be told from here. */
  async send(...parts: readonly (string | Buffer)[]): Promise<void> {
    for (const part of parts) {
      if (part.length === 0) continue;
      this.socket.write(part);
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** The next response; null where the server closed the connection before it. */
  async next(): Promise<RawResponse | null> {
    for (;;) {
      const response = this.#take();
      if (response !== null) return response;
      if (this.socket.destroyed || this.socket.readableEnded) return null;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async ask(...parts: readonly (string | Buffer)[]): Promise<RawResponse | null> {
    await this.send(...parts);
    return this.next();
  }

  close(): void {
    this.socket.destroy();
  }

  #take(): RawResponse | null {
    const end = this.#received.indexOf(END_OF_HEAD);
    if (end === -1) return null;
    const [statusLine, ...lines] = this.#received.toString('latin1', 0, end).split('\r\n');
    const headers = lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    });
    const length = Number(headers.find(([name]) => name === 'content-length')?.[1] ?? 0);
    const start = end + END_OF_HEAD.length;
    if (this.#received.length < start + length) return null;
    const body = this.#received.subarray(start, start + length);
    this.#received = this.#received.subarray(start + length);
    return { status: Number(statusLine!.split(' ')[1]), headers, body };
  }
}
