import { constants, crc32, deflateRawSync } from 'node:zlib';
import { unpooledBuffer } from '../unpooled-buffer.ts';

/** RFC 1952, 2.3: deflate, no name, no time, unknown file system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const STORED_BLOCK_HEADER_BYTES = 5;
const TRAILER_BYTES = 8;

/**
 * A text in gzip (RFC 1952) of which a few digits change: what is before and after them is compressed once, and the digits between
 * stand in a block that is not compressed (RFC 1951, 3.2.4).
 */
export class GzipParts {
  readonly #before: Buffer;
  readonly #after: Buffer;
  /** The text after the digits, for the checksum. */
  readonly #textAfter: Buffer;
  readonly #checksumBefore: number;
  readonly #textBytes: number;

  constructor(before: Buffer, after: Buffer) {
    // The flush ends at a byte boundary, where a stored block begins; what follows refers to nothing before it.
    const compressed = deflateRawSync(before, { finishFlush: constants.Z_FULL_FLUSH });
    this.#before = unpooledBuffer(Buffer.concat([HEADER, compressed]));
    this.#after = unpooledBuffer(deflateRawSync(after));
    this.#textAfter = after;
    this.#checksumBefore = crc32(before);
    this.#textBytes = before.length + after.length;
  }

  /** Bytes that are kept. */
  get bytes(): number {
    return this.#before.length + this.#after.length;
  }

  /** The parts of the file, in order. `digits`: ASCII. */
  parts(digits: string): readonly [Buffer, Buffer, Buffer, Buffer] {
    const stored = Buffer.alloc(digits.length === 0 ? 0 : STORED_BLOCK_HEADER_BYTES + digits.length);
    if (digits.length > 0) {
      stored.writeUInt16LE(digits.length, 1);
      stored.writeUInt16LE(0xffff ^ digits.length, 3);
      stored.write(digits, STORED_BLOCK_HEADER_BYTES, 'latin1');
    }
    const trailer = Buffer.allocUnsafe(TRAILER_BYTES);
    trailer.writeUInt32LE(crc32(this.#textAfter, crc32(digits, this.#checksumBefore)), 0);
    trailer.writeUInt32LE((this.#textBytes + digits.length) >>> 0, 4);
    return [this.#before, stored, this.#after, trailer];
  }
}
