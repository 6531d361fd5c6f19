import { describeDhPrime } from '../../../analysis/tls/dh-primes.ts';
import { suiteName, SSL2_SUITES } from '../../../analysis/tls/suite-names.ts';
import type { ProtocolVersion, TakenSuite, TlsVersion } from '../../../analysis/tls/tls-facts.ts';
import { AlpnChoices } from './alpn-choices.ts';
import {
  type AcceptedFlight,
  type BesideSuites,
  enumerateSuites,
  type SuiteEnumeration,
  withRareSuites,
} from './enumerate-suites.ts';
import { enumerateTls13, type Tls13Enumeration } from './enumerate-tls13.ts';
import { ExchangeChoices } from './exchange-choices.ts';
import type { Prober } from './prober.ts';

const OLD_VERSIONS = ['TLSv1.2', 'TLSv1.1', 'TLSv1', 'SSLv3'] as const;

/** Versions and suites of a server: what a grade needs. */
export interface SuitesOfServer {
  protocols: Record<ProtocolVersion, boolean | null>;
  suites: TakenSuite[];
  complete: boolean;
  /** In descending order of versions; those that the server does not take have no flights. */
  old: readonly SuiteEnumeration[];
  tls13: Tls13Enumeration;
  /** All flights that were read, of all versions. */
  flights: readonly AcceptedFlight[];
  /** Certificate that SSL 2 gives. */
  ssl2Certificate: Uint8Array | null;
  alpn: AlpnChoices;
  exchange: ExchangeChoices;
}

export async function enumerateSuitesOfServer(prober: Prober): Promise<SuitesOfServer> {
  const beside = { alpn: new AlpnChoices('TLSv1.2'), exchange: new ExchangeChoices() };
  const [ssl2, tls13, ...usual] = await Promise.all([
    prober.hello({ version: 'SSLv2' }),
    enumerateTls13(prober),
    ...OLD_VERSIONS.map((version) => enumerateSuites(prober, version, beside)),
  ]);
  const old = await addRareSuites(prober, usual, beside);
  const versions = [tls13, ...old];
  const protocols: SuitesOfServer['protocols'] = {
    SSLv2: ssl2 === null ? null : ssl2.outcome === 'hello',
    SSLv3: null,
    TLSv1: null,
    'TLSv1.1': null,
    'TLSv1.2': null,
    'TLSv1.3': null,
  };
  for (const { version, accepted } of versions) protocols[version] = accepted;
  return {
    protocols,
    suites: [...versions.flatMap(takenSuites), ...ssl2Suites(ssl2?.ssl2Suites ?? [])],
    complete: ssl2 !== null && versions.every(({ complete }) => complete),
    old,
    tls13,
    flights: versions.flatMap(({ flights }) => flights),
    ssl2Certificate: ssl2?.certificates[0] ?? null,
    ...beside,
  };
}

/**
 * The rare suites are offered with the highest version that the server takes, and with the others only where it takes some there or
 * nothing at all: no server is known that takes them with old versions alone.
 */
async function addRareSuites(
  prober: Prober,
  usual: readonly SuiteEnumeration[],
  beside: BesideSuites,
): Promise<SuiteEnumeration[]> {
  const highest = usual.find(({ flights }) => flights.length > 0);
  if (highest === undefined) return Promise.all(usual.map((found) => withRareSuites(prober, found, beside)));
  const first = await withRareSuites(prober, highest, beside);
  const hasRare = first.flights.length > highest.flights.length;
  return Promise.all(
    usual.map(async (found) => {
      if (found === highest) return first;
      return hasRare && found.flights.length > 0 ? withRareSuites(prober, found, beside) : found;
    }),
  );
}

/** The highest version before TLS 1.3 that the server takes, with its suites; null: none. */
export function highestOldVersion({ old }: SuitesOfServer): SuiteEnumeration | null {
  return old.find(({ flights }) => flights.length > 0) ?? null;
}

/** The same where OpenSSL has the version. */
export function highestOpensslVersion(found: SuitesOfServer): TlsVersion | null {
  const version = highestOldVersion(found)?.version ?? null;
  return version === 'SSLv3' || version === null ? null : version;
}

function takenSuites({ version, flights }: SuiteEnumeration): TakenSuite[] {
  return flights.map(({ hello, keyExchange }) => ({
    version,
    code: hello.suite,
    name: suiteName(hello.suite),
    dhPrime: keyExchange?.dhPrime == null ? null : describeDhPrime(keyExchange.dhPrime),
  }));
}

function ssl2Suites(codes: readonly number[]): TakenSuite[] {
  return codes.map((code) => ({
    version: 'SSLv2',
    code,
    name: SSL2_SUITES[code] ?? `SSL_CK_UNKNOWN_${code.toString(16).toUpperCase()}`,
    dhPrime: null,
  }));
}
