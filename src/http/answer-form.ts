import type { IncomingHttpHeaders } from 'node:http';
import type { Pseudonyms } from '../access/pseudonyms.ts';
import type { CachedAnswer, Representation } from '../engine/cached-answer.ts';
import type { ResponseCache } from '../engine/response-cache.ts';

/** What a request says about the form of an answer from the response cache. */
export interface AnswerForm {
  acceptsGzip: boolean;
  /** The `If-None-Match` header; undefined if absent. */
  knownTags: string | undefined;
}

/** `gzip` in a list of codings (RFC 9110, 12.5.3), unless its weight is 0. */
const GZIP_PATTERN = /(?:^|,)[ \t]*gzip[ \t]*(?:;[ \t]*q=(?!0(?:\.0{0,3})?[ \t]*(?:,|$))[\d.]{1,5}[ \t]*)?(?:,|$)/i;

/**
 * Headers of answers from the response cache, beside their entity tag. A client may keep them, and asks each time whether they have
 * changed (RFC 9111, 5.2.2.4); caches that several people share may not, because responses show the caller's quota.
 */
export const SHARED_ANSWER_HEADERS = { 'cache-control': 'private, no-cache', vary: 'Accept-Encoding' } as const;

export function answerFormOf(headers: IncomingHttpHeaders): AnswerForm {
  const codings = headers['accept-encoding'];
  return {
    acceptsGzip: codings !== undefined && GZIP_PATTERN.test(codings),
    knownTags: headers['if-none-match'],
  };
}

/** Makes responses of answers from the response cache. */
export class AnswerRenderer {
  readonly #responseCache: ResponseCache;
  readonly #pseudonyms: Pseudonyms;
  readonly #now: () => Date;

  constructor({ responseCache, now }: { responseCache: ResponseCache; now: () => Date }, pseudonyms: Pseudonyms) {
    this.#responseCache = responseCache;
    this.#pseudonyms = pseudonyms;
    this.#now = now;
  }

  /**
   * The weak entity tag of an answer: it names the answer but not the age of its data, which changes each second. Nobody can guess it:
   * that an answer has not changed costs nothing to ask, so only who has had the answer may ask.
   */
  entityTagOf(answer: CachedAnswer): string {
    return `W/"${answer.entityTag((parts) => this.#pseudonyms.entityTagOf(parts))}"`;
  }

  /** The same of other bytes, which are not in the response cache. */
  entityTagOfBytes(bytes: Buffer): string {
    return `W/"${this.#pseudonyms.entityTagOf([bytes])}"`;
  }

  /** Whether the client names this answer as one that it has. `*` names none: it would be an answer at no cost. */
  isKnown(answer: CachedAnswer, { knownTags }: AnswerForm): boolean {
    return namesTag(knownTags, this.entityTagOf(answer));
  }

  render(answer: CachedAnswer, { acceptsGzip }: AnswerForm): Representation {
    return this.#responseCache.represent(answer, this.#now(), acceptsGzip);
  }
}

/** Whether an `If-None-Match` header has this tag, by weak comparison (RFC 9110, 8.8.3.2): what is between the quotes. */
export function namesTag(knownTags: string | undefined, tag: string): boolean {
  return knownTags !== undefined && knownTags.includes(tag.slice(2));
}
