import { groupName, isPostQuantum } from '../../../analysis/tls/named-groups.ts';
import { signatureSchemeName } from '../../../analysis/tls/signature-schemes.ts';
import { suiteName } from '../../../analysis/tls/suite-names.ts';
import { isCbc } from '../../../analysis/tls/suite-properties.ts';
import type { TlsConfiguration } from '../../../analysis/tls/tls-facts.ts';
import { EXTENSIONS } from '../../../net/tls/client-hello.ts';
import { AlpnChoices } from './alpn-choices.ts';
import { groupCandidates, schemeCandidates } from './candidates.ts';
import { enumerateExchange } from './enumerate-exchange.ts';
import { highestOldVersion, highestOpensslVersion, type SuitesOfServer } from './enumerate-tls.ts';
import type { AcceptedFlight, SuiteEnumeration } from './enumerate-suites.ts';
import { enumerateTls13Groups, keyShareGroup, readTls13Flights } from './enumerate-tls13.ts';
import type { Prober } from './prober.ts';
import { findResumption, type KnownSession } from './resumption.ts';

/** TLS_FALLBACK_SCSV (RFC 7507, 2). */
const FALLBACK_SCSV = 0x5600;
const INAPPROPRIATE_FALLBACK_ALERT = 86;

export interface FoundConfiguration {
  configuration: TlsConfiguration;
  /** Flights of TLS 1.3 that were read beyond those of the suites. */
  flights: readonly AcceptedFlight[];
  gaps: string[];
}

/** Everything but versions and suites. `session`: of an earlier handshake. */
export async function findConfiguration(
  prober: Prober,
  found: SuitesOfServer,
  session: KnownSession | null,
): Promise<FoundConfiguration> {
  const old = highestOldVersion(found);
  const alpn = old === null ? new AlpnChoices('TLSv1.3') : found.alpn;
  const takesTls13 = found.protocols['TLSv1.3'];
  const [serverPreference, { exchange, tls13Groups, tls13Flights }, resumption, fallbackScsv] = await Promise.all([
    findPreference(prober, old),
    findExchange(prober, found, old, alpn),
    findResumption(prober, highestOpensslVersion(found), takesTls13, session),
    probeFallback(prober, found),
  ]);
  if (old === null) await completeAlpn(prober, found.tls13, alpn, keyShareGroup(tls13Groups?.groups ?? []));
  else if (old.version === 'TLSv1.2') await completeAlpn(prober, old, alpn);
  const groups = tls13Groups?.groups ?? exchange?.groups ?? [];
  const schemes = [...new Set([...(exchange?.schemes ?? []), ...found.tls13.choices.schemes])];
  const { resumption: byWhat, clientRenegotiation } = resumption;
  const configuration: TlsConfiguration = {
    serverPreference,
    groups: groups.map(groupName),
    // Only TLS 1.3 has them.
    postQuantumGroups:
      takesTls13 === null || tls13Groups?.complete === false ? null : groups.filter(isPostQuantum).map(groupName),
    signatureSchemes: schemes.length === 0 ? null : schemes.map(signatureSchemeName),
    alpn: alpn.protocols,
    resumption: byWhat,
    ...featuresOf(found, old),
    renegotiation: {
      secure: secureRenegotiation(found, old),
      clientInitiated: old === null ? false : clientRenegotiation,
    },
    fallbackScsv,
  };
  const gaps = [
    ...(tls13Groups?.complete === false || (tls13Groups === null && exchange?.groupsComplete === false)
      ? ['not all groups of the key exchange could be tried']
      : []),
    ...(exchange?.schemesComplete === false || tls13Flights?.complete === false
      ? ['not all signature algorithms could be tried']
      : []),
    ...(clientRenegotiation === null && old !== null
      ? ['whether a client may begin a renegotiation is not known']
      : []),
  ];
  return { configuration, flights: tls13Flights?.flights ?? [], gaps };
}

/** Groups and signature schemes: first those of the versions before TLS 1.3, whose groups need not be tried again. */
async function findExchange(prober: Prober, found: SuitesOfServer, old: SuiteEnumeration | null, alpn: AlpnChoices) {
  const exchange = old === null ? null : await enumerateExchange(prober, old, found.exchange);
  if (found.tls13.accepted !== true) return { exchange, tls13Groups: null, tls13Flights: null };
  const tls13Groups = await enumerateTls13Groups(prober, found.tls13, exchange?.groups ?? []);
  const tls13Flights = old === null ? await readTls13Flights(prober, found.tls13, tls13Groups.groups, alpn) : null;
  return { exchange, tls13Groups, tls13Flights };
}

