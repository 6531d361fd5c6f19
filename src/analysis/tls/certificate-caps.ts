import type { CapRule } from './cap-rule.ts';
import { rsaEquivalentBits } from './key-strength.ts';
import { type CertificateFacts, subjectName } from './tls-facts.ts';

const RENEW_REMEDY = 'Issue a new certificate and let it renew itself (ACME).';

/** What is wrong with certificates and their chain, worst first (SSL Labs server rating guide 2009r). */
export const CERTIFICATE_CAPS: readonly CapRule[] = [
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
    describe: ({ trust }) =>
      trust === 'self_signed' ? 'The certificate is signed by itself: no authority confirms it.' : null,
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
    id: 'revoked',
    atBest: 'F',
    describe: ({ staple }) =>
      staple?.status === 'revoked' && staple.signatureValid === true
        ? 'The certificate is revoked, as the stapled OCSP response says.'
        : null,
    remediation: 'Make a new key, have a new certificate issued for it, and find out why the old one was revoked.',
  },
  {
    id: 'must_staple_without_staple',
    atBest: 'F',
    describe: ({ staple }, [leaf]) =>
      leaf?.mustStaple === true && staple === null
        ? 'The certificate demands a stapled OCSP response, and none came.'
        : null,
    remediation: 'Turn OCSP stapling on, or have the certificate issued without the demand.',
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
];

function certificatePhrase(certificate: CertificateFacts): string {
  return `The certificate of ${subjectName(certificate)}`;
}

function keyStrengthReason(leaf: CertificateFacts | undefined, from: number, below: number): string | null {
  if (leaf === undefined) return null;
  const strength = rsaEquivalentBits(leaf.key);
  return strength >= from && strength < below ? `The key has ${leaf.key.bits} bits (${leaf.key.type}).` : null;
}
