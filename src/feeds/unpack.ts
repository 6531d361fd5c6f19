import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createGunzip, inflateRawSync } from 'node:zlib';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { FeedFormatError } from './feed.ts';

const UNPACKED_CHUNK_BYTES = 128 * 1024;
const HTML_SEARCH_BYTES = 512;
/** Feeds are compressed to 1/100 at most, decompression bombs to 1/1000. The ratio is not checked below `RATIO_FLOOR_BYTES`. */
const MAX_COMPRESSION_RATIO = 256;
const RATIO_FLOOR_BYTES = 16 * 1024 * 1024;
const GZIP = { name: 'a gzip file', magic: Buffer.from([0x1f, 0x8b]) };
/** Compression method 0 (APPNOTE 4.4.5). */
const STORED = 0;
const ZIP = { name: 'a zip file', magic: Buffer.from('PK') };

export interface ZipLimits {
  /** Size of the archive, which is held in memory. */
  maxBytes: number;
  /** Size of all entries together. */
  maxUnpackedBytes: number;
  maxEntries: number;
}

export interface ZipEntry {
  name: string;
  /** May be left unread; cannot be read any more once the next entry is requested. */
  bytes: AsyncIterable<Uint8Array>;
}

/** Unpacks gzip (RFC 1952) as a stream. Throws `FeedFormatError` if it is not gzip, corrupt, truncated, or larger than the limit. */
export async function* gunzip(
  bytes: AsyncIterable<Uint8Array>,
  limits: { maxUnpackedBytes: number },
): AsyncIterable<Uint8Array> {
  const inflate = createGunzip({ chunkSize: UNPACKED_CHUNK_BYTES });
  // An error of the input destroys `inflate` with that error; the loop below then throws it.
  let packed = 0;
  const source = countBytes(checkMagic(bytes, GZIP), (length) => (packed += length));
  pipeline(Readable.from(source), inflate).catch(() => {});
  let unpacked = 0;
  try {
    for await (const chunk of inflate as AsyncIterable<Buffer>) {
      unpacked += chunk.length;
      if (unpacked > limits.maxUnpackedBytes) throw tooLargeError('the unpacked file', limits.maxUnpackedBytes);
      if (unpacked > RATIO_FLOOR_BYTES && unpacked > packed * MAX_COMPRESSION_RATIO)
        throw decompressionBombError('the gzip file');
      yield chunk;
    }
  } catch (error) {
    throw toGzipError(error);
  } finally {
    inflate.destroy();
  }
}

/** Unpacks gzip as `gunzip` does; a file that is not gzip is passed on as it is, up to the same limit. */
export async function* gunzipIfPacked(
  bytes: AsyncIterable<Uint8Array>,
  limits: { maxUnpackedBytes: number },
): AsyncIterable<Uint8Array> {
  const chunks = bytes[Symbol.asyncIterator]();
  let start: Uint8Array = Buffer.alloc(0);
  while (start.length < GZIP.magic.length) {
    const next = await chunks.next();
    if (next.done === true) break;
    start = start.length === 0 ? next.value : Buffer.concat([start, next.value]);
  }
  async function* whole(): AsyncIterable<Uint8Array> {
    if (start.length > 0) yield start;
    yield* { [Symbol.asyncIterator]: () => chunks };
  }
  if (Buffer.compare(start.subarray(0, GZIP.magic.length), GZIP.magic) === 0) {
    yield* gunzip(whole(), limits);
    return;
  }
  let length = 0;
  for await (const chunk of whole()) {
    length += chunk.length;
    if (length > limits.maxUnpackedBytes) throw tooLargeError('the file', limits.maxUnpackedBytes);
    yield chunk;
  }
}

function toGzipError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'Z_BUF_ERROR') return new FeedFormatError('the gzip file ends before it is complete');
  return code.startsWith('Z_') ? new FeedFormatError(`the gzip file is corrupt: ${(error as Error).message}`) : error;
}

/**
 * The files of a zip archive, in the order of its directory. Sizes and checksums are verified against the directory.
 * Throws `FeedFormatError` if it is not a zip archive, corrupt, encrypted, or larger than the limits.
 */
export async function* unzip(bytes: AsyncIterable<Uint8Array>, limits: ZipLimits): AsyncIterable<ZipEntry> {
  const archive = await readAllBytes(checkMagic(bytes, ZIP), limits.maxBytes);
  try {
    const zip = await fromBufferPromise(archive);
    if (zip.entryCount > limits.maxEntries)
      throw new FeedFormatError(`more than ${limits.maxEntries} files in the zip`);
    const byRatio = Math.max(RATIO_FLOOR_BYTES, archive.length * MAX_COMPRESSION_RATIO);
    const limit = Math.min(limits.maxUnpackedBytes, byRatio);
    const budget = { left: limit, limit, isBomb: limit === byRatio };
    for await (const entry of zip.eachEntry()) {
      if (!entry.fileName.endsWith('/'))
        yield { name: entry.fileName, bytes: unpackEntry(zip, entry, archive, budget) };
    }
  } catch (error) {
    throw toZipError('the zip file', error);
  }
}

