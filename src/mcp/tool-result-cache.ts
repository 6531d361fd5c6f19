import { LRUCache } from 'lru-cache';

const MAX_CACHE_BYTES = 64 * 1024 * 1024;
/** What comes before the one number in an answer that is another one every second. */
const AGE_KEY = '"data_age_seconds":';
const ASCII_0 = 0x30;
const ASCII_9 = 0x39;

/** An answer around its age, and the same quoted, as it stands in a result. */
interface CachedResult {
  jsonBeforeAge: Buffer;
  jsonAfterAge: Buffer;
  resultBeforeAge: Buffer;
  resultAfterAge: Buffer;
}

/**
 * Results of tools as JSON: an answer twice, once quoted in a text and once as data. Quoting is most of the work of a call, so an
 * answer that comes again, but for its age, is not quoted again.
 */
export class ToolResultCache {
  readonly #cache = new LRUCache<string, CachedResult>({
    maxSize: MAX_CACHE_BYTES,
    sizeCalculation: ({ jsonBeforeAge, jsonAfterAge, resultBeforeAge, resultAfterAge }, key) =>
      jsonBeforeAge.length +
      jsonAfterAge.length +
      resultBeforeAge.length +
      resultAfterAge.length +
      key.length * 2 +
      100,
  });

  /** Fields of the result for the answer `json`, in parts; `key` names what was asked. */
  resultFields(cacheKey: string, json: Buffer): Buffer[] {
    const [start, end] = findAgeDigits(json);
    const [before, age, after] = [json.subarray(0, start), json.subarray(start, end), json.subarray(end)];
    let cached = this.#cache.get(cacheKey);
    if (cached === undefined || !cached.jsonBeforeAge.equals(before) || !cached.jsonAfterAge.equals(after)) {
      cached = renderResult(before, after);
      this.#cache.set(cacheKey, cached);
    }
    return [cached.resultBeforeAge, age, cached.resultAfterAge, json];
  }
}

/** The same, of an answer that will not come again. */
export function uncachedResultFields(json: Buffer): Buffer[] {
  const { resultBeforeAge, resultAfterAge } = renderResult(json, Buffer.alloc(0));
  return [resultBeforeAge, resultAfterAge, json];
}

/** Fields of the result for a refusal. */
export function errorResultFields(json: Buffer): Buffer[] {
  return [Buffer.from(`"content":[{"type":"text","text":"${escapeForJsonString(json)}"}],"isError":true`)];
}

function renderResult(before: Buffer, after: Buffer): CachedResult {
  return {
    jsonBeforeAge: before,
    jsonAfterAge: after,
    resultBeforeAge: Buffer.from(`"content":[{"type":"text","text":"${escapeForJsonString(before)}`),
    resultAfterAge: Buffer.from(`${escapeForJsonString(after)}"}],"structuredContent":`),
  };
}

/** The bytes as they stand between the quotes of a JSON string. */
function escapeForJsonString(bytes: Buffer): string {
  return JSON.stringify(bytes.toString()).slice(1, -1);
}

/** Where the digits of the last age stand; an empty range at the end where there is none. */
function findAgeDigits(json: Buffer): [start: number, end: number] {
  const keyIndex = json.lastIndexOf(AGE_KEY);
  if (keyIndex === -1) return [json.length, json.length];
  const start = keyIndex + AGE_KEY.length;
  let end = start;
  while (json[end]! >= ASCII_0 && json[end]! <= ASCII_9) end++;
  return [start, end];
}
