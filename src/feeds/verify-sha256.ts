import { createHash } from 'node:crypto';
import { FeedFormatError } from './feed.ts';

/** Passes bytes on and at their end compares their SHA-256 with the announced one (lower-case hex; null: no check). Throws `FeedFormatError`. */
export async function* verifySha256(
  bytes: AsyncIterable<Uint8Array>,
  announced: string | null,
): AsyncIterable<Uint8Array> {
  if (announced === null) {
    yield* bytes;
    return;
  }
  const hash = createHash('sha256');
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
  const found = hash.digest('hex');
  if (found !== announced) {
    throw new FeedFormatError(`content does not match its checksum (announced ${announced}, found ${found})`);
  }
}
