import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { createSecureContext, createServer as createTlsServer, type SecureContext } from 'node:tls';
import * as packet from 'dns-packet';
import type { IpEndpoint, NetworkClient } from '../../src/net/network-client.ts';
import { openNetworkClient } from '../../src/net/open-network-client.ts';
import { tlsOptions } from '../lab/certificates.ts';
import { type Lab, openLab } from '../lab/lab.ts';
import { closeServer, listenOnLoopback } from '../lab/loopback.ts';
import type { Handler } from '../lab/site.ts';
import { issue, keyFor } from '../lab/x509.ts';
import { type ServiceOptions, startService, type TestService } from '../support/service.ts';

/** Records by type, as `dns-packet` writes them; a function is asked each time. */
export type Records = Readonly<Record<string, readonly unknown[] | (() => readonly unknown[])>>;

/** A name of the attacker's, on an address of its own that looks public. */
export interface HostileHost {
  /** Answers requests on 80 and 443; none: nobody listens there. */
  web?: Handler | undefined;
  /** Answers on 443 alone are other ones. */
  tls?: Handler;
  /** Answers WHOIS, by line. */
  whois?: (line: string, socket: Socket) => void;
  /** In place of the address of its own, and beside it. */
  records?: Records;
  /** Common name, names and AIA address of its certificate. */
  certificate?: { subject?: string; names?: readonly string[]; issuerUrl?: string };
}

/** The lab, and in it an attacker who has names, addresses, servers and an upstream of every kind. */
export interface HostileWorld {
  lab: Lab;
  net: NetworkClient;
  add(name: string, host: HostileHost): void;
  /** A host that does as it likes with every connection, to whatever port. */
  addRaw(name: string, connected: (socket: Socket) => void): Promise<void>;
  /** Requests that reached the attacker: `https name /path`. */
  readonly reached: string[];
  /** An upstream in the attacker's hands: address for `sources`, and what it answers. */
  upstream: { url: string; port: number; answer: Handler };
  /** A WHOIS root in the attacker's hands. */
  whoisRoot: { url: string; answer: (line: string) => string };
  /** Sources that are not given are those of the lab. */
  service(
    owner: Owner,
    options?: ServiceOptions & { sources?: Readonly<Record<string, string>> },
  ): Promise<TestService>;
  close(): Promise<void>;
}

interface Owner {
  after(end: () => void | Promise<void>): void;
}

/** Keys that make the service ask every source that wants one. */
export const SOURCE_KEYS = { SEXTANT_ABUSECH_KEY: 'k', SEXTANT_ABUSEIPDB_KEY: 'k', SEXTANT_SHODAN_KEY: 'k' };
/** Upstreams that the attacker may be, beside WHOIS. */
export const ATTACKER_UPSTREAMS = [
  'crtsh',
  'wayback',
  'urlhaus',
  'threatfox',
  'malwarebazaar',
  'internetdb',
  'shodan',
  'abuseipdb',
  'ripestat',
  'rdap',
  'github',
  'shodan_cvedb',
] as const;

/** For `sources`: every upstream is in the attacker's hands. */
export function attackerSources({ upstream, whoisRoot }: HostileWorld): Record<string, string> {
  return {
    ...Object.fromEntries(ATTACKER_UPSTREAMS.map((id) => [id, `${upstream.url}${id}/`])),
    whois: whoisRoot.url,
  };
}

/** The attacker's addresses. */
const PREFIX = '5.66.';

