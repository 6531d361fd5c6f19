import { randomBytes } from 'node:crypto';
import type { SharedAnswer, SharedAnswerCache, Lease } from '../../sources/shared-answer-cache.ts';
import type { Pseudonyms } from '../pseudonyms.ts';
import { KEY_PREFIX, type RedisConnection } from './redis-connection.ts';

/** Longer answers are not shared. */
const MAX_ANSWER_CHARACTERS = 1_000_000;
const NO_LEASE: Lease = { release: async () => {} };

/** Answers of live sources in Redis, encrypted and under pseudonyms, because they hold the names that were asked about. */
export class RedisAnswerCache implements SharedAnswerCache {
  readonly #connection: RedisConnection;
  readonly #pseudonyms: Pseudonyms;

  constructor(connection: RedisConnection, pseudonyms: Pseudonyms) {
    this.#connection = connection;
    this.#pseudonyms = pseudonyms;
  }

  async get(name: string): Promise<SharedAnswer | null> {
    const encrypted = await this.#connection.run((redis) => redis.get(this.#key('answer', name))).catch(() => null);
    const text = encrypted === null ? null : this.#pseudonyms.decrypt(encrypted);
    return text === null ? null : (JSON.parse(text) as SharedAnswer);
  }

  async put(name: string, answer: SharedAnswer, ttlMs: number): Promise<void> {
    const text = JSON.stringify(answer);
    if (text.length > MAX_ANSWER_CHARACTERS) return;
    const encrypted = this.#pseudonyms.encrypt(text);
    await this.#connection
      .run((redis) => redis.set(this.#key('answer', name), encrypted, { PX: ttlMs }))
      .catch(() => {});
  }

  async acquireLease(name: string, ttlMs: number): Promise<Lease | null> {
    const key = this.#key('turn', name);
    const lockId = randomBytes(12).toString('hex');
    try {
      const acquired = await this.#connection.run((redis) => redis.set(key, lockId, { PX: ttlMs, NX: true }));
      if (acquired === null) return null;
    } catch {
      return NO_LEASE;
    }
    return {
      release: async () => {
        await this.#connection.run((redis) => redis.release(key, lockId)).catch(() => {});
      },
    };
  }

  async isLeased(name: string): Promise<boolean> {
    return (await this.#connection.run((redis) => redis.exists(this.#key('turn', name))).catch(() => 0)) === 1;
  }

  #key(kind: 'answer' | 'turn', name: string): string {
    return `${KEY_PREFIX}${kind}:${this.#pseudonyms.pseudonymOf('answer', name)}`;
  }
}
