import { createHash, createPublicKey, randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import type { IpEndpoint, NetworkClientOptions } from '../../src/net/network-client.ts';
import { address6Of, addressOf, inLab } from './addresses.ts';
import { rootPem, TLS_PLANS } from './certificates.ts';
import { DnsServer } from './dns-server.ts';
import { EVIL_SITES } from './evil-web.ts';
import { closeServer, listenOnLoopback } from './loopback.ts';
import { MAIL_SERVER_PLANS, MailServers } from './mail-server.ts';
import { RDAP_SITES } from './rdap.ts';
import { RequestLog } from './requests.ts';
import { Resolver } from './resolver.ts';
import type { Site } from './site.ts';
import { SITES } from './sites.ts';
import { type UpstreamControl, UpstreamServer } from './upstream-server.ts';
import { MALWARE_HOST } from './upstreams.ts';
import { WebServer } from './web-server.ts';
import { WHOIS_PLANS } from './whois.ts';
import { WhoisServers } from './whois-server.ts';
import { keyFor } from './x509.ts';
import { type DkimKeys, zones } from './zones.ts';

export interface LabHost {
  host: string;
  address: string;
  address6: string | null;
  shows: string;
}

/** Whoever is reached here should not have been. */
export interface Trap {
  port: number;
  url: string;
  /** How often somebody connected. */
  readonly connections: number;
}

/** Where the addresses of the lab really are: local ports by `address port`, and what is dialled as it is. */
export interface DialPlan {
  ports: Readonly<Record<string, number>>;
  own: readonly number[];
  trap: number;
}

/** Dials by a plan; `onEscape` is told of what is no part of the lab, and it ends in the trap. */
export function dialBy(plan: DialPlan, onEscape: (to: IpEndpoint) => void): (to: IpEndpoint) => IpEndpoint {
  return (to) => {
    const port = plan.ports[`${to.address} ${to.port}`];
    if (port !== undefined) return { address: '127.0.0.1', port };
    if (to.address === '127.0.0.1' && plan.own.includes(to.port)) return to;
    if (inLab(to.address)) return { address: '127.0.0.1', port: NOBODY_LISTENS };
    onEscape(to);
    return { address: '127.0.0.1', port: plan.trap };
  };
}

export interface Lab {
  /** The same as `netOptions.mapEndpoint`, as data: for a service in another process. */
  plan: DialPlan;
  /** What a `Net` needs so that the lab is its whole world. */
  netOptions: Pick<NetworkClientOptions, 'dnsServers' | 'mapEndpoint' | 'extraCa' | 'rootKeys'>;
  /** Addresses of the imitated upstreams, by id of the source. */
  sourceUrls: ReadonlyMap<string, string>;
  source(id: string): UpstreamControl;
  /** How long to wait for a source: short while it hangs, else so long that a busy machine makes no difference. */
  patienceMs: (id: string) => number;
  hosts: readonly LabHost[];
  host(name: string): LabHost;
  dns: DnsServer;
  requests: RequestLog;
  /** Dials to what is no part of the lab. They end in the trap. */
  escapes: readonly IpEndpoint[];
  trap: Trap;
  close(): Promise<void>;
}

export const ALL_SITES: readonly Site[] = [
  ...SITES,
  ...RDAP_SITES,
  ...EVIL_SITES,
  { host: MALWARE_HOST, shows: 'a host that the lists of malware name', pages: { '/': { body: 'Nothing here.\n' } } },
];

/**
 * A small world on loopback: DNS, WHOIS, RDAP, web sites, certificates and the APIs that are asked, all on free ports of 127.0.0.1,
 * with names below `.lab` and addresses that look public. `delayMs`: how long every answer takes.
 */
export async function openLab({ delayMs = 0 }: { delayMs?: number } = {}): Promise<Lab> {
  const hosts = labHosts();
  const log = new RequestLog();
  const addresses = new Map(
    hosts.map(({ host, address, address6 }) => [host, address6 === null ? [address] : [address, address6]]),
  );
  const hostOf = new Map(
    [...addresses].flatMap(([host, own]) => own.map((address) => [bracketed(address), host] as const)),
  );
  const web = new WebServer(ALL_SITES, hostOf, log, delayMs);
  const [dns, whois, mail, upstreams, plainPort, trap] = await Promise.all([
    DnsServer.start(new Resolver(zones(dkimKeys(), leafKeyDigest()), addresses), log, delayMs),
    WhoisServers.start(log, delayMs),
    MailServers.start(log, delayMs),
    UpstreamServer.start(log, delayMs),
    web.startPlain(),
    openTrap(),
  ]);
  const ports = new Map<string, number>();
  const open = (host: string, port: number, at: number): void => {
    for (const address of addresses.get(host) ?? []) ports.set(`${address} ${port}`, at);
  };
  const plans = new Map(TLS_PLANS.map((plan) => [plan.host, plan]));
  const startTls = async ({ host, shows }: Site): Promise<void> =>
    open(host, 443, await web.startTls(plans.get(host) ?? { host, shows }));
  for (const { host, on } of ALL_SITES) if (on !== 'https') open(host, 80, plainPort);
  for (const [host, port] of whois.ports) open(host, 43, port);
  for (const { address } of MAIL_SERVER_PLANS) ports.set(`${address} 25`, mail.ports.get(address)!);
  await Promise.all(ALL_SITES.filter(({ on }) => on !== 'http').map(startTls));
  const escapes: IpEndpoint[] = [];
  const plan: DialPlan = {
    ports: Object.fromEntries(ports),
    own: [dns.port, upstreams.port, ...whois.ports.values()],
    trap: trap.port,
  };
  const mapEndpoint = dialBy(plan, (to) => escapes.push(to));
  const sourceUrls = new Map(
    [...upstreams.controls.keys()].map((id) => [id, `http://127.0.0.1:${upstreams.port}/${id}/`]),
  );
  sourceUrls.set('whois', `whois://127.0.0.1:${whois.ports.get('whois.iana.org')}`);
  return {
    plan,
    netOptions: {
      dnsServers: [`127.0.0.1:${dns.port}`],
      extraCa: [rootPem()],
      rootKeys: [dns.trustAnchor],
      mapEndpoint,
    },
    sourceUrls,
    source: (id) => upstreams.controls.get(id) ?? missing('source', id),
    patienceMs: (id) => (upstreams.controls.get(id)?.mode === 'hang' ? 300 : 30_000),
    hosts,
    host: (name) => hosts.find(({ host }) => host === name) ?? missing('host', name),
    dns,
    requests: log,
    escapes,
    trap,
    async close() {
      await Promise.all([dns.close(), whois.close(), mail.close(), upstreams.close(), web.close(), trap.close()]);
    },
  };
}

/** The discard service (RFC 863), which no machine runs: what a dial to a closed port of the lab comes to. */
const NOBODY_LISTENS = 9;

/** Every host that has a server. */
function labHosts(): LabHost[] {
  const listed = [
    ...ALL_SITES,
    ...WHOIS_PLANS.map(({ host, shows }) => ({ host, shows: `WHOIS: ${shows}`, ipv6: false })),
  ];
  return listed.map(({ host, shows, ipv6 }) => ({
    host,
    address: addressOf(host),
    address6: ipv6 === true ? address6Of(host) : null,
    shows,
  }));
}

function missing(kind: string, name: string): never {
  throw new Error(`the lab has no ${kind} ${name}`);
}

/** As a host stands in a URL. */
function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

async function openTrap(): Promise<Trap & { close(): Promise<void> }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  const { port, open } = await listenOnLoopback(server);
  return {
    port,
    url: `http://127.0.0.1:${port}/`,
    get connections() {
      return connections;
    },
    close: () => closeServer(server, open),
  };
}

/** SHA-256 of the public key of all certificates with the usual key, as `3 1 1` TLSA records hold it. */
function leafKeyDigest(): string {
  const publicKey = createPublicKey(keyFor('leaf', 'p256')).export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(publicKey).digest('hex');
}

/** Numbers of the right length: nobody signs mail here, so that nobody needs real keys. */
function dkimKeys(): DkimKeys {
  const rsa = (bits: number): string => {
    const modulus = randomBytes(bits / 8);
    modulus[0]! |= 0x80;
    modulus[modulus.length - 1]! |= 1;
    const key = createPublicKey({ key: { kty: 'RSA', n: modulus.toString('base64url'), e: 'AQAB' }, format: 'jwk' });
    return key.export({ type: 'spki', format: 'der' }).toString('base64');
  };
  return { rsa1024: rsa(1024), rsa2048: rsa(2048), ed25519: randomBytes(32).toString('base64') };
}
