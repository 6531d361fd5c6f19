import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

const SECRET_BYTES = 24;
const ID_BYTES = 5;
const API_KEY_PATTERN = /^sxt_[0-9a-f]{48}$/;

/** A new API key. It is shown once; only its id and hash are kept. */
export function generateApiKey(): { key: string; id: string; hash: string } {
  const key = `sxt_${randomBytes(SECRET_BYTES).toString('hex')}`;
  return { key, id: randomBytes(ID_BYTES).toString('hex'), hash: hashApiKey(key) };
}

/** `sxt_` and 48 lower-case hex characters, nothing else around it. */
export function isWellFormedApiKey(text: string): boolean {
  return API_KEY_PATTERN.test(text);
}

/** SHA-256, lower-case hex. A key has 192 random bits: it needs no salt and no slow hash. */
export function hashApiKey(key: string): string {
  return hash('sha256', key);
}

/** Compares two hashes of keys in constant time. */
export function isSameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
