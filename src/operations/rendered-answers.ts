import { LRUCache } from 'lru-cache';
import { unpooledBuffer } from '../unpooled-buffer.ts';

const MAX_BYTES = 64 * 1024 * 1024;
const AGE = '"data_age_seconds":';

interface Rendered {
  before: Buffer;
  after: Buffer;
  /** What the age counts from, in milliseconds since 1970; null where the answer has none. */
  agedFrom: number | null;
}

/**
 * Answers that depend on their input and the catalog alone, as JSON bytes, for as long as a generation of the catalog
 * lives. Only the age of the data moves on: it is written anew into every copy.
 */
export class RenderedAnswers {
  readonly #answers = new LRUCache<string, Rendered>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ before, after }, key) => before.length + after.length + key.length * 2 + 100,
  });
  #generation = '';
  /** Since the start: answers given again, and those made anew. */
  hits = 0;
  misses = 0;

  get(generation: string, key: string, now: Date): Buffer | null {
    this.#follow(generation);
    const found = this.#answers.get(key);
    if (found === undefined) {
      this.misses++;
      return null;
    }
    this.hits++;
    const { before, after, agedFrom } = found;
    if (agedFrom === null) return before;
    return Buffer.concat([
      before,
      Buffer.from(String(Math.max(0, Math.floor((now.getTime() - agedFrom) / 1000)))),
      after,
    ]);
  }

  put(generation: string, key: string, answer: Record<string, unknown>, json: string, now: Date): void {
    this.#follow(generation);
    const age = (answer.verdict as { data_age_seconds: number | null } | undefined)?.data_age_seconds ?? null;
    // The verdict is written by us after everything a third party wrote, so the last mark is ours.
    const at = age === null ? -1 : json.lastIndexOf(AGE) + AGE.length;
    const rendered =
      age === null
        ? { before: unpooledBuffer(json), after: Buffer.alloc(0), agedFrom: null }
        : {
            before: unpooledBuffer(json.slice(0, at)),
            after: unpooledBuffer(json.slice(at + String(age).length)),
            agedFrom: now.getTime() - age * 1000,
          };
    this.#answers.set(key, rendered);
  }

  #follow(generation: string): void {
    if (generation === this.#generation) return;
    this.#answers.clear();
    this.#generation = generation;
  }
}
