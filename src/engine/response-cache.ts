import { LRUCache } from 'lru-cache';
import { unpooledBuffer } from '../unpooled-buffer.ts';

const MAX_BYTES = 64 * 1024 * 1024;
const AGE_KEY = '"data_age_seconds":';

interface CachedResponse {
  beforeAge: Buffer;
  afterAge: Buffer;
  /** The time at which the data had age 0, in milliseconds since 1970; null for an answer without an age. */
  ageZeroAtMs: number | null;
}

/**
 * Answers that depend on their input and the catalog alone, as JSON bytes, until the generation of the catalog changes. Only the age
 * of the data is updated in every copy.
 */
export class ResponseCache {
  readonly #responses = new LRUCache<string, CachedResponse>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ beforeAge, afterAge }, key) => beforeAge.length + afterAge.length + key.length * 2 + 100,
  });
  #generation = '';
  /** Counts since the start. */
  hits = 0;
  misses = 0;

  get(generation: string, key: string, now: Date): Buffer | null {
    this.#clearOnNewGeneration(generation);
    const found = this.#responses.get(key);
    if (found === undefined) {
      this.misses++;
      return null;
    }
    this.hits++;
    const { beforeAge, afterAge, ageZeroAtMs } = found;
    if (ageZeroAtMs === null) return beforeAge;
    return Buffer.concat([
      beforeAge,
      Buffer.from(String(Math.max(0, Math.floor((now.getTime() - ageZeroAtMs) / 1000)))),
      afterAge,
    ]);
  }

  put(generation: string, key: string, answer: Record<string, unknown>, json: string, now: Date): void {
    this.#clearOnNewGeneration(generation);
    const age = (answer.verdict as { data_age_seconds: number | null } | undefined)?.data_age_seconds ?? null;
    // The verdict is the last object written, so the last match is its own field, not text of a third party.
    const at = age === null ? -1 : json.lastIndexOf(AGE_KEY) + AGE_KEY.length;
    const rendered =
      age === null
        ? { beforeAge: unpooledBuffer(json), afterAge: Buffer.alloc(0), ageZeroAtMs: null }
        : {
            beforeAge: unpooledBuffer(json.slice(0, at)),
            afterAge: unpooledBuffer(json.slice(at + String(age).length)),
            ageZeroAtMs: now.getTime() - age * 1000,
          };
    this.#responses.set(key, rendered);
  }

  #clearOnNewGeneration(generation: string): void {
    if (generation === this.#generation) return;
    this.#responses.clear();
    this.#generation = generation;
  }
}
