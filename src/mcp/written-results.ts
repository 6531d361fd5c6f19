import { LRUCache } from 'lru-cache';
import { unpooledBuffer } from '../unpooled-buffer.ts';

const MAX_BYTES = 64 * 1024 * 1024;
/** What comes before the one number in an answer that is another one every second. */
const AGE = '"data_age_seconds":';
const ZERO = 0x30;
const NINE = 0x39;

/** An answer around its age, and the same quoted, as it stands in a result. */
interface Written {
  before: Buffer;
  after: Buffer;
  head: Buffer;
  middle: Buffer;
}

/**
 * Results of tools as JSON: an answer twice, once quoted in a text and once as data. Quoting is most of the work of a call, so an
 * answer that comes again, but for its age, is not quoted again.
 */
export class WrittenResults {
  readonly #written = new LRUCache<string, Written>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ before, after, head, middle }, key) =>
      before.length + after.length + head.length + middle.length + key.length * 2 + 100,
  });

  /** Fields of the result for the answer `json`, in parts; `key` names what was asked. */
  fieldsOf(key: string, json: Buffer): Buffer[] {
    const [start, end] = ageIn(json);
    const [before, age, after] = [json.subarray(0, start), json.subarray(start, end), json.subarray(end)];
    let written = this.#written.get(key);
    if (written === undefined || !written.before.equals(before) || !written.after.equals(after)) {
      const { head, middle } = write(before, after);
      written = {
        before: unpooledBuffer(before),
        after: unpooledBuffer(after),
        head: unpooledBuffer(head),
        middle: unpooledBuffer(middle),
      };
      this.#written.set(key, written);
    }
    return [written.head, age, written.middle, json];
  }
}

/** The same, of an answer that will not come again. */
export function fieldsOf(json: Buffer): Buffer[] {
  const { head, middle } = write(json, Buffer.alloc(0));
  return [head, middle, json];
}

/** Fields of the result for a refusal. */
export function errorFieldsOf(json: Buffer): Buffer[] {
  return [Buffer.from(`"content":[{"type":"text","text":"${escaped(json)}"}],"isError":true`)];
}

function write(before: Buffer, after: Buffer): Pick<Written, 'head' | 'middle'> {
  return {
    head: Buffer.from(`"content":[{"type":"text","text":"${escaped(before)}`),
    middle: Buffer.from(`${escaped(after)}"}],"structuredContent":`),
  };
}

/** The bytes as they stand between the quotes of a JSON string. */
function escaped(bytes: Buffer): string {
  return JSON.stringify(bytes.toString()).slice(1, -1);
}

/** Where the digits of the last age stand; an empty range at the end where there is none. */
function ageIn(json: Buffer): [start: number, end: number] {
  const mark = json.lastIndexOf(AGE);
  if (mark === -1) return [json.length, json.length];
  const start = mark + AGE.length;
  let end = start;
  while (json[end]! >= ZERO && json[end]! <= NINE) end++;
  return [start, end];
}
