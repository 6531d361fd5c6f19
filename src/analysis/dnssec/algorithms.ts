/**
 * Signature algorithms (RFC 8624, RFC 9905). A zone without a signature by a trusted algorithm counts as not signed (RFC 4035, 5.2):
 * SHA-1 and older hashes are not secure.
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

/** Trusted hashes of DS records by digest type; SHA-1 (1) is not trusted. */
const DIGESTS: Readonly<Record<number, DigestHash>> = { 2: 'sha256', 4: 'sha384' };

/** The name of a signature algorithm; `algorithm 99` for an unknown number. */
export function algorithmName(number: number): string {
  return ALGORITHMS[number]?.name ?? `algorithm ${number}`;
}

/** Whether signatures by this algorithm count. */
export function isTrustedAlgorithm(algorithm: number): boolean {
  return ALGORITHMS[algorithm]?.trusted === true;
}

/** The hash of a DS digest type; null: not trusted. */
export function trustedDigestHash(digestType: number): DigestHash | null {
  return DIGESTS[digestType] ?? null;
}

/** The cryptography that validation needs, given by the caller. */
export interface DnssecCrypto {
  /** Keys and signatures in the format of DNSKEY and RRSIG; false also for an unreadable key. */
  verify(algorithm: number, key: Uint8Array, signature: Uint8Array, data: Uint8Array): boolean;
  digest(hash: DigestHash, data: Uint8Array): Uint8Array;
}
