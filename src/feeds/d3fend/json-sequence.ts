import { FeedFormatError } from '../feed.ts';
import { parseBoundedJson } from '../../analysis/bounded-json.ts';

/** RFC 7464: a JSON text begins after a record separator, which cannot occur in JSON, and ends with a line feed. */
const SEPARATOR = 0x1e;
const START = Uint8Array.of(SEPARATOR);
const END = Uint8Array.of(0x0a);

/** The bytes of one JSON text as a record of a sequence; they are not checked. */
export async function* asSequenceRecord(
  text: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield START;
  yield* text;
  yield END;
}

/** The parsed JSON texts of a sequence. Throws `FeedFormatError` for a text that is not JSON or larger than `maxBytes`. */
export async function* readJsonSequence(bytes: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator {
  let text: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    let from = 0;
    for (let at = chunk.indexOf(SEPARATOR); at !== -1; at = chunk.indexOf(SEPARATOR, from)) {
      text.push(chunk.subarray(from, at));
      if (length + at - from > 0) yield parseRecord(text);
      text = [];
      length = 0;
      from = at + 1;
    }
    text.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > maxBytes) throw new FeedFormatError(`a part of it is larger than ${maxBytes} bytes`);
  }
  if (length > 0) yield parseRecord(text);
}

function parseRecord(text: Uint8Array[]): unknown {
  try {
    return parseBoundedJson(new TextDecoder().decode(Buffer.concat(text)));
  } catch {
    throw new FeedFormatError('a part of it is not JSON, or ends early');
  }
}
