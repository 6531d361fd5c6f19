import { judgeAttacks } from '../../src/analysis/tls/attacks.ts';
import { gradeTls } from '../../src/analysis/tls/grade-tls.ts';
import { certificationPath, type TlsFacts } from '../../src/analysis/tls/tls-facts.ts';
import { tlsVersionLabel } from '../../src/analysis/tls/version-label.ts';
import type { NetworkClient } from '../../src/net/network-client.ts';
import { openNetworkClient } from '../../src/net/open-network-client.ts';
import { tls } from '../../src/sources/tls/tls.ts';
import { ROOT_PEM } from './certificates.ts';
import { ATTACKS, type Fact, suiteFact } from './facts.ts';

/** A public address, which the network client accepts and which is mapped to the server. */
const ADDRESS = '93.184.216.34';
const HOST = 'site.example';

export interface OurAnswer {
  facts: Set<Fact>;
  grade: string;
  gaps: readonly string[];
}

/** What this service finds out about the server at a port of 127.0.0.1. */
export async function askOurselves(port: number): Promise<OurAnswer> {
  const open = openNetworkClient({
    dnsServers: [],
    allowedPrivate: [],
    proxy: null,
    extraCa: [ROOT_PEM],
    mapEndpoint: () => ({ address: '127.0.0.1', port }),
  });
  // The name is known without the DNS.
  const net: NetworkClient = {
    ...open,
    tlsHandshake: (_, options) => open.tlsHandshake(ADDRESS, { serverName: HOST, ...options }),
    sendClientHello: (_, options) => open.sendClientHello(ADDRESS, { serverName: HOST, ...options }),
  };
  try {
    const found = await tls.ask(
      { host: HOST, port: 443, detail: 'all' },
      {
        net,
        baseUrl: '',
        trusted: false,
        apiKey: null,
        timeoutMs: tls.policy.timeoutMs,
        maxBytes: tls.policy.maxBytes,
        signal: AbortSignal.timeout(60_000),
        now: () => new Date(),
        ask: () => Promise.reject(new Error('no other source is asked')),
        countVisit: async () => {},
      },
    );
    return { facts: factsOf(found), grade: gradeTls(found, new Date()).grade, gaps: found.gaps };
  } finally {
    await open.close();
  }
}

function factsOf(found: TlsFacts): Set<Fact> {
  const { configuration, suites, protocols, staple } = found;
  const old = (['SSLv3', 'TLSv1', 'TLSv1.1', 'TLSv1.2'] as const).some((version) => protocols[version] === true);
  const resumption = configuration?.resumption;
  const features: Record<string, boolean | null | undefined> = {
    'server order': configuration?.serverPreference,
    'secure renegotiation': old && configuration?.renegotiation.secure,
    'client renegotiation': configuration?.renegotiation.clientInitiated,
    compression: configuration?.compression,
    'fallback SCSV': configuration?.fallbackScsv,
    'OCSP staple': staple?.status === 'good' && staple.signatureValid,
    'session tickets': old ? resumption?.tickets : resumption?.psk,
    'session ids': resumption?.sessionIds,
    heartbeat: configuration?.heartbeat,
  };
  const attacks = (judgeAttacks(found) ?? []).filter(({ vulnerable }) => vulnerable === true).map(({ name }) => name);
  const leaves = [certificationPath(found)[0], ...found.otherCertificates].flatMap((leaf) => leaf ?? []);
  return new Set([
    ...Object.entries(protocols).flatMap(([version, taken]) =>
      taken === true ? [`protocol ${tlsVersionLabel(version)}`] : [],
    ),
    ...suites.map(({ version, code }) => suiteFact(tlsVersionLabel(version), code)),
    ...(configuration?.groups ?? []).map((name) => `group ${name}`),
    ...(configuration?.signatureSchemes ?? []).map((name) => `signature ${name}`),
    ...leaves.map(({ key }) => `key ${key.type} ${key.bits}`),
    ...Object.entries(features).flatMap(([name, has]) => (has === true ? [`feature ${name}`] : [])),
    ...ATTACKS.filter((name) => attacks.includes(name)).map((name) => `attack ${name}`),
  ]);
}
