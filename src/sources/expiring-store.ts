import { createLruCache } from '../lru-cache.ts';
import { hashCacheKey } from './hash-cache-key.ts';
import type { SharedAnswerCache } from './shared-answer-cache.ts';

const MAX_LOCAL_ENTRIES = 10_000;

/** Key-value store with a TTL, shared by replicas through Redis or local to this process. `kind` and `subject` form the key. */
export interface ExpiringStore {
  /** The stored value, and when it was stored (`at`, milliseconds since 1970); null: none. Never rejects. */
  get<Value>(kind: string, subject: string): Promise<{ value: Value; at: number } | null>;
  set(kind: string, subject: string, value: unknown, ttlSeconds: number): Promise<void>;
}

export class SharedOrLocalStore implements ExpiringStore {
  readonly #shared: SharedAnswerCache | null;
  readonly #now: () => Date;
  readonly #local = createLruCache<string, { found: unknown; at: number; until: number }>(MAX_LOCAL_ENTRIES);

  /** `shared`: the cache of all replicas; null: values stay in this process. */
  constructor(shared: SharedAnswerCache | null, now: () => Date) {
    this.#shared = shared;
    this.#now = now;
  }

  async get<Value>(kind: string, subject: string): Promise<{ value: Value; at: number } | null> {
    const name = hashCacheKey(kind, subject);
    if (this.#shared !== null) {
      const answer = await this.#shared.get(name);
      return answer === null ? null : { value: answer.found as Value, at: answer.at };
    }
    const answer = this.#local.get(name);
    if (answer === undefined || answer.until <= this.#now().getTime()) return null;
    return { value: answer.found as Value, at: answer.at };
  }

  async set(kind: string, subject: string, value: unknown, ttlSeconds: number): Promise<void> {
    const name = hashCacheKey(kind, subject);
    const at = this.#now().getTime();
    if (this.#shared !== null) await this.#shared.put(name, { found: value, at }, ttlSeconds * 1000);
    else this.#local.set(name, { found: value, at, until: at + ttlSeconds * 1000 });
  }
}