async function* unpackEntry(
  zip: ZipFile,
  entry: Entry,
  archive: Buffer,
  budget: { left: number; limit: number; isBomb: boolean },
): AsyncIterable<Uint8Array> {
  let checksum = 0;
  try {
    const isSmall = entry.uncompressedSize <= UNPACKED_CHUNK_BYTES && entry.canDecodeFileData();
    const chunks = isSmall ? [await unpackSmall(zip, entry, archive)] : await zip.openReadStreamPromise(entry);
    for await (const chunk of chunks as AsyncIterable<Buffer>) {
      budget.left -= chunk.length;
      if (budget.left < 0)
        throw budget.isBomb ? decompressionBombError('the zip file') : tooLargeError('the unpacked zip', budget.limit);
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
    if (checksum !== entry.crc32) throw new FeedFormatError(`${entry.fileName} in the zip does not match its checksum`);
  } catch (error) {
    throw toZipError(`${entry.fileName} in the zip`, error);
  }
}

/** A small file at once: feeds are zips of tens of thousands of them, and a stream takes several times as long as its bytes do. */
async function unpackSmall(zip: ZipFile, entry: Entry, archive: Buffer): Promise<Buffer> {
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
  const packed = archive.subarray(fileDataStart, fileDataStart + entry.compressedSize);
  // `inflateRawSync` has no limit of 0.
  const limits = { maxOutputLength: entry.uncompressedSize + 1 };
  const content = entry.compressionMethod === STORED ? packed : inflateRawSync(packed, limits);
  if (content.length !== entry.uncompressedSize) throw new Error('it has another size than the directory says');
  return content;
}

function toZipError(what: string, error: unknown): FeedFormatError {
  if (error instanceof FeedFormatError) return error;
  return new FeedFormatError(`${what} is corrupt: ${error instanceof Error ? error.message : String(error)}`);
}

/** All bytes in one buffer. Throws `FeedFormatError` if there are more than `maxBytes`. */
export async function readAllBytes(bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const content = await readBytesUpTo(bytes, maxBytes);
  if (content === null) throw tooLargeError('the file', maxBytes);
  return content;
}

/** All bytes in one buffer; null if there are more than `maxBytes`. */
export async function readBytesUpTo(bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

/** Whether a file begins as a web page does: captive portals, proxies and error handlers send pages instead of data. */
export function looksLikeHtml(firstBytes: Uint8Array): boolean {
  const start = Buffer.from(firstBytes.subarray(0, HTML_SEARCH_BYTES)).toString('latin1').toLowerCase();
  return /^[^<\w]*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)?<(!doctype html|html|head|body|title)\b/s.test(start);
}

/** The error for a file that is not `expected` (`a gzip file`, `JSON`); its first bytes are named in the message. */
export function unexpectedContentError(expected: string, firstBytes: Uint8Array): FeedFormatError {
  if (firstBytes.length === 0) return new FeedFormatError('the file is empty');
  if (looksLikeHtml(firstBytes)) return new FeedFormatError(`an HTML page came in the place of ${expected}`);
  return new FeedFormatError(`this is not ${expected}`);
}

/** Passes bytes on after it has checked their beginning. */
async function* checkMagic(
  bytes: AsyncIterable<Uint8Array>,
  { name, magic }: { name: string; magic: Uint8Array },
): AsyncIterable<Uint8Array> {
  let start: Uint8Array = Buffer.alloc(0);
  let isChecked = false;
  for await (const chunk of bytes) {
    if (isChecked) {
      yield chunk;
      continue;
    }
    start = start.length === 0 ? chunk : Buffer.concat([start, chunk]);
    isChecked = Buffer.compare(start.subarray(0, magic.length), magic) === 0;
    if (isChecked) yield start;
    else if (start.length >= HTML_SEARCH_BYTES) break;
  }
  if (!isChecked) throw unexpectedContentError(name, start);
}

function decompressionBombError(what: string): FeedFormatError {
  return new FeedFormatError(`${what} unpacks to more than ${MAX_COMPRESSION_RATIO} times its size`);
}

/** Passes bytes on; `count` gets the length of each chunk before it is passed on. */
export async function* countBytes(
  bytes: AsyncIterable<Uint8Array>,
  count: (length: number) => void,
): AsyncIterable<Uint8Array> {
  for await (const chunk of bytes) {
    count(chunk.length);
    yield chunk;
  }
}

function tooLargeError(what: string, maxBytes: number): FeedFormatError {
  return new FeedFormatError(`${what} is larger than ${maxBytes} bytes`);
}
