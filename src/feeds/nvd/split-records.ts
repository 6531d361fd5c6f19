import { FeedFormatError } from '../feed.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const MAX_DEPTH = 100;

export interface SplitPart {
  /** `head`: the document with an empty array of records. `record`: one element. */
  kind: 'head' | 'record';
  /** UTF-8. */
  json: Buffer;
}

/**
 * Splits a JSON document that is mostly one array of objects (`{"…": …, "vulnerabilities": [{…}, …]}`, or with `arrayName`) into its elements. Only
 * one element at a time is in memory. The split follows the structure (strings, escapes, nesting), so white space and the order
 * of keys do not matter. Yields the records of each chunk and at the end the head.
 */
export async function* splitRecords(
  bytes: AsyncIterable<Uint8Array>,
  maxRecordBytes: number,
  arrayName = 'vulnerabilities',
): AsyncIterable<SplitPart[]> {
  const arrayStart = new RegExp(`"${arrayName}"\\s*:\\s*$`);
  const headPieces: string[] = [];
  let carry: Buffer = Buffer.alloc(0);
  /** Nobody else holds the memory of `carry`, nor that behind it. */
  let isOwn = false;
  let depth = 0;
  let inString = false;
  let inRecords = false;
  let sawContent = false;
  for await (const chunk of bytes) {
    const hasCarry = carry.length > 0;
    const buffer = hasCarry ? append(carry, chunk, isOwn) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    const parts: SplitPart[] = [];
    const end = buffer.length;
    let start = 0;
    let at = carry.length;
    // Depth 1 is the document, 2 the array, 3 and more a record.
    while (at < end) {
      if (inString) {
        const quote = buffer.indexOf(QUOTE, at);
        if (quote === -1) {
          at = end;
          break;
        }
        let escapes = 0;
        while (quote - 1 - escapes >= start && buffer[quote - 1 - escapes] === BACKSLASH) escapes++;
        if (escapes % 2 === 0) inString = false;
        at = quote + 1;
        continue;
      }
      const byte = buffer[at++];
      if (byte === QUOTE) inString = true;
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        if (++depth > MAX_DEPTH) throw new FeedFormatError(`the JSON is nested deeper than ${MAX_DEPTH}`);
        if (depth === 2)
          inRecords =
            byte === OPEN_BRACKET && arrayStart.test(buffer.toString('latin1', Math.max(start, at - 80), at - 1));
        if (inRecords && depth === 3 && byte === OPEN_BRACE) {
          headPieces.push(buffer.toString('utf8', start, at - 1).replace(/[\s,]+$/, ''));
          start = at - 1;
        }
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        depth--;
        if (inRecords && depth === 2 && byte === CLOSE_BRACE) {
          parts.push({ kind: 'record', json: buffer.subarray(start, at) });
          start = at;
        }
      }
    }
    carry = start === 0 ? buffer : buffer.subarray(start);
    isOwn = hasCarry && parts.length === 0;
    if (carry.length > maxRecordBytes) throw new FeedFormatError(`a record is longer than ${maxRecordBytes} bytes`);
    sawContent ||= end > 0;
    if (parts.length > 0) yield parts;
  }
  if (!sawContent) throw new FeedFormatError('the file is empty');
  headPieces.push(carry.toString('utf8'));
  if (depth !== 0 || inString) throw new FeedFormatError('the JSON document ends before it is complete');
  yield [{ kind: 'head', json: Buffer.from(headPieces.map((piece) => piece.replace(/^[\s,]+(?=\])/, '')).join('')) }];
}

/**
 * The bytes with more behind them. Where they are many and their memory is our own, they stay where they are: a record that comes in
 * small pieces is not copied for each of them.
 */
function append(bytes: Buffer, more: Uint8Array, isOwn: boolean): Buffer {
  const length = bytes.length + more.length;
  let joined: Buffer;
  if (isOwn && bytes.byteOffset + length <= bytes.buffer.byteLength) {
    joined = Buffer.from(bytes.buffer, bytes.byteOffset, length);
  } else {
    joined = Buffer.allocUnsafeSlow(bytes.length > more.length ? 2 * length : length).subarray(0, length);
    joined.set(bytes);
  }
  joined.set(more, bytes.length);
  return joined;
}
