import type { CapRule } from './cap-rule.ts';
import { findSuiteWeaknesses, isAead, isCbc, type SuiteWeakness } from './suite-properties.ts';
import type { ProtocolVersion, TlsFacts } from './tls-facts.ts';
import { tlsVersionLabel } from './version-label.ts';

const MODERN_VERSIONS_REMEDY = 'Offer TLS 1.2 and 1.3 alone; no client that is still maintained needs more.';
const AEAD_REMEDY = 'Offer ECDHE with AES-GCM or ChaCha20-Poly1305 alone.';
const GROUP_REMEDY = 'Use ECDHE (X25519, P-256), or a Diffie-Hellman group of at least 2048 bits.';

const WEAKNESS_PHRASES: Readonly<Record<SuiteWeakness, string>> = {
  null: 'without encryption',
  anonymous: 'without authentication',
  export: 'of export strength',
  des: 'with DES, a key of 56 bits',
  rc4: 'with RC4 (prohibited by RFC 7465)',
  small_block: 'with blocks of 64 bits (SWEET32)',
};

const MODERN: readonly ProtocolVersion[] = ['TLSv1.1', 'TLSv1.2', 'TLSv1.3'];

/** What is wrong with protocol versions, suites and settings (SSL Labs server rating guide 2009r). */
export const SETTING_CAPS: readonly CapRule[] = [
  {
    id: 'ssl2',
    atBest: 'F',
    describe: ({ protocols }) =>
      protocols.SSLv2 === true
        ? 'It takes SSL 2 (prohibited by RFC 6176), by which TLS of the same key can be broken (DROWN).'
        : null,
    remediation: MODERN_VERSIONS_REMEDY,
  },
  {
    id: 'ssl3_only',
    atBest: 'F',
    describe: ({ protocols }) =>
      protocols.SSLv3 === true &&
      (['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const).every((version) => protocols[version] === false)
        ? 'It takes no version after SSL 3 (prohibited by RFC 7568).'
        : null,
    remediation: MODERN_VERSIONS_REMEDY,
  },
  {
    id: 'insecure_cipher',
    atBest: 'F',
    describe: (facts) => weakSuitesReason(facts, ['null', 'anonymous', 'export', 'des']),
    remediation: AEAD_REMEDY,
  },
  {
    id: 'broken_key_exchange',
    atBest: 'F',
    describe: (facts) => smallGroupReason(facts, 0, 1024),
    remediation: GROUP_REMEDY,
  },
  {
    id: 'insecure_renegotiation',
    atBest: 'F',
    describe: ({ configuration }) =>
      configuration?.renegotiation.secure === false
        ? 'It does not know secure renegotiation (RFC 5746): an attacker can put data before that of a client (CVE-2009-3555).'
        : null,
    remediation: 'Update the TLS library; each that is maintained has RFC 5746.',
  },
  {
    id: 'ssl3_poodle',
    atBest: 'C',
    describe: ({ protocols, suites }) =>
      protocols.SSLv3 === true && suites.some(({ version, name }) => version === 'SSLv3' && isCbc(name))
        ? 'It takes SSL 3 with CBC (POODLE, CVE-2014-3566).'
        : null,
    remediation: MODERN_VERSIONS_REMEDY,
  },
  {
    id: 'compression',
    atBest: 'C',
    describe: ({ configuration }) =>
      configuration?.compression === true
        ? 'It compresses TLS, by which secrets can be guessed (CRIME, CVE-2012-4929).'
        : null,
    remediation: 'Turn compression of TLS off.',
  },
  {
    id: 'weak_cipher',
    atBest: 'C',
    describe: (facts) => weakSuitesReason(facts, ['rc4', 'small_block'], MODERN),
    remediation: AEAD_REMEDY,
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
      const old = (['SSLv3', 'TLSv1', 'TLSv1.1'] as const).filter((version) => protocols[version] === true);
      const by = old[0] === 'SSLv3' ? 'RFC 7568 and RFC 8996' : 'RFC 8996';
      return old.length === 0 ? null : `It takes ${old.map(tlsVersionLabel).join(' and ')} (deprecated by ${by}).`;
    },
    remediation: MODERN_VERSIONS_REMEDY,
  },
  {
    id: 'rc4',
    atBest: 'B',
    describe: (facts) => (weakSuitesReason(facts, ['rc4'], MODERN) === null ? weakSuitesReason(facts, ['rc4']) : null),
    remediation: AEAD_REMEDY,
  },
  {
    id: 'small_key_exchange',
    atBest: 'B',
    describe: (facts) => smallGroupReason(facts, 1024, 2048),
    remediation: GROUP_REMEDY,
  },
  {
    id: 'no_forward_secrecy',
    atBest: 'B',
    describe: ({ negotiated, keyExchange }) =>
      negotiated.protocol !== 'TLSv1.3' && keyExchange === null
        ? 'The key exchange has no forward secrecy: with the key, traffic that was recorded earlier can be read.'
        : null,
    remediation: 'Prefer ECDHE ciphers.',
  },
  {
    id: 'no_aead',
    atBest: 'B',
    describe: ({ suites, suitesComplete, negotiated }) =>
      suitesComplete && ![negotiated.standardCipher, ...suites.map(({ name }) => name)].some(isAead)
        ? 'It takes no authenticated (AEAD) cipher.'
        : null,
    remediation: 'Offer AES-GCM or ChaCha20-Poly1305.',
  },
];

/** Which of the weaknesses the suites have that it takes, with one of `versions` (default: with any), and the one that was agreed on. */
function weakSuitesReason(
  { suites, negotiated }: TlsFacts,
  weaknesses: readonly SuiteWeakness[],
  versions?: readonly ProtocolVersion[],
): string | null {
  const taken = [...suites, { name: negotiated.standardCipher, version: negotiated.protocol }]
    .filter(({ version }) => versions === undefined || versions.includes(version))
    .map(({ name }) => ({ name, found: findSuiteWeaknesses(name) }));
  const words = weaknesses.flatMap((weakness) => {
    const suite = taken.find(({ found }) => found.includes(weakness));
    return suite === undefined ? [] : [`${WEAKNESS_PHRASES[weakness]} (${suite.name})`];
  });
  return words.length === 0 ? null : `It takes cipher suites ${words.join(', ')}.`;
}

/** The smallest Diffie-Hellman group that it uses, if its size is in the range; those of export suites have a cap of their own. */
function smallGroupReason({ suites, keyExchange }: TlsFacts, from: number, below: number): string | null {
  const groups = suites.filter(({ name }) => !name.includes('_EXPORT')).flatMap(({ dhPrime }) => dhPrime ?? []);
  if (keyExchange?.type === 'DH' && keyExchange.bits !== null) groups.push({ bits: keyExchange.bits, known: null });
  const smallest = groups.toSorted((a, b) => a.bits - b.bits)[0];
  if (smallest === undefined || smallest.bits < from || smallest.bits >= below) return null;
  const shared = smallest.known === null ? '' : ` and is one that many servers share (${smallest.known})`;
  return `The Diffie-Hellman group has ${smallest.bits} bits${shared}.`;
}
