import { LRUCache } from 'lru-cache';
import type { ByteParts, CachedAnswer } from '../engine/cached-answer.ts';
import { unpooledBuffer } from '../unpooled-buffer.ts';
import type { FittedAnswer } from './answer-links.ts';

const MAX_CACHE_BYTES = 64 * 1024 * 1024;
/** Before the one number of an answer that changes each second. */
const AGE_KEY = '"data_age_seconds":';
const ASCII_0 = 0x30;
const ASCII_9 = 0x39;

/** The parts of an answer before and after its age, and of the tool result made from it. */
interface CachedResult {
  jsonBeforeAge: Buffer;
  jsonAfterAge: Buffer;
  resultBeforeAge: Buffer;
  resultAfterAge: Buffer;
  hasAge: boolean;
  /** Serial number of the answer in the response cache that it was last found equal to; 0: none. */
  source: number;
}

/**
 * Renders tool results, which have an answer twice: quoted as text with marks, and as data. Marking and quoting is most of the work of a
 * call, so quoted answers are cached without their age.
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

  /** JSON fields of the result for an answer, in parts. `cacheKey`: operation, input, and whether it is linked. */
  resultFields(cacheKey: string, answer: FittedAnswer): Buffer[] {
    const { json } = answer;
    const { resultBeforeAge, resultAfterAge } = this.#render(cacheKey, answer);
    return [resultBeforeAge, json.subarray(...findAgeDigits(json)), resultAfterAge, json];
  }

  /** The same for an answer in the response cache. `render`: gives it as this tool does, at `now`. */
  repeatedResultFields(cacheKey: string, answer: CachedAnswer, now: Date, render: () => FittedAnswer): ByteParts {
    let cached = this.#cache.get(cacheKey);
    if (cached?.source !== answer.serial) cached = this.#render(cacheKey, render());
    cached.source = answer.serial;
    const age = cached.hasAge ? answer.ageDigits(now) : '';
    const { jsonBeforeAge, jsonAfterAge, resultBeforeAge, resultAfterAge } = cached;
    return [resultBeforeAge, age, resultAfterAge, jsonBeforeAge, age, jsonAfterAge];
  }

  #render(cacheKey: string, answer: FittedAnswer): CachedResult {
    const { json } = answer;
    const [start, end] = findAgeDigits(json);
    const [before, after] = [json.subarray(0, start), json.subarray(end)];
    let cached = this.#cache.get(cacheKey);
    if (cached === undefined || !cached.jsonBeforeAge.equals(before) || !cached.jsonAfterAge.equals(after)) {
      const { resultBeforeAge, resultAfterAge } = renderResult(answer);
      cached = {
        jsonBeforeAge: unpooledBuffer(before),
        jsonAfterAge: unpooledBuffer(after),
        resultBeforeAge: unpooledBuffer(resultBeforeAge),
        resultAfterAge: unpooledBuffer(resultAfterAge),
        hasAge: start !== end,
        source: 0,
      };
      this.#cache.set(cacheKey, cached);
    }
    return cached;
  }
}

/** The same without the cache, for answers that change. */
export function uncachedResultFields(answer: FittedAnswer): Buffer[] {
  const { json } = answer;
  const { resultBeforeAge, resultAfterAge } = renderResult(answer);
  return [resultBeforeAge, json.subarray(...findAgeDigits(json)), resultAfterAge, json];
}

/** JSON fields of the result for an error. */
export function errorResultFields(json: Buffer): Buffer[] {
  return [Buffer.from(`"content":[{"type":"text","text":"${escapeForJsonString(json)}"}],"isError":true`)];
}

function renderResult({ json, link, marker }: FittedAnswer): Pick<CachedResult, 'resultBeforeAge' | 'resultAfterAge'> {
  const text = marker?.mark(json) ?? json;
  const [start, end] = findAgeDigits(text);
  const linkJson = link === null ? '' : `,${JSON.stringify(link)}`;
  return {
    resultBeforeAge: Buffer.from(`"content":[{"type":"text","text":"${escapeForJsonString(text.subarray(0, start))}`),
    resultAfterAge: Buffer.from(`${escapeForJsonString(text.subarray(end))}"}${linkJson}],"structuredContent":`),
  };
}

/** The text as it is written between the quotes of a JSON string. */
function escapeForJsonString(bytes: Buffer): string {
  return JSON.stringify(bytes.toString()).slice(1, -1);
}

/** Range of the digits of the last age; an empty range at the end of an answer without an age. */
function findAgeDigits(json: Buffer): [start: number, end: number] {
  const keyIndex = json.lastIndexOf(AGE_KEY);
  if (keyIndex === -1) return [json.length, json.length];
  const start = keyIndex + AGE_KEY.length;
  let end = start;
  while (json[end]! >= ASCII_0 && json[end]! <= ASCII_9) end++;
  return [start, end];
}
