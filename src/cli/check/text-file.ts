import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import type { FoundFile } from './list-files.ts';

/** The limit of the REST API: longer files are rarely written by hand. */
export const MAX_CODE_FILE_BYTES = 512 * 1024;
/** Of a lockfile or SBOM. */
export const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;
const SNIFFED_BYTES = 8192;

/** The text of a file, or why it was not read. */
export type TextFileResult = { kind: 'text'; text: string } | { kind: 'binary' } | { kind: 'unread'; reason: string };

/** Reads a file in UTF-8, or in UTF-16 with or without a byte order mark. */
export function readTextFile({ absolutePath, bytes }: FoundFile, maxBytes = MAX_CODE_FILE_BYTES): TextFileResult {
  try {
    const isTooLarge = bytes > maxBytes;
    const content = isTooLarge ? readBeginning(absolutePath) : readFileSync(absolutePath);
    const encoding = detectEncoding(content);
    if (encoding === null) return { kind: 'binary' };
    if (isTooLarge) return { kind: 'unread', reason: `it is larger than ${maxBytes / 1024} KiB` };
    return { kind: 'text', text: DECODERS[encoding].decode(content) };
  } catch {
    return { kind: 'unread', reason: 'it cannot be opened' };
  }
}

/** The text of bytes in UTF-8 or UTF-16; null: they are no text. */
export function decodeText(content: Buffer): string | null {
  const encoding = detectEncoding(content);
  return encoding === null ? null : DECODERS[encoding].decode(content);
}

function readBeginning(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(SNIFFED_BYTES);
    return head.subarray(0, readSync(file, head));
  } finally {
    closeSync(file);
  }
}

/** Making one takes longer than reading most files. */
const DECODERS = {
  'utf-8': new TextDecoder('utf-8'),
  'utf-16le': new TextDecoder('utf-16le'),
  'utf-16be': new TextDecoder('utf-16be'),
};

/** Null for a binary file: one with zero bytes in other places than UTF-16 has them. */
function detectEncoding(content: Buffer): keyof typeof DECODERS | null {
  if (content[0] === 0xff && content[1] === 0xfe) return 'utf-16le';
  if (content[0] === 0xfe && content[1] === 0xff) return 'utf-16be';
  const head = content.subarray(0, SNIFFED_BYTES);
  if (!head.includes(0)) return 'utf-8';
  const zeros: [number, number] = [0, 0];
  for (const [index, byte] of head.entries()) if (byte === 0) zeros[index % 2 === 0 ? 0 : 1]++;
  // In UTF-16, the high byte of every Latin character is zero, and the low byte is not.
  const minZeroBytes = 0.35 * head.length;
  if (zeros[0] === 0 && zeros[1] > minZeroBytes) return 'utf-16le';
  if (zeros[1] === 0 && zeros[0] > minZeroBytes) return 'utf-16be';
  return null;
}
