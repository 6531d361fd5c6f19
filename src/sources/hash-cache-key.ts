import { createHash } from 'node:crypto';

/** Raised when the shape of what a source finds changes: replicas and restarts must not read values of another shape from Redis. */
const FORMAT_VERSION = 2;

/** Key of a cached value: hashed, so that questions are not kept in clear text. */
export function hashCacheKey(kind: string, question: unknown): string {
  return createHash('sha256')
    .update(`${FORMAT_VERSION}\n${kind}\n${JSON.stringify(question)}`)
    .digest('base64url');
}
