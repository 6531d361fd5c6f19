import type { CertificateFacts, TlsFacts } from './facts.ts';

export type Grade = 'A' | 'B' | 'C' | 'D' | 'F';

/** A fault that no number of points makes up for: the grade is at best `at_best`. */
export interface Cap {
  id: string;
  at_best: Grade;
  reason: string;
  remedy: string;
}

interface Rule {
  id: string;
  atBest: Grade;
  /** Why it holds, as a sentence; null where it does not. */
  reason(facts: TlsFacts, leaf: CertificateFacts, now: Date): string | null;
  remedy: string;
}

const RENEW = 'Issue a new certificate and let it renew itself (ACME).';
const MODERN = 'Offer TLS 1.2 and 1.3 alone; no client that is still maintained needs more.';

/** In the spirit of the SSL Labs server rating guide (2009r), worst first. */
const RULES: readonly Rule[] = [
  {
    id: 'name_mismatch',
    atBest: 'F',
    reason: ({ nameMatches }, leaf) =>
      nameMatches
        ? null
        : `The certificate is for ${leaf.names.slice(0, 3).join(', ') || leaf.commonName || 'no name'}, not for this name.`,
    remedy: 'Serve a certificate whose subject alternative names hold this name.',
  },
  {
    id: 'expired',
    atBest: 'F',
    reason: ({ chain }, _, now) => {
      const over = chain.find(({ notAfter }) => Date.parse(notAfter) < now.getTime());
      return over === undefined ? null : `${named(over)} expired on ${over.notAfter.slice(0, 10)}.`;
    },
    remedy: RENEW,
  },
  {
    id: 'not_yet_valid',
    atBest: 'F',
    reason: ({ chain }, _, now) => {
      const early = chain.find(({ notBefore }) => Date.parse(notBefore) > now.getTime());
      return early === undefined ? null : `${named(early)} is valid from ${early.notBefore.slice(0, 10)} on.`;
    },
    remedy: 'Check the clock of the machine that issued it, or wait for its first day before serving it.',
  },
  {
    id: 'self_signed',
    atBest: 'F',
    reason: ({ trust }) => (trust === 'self_signed' ? 'The certificate vouches for itself alone.' : null),
    remedy: 'Use a certificate of a public certificate authority.',
  },
  {
    id: 'unknown_issuer',
    atBest: 'F',
    reason: ({ trust }) => (trust === 'unknown_issuer' ? 'The chain does not end in a root that clients trust.' : null),
    remedy: 'Use a certificate of a public certificate authority, and send its intermediates.',
  },
  {
    id: 'weak_key',
    atBest: 'F',
    reason: (_, { key }) => (strengthOf(key) < 1024 ? `The key has ${key.bits} bits (${key.type}).` : null),
    remedy: 'Make a new key: ECDSA P-256, or RSA of at least 2048 bits.',
  },
  {
    id: 'weak_signature',
    atBest: 'F',
    reason: ({ chain }) => {
      const weak = chain.find(
        ({ signatureAlgorithm, selfSigned }) => !selfSigned && /md[245]|sha-?1/i.test(signatureAlgorithm),
      );
      return weak === undefined ? null : `${named(weak)} is signed with ${weak.signatureAlgorithm}.`;
    },
    remedy: 'Have it issued anew with SHA-256 or better.',
  },
  {
    id: 'must_staple_without_staple',
    atBest: 'F',
    reason: ({ ocspStapled }, { mustStaple }) =>
      mustStaple && !ocspStapled ? 'The certificate demands a stapled OCSP response, and none came.' : null,
    remedy: 'Turn OCSP stapling on, or have the certificate issued without the demand.',
  },
  {
    id: 'no_tls12',
    atBest: 'C',
    reason: ({ protocols }) =>
      protocols['TLSv1.2'] === false && protocols['TLSv1.3'] === false ? 'It takes no version after TLS 1.1.' : null,
    remedy: MODERN,
  },
  {
    id: 'old_protocol',
    atBest: 'B',
    reason: ({ protocols }) => {
      const old = (['TLSv1', 'TLSv1.1'] as const).filter((version) => protocols[version] === true);
      return old.length === 0 ? null : `It takes ${old.map(spoken).join(' and ')} (deprecated by RFC 8996).`;
    },
    remedy: MODERN,
  },
  {
    id: 'incomplete_chain',
    atBest: 'B',
    reason: ({ trust }) =>
      trust === 'incomplete' ? 'It does not send the intermediate certificates; they had to be fetched.' : null,
    remedy: 'Send the whole chain but for the root ("fullchain").',
  },
  {
    id: 'small_key',
    atBest: 'B',
    reason: (_, { key }) =>
      strengthOf(key) >= 1024 && strengthOf(key) < 2048 ? `The key has ${key.bits} bits (${key.type}).` : null,
    remedy: 'Make a new key: ECDSA P-256, or RSA of at least 2048 bits.',
  },
  {
    id: 'small_key_exchange',
    atBest: 'B',
    reason: ({ keyExchange }) =>
      keyExchange?.type === 'DH' && (keyExchange.bits ?? 2048) < 2048
        ? `The Diffie-Hellman group has ${keyExchange.bits} bits.`
        : null,
    remedy: 'Use ECDHE (X25519, P-256), or a Diffie-Hellman group of at least 2048 bits.',
  },
  {
    id: 'no_forward_secrecy',
    atBest: 'B',
    reason: ({ negotiated, keyExchange }) =>
      negotiated.protocol !== 'TLSv1.3' && keyExchange === null
        ? 'Whoever gets the key later can read what was recorded: the key exchange has no forward secrecy.'
        : null,
    remedy: 'Prefer ECDHE ciphers.',
  },
  {
    id: 'no_aead',
    atBest: 'B',
    reason: ({ takesOnlyCbc }) => (takesOnlyCbc === true ? 'It takes no authenticated (AEAD) cipher.' : null),
    remedy: 'Offer AES-GCM or ChaCha20-Poly1305.',
  },
];

export function capsOf(facts: TlsFacts, now: Date): Cap[] {
  const leaf = facts.chain[0];
  if (leaf === undefined) return [];
  return RULES.flatMap(({ id, atBest, reason, remedy }) => {
    const why = reason(facts, leaf, now);
    return why === null ? [] : [{ id, at_best: atBest, reason: why, remedy }];
  });
}

/** Bits of an RSA key that is as strong (NIST SP 800-57 part 1, table 2). */
export function strengthOf({ type, bits }: CertificateFacts['key']): number {
  if (bits === null) return 3072;
  if (!/^(ec|ed)/i.test(type)) return bits;
  return bits >= 384 ? 7680 : bits >= 255 ? 3072 : bits >= 224 ? 2048 : 1024;
}

export function spoken(version: string): string {
  const number = version.slice('TLSv'.length);
  return `TLS ${number === '1' ? '1.0' : number}`;
}

function named({ commonName, names }: CertificateFacts): string {
  return `The certificate of ${commonName ?? names[0] ?? 'an unnamed subject'}`;
}