export async function openHostileWorld(): Promise<HostileWorld> {
  const lab = await openLab();
  const hosts = new Map<string, HostileHost & { address: string }>();
  const byAddress = new Map<string, string>();
  const reached: string[] = [];
  const servers: { server: Server; open: ReadonlySet<Socket> }[] = [];
  const listen = async (server: Server): Promise<number> => {
    const { port, open } = await listenOnLoopback(server);
    servers.push({ server, open });
    return port;
  };

  const listener =
    (scheme: 'http' | 'https'): RequestListener =>
    (request, response) => {
      const name = (request.headers.host ?? '').toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
      reached.push(`${scheme} ${name} ${request.url}`);
      const host = hosts.get(byAddress.get(name) ?? name);
      const answer = (scheme === 'https' ? host?.tls : undefined) ?? host?.web;
      if (answer === undefined) response.writeHead(421).end();
      else answer(request, response);
    };
  const plain = createHttpServer({ maxHeaderSize: 1024 * 1024 }, listener('http'));
  const secured = createHttpServer({ maxHeaderSize: 1024 * 1024 }, listener('https'));
  const rawPorts = new Map<string, number>();
  const contexts = new Map<string, SecureContext>();
  const contextOf = (name: string): SecureContext => {
    const known = contexts.get(name) ?? secureContext(name, hosts.get(name));
    contexts.set(name, known);
    return known;
  };
  const tls = createTlsServer({
    SNICallback: (name, done) => done(null, contextOf(name.toLowerCase())),
    ...leafOf('attacker.lab', undefined),
  });
  tls.on('secureConnection', (socket) => secured.emit('connection', socket)).on('tlsClientError', () => {});
  const whois = createTcpServer((socket) => {
    socket.once('data', (line) => {
      const text = line.toString().trim();
      reached.push(`whois ${text}`);
      for (const host of hosts.values()) if (host.whois !== undefined) return host.whois(text, socket);
      socket.end();
    });
  });
  const upstream: HostileWorld['upstream'] = {
    url: '',
    port: 0,
    answer: (_request, response) => void response.writeHead(404).end(),
  };
  const upstreamServer = createHttpServer((request, response) => {
    request.resume().once('end', () => upstream.answer(request, response));
  });
  const whoisRoot: HostileWorld['whoisRoot'] = { url: '', answer: () => '' };
  const rootServer = createTcpServer((socket) => {
    socket.once('data', (line) => socket.end(whoisRoot.answer(line.toString().trim())));
  });
  const ports: Record<number, number> = {
    80: await listen(createTcpServer((socket) => plain.emit('connection', socket))),
    443: await listen(tls),
    43: await listen(whois),
  };
  upstream.port = await listen(upstreamServer);
  upstream.url = `http://127.0.0.1:${upstream.port}/`;
  whoisRoot.url = `whois://127.0.0.1:${await listen(rootServer)}`;
  const own = new Set([upstream.port, Number(whoisRoot.url.split(':').at(-1))]);
  const dns = await startDns(
    (name, type) => answerOf(hosts, name, type),
    Number(lab.netOptions.dnsServers[0]!.split(':')[1]),
  );

  const dial = (to: IpEndpoint): IpEndpoint => {
    if (to.address.startsWith(PREFIX)) {
      const name = byAddress.get(to.address) ?? '';
      const own = rawPorts.get(name);
      if (own !== undefined) return { address: '127.0.0.1', port: own };
      const host = hosts.get(name);
      const open = to.port === 43 ? host?.whois !== undefined : host?.web !== undefined || host?.tls !== undefined;
      return { address: '127.0.0.1', port: (open ? ports[to.port] : undefined) ?? 9 };
    }
    if (to.address === '127.0.0.1' && own.has(to.port)) return to;
    return lab.netOptions.mapEndpoint!(to);
  };
  const net = openNetworkClient({
    ...lab.netOptions,
    dnsServers: [`127.0.0.1:${dns.port}`],
    mapEndpoint: dial,
    allowedPrivate: [],
    proxy: null,
  });
  const add = (name: string, host: HostileHost): void => {
    const number = hosts.size + 1;
    const address = `${PREFIX}${number >> 8}.${number & 255}`;
    hosts.set(name, { ...host, address });
    byAddress.set(address, name);
  };
  return {
    lab,
    net,
    reached,
    upstream,
    whoisRoot,
    add,
    async addRaw(name, connected) {
      rawPorts.set(name, await listen(createTcpServer(connected)));
      add(name, {});
    },
    service: (owner, { sources = {}, ...options } = {}) =>
      startService(owner, { net, sources: { ...Object.fromEntries(lab.sourceUrls), ...sources }, ...options }),
    async close() {
      await net.close();
      await Promise.all([dns.close(), ...servers.map(({ server, open }) => closeServer(server, open))]);
      await lab.close();
    },
  };
}

function answerOf(
  hosts: ReadonlyMap<string, HostileHost & { address: string }>,
  name: string,
  type: string,
): { name: string; type: string; data: unknown }[] | null {
  const host = hosts.get(name);
  if (host !== undefined) {
    const records = host.records ?? {};
    const given = records[type] ?? (records.CNAME === undefined ? undefined : records.CNAME);
    const own = type === 'A' && records.A === undefined && records.AAAA === undefined && records.CNAME === undefined;
    const data = given === undefined ? (own ? [host.address] : []) : typeof given === 'function' ? given() : given;
    const as = records[type] === undefined && records.CNAME !== undefined ? 'CNAME' : type;
    return data.map((one) => ({ name, type: as, data: one }));
  }
  return [...hosts.keys()].some((other) => other.endsWith(`.${name}`)) ? [] : null;
}

