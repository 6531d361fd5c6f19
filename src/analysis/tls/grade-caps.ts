import { type CertificateFacts, subjectName, certificationPath, type TlsFacts } from './tls-facts.ts';
import { type SuiteWeakness, findSuiteWeaknesses } from './insecure-suites.ts';
import type { Finding } from '../finding.ts';
import type { LetterGrade } from '../letter-grade.ts';
import type { Severity } from '../severity.ts';

/** A problem that limits the grade, whatever the score. */
export interface GradeCap extends Finding {
  /** The best grade that a server with the problem can have. */
  atBest: LetterGrade;
}

interface CapRule {
  id: string;
  atBest: LetterGrade;
  /** The problem in a sentence; null if the server does not have it. */
  describe: (facts: TlsFacts, path: readonly CertificateFacts[], now: Date) => string | null;
  remediation: string;
}

/** By the grade that a cap allows: F for what browsers refuse or attackers can break. */
const SEVERITY_BY_CAP: Readonly<Record<LetterGrade, Severity>> = {
  F: 'CRITICAL',
  D: 'HIGH',
  C: 'HIGH',
  B: 'MEDIUM',
  A: 'LOW',
};

const RENEW_REMEDY = 'Issue a new certificate and let it renew itself (ACME).';
const MODERN_VERSIONS_REMEDY = 'Offer TLS 1.2 and 1.3 alone; no client that is still maintained needs more.';

const AEAD_REMEDY = 'Offer ECDHE with AES-GCM or ChaCha20-Poly1305 alone.';
const WEAKNESS_PHRASES: Readonly<Record<SuiteWeakness, string>> = {
  null: 'without encryption',
  anonymous: 'without authentication',
  export: 'of export strength',
  des: 'with DES, a key of 56 bits',
  rc4: 'with RC4 (prohibited by RFC 7465)',
  small_block: 'with blocks of 64 bits (SWEET32)',
};

/** In the spirit of the SSL Labs server rating guide (2009r), worst first. */
const CAP_RULES: readonly CapRule[] = [
  {
    id: 'name_mismatch',
    atBest: 'F',
    describe: ({ nameMatches }, [leaf]) =>
      nameMatches || leaf === undefined
        ? null
        : `The certificate is for ${leaf.names.slice(0, 3).join(', ') || leaf.commonName || 'no name'}, not for this name.`,
    remediation: 'Serve a certificate whose subject alternative names hold this name.',
  },
  {
    id: 'expired',
    atBest: 'F',
    describe: (_, path, now) => {
      const over = path.find(({ notAfter }) => Date.parse(notAfter) < now.getTime());
      return over === undefined ? null : `${certificatePhrase(over)} expired on ${over.notAfter.slice(0, 10)}.`;
    },
    remediation: RENEW_REMEDY,
  },
  {
    id: 'not_yet_valid',
    atBest: 'F',
    describe: (_, path, now) => {
      const early = path.find(({ notBefore }) => Date.parse(notBefore) > now.getTime());
      return early === undefined
        ? null
        : `${certificatePhrase(early)} is valid from ${early.notBefore.slice(0, 10)} on.`;
    },
    remediation: 'Check the clock of the machine that issued it, or wait for its first day before serving it.',
  },
  {
    id: 'self_signed',
    atBest: 'F',
    describe: ({ trust }) => (trust === 'self_signed' ? 'The certificate vouches for itself alone.' : null),
    remediation: 'Use a certificate of a public certificate authority.',
  },
  {
    id: 'unknown_issuer',
    atBest: 'F',
    describe: ({ trust }, [leaf]) =>
      trust === 'unknown_issuer' && leaf !== undefined
        ? 'OpenSSL accepts no path from the certificate to a root that clients trust.'
        : null,
    remediation: 'Use a certificate of a public certificate authority, and send its intermediates.',
  },
  {
    id: 'missing_issuer',
    atBest: 'F',
    describe: ({ trust }, path) => {
      const last = path.at(-1);
      return trust === 'missing_issuer' && last !== undefined
        ? `The chain is incomplete: the certificate of the issuer (${last.issuerName ?? last.issuerOrganization ?? 'unnamed'}) was neither sent nor found, so nothing leads to a root that clients trust.`
        : null;
    },
    remediation: 'Send the whole chain but for the root ("fullchain").',
  },
  {
    id: 'no_certificate',
    atBest: 'F',
    describe: (_, [leaf]) => (leaf === undefined ? 'The server presents no certificate: it can be anybody.' : null),
    remediation: 'Turn anonymous cipher suites off, and serve a certificate of a public certificate authority.',
  },
  {
    id: 'insecure_cipher',
    atBest: 'F',
    describe: (facts) => weakSuitesReason(facts, ['null', 'anonymous', 'export', 'des']),
    remediation: AEAD_REMEDY,
  },
  {
    id: 'weak_cipher',
    atBest: 'C',
    describe: (facts) => weakSuitesReason(facts, ['rc4', 'small_block']),
    remediation: AEAD_REMEDY,
  },
  {
    id: 'weak_key',
    atBest: 'F',
    describe: (_, [leaf]) => keyStrengthReason(leaf, 0, 1024),
    remediation: 'Make a new key: ECDSA P-256, or RSA of at least 2048 bits.',
  },
  {
    id: 'weak_signature',
    atBest: 'F',
    describe: (_, path) => {
      const weak = path.find(
        ({ signatureAlgorithm, selfSigned }) => !selfSigned && /md[245]|sha-?1/i.test(signatureAlgorithm),
      );
      return weak === undefined ? null : `${certificatePhrase(weak)} is signed with ${weak.signatureAlgorithm}.`;
    },
    remediation: 'Have it issued anew with SHA-256 or better.',
  },
  {
    id: 'must_staple_without_staple',
    atBest: 'F',
    describe: ({ ocspStapled }, [leaf]) =>
      leaf?.mustStaple === true && !ocspStapled
        ? 'The certificate demands a stapled OCSP response, and none came.'
        : null,
    remediation: 'Turn OCSP stapling on, or have the certificate issued without the demand.',
  },
  {
    id: 'no_tls12',
    atBest: 'C',
    describe: ({ protocols }) =>
      protocols['TLSv1.2'] === false && protocols['TLSv1.3'] === false ? 'It takes no version after TLS 1.1.' : null,
    remediation: MODERN_VERSIONS_REMEDY,
  },
  {
    id: 'old_protocol',
    atBest: 'B',
    describe: ({ protocols }) => {
      const old = (['TLSv1', 'TLSv1.1'] as const).filter((version) => protocols[version] === true);
      return old.length === 0 ? null : `It takes ${old.map(tlsVersionLabel).join(' and ')} (deprecated by RFC 8996).`;
    },
    remediation: MODERN_VERSIONS_REMEDY,
  },
  {
    id: 'incomplete_chain',
    atBest: 'B',
    describe: ({ trust }) =>
      trust === 'incomplete' ? 'It does not send the intermediate certificates; they had to be fetched.' : null,
    remediation: 'Send the whole chain but for the root ("fullchain").',
  },
  {
    id: 'small_key',
    atBest: 'B',
    describe: (_, [leaf]) => keyStrengthReason(leaf, 1024, 2048),
    remediation: 'Make a new key: ECDSA P-256, or RSA of at least 2048 bits.',
  },
  {
    id: 'small_key_exchange',
    atBest: 'B',
    describe: ({ keyExchange }) =>
      keyExchange?.type === 'DH' && (keyExchange.bits ?? 2048) < 2048
        ? `The Diffie-Hellman group has ${keyExchange.bits} bits.`
        : null,
    remediation: 'Use ECDHE (X25519, P-256), or a Diffie-Hellman group of at least 2048 bits.',
  },
  {
    id: 'no_forward_secrecy',
    atBest: 'B',
    describe: ({ negotiated, keyExchange }) =>
      negotiated.protocol !== 'TLSv1.3' && keyExchange === null
        ? 'Whoever gets the key later can read what was recorded: the key exchange has no forward secrecy.'
        : null,
    remediation: 'Prefer ECDHE ciphers.',
  },
  {
    id: 'no_aead',
    atBest: 'B',
    describe: ({ takesOnlyCbc }) => (takesOnlyCbc === true ? 'It takes no authenticated (AEAD) cipher.' : null),
    remediation: 'Offer AES-GCM or ChaCha20-Poly1305.',
  },
];

