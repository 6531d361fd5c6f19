import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { constants as zlib, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { z } from 'zod';
import { BundleError } from '../bundle-header.ts';
import { MAX_VARINT_BYTES, VarintReader, writeVarint } from '../varints.ts';
import { applyDifference, computeDifference } from './difference.ts';

/**
 * A delta leads from one database file to another, byte for byte: the pages that differ, as their difference to what stood at
 * the same places before. Two lines of text, then four sections in zstd:
 *
 *     sextant-delta 1
 *     {"page_bytes":8192, ...}     the header, JSON
 *     numbers of the pages, steps, differences, literals (see `Difference`)
 */

const MAGIC = 'sextant-delta 1\n';
const MAX_HEADER_BYTES = 4096;
const PAGE_BYTES = 8192;
/** Pages that differ are held in memory, old and new. Where more do, the whole catalog is the better way. */
const MAX_CHANGED_BYTES = 160 * 1024 ** 2;
const COMPRESSION = { [zlib.ZSTD_c_compressionLevel]: 19, [zlib.ZSTD_c_windowLog]: 24 };
const CHUNK_PAGES = 128;
const SECTIONS = 4;

const Section = z.object({ packed: z.number().int().nonnegative(), bytes: z.number().int().nonnegative() });
const DeltaHeader = z.object({
  page_bytes: z.number().int().min(512).max(65_536),
  from_bytes: z.number().int().nonnegative(),
  to_bytes: z.number().int().positive(),
  changed_pages: z.number().int().nonnegative(),
  sections: z.array(Section).length(SECTIONS),
});

/** The delta from the file `fromPath` to the file `toPath`; null where so much differs that it is of no use. */
export function encodeDelta(fromPath: string, toPath: string): Buffer | null {
  const [from, to] = [openSync(fromPath, 'r'), openSync(toPath, 'r')];
  try {
    const pages = changedPages(from, to);
    if (pages.length * PAGE_BYTES > MAX_CHANGED_BYTES) return null;
    const next = readPages(to, pages, PAGE_BYTES);
    const { steps, differences, literals } = computeDifference(readPages(from, pages, PAGE_BYTES), next);
    const gaps = pages.map((page, index) => page - (pages[index - 1] ?? -1) - 1);
    const raw = [packNumbers(gaps), packNumbers(steps.map(toUnsigned)), differences, literals];
    const packed = raw.map((section) => zstdCompressSync(section, { params: COMPRESSION }));
    const header: z.infer<typeof DeltaHeader> = {
      page_bytes: PAGE_BYTES,
      from_bytes: fstatSync(from).size,
      to_bytes: fstatSync(to).size,
      changed_pages: pages.length,
      sections: packed.map((section, index) => ({ packed: section.length, bytes: raw[index]!.length })),
    };
    return Buffer.concat([Buffer.from(`${MAGIC}${JSON.stringify(header)}\n`), ...packed]);
  } finally {
    closeSync(from);
    closeSync(to);
  }
}

/**
 * Changes the database file at `path`, which nobody may read meanwhile, to the next one. `delta` was checked to be what its publisher
 * signed; whether the result is, too, is for the caller to check. Throws `BundleError` where it does not fit.
 */
export function applyDelta(path: string, delta: Buffer): void {
  const { header, sections } = decodeDelta(delta);
  const file = openSync(path, 'r+');
  try {
    if (fstatSync(file).size !== header.from_bytes) throw deltaError('it is for another file');
    const pages = readGaps(sections[0]!, header.changed_pages);
    const length = pages.length * header.page_bytes;
    const steps = readNumbers(sections[1]!).map(toSigned);
    const difference = { steps, differences: sections[2]!, literals: sections[3]! };
    const next = applyDifference(readPages(file, pages, header.page_bytes), difference, length);
    if (next === null) throw deltaError('its steps do not fit');
    if ((pages.at(-1) ?? 0) * header.page_bytes >= header.to_bytes)
      throw deltaError('a page of it lies behind the end');
    pages.forEach((page, index) => {
      writeSync(file, next, index * header.page_bytes, header.page_bytes, page * header.page_bytes);
    });
    ftruncateSync(file, header.to_bytes);
  } finally {
    closeSync(file);
  }
}

function decodeDelta(delta: Buffer): { header: z.infer<typeof DeltaHeader>; sections: Buffer[] } {
  const end = delta.subarray(0, MAX_HEADER_BYTES).indexOf('\n', MAGIC.length);
  if (!delta.subarray(0, MAGIC.length).equals(Buffer.from(MAGIC)) || end === -1) throw deltaError('it is none');
  const header = DeltaHeader.safeParse(parseJsonOrNull(delta.toString('utf8', MAGIC.length, end)));
  if (!header.success) throw deltaError('its header cannot be read');
  if (header.data.changed_pages * header.data.page_bytes > MAX_CHANGED_BYTES) throw deltaError('it is too large');
  let at = end + 1;
  const sections = header.data.sections.map(({ packed, bytes }) => {
    if (bytes > MAX_CHANGED_BYTES) throw deltaError('it is too large');
    const section = unpack(delta.subarray(at, at + packed), bytes);
    at += packed;
    return section;
  });
  if (at !== delta.length) throw deltaError('it does not end as announced');
  return { header: header.data, sections };
}

function unpack(packed: Buffer, bytes: number): Buffer {
  try {
    // Node refuses a limit of 0.
    const section = zstdDecompressSync(packed, { maxOutputLength: Math.max(1, bytes) });
    if (section.length === bytes) return section;
  } catch {
    // As a section of the wrong length.
  }
  throw deltaError('it cannot be unpacked');
}

/** Numbers of the pages of `to` that differ from those of `from`, ascending. */
function changedPages(from: number, to: number): number[] {
  const changed: number[] = [];
  const [old, next] = [Buffer.alloc(CHUNK_PAGES * PAGE_BYTES), Buffer.alloc(CHUNK_PAGES * PAGE_BYTES)];
  for (let first = 0; ; first += CHUNK_PAGES) {
    const read = readSync(to, next, 0, next.length, first * PAGE_BYTES);
    const known = readSync(from, old, 0, old.length, first * PAGE_BYTES);
    for (let at = 0; at < read; at += PAGE_BYTES) {
      const isSame = at < known && old.compare(next, at, at + PAGE_BYTES, at, at + PAGE_BYTES) === 0;
      if (!isSame) changed.push(first + at / PAGE_BYTES);
    }
    if (read < next.length) return changed;
  }
}

/** These pages one after the other, as far as the file has them. */
function readPages(file: number, pages: readonly number[], pageBytes: number): Buffer {
  const content = Buffer.alloc(pages.length * pageBytes);
  let length = 0;
  for (const page of pages) length += readSync(file, content, length, pageBytes, page * pageBytes);
  return content.subarray(0, length);
}

function packNumbers(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * MAX_VARINT_BYTES);
  let at = 0;
  for (const number of numbers) at = writeVarint(bytes, at, number);
  return bytes.subarray(0, at);
}

function readNumbers(bytes: Buffer): number[] {
  const reader = new VarintReader(bytes);
  const numbers: number[] = [];
  try {
    while (!reader.isAtEnd) numbers.push(reader.next());
  } catch {
    throw deltaError('its numbers cannot be read');
  }
  return numbers;
}

function readGaps(bytes: Buffer, count: number): number[] {
  let page = -1;
  const pages = readNumbers(bytes).map((gap) => (page += gap + 1));
  if (pages.length !== count) throw deltaError('its pages cannot be read');
  return pages;
}

/** Small numbers of either sign as small numbers without one: 0, -1, 1, -2, 2 become 0, 1, 2, 3, 4. */
function toUnsigned(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

function toSigned(value: number): number {
  return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
}

function parseJsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function deltaError(how: string): BundleError {
  return new BundleError(`the delta cannot be used: ${how}`);
}
