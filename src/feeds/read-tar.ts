import { FeedFormatError } from './feed.ts';

const BLOCK = 512;

export interface TarFile {
  name: string;
  content: Buffer;
}

/**
 * The regular files of a tar archive (POSIX ustar and pax, GNU long names) for which `wants` returns true, one at a time in memory.
 * Throws `FeedFormatError` if it is not a tar archive, ends early, has too many files, or a wanted one is too large.
 */
export async function* readTar(
  bytes: AsyncIterable<Uint8Array>,
  limits: { maxFiles: number; maxFileBytes: number },
  wants: (name: string) => boolean,
): AsyncIterable<TarFile> {
  const reader = new ByteReader(bytes);
  let longName: string | null = null;
  let files = 0;
  for (;;) {
    const header = await reader.take(BLOCK);
    if (header === null) throw new FeedFormatError('the tar archive ends before it is complete');
    if (header[0] === 0) return;
    verifyHeader(header);
    const size = Number.parseInt(textOf(header, 124, 12), 8);
    if (!(size >= 0)) throw new FeedFormatError('a size in the tar archive is not a number');
    const type = String.fromCharCode(header[156]!);
    const padded = Math.ceil(size / BLOCK) * BLOCK;
    if (type === 'x' || type === 'L') {
      const extra = await takeContent(reader, size, padded, limits.maxFileBytes);
      longName = type === 'L' ? textOf(extra, 0, extra.length) : (paxPath(extra.toString('utf8')) ?? longName);
      continue;
    }
    const prefix = textOf(header, 345, 155);
    const name: string = longName ?? (prefix === '' ? '' : `${prefix}/`) + textOf(header, 0, 100);
    longName = null;
    const isWanted = (type === '0' || type === '\0') && wants(name);
    if (isWanted && ++files > limits.maxFiles)
      throw new FeedFormatError(`more than ${limits.maxFiles} files in the tar archive`);
    if (isWanted) yield { name, content: await takeContent(reader, size, padded, limits.maxFileBytes) };
    else await reader.skip(padded);
  }
}

async function takeContent(reader: ByteReader, size: number, padded: number, maxBytes: number): Promise<Buffer> {
  if (size > maxBytes) throw new FeedFormatError(`a file in the tar archive is larger than ${maxBytes} bytes`);
  const content = await reader.take(padded);
  if (content === null) throw new FeedFormatError('the tar archive ends before it is complete');
  return content.subarray(0, size);
}

/** The checksum is the sum of the header's bytes, with spaces in place of itself. */
function verifyHeader(header: Buffer): void {
  const expected = Number.parseInt(textOf(header, 148, 8), 8);
  let sum = 8 * 0x20;
  for (const [at, byte] of header.entries()) if (at < 148 || at >= 156) sum += byte;
  if (sum !== expected) throw new FeedFormatError('this is not a tar archive');
}

function textOf(bytes: Buffer, start: number, length: number): string {
  const field = bytes.subarray(start, start + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end === -1 ? field.length : end).trim();
}

/** Records of an extended header are `length key=value\n`. */
function paxPath(text: string): string | null {
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(text)?.[1] ?? null;
}

/** Splits a stream of chunks by lengths. */
class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #held: Buffer = Buffer.alloc(0);

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.#chunks = bytes[Symbol.asyncIterator]();
  }

  /** The next bytes; null if the stream ends before that many. */
  async take(length: number): Promise<Buffer | null> {
    if (this.#held.length < length) {
      const pieces = [this.#held];
      let have = this.#held.length;
      while (have < length) {
        const next = await this.#chunks.next();
        if (next.done === true) return null;
        pieces.push(Buffer.from(next.value.buffer, next.value.byteOffset, next.value.length));
        have += next.value.length;
      }
      this.#held = Buffer.concat(pieces);
    }
    const taken = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(length);
    return taken;
  }

  async skip(length: number): Promise<void> {
    let left = length;
    while (left > this.#held.length) {
      left -= this.#held.length;
      const next = await this.#chunks.next();
      if (next.done === true) throw new FeedFormatError('the tar archive ends before it is complete');
      this.#held = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.length);
    }
    this.#held = this.#held.subarray(left);
  }
}
