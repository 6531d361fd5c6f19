import { LRUCache } from 'lru-cache';
import { unpooledBuffer } from '../unpooled-buffer.ts';

const MAX_BYTES = 64 * 1024 * 1024;
const AGE_KEY = '"data_age_seconds":';

/** An answer as JSON bytes, of which only the age of the data changes. */
export class CachedAnswer {
  /** As of the last use; replaced, never written to: a response that still goes out may hold it. */
  #json: Buffer;
  /** Where the digits of the age begin; null for an answer without an age. */
  readonly #ageStart: number | null;
  #ageSeconds: number;
  /** The time at which the data had age 0, in milliseconds since 1970. */
  readonly #ageZeroAtMs: number;

  /** `ageSeconds`: the age that `json` states; null where it states none. */
  constructor(json: string, ageSeconds: number | null, now: Date) {
    this.#json = unpooledBuffer(json);
    // The verdict is the last object written, so the last match is its own field, not text of a third party.
    this.#ageStart = ageSeconds === null ? null : this.#json.lastIndexOf(AGE_KEY) + AGE_KEY.length;
    this.#ageSeconds = ageSeconds ?? 0;
    this.#ageZeroAtMs = now.getTime() - this.#ageSeconds * 1000;
  }

  get bytes(): number {
    return this.#json.length;
  }

  /** The answer with the age of the data at `now`. The buffer belongs to the cache: it must not be written to. */
  json(now: Date): Buffer {
    const start = this.#ageStart;
    if (start === null) return this.#json;
    const age = Math.max(0, Math.floor((now.getTime() - this.#ageZeroAtMs) / 1000));
    if (age === this.#ageSeconds) return this.#json;
    const digits = String(age);
    const end = start + String(this.#ageSeconds).length;
    const next = Buffer.allocUnsafeSlow(this.#json.length - end + start + digits.length);
    this.#json.copy(next, 0, 0, start);
    next.write(digits, start, 'latin1');
    this.#json.copy(next, start + digits.length, end);
    this.#json = next;
    this.#ageSeconds = age;
    return next;
  }
}

/**
 * Answers that depend on their input and the catalog alone, until the generation of the catalog or the day (UTC) changes: support of a
 * product ends with a day, which makes another answer of the same catalog.
 */
export class ResponseCache {
  readonly #answers = new LRUCache<string, CachedAnswer>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }, key) => bytes + key.length * 2 + 200,
  });
  #generation = '';
  #day = 0;
  /** Counts since the start. */
  hits = 0;
  misses = 0;

  /** The answer as JSON bytes, counted as a hit or a miss; null if it is not here. */
  get(generation: string, key: string, now: Date): Buffer | null {
    const found = this.find(generation, key, now);
    if (found !== null) return this.use(found, now);
    this.misses++;
    return null;
  }

  /** Looks an answer up without counting: `use` counts. */
  find(generation: string, key: string, now: Date): CachedAnswer | null {
    this.#clearIfOutdated(generation, now);
    return this.#answers.get(key) ?? null;
  }

  /** The bytes of an answer that was found; counts a hit. */
  use(found: CachedAnswer, now: Date): Buffer {
    this.hits++;
    return found.json(now);
  }

  /** Keeps an answer; gives its bytes. `json`: of `answer`. */
  put(generation: string, key: string, answer: Record<string, unknown>, json: string, now: Date): Buffer {
    this.#clearIfOutdated(generation, now);
    const age = (answer.verdict as { data_age_seconds: number | null } | undefined)?.data_age_seconds ?? null;
    const kept = new CachedAnswer(json, age, now);
    this.#answers.set(key, kept);
    return kept.json(now);
  }

  #clearIfOutdated(generation: string, now: Date): void {
    const day = Math.floor(now.getTime() / 86_400_000);
    if (generation === this.#generation && day === this.#day) return;
    this.#answers.clear();
    this.#generation = generation;
    this.#day = day;
  }
}
