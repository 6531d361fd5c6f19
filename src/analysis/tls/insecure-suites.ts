/**
 * TLS cipher suites that no server should take, by their number in the IANA registry. They are offered in a hand-made ClientHello:
 * current TLS libraries have no code for most of them.
 */
export const INSECURE_SUITES: Readonly<Record<number, string>> = {
  0x0001: 'TLS_RSA_WITH_NULL_MD5',
  0x0002: 'TLS_RSA_WITH_NULL_SHA',
  0x0003: 'TLS_RSA_EXPORT_WITH_RC4_40_MD5',
  0x0004: 'TLS_RSA_WITH_RC4_128_MD5',
  0x0005: 'TLS_RSA_WITH_RC4_128_SHA',
  0x0006: 'TLS_RSA_EXPORT_WITH_RC2_CBC_40_MD5',
  0x0007: 'TLS_RSA_WITH_IDEA_CBC_SHA',
  0x0008: 'TLS_RSA_EXPORT_WITH_DES40_CBC_SHA',
  0x0009: 'TLS_RSA_WITH_DES_CBC_SHA',
  0x000a: 'TLS_RSA_WITH_3DES_EDE_CBC_SHA',
  0x000b: 'TLS_DH_DSS_EXPORT_WITH_DES40_CBC_SHA',
  0x000c: 'TLS_DH_DSS_WITH_DES_CBC_SHA',
  0x000d: 'TLS_DH_DSS_WITH_3DES_EDE_CBC_SHA',
  0x000e: 'TLS_DH_RSA_EXPORT_WITH_DES40_CBC_SHA',
  0x000f: 'TLS_DH_RSA_WITH_DES_CBC_SHA',
  0x0010: 'TLS_DH_RSA_WITH_3DES_EDE_CBC_SHA',
  0x0011: 'TLS_DHE_DSS_EXPORT_WITH_DES40_CBC_SHA',
  0x0012: 'TLS_DHE_DSS_WITH_DES_CBC_SHA',
  0x0013: 'TLS_DHE_DSS_WITH_3DES_EDE_CBC_SHA',
  0x0014: 'TLS_DHE_RSA_EXPORT_WITH_DES40_CBC_SHA',
  0x0015: 'TLS_DHE_RSA_WITH_DES_CBC_SHA',
  0x0016: 'TLS_DHE_RSA_WITH_3DES_EDE_CBC_SHA',
  0x0017: 'TLS_DH_anon_EXPORT_WITH_RC4_40_MD5',
  0x0018: 'TLS_DH_anon_WITH_RC4_128_MD5',
  0x0019: 'TLS_DH_anon_EXPORT_WITH_DES40_CBC_SHA',
  0x001a: 'TLS_DH_anon_WITH_DES_CBC_SHA',
  0x001b: 'TLS_DH_anon_WITH_3DES_EDE_CBC_SHA',
  0x0034: 'TLS_DH_anon_WITH_AES_128_CBC_SHA',
  0x003a: 'TLS_DH_anon_WITH_AES_256_CBC_SHA',
  0x003b: 'TLS_RSA_WITH_NULL_SHA256',
  0x0046: 'TLS_DH_anon_WITH_CAMELLIA_128_CBC_SHA',
  0x006c: 'TLS_DH_anon_WITH_AES_128_CBC_SHA256',
  0x006d: 'TLS_DH_anon_WITH_AES_256_CBC_SHA256',
  0x0089: 'TLS_DH_anon_WITH_CAMELLIA_256_CBC_SHA',
  0x009b: 'TLS_DH_anon_WITH_SEED_CBC_SHA',
  0x00a6: 'TLS_DH_anon_WITH_AES_128_GCM_SHA256',
  0x00a7: 'TLS_DH_anon_WITH_AES_256_GCM_SHA384',
  0x00bf: 'TLS_DH_anon_WITH_CAMELLIA_128_CBC_SHA256',
  0x00c5: 'TLS_DH_anon_WITH_CAMELLIA_256_CBC_SHA256',
  0xc001: 'TLS_ECDH_ECDSA_WITH_NULL_SHA',
  0xc002: 'TLS_ECDH_ECDSA_WITH_RC4_128_SHA',
  0xc003: 'TLS_ECDH_ECDSA_WITH_3DES_EDE_CBC_SHA',
  0xc006: 'TLS_ECDHE_ECDSA_WITH_NULL_SHA',
  0xc007: 'TLS_ECDHE_ECDSA_WITH_RC4_128_SHA',
  0xc008: 'TLS_ECDHE_ECDSA_WITH_3DES_EDE_CBC_SHA',
  0xc00b: 'TLS_ECDH_RSA_WITH_NULL_SHA',
  0xc00c: 'TLS_ECDH_RSA_WITH_RC4_128_SHA',
  0xc00d: 'TLS_ECDH_RSA_WITH_3DES_EDE_CBC_SHA',
  0xc010: 'TLS_ECDHE_RSA_WITH_NULL_SHA',
  0xc011: 'TLS_ECDHE_RSA_WITH_RC4_128_SHA',
  0xc012: 'TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA',
  0xc015: 'TLS_ECDH_anon_WITH_NULL_SHA',
  0xc016: 'TLS_ECDH_anon_WITH_RC4_128_SHA',
  0xc017: 'TLS_ECDH_anon_WITH_3DES_EDE_CBC_SHA',
  0xc018: 'TLS_ECDH_anon_WITH_AES_128_CBC_SHA',
  0xc019: 'TLS_ECDH_anon_WITH_AES_256_CBC_SHA',
};

/** `small_block`: blocks of 64 bits (3DES, IDEA). */
export type SuiteWeakness = 'null' | 'anonymous' | 'export' | 'des' | 'rc4' | 'small_block';

const WEAKNESS_PATTERNS: readonly (readonly [SuiteWeakness, RegExp])[] = [
  ['null', /_NULL_/],
  ['anonymous', /_anon_/],
  ['export', /_EXPORT_/],
  ['des', /_DES_/],
  ['rc4', /_RC4_/],
  ['small_block', /_3DES_|_IDEA_/],
];

/** What is wrong with a suite, by its IANA name; empty for one without these weaknesses. */
export function findSuiteWeaknesses(suite: string): SuiteWeakness[] {
  return WEAKNESS_PATTERNS.filter(([, sign]) => sign.test(suite)).map(([weakness]) => weakness);
}
