/**
 * The form of the text index: blocks of entries, each a word with the list of its documents, in the order of the words. An entry is how
 * many bytes the word has in common with the one before, how many follow, these bytes, how many bytes the list has, and the list:
 * for each document the distance from the one before times `WEIGHT_LEVELS`, plus its weight. Numbers are varints.
 */

import { MAX_VARINT_BYTES, VarintReader, writeVarint } from './varints.ts';

/** A word counts in a document from 0 (mentioned in a long text) to one below this. */
export const WEIGHT_LEVELS = 8;
/** Of a document that is left out. */
export const NO_NUMBER = 0xffffffff;
/** Bytes of a block, if no entry is longer: two of them fit into a page of the database. */
const BLOCK_BYTES = 4000;

export interface TextBlock {
  /** Its first word. */
  first: string;
  data: Uint8Array;
}

/** Puts entries into blocks. `documents` are in ascending order, each as `document * WEIGHT_LEVELS + weight`. */
export function* packTextBlocks(entries: Iterable<{ word: string; documents: Uint32Array }>): Iterable<TextBlock> {
  let block = Buffer.alloc(BLOCK_BYTES);
  let end = 0;
  let first: string | null = null;
  let last: Buffer = Buffer.alloc(0);
  for (const { word, documents } of entries) {
    const bytes = Buffer.from(word);
    const list = packDocuments(documents);
    const length = bytes.length + list.length + 3 * MAX_VARINT_BYTES;
    if (first !== null && end + length > BLOCK_BYTES) {
      yield { first, data: block.subarray(0, end) };
      first = null;
      end = 0;
    }
    if (end + length > block.length) block = Buffer.concat([block.subarray(0, end)], end + length);
    const common = first === null ? 0 : commonLength(last, bytes);
    first ??= word;
    end = writeVarint(block, end, common);
    end = writeVarint(block, end, bytes.length - common);
    end += bytes.copy(block, end, common);
    end = writeVarint(block, end, list.length);
    block.set(list, end);
    end += list.length;
    last = bytes;
  }
  if (first !== null) yield { first, data: block.subarray(0, end) };
}

/** The words of a block with their lists, which are read by `readDocuments`. */
export function* readTextBlock(data: Uint8Array): Iterable<{ word: string; list: Uint8Array }> {
  const numbers = new VarintReader(data);
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length);
  let word = Buffer.alloc(0);
  while (!numbers.isAtEnd) {
    const common = numbers.next();
    const more = numbers.next();
    word = Buffer.concat([word.subarray(0, common), bytes.subarray(numbers.at, numbers.at + more)]);
    numbers.at += more;
    const length = numbers.next();
    yield { word: word.toString(), list: data.subarray(numbers.at, numbers.at + length) };
    numbers.at += length;
  }
}

/**
 * The documents of a list, each as `document * WEIGHT_LEVELS + weight`. `numbers`: other numbers of the documents, NO_NUMBER for those
 * that are left out; empty: they keep theirs.
 */
export function readDocuments(list: Uint8Array, numbers: Uint32Array): Uint32Array {
  // Each takes a byte or more.
  const documents = new Uint32Array(list.length);
  const isRenumbered = numbers.length > 0;
  let count = 0;
  let document = 0;
  for (let at = 0; at < list.length; ) {
    let value = list[at++]!;
    if (value >= 0x80) {
      value &= 0x7f;
      for (let shift = 7, more = true; more; shift += 7) {
        const byte = list[at++]!;
        value |= (byte & 0x7f) << shift;
        more = byte >= 0x80;
      }
    }
    document += value >>> 3;
    const number = isRenumbered ? numbers[document]! : document;
    if (number !== NO_NUMBER) documents[count++] = number * WEIGHT_LEVELS + (value & 7);
  }
  return documents.subarray(0, count);
}

function packDocuments(documents: Uint32Array): Uint8Array {
  const bytes = new Uint8Array(documents.length * MAX_VARINT_BYTES);
  let end = 0;
  let last = 0;
  for (const entry of documents) {
    const document = Math.floor(entry / WEIGHT_LEVELS);
    end = writeVarint(bytes, end, (document - last) * WEIGHT_LEVELS + (entry % WEIGHT_LEVELS));
    last = document;
  }
  return bytes.subarray(0, end);
}

function commonLength(a: Uint8Array, b: Uint8Array): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}
