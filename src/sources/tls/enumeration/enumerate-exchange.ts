import { signatureSchemeName } from '../../../analysis/tls/signature-schemes.ts';
import { suiteName } from '../../../analysis/tls/suite-names.ts';
import { authenticationOf, keyExchangeOf } from '../../../analysis/tls/suite-properties.ts';
import { groupCandidates, schemeCandidates } from './candidates.ts';
import { enumeratePairs } from './enumerate-pairs.ts';
import type { ExchangeChoices } from './exchange-choices.ts';
import type { SuiteEnumeration } from './enumerate-suites.ts';
import type { Prober } from './prober.ts';

export interface ExchangeEnumeration {
  schemes: readonly number[];
  schemesComplete: boolean;
  groups: readonly number[];
  groupsComplete: boolean;
}

/** secp256r1, the curve of nearly all ECDSA certificates. */
const CERTIFICATE_CURVE = 0x0017;
/** Before TLS 1.2 no scheme is named. */
const NO_SCHEME = 0;

/**
 * Signature schemes and groups of a version before TLS 1.3, by its ECDHE suites: apart for RSA and ECDSA, because a server with both
 * chooses a suite first and may then refuse for want of a scheme. The groups are the same for both.
 */
export async function enumerateExchange(
  prober: Prober,
  { version, flights }: SuiteEnumeration,
  choices: ExchangeChoices,
): Promise<ExchangeEnumeration | null> {
  const suites = flights.map(({ hello }) => hello.suite).filter((code) => keyExchangeOf(suiteName(code)) === 'ECDHE');
  const results: ExchangeEnumeration[] = [];
  for (const signedWith of [/^rsa_/, /^(ecdsa_|ed|mldsa)/]) {
    const isEcdsa = signedWith.test('ecdsa_');
    const own = suites.filter((code) => (authenticationOf(suiteName(code)) === 'ECDSA') === isEcdsa);
    if (own.length > 0)
      results.push(await enumerateSigned(prober, { version, suites: own, signedWith, isEcdsa, choices }, results[0]));
  }
  const [first] = results;
  if (first === undefined) return null;
  return {
    ...first,
    schemes: results.flatMap(({ schemes }) => schemes),
    schemesComplete: results.every(({ schemesComplete }) => schemesComplete),
  };
}

interface SignedSuites {
  version: SuiteEnumeration['version'];
  suites: readonly number[];
  /** Names of the schemes of the suites. */
  signedWith: RegExp;
  isEcdsa: boolean;
  choices: ExchangeChoices;
}

/**
 * `before`: what was found with the other kind of certificate. With an ECDSA certificate a server may need the curve of its key in the
 * list of groups (RFC 8422, 5.1), so that curve stays in every offer, as the last.
 */
async function enumerateSigned(
  prober: Prober,
  { version, suites, signedWith, isEcdsa, choices }: SignedSuites,
  before: ExchangeEnumeration | undefined,
): Promise<ExchangeEnumeration> {
  const ownSchemes = (codes: Iterable<number>) =>
    [...codes].filter((code) => signedWith.test(signatureSchemeName(code)));
  const hasSchemes = version === 'TLSv1.2';
  const groups = before === undefined ? groupCandidates(version) : [...new Set([...before.groups, CERTIFICATE_CURVE])];
  let endedAtCurve = false;
  const found = await enumeratePairs(
    { first: hasSchemes ? ownSchemes(schemeCandidates(version)) : [NO_SCHEME], second: groups },
    {
      first: hasSchemes ? ownSchemes(choices.schemes) : [NO_SCHEME],
      second: before === undefined ? choices.groups : groups,
    },
    async (signatureSchemes, offered) => {
      const pinned = isEcdsa && !offered.includes(CERTIFICATE_CURVE) ? [CERTIFICATE_CURVE] : [];
      const flight = await prober.hello({ version, suites, groups: [...offered, ...pinned], signatureSchemes });
      if (flight === null) return null;
      const exchange = flight.hello === null ? null : flight.keyExchange;
      if (exchange?.group == null) return 'refused';
      if (pinned.includes(exchange.group)) {
        endedAtCurve = true;
        return 'refused';
      }
      return { first: exchange.signatureScheme ?? NO_SCHEME, second: exchange.group };
    },
  );
  return {
    schemes: found.first.filter((code) => code !== NO_SCHEME),
    schemesComplete: found.firstComplete,
    groups: found.second,
    // A server with an order of its own may take others and prefer that curve: more than one seen shows that it has none.
    groupsComplete: found.secondComplete && (!endedAtCurve || found.second.length > 1),
  };
}
