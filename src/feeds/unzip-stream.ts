import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import { FeedFormatError } from './feed.ts';
import { unexpectedContentError, type ZipEntry } from './unpack.ts';

const LOCAL_HEADER = 0x04034b50;
const LOCAL_HEADER_BYTES = 30;
const CENTRAL_HEADER = 0x02014b50;
const END_OF_DIRECTORY = 0x06054b50;
const END_OF_DIRECTORY_BYTES = 22;
const ZIP64_FIELD = 0x0001;
const IN_ZIP64 = 0xffffffff;
const ENCRYPTED = 1;
const HAS_DATA_DESCRIPTOR = 8;
const METHODS = { stored: 0, deflated: 8 };
/** Entries up to this size are unpacked at once, larger ones as a stream. */
const AT_ONCE_BYTES = 8 * 1024 * 1024;

interface LocalHeader {
  name: string;
  method: number;
  checksum: number;
  packed: number;
  unpacked: number;
}

/**
 * The files of a zip archive (PKWARE APPNOTE 6.3) in the order in which they lie in it, for an archive that is too large for memory:
 * `unzip` needs all of it. Each entry must be read before the next one is requested. Sizes, checksums and the number of entries
 * are verified. Throws `FeedFormatError` if it is not a zip archive, corrupt, truncated, encrypted, larger than the limit, or
 * written without the sizes in front of the entries.
 */
export async function* unzipStream(
  bytes: AsyncIterable<Uint8Array>,
  limits: { maxUnpackedBytes: number; maxEntries: number },
): AsyncIterable<ZipEntry> {
  await using input = new ByteQueue(bytes);
  const budget = { left: limits.maxUnpackedBytes };
  let entries = 0;
  for (;;) {
    const start = await input.take(4);
    const signature = start.readUInt32LE();
    if (signature === CENTRAL_HEADER || signature === END_OF_DIRECTORY) break;
    if (signature !== LOCAL_HEADER) {
      if (entries === 0) throw unexpectedContentError('a zip file', Buffer.concat([start, input.buffered]));
      throw new FeedFormatError('the zip file is corrupt');
    }
    if (++entries > limits.maxEntries) throw new FeedFormatError(`more than ${limits.maxEntries} files in the zip`);
    const header = await readLocalHeader(input);
    const content = unpackEntry(input, header, budget);
    if (!header.name.endsWith('/')) yield { name: header.name, bytes: content };
    for await (const _ of content);
  }
  const directoryEnd = await input.lastBytes(END_OF_DIRECTORY_BYTES);
  if (directoryEnd.length < END_OF_DIRECTORY_BYTES || directoryEnd.readUInt32LE() !== END_OF_DIRECTORY)
    throw new FeedFormatError('the zip file ends before it is complete');
  const listed = directoryEnd.readUInt16LE(10);
  // More than 65,535 entries are counted in the ZIP64 record; here the remainder must do.
  if (listed !== 0xffff && listed !== entries % 0x10000)
    throw new FeedFormatError(`the zip file holds ${entries} files where it lists ${listed}`);
}

async function readLocalHeader(input: ByteQueue): Promise<LocalHeader> {
  const fields = await input.take(LOCAL_HEADER_BYTES - 4);
  const flags = fields.readUInt16LE(2);
  const name = (await input.take(fields.readUInt16LE(22))).toString();
  const extra = await input.take(fields.readUInt16LE(24));
  if ((flags & ENCRYPTED) !== 0) throw new FeedFormatError(`${name} in the zip is encrypted`);
  let packed = fields.readUInt32LE(14);
  let unpacked = fields.readUInt32LE(18);
  if (packed === IN_ZIP64 || unpacked === IN_ZIP64) [unpacked, packed] = zip64Sizes(extra);
  if ((flags & HAS_DATA_DESCRIPTOR) !== 0 && packed === 0)
    throw new FeedFormatError('the zip file was written as a stream: the sizes of its files are not known');
  return { name, method: fields.readUInt16LE(4), checksum: fields.readUInt32LE(10), packed, unpacked };
}

function zip64Sizes(extra: Buffer): [unpacked: number, packed: number] {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== ZIP64_FIELD || at + 20 > extra.length) continue;
    return [Number(extra.readBigUInt64LE(at + 4)), Number(extra.readBigUInt64LE(at + 12))];
  }
  throw new FeedFormatError('the zip file is corrupt: sizes are missing');
}

async function* unpackEntry(
  input: ByteQueue,
  header: LocalHeader,
  budget: { left: number },
): AsyncGenerator<Uint8Array, void, void> {
  const { name, checksum, unpacked } = header;
  budget.left -= unpacked;
  if (budget.left < 0) throw new FeedFormatError('the unpacked zip is larger than its limit');
  let length = 0;
  let found = 0;
  for await (const chunk of inflated(input, header)) {
    length += chunk.length;
    if (length > unpacked) break;
    found = crc32(chunk, found);
    yield chunk;
  }
  if (length !== unpacked || found !== checksum)
    throw new FeedFormatError(`${name} in the zip does not match its checksum`);
}

async function* inflated(input: ByteQueue, { name, method, packed, unpacked }: LocalHeader): AsyncIterable<Buffer> {
  if (method === METHODS.stored) return yield* input.pieces(packed);
  if (method !== METHODS.deflated) throw new FeedFormatError(`${name} in the zip is packed in an unknown way`);
  try {
    if (packed <= AT_ONCE_BYTES && unpacked <= AT_ONCE_BYTES) {
      yield inflateRawSync(await input.take(packed), { maxOutputLength: Math.max(1, unpacked) });
      return;
    }
    const inflate = createInflateRaw();
    pipeline(Readable.from(input.pieces(packed)), inflate).catch(() => {});
    yield* inflate;
  } catch (error) {
    // Other errors are those of the stream: a failing connection is no bad file.
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!code.startsWith('Z_') && code !== 'ERR_BUFFER_TOO_LARGE') throw error;
    throw new FeedFormatError(`${name} in the zip is corrupt`);
  }
}

/** Bytes of a stream, taken in pieces of the caller's sizes. */
class ByteQueue implements AsyncDisposable {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.#chunks = bytes[Symbol.asyncIterator]();
  }

  /** What was read and not taken yet. */
  get buffered(): Buffer {
    return this.#rest;
  }

  /** Exactly so many bytes. Throws `FeedFormatError` where the stream ends before. */
  async take(length: number): Promise<Buffer> {
    if (length <= this.#rest.length) return this.#split(length);
    const parts: Buffer[] = [];
    for await (const piece of this.pieces(length)) parts.push(piece);
    return Buffer.concat(parts);
  }

  /** So many bytes, in the pieces in which they come. */
  async *pieces(length: number): AsyncGenerator<Buffer, void, void> {
    let left = length;
    while (left > 0) {
      if (this.#rest.length === 0 && !(await this.#pull())) {
        throw new FeedFormatError('the zip file ends before it is complete');
      }
      const piece = this.#split(Math.min(left, this.#rest.length));
      left -= piece.length;
      yield piece;
    }
  }

  /** Reads to the end and gives the last bytes, at most so many. */
  async lastBytes(length: number): Promise<Buffer> {
    let last = this.#rest.subarray(-length);
    while (await this.#pull()) last = Buffer.concat([last, this.#rest]).subarray(-length);
    return last;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#chunks.return?.();
  }

  #split(length: number): Buffer {
    const piece = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return piece;
  }

  async #pull(): Promise<boolean> {
    const { done, value } = await this.#chunks.next();
    if (done === true) return false;
    this.#rest = Buffer.from(value.buffer, value.byteOffset, value.length);
    return true;
  }
}
