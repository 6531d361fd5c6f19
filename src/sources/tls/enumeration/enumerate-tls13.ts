import { KEY_SHARE_GROUPS } from '../../../net/tls/tls13-key-share.ts';
import { WIRE_VERSIONS } from '../../../net/tls/client-hello.ts';
import type { AlpnChoices } from './alpn-choices.ts';
import { groupCandidates, schemeCandidates, suiteCandidates } from './candidates.ts';
import { ExchangeChoices } from './exchange-choices.ts';
import type { AcceptedFlight, SuiteEnumeration } from './enumerate-suites.ts';
import type { Prober } from './prober.ts';

const TLS13 = 'TLSv1.3';

export interface Tls13Enumeration extends SuiteEnumeration {
  choices: ExchangeChoices;
  /** The server needs a share of X25519 in each ClientHello, so that its groups cannot be told. */
  needsKeyShare: boolean;
}

/**
 * Suites of TLS 1.3: without a key share the server names suite and group in a HelloRetryRequest (RFC 8446, 4.1.4), which costs neither
 * side a key exchange. A server that refuses an empty list of shares is asked with one of X25519.
 */
export async function enumerateTls13(prober: Prober): Promise<Tls13Enumeration> {
  const found = await enumerateWith(prober, false);
  return found.accepted === false ? enumerateWith(prober, true) : found;
}

async function enumerateWith(prober: Prober, needsKeyShare: boolean): Promise<Tls13Enumeration> {
  const { usual, rare } = suiteCandidates(TLS13);
  const left = new Set([...usual, ...rare]);
  const flights: AcceptedFlight[] = [];
  const choices = new ExchangeChoices();
  const [cheapest] = KEY_SHARE_GROUPS;
  const share = needsKeyShare ? { groups: [cheapest!], keyShareGroup: cheapest! } : {};
  let end: 'refused' | 'unknown' = 'refused';
  while (left.size > 0) {
    const flight = await prober.hello({ version: TLS13, suites: [...left], ...choices.offer(TLS13), ...share });
    if (flight === null) end = 'unknown';
    if (flight?.hello == null || flight.hello.version !== WIRE_VERSIONS[TLS13]) break;
    choices.learn(flight);
    left.delete(flight.hello.suite);
    flights.push({ ...flight, hello: flight.hello });
  }
  const accepted = flights.length > 0 ? true : end === 'unknown' ? null : false;
  return { version: TLS13, flights, accepted, complete: end === 'refused', end, choices, needsKeyShare };
}

/** The groups of TLS 1.3 that are not among `known`, until the server refuses the rest. */
export async function enumerateTls13Groups(
  prober: Prober,
  { flights, choices, needsKeyShare }: Tls13Enumeration,
  known: Iterable<number>,
): Promise<{ groups: number[]; complete: boolean }> {
  const groups = new Set([...choices.groups, ...known]);
  const suites = flights.map(({ hello }) => hello.suite);
  for (;;) {
    const rest = groupCandidates(TLS13).filter((code) => !groups.has(code));
    if (rest.length === 0 || suites.length === 0) return { groups: [...groups], complete: true };
    if (needsKeyShare) return { groups: [...groups], complete: false };
    const flight = await prober.hello({
      version: TLS13,
      suites,
      groups: rest,
      signatureSchemes: schemeCandidates(TLS13),
    });
    if (flight === null) return { groups: [...groups], complete: false };
    const group = flight.hello?.group ?? null;
    if (group === null) return { groups: [...groups], complete: true };
    groups.add(group);
  }
}

/** The cheapest of the groups for which we have a share; undefined: none. */
export function keyShareGroup(groups: readonly number[]): number | undefined {
  return KEY_SHARE_GROUPS.find((group) => groups.includes(group));
}

/** Flights of TLS 1.3 that can be read, with a signature scheme each: for servers that take no other version. */
export async function readTls13Flights(
  prober: Prober,
  { flights, choices }: Tls13Enumeration,
  groups: readonly number[],
  alpn: AlpnChoices,
): Promise<{ flights: AcceptedFlight[]; complete: boolean }> {
  const share = keyShareGroup(groups);
  const suites = flights.map(({ hello }) => hello.suite);
  const found: AcceptedFlight[] = [];
  const left = new Set(schemeCandidates(TLS13));
  if (share === undefined) return { flights: [], complete: false };
  while (left.size > 0) {
    const offered = alpn.offer(TLS13);
    const hello = {
      version: TLS13,
      suites,
      groups: [share],
      keyShareGroup: share,
      features: true,
      alpn: offered,
    } as const;
    const flight = await prober.hello({ ...hello, signatureSchemes: [...left] });
    if (flight === null) return { flights: found, complete: false };
    if (alpn.learn(TLS13, offered, flight) === 'ask again') continue;
    if (flight.hello === null) return { flights: found, complete: true };
    choices.learn(flight);
    found.push({ ...flight, hello: flight.hello });
    const scheme = flight.keyExchange?.signatureScheme;
    if (scheme == null || !left.delete(scheme)) break;
  }
  return { flights: found, complete: false };
}