export function findGradeCaps(facts: TlsFacts, now: Date): GradeCap[] {
  const path = certificationPath(facts);
  return CAP_RULES.flatMap(({ id, atBest, describe, remediation }) => {
    const description = describe(facts, path, now);
    return description === null ? [] : [{ id, severity: SEVERITY_BY_CAP[atBest], atBest, description, remediation }];
  });
}

/** Bits of an RSA key that is as strong (NIST SP 800-57 part 1, table 2). */
export function rsaEquivalentBits({ type, bits }: CertificateFacts['key']): number {
  if (bits === null) return 3072;
  if (!/^(ec|ed)/i.test(type)) return bits;
  return bits >= 384 ? 7680 : bits >= 255 ? 3072 : bits >= 224 ? 2048 : 1024;
}

export function tlsVersionLabel(version: string): string {
  const number = version.slice('TLSv'.length);
  return `TLS ${number === '1' ? '1.0' : number}`;
}

function certificatePhrase(certificate: CertificateFacts): string {
  return `The certificate of ${subjectName(certificate)}`;
}

function keyStrengthReason(leaf: CertificateFacts | undefined, from: number, below: number): string | null {
  if (leaf === undefined) return null;
  const strength = rsaEquivalentBits(leaf.key);
  return strength >= from && strength < below ? `The key has ${leaf.key.bits} bits (${leaf.key.type}).` : null;
}

/** Which of the weaknesses the suites have that it takes, the one that was agreed on too. */
function weakSuitesReason({ insecure, negotiated }: TlsFacts, weaknesses: readonly SuiteWeakness[]): string | null {
  const agreed = findSuiteWeaknesses(negotiated.standardCipher).map((weakness) => ({
    weakness,
    suite: negotiated.standardCipher,
  }));
  const words = weaknesses.flatMap((weakness) => {
    const found = [...insecure.taken, ...agreed].find((taken) => taken.weakness === weakness);
    return found === undefined ? [] : [`${WEAKNESS_PHRASES[weakness]} (${found.suite})`];
  });
  return words.length === 0 ? null : `It takes cipher suites ${words.join(', ')}.`;
}
