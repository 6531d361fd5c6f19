import { FeedFormatError } from './feed.ts';

const BLOCK = 512;
/** Of extended headers: names are a few hundred bytes, extended attributes a few thousand. */
const MAX_EXTRA_BYTES = 1024 * 1024;
const ENTRY_TYPES: Readonly<Record<string, TarEntry['type']>> = {
  '0': 'file',
  '\0': 'file',
  '7': 'file',
  '1': 'hard link',
  '2': 'symbolic link',
  '5': 'folder',
};

export interface TarFile {
  name: string;
  content: Buffer;
}

export interface TarEntry {
  /** As written in the archive: it may be absolute or lead out of it. */
  name: string;
  type: 'file' | 'hard link' | 'symbolic link' | 'folder' | 'other';
  /** Of a link; else empty. */
  target: string;
  size: number;
  /** May be left unread; cannot be read any more once the next entry is requested. */
  bytes: AsyncIterable<Uint8Array>;
}

/** What a header does not have room for, from the extended headers before it. */
interface ExtraFields {
  name?: string;
  target?: string;
  size?: number;
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
  let files = 0;
  for await (const entry of readTarEntries(bytes)) {
    if (entry.type !== 'file' || !wants(entry.name)) continue;
    if (++files > limits.maxFiles) throw new FeedFormatError(`more than ${limits.maxFiles} files in the tar archive`);
    yield { name: entry.name, content: await readEntry(entry, limits.maxFileBytes) };
  }
}

/** The content of an entry. Throws `FeedFormatError` if it is larger than the limit. */
export async function readEntry({ size, bytes }: TarEntry, maxBytes: number): Promise<Buffer> {
  if (size > maxBytes) throw new FeedFormatError(`a file in the tar archive is larger than ${maxBytes} bytes`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks, size);
}

/** All entries of a tar archive, in its order, as a stream. Throws `FeedFormatError` if it is not a tar archive, or ends early. */
export async function* readTarEntries(bytes: AsyncIterable<Uint8Array>): AsyncIterable<TarEntry> {
  const reader = new ByteReader(bytes);
  let extra: ExtraFields = {};
  for (;;) {
    const header = await reader.take(BLOCK);
    if (header === null) throw endsEarlyError();
    if (header[0] === 0) return;
    verifyHeader(header);
    const ownSize = parseSize(header);
    const type = String.fromCharCode(header[156]!);
    if (EXTRA_TYPES.has(type)) {
      const content = await takeExtra(reader, ownSize);
      extra = { ...extra, ...extraFields(type, content) };
      continue;
    }
    const size = extra.size ?? ownSize;
    const prefix = textOf(header, 345, 155);
    const content: EntryContent = { left: size, isClosed: false };
    yield {
      name: extra.name ?? (prefix === '' ? '' : `${prefix}/`) + textOf(header, 0, 100),
      type: ENTRY_TYPES[type] ?? 'other',
      target: extra.target ?? textOf(header, 157, 100),
      size,
      bytes: reader.pass(content),
    };
    content.isClosed = true;
    await reader.skip(content.left + padding(size));
    extra = {};
  }
}

interface EntryContent {
  /** Bytes that were not passed on. */
  left: number;
  /** The next entry was requested. */
  isClosed: boolean;
}

/** Of pax and GNU. What is for the whole archive (`g`) holds nothing that is read here. */
const EXTRA_TYPES: ReadonlySet<string> = new Set(['x', 'g', 'L', 'K']);

async function takeExtra(reader: ByteReader, size: number): Promise<Buffer> {
  if (size > MAX_EXTRA_BYTES)
    throw new FeedFormatError(`an extended header of the tar archive is larger than ${MAX_EXTRA_BYTES} bytes`);
  const content = await reader.take(size + padding(size));
  if (content === null) throw endsEarlyError();
  return content.subarray(0, size);
}

function extraFields(type: string, content: Buffer): ExtraFields {
  if (type === 'L') return { name: textOf(content, 0, content.length) };
  if (type === 'K') return { target: textOf(content, 0, content.length) };
  if (type === 'g') return {};
  // Records are `length key=value\n`.
  const records = content.toString('utf8');
  const record = (key: string): string | undefined =>
    new RegExp(`(?:^|\\n)\\d+ ${key}=([^\\n]*)\\n`).exec(records)?.[1];
  const [name, target, size] = [record('path'), record('linkpath'), record('size')];
  return {
    ...(name !== undefined && { name }),
    ...(target !== undefined && { target }),
    ...(size !== undefined && { size: checkSize(Number(size)) }),
  };
}

/** In octal digits, or from 8 GiB on as a number of base 256 after a byte that says so (GNU). */
function parseSize(header: Buffer): number {
  if (header[124] !== 0x80) return checkSize(Number.parseInt(textOf(header, 124, 12) || '0', 8));
  const isTooLarge = header.subarray(125, 130).some((byte) => byte !== 0);
  return checkSize(isTooLarge ? Number.NaN : header.readUIntBE(130, 6));
}

function checkSize(size: number): number {
  if (!Number.isSafeInteger(size) || size < 0) throw new FeedFormatError('a size in the tar archive is not a number');
  return size;
}

/** Contents are filled up to whole blocks. */
function padding(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
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

function endsEarlyError(): FeedFormatError {
  return new FeedFormatError('the tar archive ends before it is complete');
}

/** Splits a stream of chunks by lengths. */
class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #held: Buffer = Buffer.alloc(0);
  #filling: Promise<void> = Promise.resolve();

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

  /** The next `content.left` bytes in pieces; counted down as they are passed on. Ends when the content is closed. */
  async *pass(content: EntryContent): AsyncIterable<Uint8Array> {
    while (content.left > 0 && !content.isClosed) {
      if (this.#held.length === 0) await this.#fill();
      if (content.isClosed) return;
      const piece = this.#held.subarray(0, content.left);
      this.#held = this.#held.subarray(piece.length);
      content.left -= piece.length;
      yield piece;
    }
  }

  async skip(length: number): Promise<void> {
    // Who unpacks a content reads ahead, and may still wait for bytes when it is closed.
    await this.#filling.catch(() => {});
    let left = length;
    while (left > this.#held.length) {
      left -= this.#held.length;
      await this.#fill();
    }
    this.#held = this.#held.subarray(left);
  }

  /** Holds the next chunk in the place of what it held. */
  #fill(): Promise<void> {
    this.#filling = this.#nextChunk();
    return this.#filling;
  }

  async #nextChunk(): Promise<void> {
    const next = await this.#chunks.next();
    if (next.done === true) throw endsEarlyError();
    this.#held = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.length);
  }
}
