/** Reads bytes of the other side in order. Every method throws `RangeError` where fewer bytes are left than it needs. */
export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  uint(lengthBytes: 1 | 2 | 3): number {
    return this.bytes(lengthBytes).readUIntBE(0, lengthBytes);
  }

  bytes(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new RangeError('a length that exceeds the message');
    const found = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return found;
  }

  /** The bytes after their length. */
  vector(lengthBytes: 1 | 2 | 3): Buffer {
    return this.bytes(this.uint(lengthBytes));
  }
}
