import type { TlsConfiguration, TlsFacts } from '../../../analysis/tls/tls-facts.ts';
import type { SourceContext } from '../../source.ts';
import { groupCandidates, schemeCandidates } from './candidates.ts';
import { enumerateSuitesOfServer, type SuitesOfServer } from './enumerate-tls.ts';
import type { AcceptedFlight, SuiteEnumeration } from './enumerate-suites.ts';
import { findConfiguration } from './find-configuration.ts';
import { RESERVED_CONNECTIONS } from './limits.ts';
import type { KnownSession } from './resumption.ts';
import { type ProbedServer, type ProbeLimits, Prober } from './prober.ts';

export interface Enumeration {
  protocols: TlsFacts['protocols'];
  suites: TlsFacts['suites'];
  suitesComplete: boolean;
  configuration: TlsConfiguration | null;
  /** First certificates of all flights, DER. */
  leaves: readonly Uint8Array[];
  ocspResponse: Uint8Array | null;
  /** SCTs of the handshake. */
  scts: Uint8Array | null;
  /** Flights with the version that was offered, the highest first. */
  flights: readonly (AcceptedFlight & { version: SuiteEnumeration['version'] })[];
  ssl2Certificate: Uint8Array | null;
  gaps: string[];
  connections: number;
}

/** Finds out by ClientHellos what a server takes. Never throws: what failed is a gap. `connections` and `session`: of handshakes before. */
export async function enumerate(
  server: ProbedServer,
  context: SourceContext,
  limits: ProbeLimits,
  {
    withConfiguration,
    connections,
    session,
  }: { withConfiguration: boolean; connections: number; session: KnownSession | null },
): Promise<Enumeration> {
  const prober = new Prober(server, context, limits, connections);
  if (withConfiguration) prober.reserve(RESERVED_CONNECTIONS);
  const found = await enumerateSuitesOfServer(prober);
  // One is kept for the control.
  prober.reserve(1);
  const more = withConfiguration ? await findConfiguration(prober, found, session) : null;
  prober.reserve(0);
  const gaps = [...(more?.gaps ?? [])];
  if (!found.complete) gaps.unshift(`not all cipher suites could be tried: ${prober.stoppedBecause}`);
  const flights = [...found.flights, ...(more?.flights ?? [])];
  const result: Enumeration = {
    protocols: found.protocols,
    suites: found.suites,
    suitesComplete: found.complete,
    configuration: more?.configuration ?? null,
    leaves: flights.flatMap(({ certificates }) => certificates.slice(0, 1)),
    ocspResponse: flights.find((flight) => flight.ocspResponse !== null)?.ocspResponse ?? null,
    scts: flights.find((flight) => flight.scts !== null)?.scts ?? null,
    flights: [found.tls13, ...found.old].flatMap(({ version, flights: own }) =>
      own.map((flight) => ({ ...flight, version })),
    ),
    ssl2Certificate: found.ssl2Certificate,
    gaps,
    connections: prober.connections,
  };
  return prober.hasClosedWithoutAlert && !(await stillAnswers(prober, found))
    ? withoutRefusals(result, prober)
    : { ...result, connections: prober.connections };
}

/** Offers once more what the server took: closed connections were refusals only if it takes that still. */
async function stillAnswers(prober: Prober, { old, tls13 }: SuitesOfServer): Promise<boolean> {
  const taken = [...old, tls13].find(({ flights }) => flights.length > 0);
  if (taken === undefined) return true;
  const { version, flights } = taken;
  const flight = await prober.hello({
    version,
    suites: flights.map(({ hello }) => hello.suite),
    groups: groupCandidates(version),
    signatureSchemes: schemeCandidates(version),
  });
  return flight?.hello != null;
}

/** A server that no longer answers has refused us, not what was offered: only what it took is known. */
function withoutRefusals(found: Enumeration, { connections }: Prober): Enumeration {
  const known = Object.entries(found.protocols).map(([version, taken]) => [version, taken === true ? true : null]);
  return {
    ...found,
    protocols: Object.fromEntries(known) as TlsFacts['protocols'],
    suitesComplete: false,
    configuration: null,
    gaps: ['the server closed connections and stopped answering, so that its refusals do not count'],
    connections,
  };
}
