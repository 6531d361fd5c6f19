import { FeedFormatError } from './feed.ts';

const MAX_LINE_LENGTH = 64 * 1024;

/** Text lines (UTF-8, ended by LF or CRLF) of each chunk of bytes. A line without end is a `FeedFormatError`. */
export async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncIterable<string[]> {
  const decoder = new TextDecoder();
  let carry = '';
  for await (const chunk of bytes) {
    const found = (carry + decoder.decode(chunk, { stream: true })).split('\n');
    carry = found.pop() ?? '';
    if (carry.length > MAX_LINE_LENGTH)
      throw new FeedFormatError(`a line is longer than ${MAX_LINE_LENGTH} characters`);
    if (found.length > 0) yield found.map(stripCarriageReturn);
  }
  carry += decoder.decode();
  if (carry !== '') yield [stripCarriageReturn(carry)];
}

function stripCarriageReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