/** A resolver that answers for the attacker, and hands on what is not his. */
async function startDns(
  answer: (name: string, type: string) => { name: string; type: string; data: unknown }[] | null,
  behind: number,
): Promise<{ port: number; close(): Promise<void> }> {
  const reply = (bytes: Buffer, tcp: boolean): Buffer | null => {
    const query = packet.decode(bytes);
    const [question] = query.questions ?? [];
    const records = question === undefined ? null : answer(question.name.toLowerCase(), question.type);
    if (records === null) return null;
    const answers = records.map((record) => ({ ...record, ttl: 60, class: 'IN' }) as packet.Answer);
    const of = (flags: number, list: packet.Answer[]): Buffer =>
      packet.encode({ type: 'response', id: query.id!, flags, questions: [question!], answers: list });
    const whole = of(packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE, answers);
    return tcp || whole.length <= 1200 ? whole : of(packet.TRUNCATED_RESPONSE, []);
  };
  const { udp, tcp, port } = await bindBoth();
  const open = new Set<Socket>();
  const passing = new Set<UdpSocket>();
  let closed = false;
  udp.on('message', (bytes, from) => {
    const own = reply(bytes, false);
    if (closed) return;
    if (own !== null) return udp.send(own, from.port, from.address);
    const pass = createSocket('udp4');
    passing.add(pass);
    const done = (): void => void (passing.delete(pass) && pass.close());
    pass.on('message', (answered) => {
      if (!closed) udp.send(answered, from.port, from.address);
    });
    pass.send(bytes, behind, '127.0.0.1');
    setTimeout(done, 5000).unref();
  });
  tcp.on('connection', (socket) => {
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    socket.once('data', (bytes: Buffer) => {
      const own = reply(bytes.subarray(2), true);
      if (own !== null) {
        const length = Buffer.alloc(2);
        length.writeUInt16BE(own.length);
        return socket.end(Buffer.concat([length, own]));
      }
      const pass = connect(behind, '127.0.0.1', () => pass.write(bytes));
      pass.on('error', () => socket.destroy()).pipe(socket);
      socket.on('close', () => pass.destroy());
    });
  });
  return {
    port,
    async close() {
      closed = true;
      for (const pass of passing) pass.close();
      passing.clear();
      udp.close();
      await closeServer(tcp, open);
    },
  };
}

async function bindBoth(): Promise<{ udp: UdpSocket; tcp: Server; port: number }> {
  for (;;) {
    const tcp = createTcpServer();
    await new Promise<void>((done) => tcp.listen(0, '127.0.0.1', done));
    const { port } = tcp.address() as AddressInfo;
    const udp = createSocket('udp4');
    const bound = await new Promise<boolean>((done) =>
      udp.once('error', () => done(false)).bind(port, '127.0.0.1', () => done(true)),
    );
    if (bound) return { udp, tcp, port };
    udp.close();
    tcp.close();
  }
}

function leafOf(name: string, wish: HostileHost['certificate']): { key: string; cert: string } {
  const key = keyFor('hostile', 'p256');
  const certificate = issue({
    subject: wish?.subject ?? name,
    names: wish?.names ?? [name],
    key,
    issuer: { name: 'Hostile CA', key: keyFor('hostile issuer', 'p256') },
    from: -1,
    until: 30,
    ...(wish?.issuerUrl === undefined ? {} : { issuerUrl: wish.issuerUrl }),
  });
  return { key: key.export({ type: 'pkcs8', format: 'pem' }) as string, cert: certificate.pem };
}

/** By the lab's own authority, unless the attacker wants something in it that no authority would sign. */
function secureContext(name: string, host: HostileHost | undefined): SecureContext {
  if (host?.certificate !== undefined) return createSecureContext(leafOf(name, host.certificate));
  const { key, cert } = tlsOptions({ host: name, shows: '' }).options;
  return createSecureContext({ key: key as string, cert: cert as string });
}

const WITHIN = 'an address within';

/** What no answer and no line of the log may hold, whatever happened. */
const LEAKS: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a stack', /\bat [^\n(]{1,80}\([^\n)]*:\d+:\d+\)|node:internal|\.ts:\d+/],
  ['a path of this machine', /\/(?:home|root|work|usr|tmp|var|etc)\/\w|file:\/\/\//],
  [
    WITHIN,
    /\b(?:127\.\d+\.\d+\.\d+|10\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+|172\.(?:1[6-9]|2\d|3[01])\.\d+\.\d+|169\.254\.\d+\.\d+)\b/,
  ],
];

/** What of that is in a text. `shown`: the caller sent an address within himself, or asked for where a target leads, which may be one. */
export function leaksIn(text: string, shown = false): string[] {
  return LEAKS.filter(([what]) => !shown || what !== WITHIN).flatMap(([what, pattern]) => {
    const found = pattern.exec(text)?.[0];
    return found === undefined ? [] : [`${what}: ${found}`];
  });
}

/** Every string of a JSON value with its path, names of fields as well. */
export function* stringsIn(value: unknown, path = '$'): Generator<[path: string, text: string]> {
  if (typeof value === 'string') yield [path, value];
  else if (Array.isArray(value)) for (const [at, each] of value.entries()) yield* stringsIn(each, `${path}[${at}]`);
  else if (typeof value === 'object' && value !== null)
    for (const [name, each] of Object.entries(value)) {
      yield [`${path}.{name}`, name];
      yield* stringsIn(each, `${path}.${name.slice(0, 40)}`);
    }
}
