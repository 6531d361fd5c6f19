import { unpooledBuffer } from '../unpooled-buffer.ts';
import { GzipParts } from './gzip-parts.ts';

/** Bytes in parts that are written one after another; text is ASCII. */
export type ByteParts = readonly (Buffer | string)[];

/** The parts as one buffer. */
export function joinParts(parts: ByteParts): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
}

/** An answer as it is sent. */
export interface Representation {
  parts: ByteParts;
  bytes: number;
  isGzip: boolean;
}

/** Shorter answers are not compressed. */
const MIN_GZIP_BYTES = 1024;
let lastSerial = 0;
const AGE_KEY = '"data_age_seconds":';

/** An answer as JSON bytes, of which only the age of the data changes. The bytes that it gives must not be written to. */
export class CachedAnswer {
  /** No other answer of this process has it. */
  readonly serial = ++lastSerial;
  /** Its key in the response cache. */
  readonly key: string;
  readonly #json: Buffer;
  /** Before and after the digits of the age; an answer without an age is all before them. */
  readonly #before: Buffer;
  readonly #after: Buffer;
  /** As `#json` has it; null for an answer without an age. */
  readonly #ageSeconds: number | null;
  /** The time at which the data had age 0, in milliseconds since 1970. */
  readonly #ageZeroAtMs: number;
  #gzip: GzipParts | null = null;
  #entityTag: string | null = null;

  /** `ageSeconds`: the age that `json` states; null where it states none. */
  constructor(key: string, json: string, ageSeconds: number | null, now: Date) {
    this.key = key;
    this.#json = unpooledBuffer(json);
    this.#ageSeconds = ageSeconds;
    this.#ageZeroAtMs = now.getTime() - (ageSeconds ?? 0) * 1000;
    // The verdict is the last object written, so the last match is its own field, not text of a third party.
    const start = ageSeconds === null ? this.#json.length : this.#json.lastIndexOf(AGE_KEY) + AGE_KEY.length;
    this.#before = this.#json.subarray(0, start);
    this.#after = this.#json.subarray(start + (ageSeconds === null ? 0 : String(ageSeconds).length));
  }

  /** Bytes in memory. */
  get keptBytes(): number {
    return this.#json.length + (this.#gzip?.bytes ?? 0);
  }

  /** The digits of the age at `now`; empty for an answer without an age. */
  ageDigits(now: Date): string {
    if (this.#ageSeconds === null) return '';
    return String(Math.max(0, Math.floor((now.getTime() - this.#ageZeroAtMs) / 1000)));
  }

  /** The answer with the age of the data at `now`. */
  json(now: Date): Buffer {
    const digits = this.ageDigits(now);
    if (this.#ageSeconds === null || digits === String(this.#ageSeconds)) return this.#json;
    return Buffer.concat([this.#before, Buffer.from(digits), this.#after]);
  }

  /** The same in parts, in gzip where the client accepts it and gains by it. Compressed at the first use, which adds to `keptBytes`. */
  represent(now: Date, acceptsGzip: boolean): Representation {
    const digits = this.ageDigits(now);
    const isGzip = acceptsGzip && this.#json.length >= MIN_GZIP_BYTES;
    if (!isGzip) {
      const bytes = this.#before.length + digits.length + this.#after.length;
      return { parts: [this.#before, digits, this.#after], bytes, isGzip };
    }
    this.#gzip ??= new GzipParts(this.#before, this.#after);
    const parts = this.#gzip.parts(digits);
    return { parts, bytes: parts.reduce((sum, part) => sum + part.length, 0), isGzip };
  }

  /** The name that `hash` gives to the answer without its age; asked for once. */
  entityTag(hash: (parts: readonly Buffer[]) => string): string {
    return (this.#entityTag ??= hash([this.#before, this.#after]));
  }
}