/** Offers what the server takes in another order. ChaCha20 is never the first: some servers prefer it for clients that put it first. */
async function findPreference(prober: Prober, old: SuiteEnumeration | null): Promise<boolean | null> {
  if (old === null || old.flights.length < 2) return null;
  const order = old.flights.map(({ hello }) => hello.suite);
  const reversed = order.toReversed();
  const first = reversed.find((code) => !suiteName(code).includes('CHACHA20')) ?? reversed[0]!;
  if (first === order[0]) return null;
  const { version } = old;
  const flight = await prober.hello({
    version,
    suites: [first, ...reversed.filter((code) => code !== first)],
    groups: groupCandidates(version),
    signatureSchemes: schemeCandidates(version),
  });
  return flight?.hello == null ? null : flight.hello.suite !== first;
}

/** Says that it fell back to the second-highest version. */
async function probeFallback(prober: Prober, { old, protocols }: SuitesOfServer): Promise<boolean | null> {
  const taken = old.filter(({ flights }) => flights.length > 0);
  const lower = protocols['TLSv1.3'] === true ? taken[0] : taken[1];
  if (lower === undefined) return null;
  const { version, flights } = lower;
  const flight = await prober.hello({
    version,
    suites: [...flights.map(({ hello }) => hello.suite), FALLBACK_SCSV],
    groups: groupCandidates(version),
    signatureSchemes: schemeCandidates(version),
  });
  if (flight === null) return null;
  return flight.hello === null ? flight.alert === INAPPROPRIATE_FALLBACK_ALERT || null : false;
}

/** The rest of ALPN, where there were fewer suites than protocols. `share`: group of a key share, with which TLS 1.3 can be read. */
async function completeAlpn(
  prober: Prober,
  { version, flights }: SuiteEnumeration,
  alpn: AlpnChoices,
  share?: number,
): Promise<void> {
  if (flights.length === 0 || (version === 'TLSv1.3' && share === undefined)) return;
  const hello = {
    version,
    suites: flights.map(({ hello: { suite } }) => suite),
    groups: share === undefined ? groupCandidates(version) : [share],
    signatureSchemes: schemeCandidates(version),
    ...(share !== undefined && { keyShareGroup: share }),
  };
  for (let offered = alpn.offer(version); offered.length > 0; offered = alpn.offer(version)) {
    const flight = await prober.hello({ ...hello, alpn: offered });
    if (flight === null || (alpn.learn(version, offered, flight) === null && flight.hello === null)) return;
  }
}

function secureRenegotiation({ tls13 }: SuitesOfServer, old: SuiteEnumeration | null): boolean | null {
  if (old === null) return tls13.accepted === true ? true : null;
  return old.flights.some(({ hello }) => hello.extensions.has(EXTENSIONS.renegotiationInfo));
}

type Features = Pick<
  TlsConfiguration,
  'compression' | 'heartbeat' | 'extendedMasterSecret' | 'encryptThenMac' | 'dhReused'
>;

/** From the answers to hellos that offered everything. TLS 1.3 has no compression and no heartbeat and needs neither of the others. */
function featuresOf({ flights }: SuitesOfServer, old: SuiteEnumeration | null): Features {
  if (old === null) {
    const known = flights.length > 0 ? false : null;
    return { compression: known, heartbeat: known, extendedMasterSecret: null, encryptThenMac: null, dhReused: known };
  }
  const answered = (extension: number): boolean => old.flights.some(({ hello }) => hello.extensions.has(extension));
  const cbc = old.flights.filter(({ hello }) => isCbc(suiteName(hello.suite)));
  const publics = flights.flatMap(({ keyExchange }) =>
    keyExchange?.dhPublic == null ? [] : [Buffer.from(keyExchange.dhPublic).toString('hex')],
  );
  return {
    compression: old.flights.some(({ hello }) => hello.compression !== 0),
    heartbeat: answered(EXTENSIONS.heartbeat),
    extendedMasterSecret: answered(EXTENSIONS.extendedMasterSecret),
    encryptThenMac: cbc.length === 0 ? null : cbc.some(({ hello }) => hello.extensions.has(EXTENSIONS.encryptThenMac)),
    dhReused: publics.length === 1 ? null : new Set(publics).size < publics.length,
  };
}
