import { createHash, createPublicKey, verify } from 'node:crypto';
import type { DnssecCrypto } from '../analysis/dnssec/algorithms.ts';

/** Limits of RSA keys: longer keys make verification slow, and zones do not use them. */
const MAX_MODULUS_BYTES = 512;
const MAX_EXPONENT_BYTES = 8;

/** DNSSEC signatures by `node:crypto`, with keys in the format of DNSKEY records. */
export const dnssecCrypto: DnssecCrypto = {
  digest: (hash, data) => createHash(hash).update(data).digest(),
  verify(algorithm, key, signature, data) {
    const jwk = toJwk(algorithm, key);
    if (jwk === null) return false;
    try {
      const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
      return verify(
        HASH_BY_ALGORITHM[algorithm] ?? null,
        data,
        { key: publicKey, dsaEncoding: 'ieee-p1363' },
        signature,
      );
    } catch {
      // A malformed key or signature.
      return false;
    }
  },
};

type Jwk = Record<string, string>;

const HASH_BY_ALGORITHM: Readonly<Record<number, string>> = { 8: 'sha256', 10: 'sha512', 13: 'sha256', 14: 'sha384' };

function toJwk(algorithm: number, key: Uint8Array): Jwk | null {
  switch (algorithm) {
    case 8:
    case 10:
      return rsaJwk(key);
    case 13:
      return ecJwk('P-256', key, 32);
    case 14:
      return ecJwk('P-384', key, 48);
    case 15:
      return { kty: 'OKP', crv: 'Ed25519', x: toBase64Url(key) };
    case 16:
      return { kty: 'OKP', crv: 'Ed448', x: toBase64Url(key) };
    default:
      return null;
  }
}

/** RFC 3110: length of the exponent in one byte, or in two after a zero. */
function rsaJwk(key: Uint8Array): Jwk | null {
  const long = key[0] === 0;
  const length = long ? ((key[1] ?? 0) << 8) | (key[2] ?? 0) : (key[0] ?? 0);
  const from = long ? 3 : 1;
  const modulus = key.subarray(from + length);
  if (length === 0 || length > MAX_EXPONENT_BYTES || modulus.length > MAX_MODULUS_BYTES) return null;
  return { kty: 'RSA', e: toBase64Url(key.subarray(from, from + length)), n: toBase64Url(modulus) };
}

/** RFC 6605: the two coordinates, one after the other. */
function ecJwk(crv: string, key: Uint8Array, size: number): Jwk | null {
  if (key.length !== 2 * size) return null;
  return { kty: 'EC', crv, x: toBase64Url(key.subarray(0, size)), y: toBase64Url(key.subarray(size)) };
}

function toBase64Url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}
