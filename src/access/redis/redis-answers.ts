import { randomBytes } from 'node:crypto';
import type { SharedAnswer, SharedAnswers, Turn } from '../../sources/shared-answers.ts';
import type { Pseudonyms } from '../secret.ts';
import { PREFIX, type RedisLink } from './link.ts';

/** Longer answers are not worth the way. */
const MAX_LENGTH = 1_000_000;
const NO_TURN: Turn = { end: async () => {} };

/** Answers of live sources in Redis, under keyed hashes that expire, and sealed: they hold the names that were asked about. */
export class RedisAnswers implements SharedAnswers {
  readonly #link: RedisLink;
  readonly #pseudonyms: Pseudonyms;

  constructor(link: RedisLink, pseudonyms: Pseudonyms) {
    this.#link = link;
    this.#pseudonyms = pseudonyms;
  }

  async get(name: string): Promise<SharedAnswer | null> {
    const sealed = await this.#link.run((redis) => redis.get(this.#key('answer', name))).catch(() => null);
    const text = sealed === null ? null : this.#pseudonyms.open('answer', sealed);
    return text === null ? null : (JSON.parse(text) as SharedAnswer);
  }

  async put(name: string, answer: SharedAnswer, ttlMs: number): Promise<void> {
    const text = JSON.stringify(answer);
    if (text.length > MAX_LENGTH) return;
    const sealed = this.#pseudonyms.seal('answer', text);
    await this.#link.run((redis) => redis.set(this.#key('answer', name), sealed, { PX: ttlMs })).catch(() => {});
  }

  async turn(name: string, ttlMs: number): Promise<Turn | null> {
    const key = this.#key('turn', name);
    const token = randomBytes(12).toString('hex');
    try {
      const taken = await this.#link.run((redis) => redis.set(key, token, { PX: ttlMs, NX: true }));
      if (taken === null) return null;
    } catch {
      return NO_TURN;
    }
    return {
      end: async () => {
        await this.#link.run((redis) => redis.release(key, token)).catch(() => {});
      },
    };
  }

  async isTaken(name: string): Promise<boolean> {
    return (await this.#link.run((redis) => redis.exists(this.#key('turn', name))).catch(() => 0)) === 1;
  }

  #key(kind: 'answer' | 'turn', name: string): string {
    return `${PREFIX}${kind}:${this.#pseudonyms.of('answer', name)}`;
  }
}
