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
 * Signature schemes and groups of a version before TLS 1.3, by its ECDHE suites. With an ECDSA certificate a server may need the curve
 * of its key in the list of groups (RFC 8422, 5.1), so that curve stays in every offer, as the last.
 */
export async function enumerateExchange(
  prober: Prober,
  { version, flights }: SuiteEnumeration,
  choices: ExchangeChoices,
): Promise<ExchangeEnumeration | null> {
  const suites = flights.map(({ hello }) => hello.suite).filter((code) => keyExchangeOf(suiteName(code)) === 'ECDHE');
  if (suites.length === 0) return null;
  const needsCurve = suites.every((code) => authenticationOf(suiteName(code)) === 'ECDSA');
  let endedAtCurve = false;
  const found = await enumeratePairs(
    { first: version === 'TLSv1.2' ? schemeCandidates(version) : [NO_SCHEME], second: groupCandidates(version) },
    { first: version === 'TLSv1.2' ? choices.schemes : [NO_SCHEME], second: choices.groups },
    async (signatureSchemes, groups) => {
      const pinned = needsCurve && !groups.includes(CERTIFICATE_CURVE) ? [CERTIFICATE_CURVE] : [];
      const flight = await prober.hello({ version, suites, groups: [...groups, ...pinned], signatureSchemes });
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
