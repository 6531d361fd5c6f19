/** Unsigned integers below 2^32 in groups of seven bits, the lowest first (LEB128): small ones take one byte. */

export const MAX_VARINT_BYTES = 5;

/** Writes `value` into `bytes` at `at`; gives the position after it. */
export function writeVarint(bytes: Uint8Array, at: number, value: number): number {
  let rest = value;
  let next = at;
  while (rest >= 0x80) {
    bytes[next++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  bytes[next++] = rest;
  return next;
}

/** A signed integer as an unsigned one that is small where its distance from 0 is. */
export function zigzag(value: number): number {
  return ((value << 1) ^ (value >> 31)) >>> 0;
}

/** The inverse of `zigzag`. */
export function unzigzag(value: number): number {
  return (value >>> 1) ^ -(value & 1);
}

/** Reads integers one after the other. Throws `RangeError` at the end of the bytes. */
export class VarintReader {
  at: number;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#bytes.length;
  }

  next(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.at++];
    if (byte !== undefined && byte < 0x80) return byte;
    let value = 0;
    for (let shift = 0; byte !== undefined; shift += 7) {
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
      byte = bytes[this.at++];
    }
    throw new RangeError('the bytes end within a number');
  }

  skip(count: number): void {
    for (let left = count; left > 0; left--) while (this.#bytes[this.at++]! >= 0x80);
  }
}
