import { LRUCache } from 'lru-cache';
import { hashedName } from './hashed-name.ts';
import type { SharedAnswers } from './shared-answers.ts';

const MAX_KEPT = 10_000;

/** What the service remembers from one answer to the next, for a while: in memory, or in the engine that replicas share. */
export interface Memory {
  /** What was kept about a subject, and when (milliseconds since 1970); null where nothing is. Never rejects. */
  recall<Kept>(kind: string, about: string): Promise<{ kept: Kept; at: number } | null>;
  keep(kind: string, about: string, kept: unknown, ttlSeconds: number): Promise<void>;
}

export class RecentMemory implements Memory {
  readonly #shared: SharedAnswers | null;
  readonly #now: () => Date;
  readonly #own = new LRUCache<string, { found: unknown; at: number; until: number }>({ max: MAX_KEPT });

  /** `shared`: what replicas share; null: this process remembers for itself. */
  constructor(shared: SharedAnswers | null, now: () => Date) {
    this.#shared = shared;
    this.#now = now;
  }

  async recall<Kept>(kind: string, about: string): Promise<{ kept: Kept; at: number } | null> {
    const name = hashedName(kind, about);
    if (this.#shared !== null) {
      const answer = await this.#shared.get(name);
      return answer === null ? null : { kept: answer.found as Kept, at: answer.at };
    }
    const answer = this.#own.get(name);
    if (answer === undefined || answer.until <= this.#now().getTime()) return null;
    return { kept: answer.found as Kept, at: answer.at };
  }

  async keep(kind: string, about: string, found: unknown, ttlSeconds: number): Promise<void> {
    const name = hashedName(kind, about);
    const at = this.#now().getTime();
    if (this.#shared !== null) await this.#shared.put(name, { found, at }, ttlSeconds * 1000);
    else this.#own.set(name, { found, at, until: at + ttlSeconds * 1000 });
  }
}
