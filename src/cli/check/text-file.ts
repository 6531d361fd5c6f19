import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import type { FoundFile } from './list-files.ts';

/** As over REST: what is longer is rarely code that somebody wrote. */
const MAX_CODE_FILE_BYTES = 512 * 1024;
const SNIFFED_BYTES = 8192;

/** The text of a file; without one, why it was not read, or null for a file that is no text. */
export type TextFileResult = { text: string; reason: null } | { text: null; reason: string | null };

/** Reads a file in UTF-8, or in UTF-16 with or without a byte order mark. */
export function readTextFile({ absolutePath, bytes }: FoundFile, maxBytes = MAX_CODE_FILE_BYTES): TextFileResult {
  try {
    if (bytes <= maxBytes) {
      const content = readFileSync(absolutePath);
      const encoding = detectEncoding(content);
      return encoding === null
        ? { text: null, reason: null }
        : { text: new TextDecoder(encoding).decode(content), reason: null };
    }
    if (detectEncoding(readBeginning(absolutePath)) === null) return { text: null, reason: null };
    return { text: null, reason: `it is larger than ${maxBytes / 1024} KiB` };
  } catch {
    return { text: null, reason: 'it cannot be opened' };
  }
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

/** Null for what is no text: it has zero bytes that are not those of UTF-16. */
function detectEncoding(content: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' | null {
  if (content[0] === 0xff && content[1] === 0xfe) return 'utf-16le';
  if (content[0] === 0xfe && content[1] === 0xff) return 'utf-16be';
  const head = content.subarray(0, SNIFFED_BYTES);
  if (!head.includes(0)) return 'utf-8';
  const zeros: [number, number] = [0, 0];
  for (const [index, byte] of head.entries()) if (byte === 0) zeros[index % 2 === 0 ? 0 : 1]++;
  // Of Latin text every other byte is zero, and none of those between them.
  const minZeroBytes = 0.35 * head.length;
  if (zeros[0] === 0 && zeros[1] > minZeroBytes) return 'utf-16le';
  if (zeros[1] === 0 && zeros[0] > minZeroBytes) return 'utf-16be';
  return null;
}
