import { LRUCache } from 'lru-cache';
import { CachedAnswer, type Representation } from './cached-answer.ts';

const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Answers that depend on their input and the catalog alone, until the generation of the catalog or the day (UTC) changes: support of a
 * product ends with a day, which makes another answer of the same catalog.
 */
export class ResponseCache {
  readonly #answers = new LRUCache<string, CachedAnswer>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ keptBytes }, key) => keptBytes + key.length * 2 + 200,
  });
  #generation = '';
  #day = 0;
  /** Counts since the start. */
  hits = 0;
  misses = 0;

  /** The answer, counted as a hit or a miss; null if it is not here. */
  get(generation: string, key: string, now: Date): CachedAnswer | null {
    const found = this.find(generation, key, now);
    if (found === null) this.misses++;
    else this.hits++;
    return found;
  }

  /** Looks an answer up without counting. */
  find(generation: string, key: string, now: Date): CachedAnswer | null {
    this.#clearIfOutdated(generation, now);
    return this.#answers.get(key) ?? null;
  }

  /** An answer as it is sent; what it then keeps in addition counts towards the size of the cache. */
  represent(answer: CachedAnswer, now: Date, acceptsGzip: boolean): Representation {
    const keptBytes = answer.keptBytes;
    const representation = answer.represent(now, acceptsGzip);
    if (answer.keptBytes !== keptBytes && this.#answers.peek(answer.key) === answer)
      this.#answers.set(answer.key, answer);
    return representation;
  }

  /** Keeps an answer. `json`: of `answer`. */
  put(generation: string, key: string, answer: Record<string, unknown>, json: string, now: Date): CachedAnswer {
    this.#clearIfOutdated(generation, now);
    const age = (answer.verdict as { data_age_seconds: number | null } | undefined)?.data_age_seconds ?? null;
    const kept = new CachedAnswer(key, json, age, now);
    this.#answers.set(key, kept);
    return kept;
  }

  #clearIfOutdated(generation: string, now: Date): void {
    const day = Math.floor(now.getTime() / 86_400_000);
    if (generation === this.#generation && day === this.#day) return;
    this.#answers.clear();
    this.#generation = generation;
    this.#day = day;
  }
}
