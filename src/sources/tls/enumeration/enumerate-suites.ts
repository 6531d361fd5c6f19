import { suiteName } from '../../../analysis/tls/suite-names.ts';
import { suiteStrength } from '../../../analysis/tls/suite-properties.ts';
import { type ClientHelloOptions, WIRE_VERSIONS } from '../../../net/tls/client-hello.ts';
import type { ServerFlight, ServerHello } from '../../../net/tls/server-flight.ts';
import type { AlpnChoices } from './alpn-choices.ts';
import { suiteCandidates } from './candidates.ts';
import type { ExchangeChoices } from './exchange-choices.ts';
import type { Prober } from './prober.ts';

export type AcceptedFlight = ServerFlight & { hello: ServerHello };

export interface SuiteEnumeration {
  version: ClientHelloOptions['version'];
  /** Flights with a suite each, in the order in which the server chose them. */
  flights: readonly AcceptedFlight[];
  /** Whether the server takes the version; null: not known. */
  accepted: boolean | null;
  /** Everything was offered, and it answered each time. */
  complete: boolean;
  /** How the server ended it: `no such version` also where it chose another one. */
  end: 'refused' | 'no such version' | 'unknown';
}

/** After so many the broken ones are looked for first, because the number of connections is limited. */
const MANY_SUITES = 24;
const PROTOCOL_VERSION_ALERT = 70;

/** What is learned beside suites. */
export interface BesideSuites {
  alpn: AlpnChoices;
  exchange: ExchangeChoices;
}

/**
 * The usual suites of a version before TLS 1.3: offers all, then again without the chosen one, until the server refuses. So the
 * flights are in the server's order if it has one, else in that of the offer.
 */
export async function enumerateSuites(
  prober: Prober,
  version: SuiteEnumeration['version'],
  beside: BesideSuites,
): Promise<SuiteEnumeration> {
  const { flights, end } = await removeOneByOne(prober, version, suiteCandidates(version).usual, beside);
  const complete = end !== 'unknown';
  return { version, flights, accepted: flights.length > 0 ? true : complete ? false : null, complete, end };
}

/** The same with the rare suites, in addition to what was found. */
export async function withRareSuites(
  prober: Prober,
  found: SuiteEnumeration,
  beside: BesideSuites,
): Promise<SuiteEnumeration> {
  const { version } = found;
  if (found.end === 'unknown' || found.end === 'no such version') return found;
  const { rare } = suiteCandidates(version);
  const more = await removeOneByOne(prober, version, rare, beside);
  const flights = [...found.flights, ...more.flights];
  const complete = more.end !== 'unknown';
  return { ...found, flights, accepted: flights.length > 0 ? true : complete ? false : null, complete };
}

type Removal = { flights: AcceptedFlight[]; end: SuiteEnumeration['end'] };

async function removeOneByOne(
  prober: Prober,
  version: SuiteEnumeration['version'],
  candidates: readonly number[],
  { alpn, exchange }: BesideSuites,
): Promise<Removal> {
  const flights: AcceptedFlight[] = [];
  const left = new Set(candidates);
  while (left.size > 0) {
    const insecure =
      flights.length < MANY_SUITES ? [] : [...left].filter((code) => suiteStrength(suiteName(code)) === 'insecure');
    const suites = insecure.length > 0 ? insecure : [...left];
    const offered = alpn.offer(version);
    const hello = { version, suites, ...exchange.offer(version), compression: true, features: true, alpn: offered };
    const flight = await prober.hello(hello);
    if (flight === null) return { flights, end: 'unknown' };
    if (alpn.learn(version, offered, flight) === 'ask again') continue;
    if (flight.hello === null) {
      if (insecure.length === 0)
        return { flights, end: flight.alert === PROTOCOL_VERSION_ALERT ? 'no such version' : 'refused' };
      for (const code of insecure) left.delete(code);
      continue;
    }
    if (flight.hello.version !== WIRE_VERSIONS[version]) return { flights, end: 'no such version' };
    exchange.learn(flight);
    left.delete(flight.hello.suite);
    flights.push({ ...flight, hello: flight.hello });
  }
  return { flights, end: 'refused' };
}
