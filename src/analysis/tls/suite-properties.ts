import type { ProtocolVersion } from './tls-facts.ts';

/** `small_block`: blocks of 64 bits (3DES, IDEA, RC2, Magma). */
export type SuiteWeakness = 'null' | 'anonymous' | 'export' | 'des' | 'rc4' | 'small_block';

const WEAKNESS_PATTERNS: readonly (readonly [SuiteWeakness, RegExp])[] = [
  ['null', /_NULL_|WITH_SHA(256|384)$|^TLS_SHA(256|384)_/],
  ['anonymous', /_anon_/],
  ['export', /_EXPORT/],
  ['des', /_DES_(?!192)|_DES40_/],
  ['rc4', /_RC4_/],
  ['small_block', /_3DES_|_DES_192_|_IDEA_|_RC2_|_MAGMA_|_28147_/],
];

/** What is wrong with a suite, by its IANA name; empty for one without these weaknesses. */
export function findSuiteWeaknesses(suite: string): SuiteWeakness[] {
  return WEAKNESS_PATTERNS.filter(([, sign]) => sign.test(suite)).map(([weakness]) => weakness);
}

/**
 * `insecure`: no encryption, no authentication, or a cipher that is broken; `weak`: blocks of 64 bits, or no forward secrecy;
 * `acceptable`: forward secrecy with CBC; `strong`: forward secrecy with AEAD (RFC 9325, 4.2).
 */
export const SUITE_STRENGTHS = ['strong', 'acceptable', 'weak', 'insecure'] as const;
export type SuiteStrength = (typeof SUITE_STRENGTHS)[number];

export function suiteStrength(suite: string): SuiteStrength {
  const weaknesses = findSuiteWeaknesses(suite);
  if (suite.startsWith('SSL_CK_') || weaknesses.some((one) => one !== 'small_block')) return 'insecure';
  if (weaknesses.length > 0 || !hasForwardSecrecy(suite)) return 'weak';
  return isAead(suite) ? 'strong' : 'acceptable';
}

export function isAead(suite: string): boolean {
  return /_(GCM|CCM|CCM_8|POLY1305|MGM_[LS]|CCM_SM3)(_|$)/.test(suite);
}

export function isCbc(suite: string): boolean {
  return /_CBC(_|$)/.test(suite);
}

/** Ephemeral key exchange; suites of TLS 1.3 have no other (but for a pre-shared key alone, which their names do not say). */
export function hasForwardSecrecy(suite: string): boolean {
  return isTls13Suite(suite) || /^TLS_(EC)?DHE_|_(EC)?DH_anon_|^TLS_PSK_DHE_/.test(suite);
}

/** `RSA`, `DHE`, `ECDHE`, `DH`, `ECDH` (both with a fixed key), `PSK`, `SRP`, `GOST`; of TLS 1.3: `any`. */
export function keyExchangeOf(suite: string): string {
  if (suite.startsWith('SSL_CK_')) return 'RSA';
  if (isTls13Suite(suite)) return 'any';
  if (/_DHE_PSK_|^TLS_PSK_DHE/.test(suite)) return 'DHE-PSK';
  const [, exchange = 'unknown'] =
    /^TLS_(RSA_PSK|ECDHE_PSK|DHE_PSK|PSK|ECDHE|DHE|ECDH|DH|RSA|SRP|GOST|NULL)/.exec(suite) ?? [];
  if (/_anon_/.test(suite)) return `${exchange}E`;
  return exchange.replace('_', '-');
}

/** How the server is authenticated: `RSA`, `ECDSA`, `DSS`, `anonymous`, or `other`; of TLS 1.3: `any`. */
export function authenticationOf(suite: string): 'RSA' | 'ECDSA' | 'DSS' | 'anonymous' | 'any' | 'other' {
  if (isTls13Suite(suite)) return 'any';
  if (/_anon_/.test(suite)) return 'anonymous';
  const [, by] = /^TLS_(?:[A-Z]+_)*?(ECDSA|DSS|RSA)_(?:EXPORT[0-9]*_)?WITH_/.exec(suite) ?? [];
  return by === 'ECDSA' || by === 'DSS' || by === 'RSA' ? by : 'other';
}

/** Key length of the cipher in bits; null: unknown. */
export function suiteKeyBits(suite: string): number | null {
  if (findSuiteWeaknesses(suite).includes('null')) return 0;
  if (/_3DES_|_DES_192_/.test(suite)) return 112;
  if (/_(DES40|RC4_40|RC2_CBC_40)_|EXPORT40/.test(suite)) return 40;
  if (/_(RC4_56|RC2_CBC_56|DES_64|DES)_/.test(suite)) return 56;
  if (/_(CHACHA20|KUZNYECHIK|MAGMA|28147)_/.test(suite)) return 256;
  if (/_(SEED|IDEA|SM4)_/.test(suite)) return 128;
  const [, bits] = /_(?:AES|ARIA|CAMELLIA|RC4|RC2)_(128|192|256)_/.exec(suite) ?? [];
  return bits === undefined ? null : Number(bits);
}

/** The first version that has the suite. Before TLS 1.2 there is neither AEAD nor SHA-256 (RFC 5246, 1.2). */
export function firstVersionOf(suite: string): ProtocolVersion {
  if (suite.startsWith('SSL_CK_')) return 'SSLv2';
  if (isTls13Suite(suite)) return 'TLSv1.3';
  return isAead(suite) || /_SHA(256|384)$|_OMAC$|_IMIT$/.test(suite) ? 'TLSv1.2' : 'SSLv3';
}

function isTls13Suite(suite: string): boolean {
  return suite.startsWith('TLS_') && !suite.includes('_WITH_') && !suite.startsWith('TLS_UNKNOWN_');
}
