import { authenticationOf, findSuiteWeaknesses, isCbc, keyExchangeOf, type SuiteWeakness } from './suite-properties.ts';
import type { ProtocolVersion, TakenSuite, TlsConfiguration, TlsFacts } from './tls-facts.ts';
import { tlsVersionLabel } from './version-label.ts';

/** A known attack, and whether the settings allow it. */
export interface TlsAttack {
  name: string;
  cveId: string | null;
  /** Null: not known, or it could only be told by attacking. */
  vulnerable: boolean | null;
  reason: string;
}

interface AttackRule {
  name: string;
  cveId: string | null;
  judge: (facts: EnumeratedFacts) => Pick<TlsAttack, 'vulnerable' | 'reason'>;
}

type EnumeratedFacts = TlsFacts & { configuration: TlsConfiguration };

const NOT_ATTACKED = 'not tested: it could only be told by attacking';

const yes = (reason: string) => ({ vulnerable: true, reason });
const no = (reason: string) => ({ vulnerable: false, reason });
const unknown = (reason: string) => ({ vulnerable: null, reason });

const RULES: readonly AttackRule[] = [
  {
    name: 'DROWN',
    cveId: 'CVE-2016-0800',
    judge: ({ protocols: { SSLv2 } }) =>
      SSLv2 === null
        ? unknown('whether it takes SSL 2 is not known')
        : SSLv2
          ? yes('SSL 2 is taken: TLS of every server with the same RSA key can be broken')
          : no('SSL 2 is refused; another server with the same key could still take it'),
  },
  {
    name: 'POODLE',
    cveId: 'CVE-2014-3566',
    judge: (facts) =>
      bySuites(facts, ({ version, name }) => version === 'SSLv3' && isCbc(name), 'CBC with SSL 3', ['SSLv3']),
  },
  {
    name: 'BEAST',
    cveId: 'CVE-2011-3389',
    judge: (facts) =>
      bySuites(
        facts,
        ({ version, name }) => (version === 'SSLv3' || version === 'TLSv1') && isCbc(name),
        'CBC with a version before TLS 1.1 (clients that are maintained defend themselves)',
        ['SSLv3', 'TLSv1'],
      ),
  },
  {
    name: 'SWEET32',
    cveId: 'CVE-2016-2183',
    judge: (facts) => byWeakness(facts, 'small_block', 'a cipher with blocks of 64 bits'),
  },
  {
    name: 'FREAK',
    cveId: 'CVE-2015-0204',
    judge: (facts) => bySuites(facts, ({ name }) => name.startsWith('TLS_RSA_EXPORT'), 'RSA of export strength'),
  },
  {
    name: 'Logjam',
    cveId: 'CVE-2015-4000',
    judge: (facts) =>
      bySuites(
        facts,
        ({ name, dhPrime }) => /_DHE?_.*_EXPORT/.test(name) || (dhPrime !== null && dhPrime.bits <= 1024),
        'Diffie-Hellman of at most 1,024 bits',
      ),
  },
  { name: 'RC4', cveId: 'CVE-2013-2566', judge: (facts) => byWeakness(facts, 'rc4', 'RC4') },
  {
    name: 'CRIME',
    cveId: 'CVE-2012-4929',
    judge: ({ configuration: { compression } }) =>
      compression === null
        ? unknown('whether it compresses is not known')
        : compression
          ? yes('TLS is compressed')
          : no('TLS is not compressed'),
  },
  {
    name: 'BREACH',
    cveId: 'CVE-2013-3587',
    judge: () => unknown('not tested: it depends on pages that are compressed and repeat what a request says'),
  },
  {
    name: 'LUCKY13',
    cveId: 'CVE-2013-0169',
    judge: (facts) => {
      const found = bySuites(facts, ({ name }) => isCbc(name), 'CBC');
      return found.vulnerable === true
        ? unknown('CBC is taken; whether its padding can be told by time cannot be seen')
        : found;
    },
  },
  {
    name: 'Raccoon',
    cveId: 'CVE-2020-1968',
    judge: (facts) => {
      const fixed = bySuites(facts, ({ name }) => /^TLS_DH_(RSA|DSS)_/.test(name), 'Diffie-Hellman with a fixed key');
      if (fixed.vulnerable === true || facts.configuration.dhReused === true)
        return yes('a Diffie-Hellman key is used more than once');
      const uses = bySuites(facts, ({ name }) => keyExchangeOf(name) === 'DHE', 'DHE');
      if (uses.vulnerable !== true) return uses;
      return facts.configuration.dhReused === false
        ? no('Diffie-Hellman keys are used once')
        : unknown('DHE was seen once alone');
    },
  },
  {
    name: 'ROBOT',
    cveId: 'CVE-2017-13099',
    judge: (facts) => {
      const found = bySuites(
        facts,
        ({ name }) => keyExchangeOf(name) === 'RSA' && authenticationOf(name) === 'RSA',
        'RSA key exchange',
      );
      return found.vulnerable === true ? unknown(NOT_ATTACKED) : found;
    },
  },
  {
    name: 'insecure renegotiation',
    cveId: 'CVE-2009-3555',
    judge: ({ configuration: { renegotiation } }) =>
      renegotiation.secure === null
        ? unknown('whether it knows RFC 5746 is not known')
        : renegotiation.secure
          ? no('secure renegotiation (RFC 5746) is there')
          : yes('secure renegotiation (RFC 5746) is missing'),
  },
  {
    name: 'renegotiation by clients',
    cveId: 'CVE-2011-1473',
    judge: ({ configuration: { renegotiation } }) =>
      renegotiation.clientInitiated === null
        ? unknown('not known')
        : renegotiation.clientInitiated
          ? yes('a client may begin renegotiations, which cost the server more than the client')
          : no('it refuses renegotiations that a client begins'),
  },
  {
    name: 'Heartbleed',
    cveId: 'CVE-2014-0160',
    judge: ({ configuration: { heartbeat } }) =>
      heartbeat === false ? no('the heartbeat extension is not offered') : unknown(NOT_ATTACKED),
  },
  {
    name: 'Ticketbleed',
    cveId: 'CVE-2016-9244',
    judge: ({ configuration: { resumption } }) =>
      resumption.tickets === false ? no('it resumes by no ticket') : unknown(NOT_ATTACKED),
  },
  { name: 'CCS injection', cveId: 'CVE-2014-0224', judge: () => unknown(NOT_ATTACKED) },
];

