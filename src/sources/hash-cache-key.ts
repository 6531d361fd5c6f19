import { createHash } from 'node:crypto';

/** Increased when the type of a source's result changes, so that no process reads values of another type from Redis. */
const FORMAT_VERSION = 3;

/** Key of a cached value: a hash, so that questions are not stored in clear text. */
export function hashCacheKey(kind: string, question: unknown): string {
  return createHash('sha256')
    .update(`${FORMAT_VERSION}\n${kind}\n${JSON.stringify(question)}`)
    .digest('base64url');
}
