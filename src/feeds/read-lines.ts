import { FeedFormatError } from './feed.ts';

const MAX_LINE_LENGTH = 64 * 1024;

/** The lines (UTF-8, ending with LF or CRLF) of each chunk of bytes. Throws `FeedFormatError` for a line that is too long. */
export async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncIterable<string[]> {
  const decoder = new TextDecoder();
  let incomplete = '';
  for await (const chunk of bytes) {
    const found = (incomplete + decoder.decode(chunk, { stream: true })).split('\n');
    incomplete = found.pop() ?? '';
    if (incomplete.length > MAX_LINE_LENGTH)
      throw new FeedFormatError(`a line is longer than ${MAX_LINE_LENGTH} characters`);
    if (found.length > 0) yield found.map(stripCarriageReturn);
  }
  incomplete += decoder.decode();
  if (incomplete !== '') yield [stripCarriageReturn(incomplete)];
}

function stripCarriageReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
