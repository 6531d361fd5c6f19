import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** Limit of recorded bytes: more than OpenSSL accepts for a certificate chain (100 KiB). */
const MAX_RECORDED_BYTES = 256 * 1024;

/** A connection that records the bytes received over it. */
export class RecordingDuplex extends Duplex {
  readonly #socket: Socket;
  readonly #chunks: Buffer[] = [];
  #receivedBytes = 0;

  constructor(socket: Socket) {
    super();
    // An 'error' event without a listener would end the process.
    this.on('error', () => {});
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => {
      if (this.#receivedBytes <= MAX_RECORDED_BYTES) this.#chunks.push(chunk);
      this.#receivedBytes += chunk.length;
      if (!this.push(chunk)) socket.pause();
    });
    socket.on('end', () => this.push(null));
    socket.on('close', () => this.destroy());
    socket.on('error', (error) => this.destroy(error));
  }

  get received(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }
}
