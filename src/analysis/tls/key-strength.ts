import type { CertificateFacts } from './tls-facts.ts';

/** Bits of an RSA key that is as strong (NIST SP 800-57 part 1, table 2). */
export function rsaEquivalentBits({ type, bits }: CertificateFacts['key']): number {
  if (bits === null) return 3072;
  if (!/^(ec|ed)/i.test(type)) return bits;
  return bits >= 384 ? 7680 : bits >= 255 ? 3072 : bits >= 224 ? 2048 : 1024;
}
