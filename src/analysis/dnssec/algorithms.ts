/**
 * Algorithms of signatures (RFC 8624, RFC 9905). A zone that is signed with none of those that are trusted counts as not signed
 * (RFC 4035, 5.2): SHA-1 and what is older proves nothing any more.
 */
const ALGORITHMS: Readonly<Record<number, { name: string; trusted: boolean }>> = {
  1: { name: 'RSA/MD5', trusted: false },
  3: { name: 'DSA/SHA-1', trusted: false },
  5: { name: 'RSA/SHA-1', trusted: false },
  6: { name: 'DSA-NSEC3-SHA1', trusted: false },
  7: { name: 'RSA/SHA-1 (NSEC3)', trusted: false },
  8: { name: 'RSA/SHA-256', trusted: true },
  10: { name: 'RSA/SHA-512', trusted: true },
  12: { name: 'GOST R 34.10-2001', trusted: false },
  13: { name: 'ECDSA P-256', trusted: true },
  14: { name: 'ECDSA P-384', trusted: true },
  15: { name: 'Ed25519', trusted: true },
  16: { name: 'Ed448', trusted: true },
};

export type DigestHash = 'sha1' | 'sha256' | 'sha384';

/** Hashes of DS records by digest type; SHA-1 (1) is not among those that are trusted. */
const DIGESTS: Readonly<Record<number, DigestHash>> = { 2: 'sha256', 4: 'sha384' };

export function algorithmName(number: number): string {
  return ALGORITHMS[number]?.name ?? `algorithm ${number}`;
}

export function isTrustedAlgorithm(algorithm: number): boolean {
  return ALGORITHMS[algorithm]?.trusted === true;
}

/** Null: its digest is of no kind that is trusted. */
export function trustedDigestHash(digestType: number): DigestHash | null {
  return DIGESTS[digestType] ?? null;
}

/** What has to be computed elsewhere: nothing in here does cryptography. */
export interface DnssecCrypto {
  /** Keys and signatures as they stand in DNSKEY and RRSIG; false also for a key that cannot be read. */
  verify(algorithm: number, key: Uint8Array, signature: Uint8Array, data: Uint8Array): boolean;
  digest(hash: DigestHash, data: Uint8Array): Uint8Array;
}