/** Known attacks by what the server takes, without attacking; null: its settings were not looked at. */
export function judgeAttacks(facts: TlsFacts): TlsAttack[] | null {
  const { configuration } = facts;
  if (configuration === null) return null;
  return RULES.map(({ name, cveId, judge }) => ({ name, cveId, ...judge({ ...facts, configuration }) }));
}

function byWeakness(
  facts: EnumeratedFacts,
  weakness: SuiteWeakness,
  what: string,
): Pick<TlsAttack, 'vulnerable' | 'reason'> {
  return bySuites(facts, ({ name }) => findSuiteWeaknesses(name).includes(weakness), what);
}

/** `versions`: the only ones that matter; where the server refuses them, nothing else needs to be known. */
function bySuites(
  { suites, suitesComplete, protocols }: EnumeratedFacts,
  isAffected: (suite: TakenSuite) => boolean,
  what: string,
  versions: readonly ProtocolVersion[] = [],
): Pick<TlsAttack, 'vulnerable' | 'reason'> {
  const found = suites.find(isAffected);
  if (found !== undefined) return yes(`${what}: ${found.name} with ${tlsVersionLabel(found.version)}`);
  const refused = versions.length > 0 && versions.every((version) => protocols[version] === false);
  return refused || suitesComplete ? no(`not taken: ${what}`) : unknown('not all cipher suites could be tried');
}
