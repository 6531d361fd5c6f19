import { createHash } from 'node:crypto';

/** What was asked is not kept in the clear, not even in memory. */
export function hashCacheKey(kind: string, question: unknown): string {
  return createHash('sha256')
    .update(`${kind}\n${JSON.stringify(question)}`)
    .digest('base64url');
}
