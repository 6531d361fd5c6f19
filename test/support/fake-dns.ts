import type { DnsAnswer, DnsRecord, DnsRecordType } from '../../src/net/dns/answer.ts';
import type { FetchResponse } from '../../src/net/fetch-types.ts';
import type { NetworkClient } from '../../src/net/network-client.ts';
import { NetError, type NetErrorCode } from '../../src/net/net-error.ts';

/** Records by type. TXT, A, AAAA, NS, PTR, CNAME: text; MX: `[preference, host]`; others: data as `dns-packet` decodes it. */
export type Zone = Readonly<
  Record<string, Readonly<Partial<Record<DnsRecordType, readonly unknown[] | 'fails'>>> | 'fails'>
>;

/** Answers by URL; a code is how fetching it fails. */
export type Pages = Readonly<
  Record<string, { status?: number; headers?: Record<string, string>; body?: string } | NetErrorCode>
>;

export interface FakeNet extends NetworkClient {
  /** `TXT _dmarc.example.com`, `https://...`: all that was asked, in order. */
  readonly asked: string[];
}

export interface FakeNetOptions {
  pages?: Pages;
  /** What WHOIS servers say, by `host:port` and line: `whois.example:43 example.com`; others refuse. */
  whois?: Readonly<Record<string, string>>;
  /** Names whose answers a validating resolver vouches for (AD). */
  signed?: readonly string[];
  /** What every question takes, milliseconds. */
  delayMs?: number;
}

const MAX_ALIASES = 8;

/**
 * A way out that leads nowhere: the DNS is `zone`, the web is `pages`. A name that is not in the zone, nor above one that is, does
 * not exist; `*.example.com` stands for those below it that are not there. What is `fails` ends as SERVFAIL does.
 */
export function fakeNet(
  zone: Zone,
  { pages = {}, whois = {}, signed = [], delayMs = 0 }: FakeNetOptions = {},
): FakeNet {
  const names = new Map(Object.entries(zone).map(([name, records]) => [name.toLowerCase(), records]));
  const asked: string[] = [];
  const recordsAt = (name: string, type: DnsRecordType): readonly unknown[] | null => {
    const own = names.get(name) ?? (isAbove(name, names) ? {} : names.get(name.replace(/^[^.]*/, '*')));
    if (own === undefined) return null;
    const found = own === 'fails' ? own : (own[type] ?? []);
    if (found === 'fails') throw new NetError('dns', `${name}: SERVFAIL`);
    return found;
  };
  const wait = (): Promise<void> | undefined =>
    delayMs === 0 ? undefined : new Promise((resolve) => setTimeout(resolve, delayMs));
  const query = async (asName: string, type: DnsRecordType): Promise<DnsAnswer> => {
    asked.push(`${type} ${asName}`);
    await wait();
    const aliases: string[] = [];
    let name = asName.toLowerCase();
    for (;;) {
      const alias = type === 'CNAME' ? undefined : recordsAt(name, 'CNAME')?.[0];
      if (typeof alias !== 'string') break;
      if (aliases.length === MAX_ALIASES) throw new NetError('dns', `${asName}: a loop of aliases`);
      aliases.push(alias);
      name = alias;
    }
    const found = recordsAt(name, type);
    const records: DnsRecord[] = (found ?? []).map((given) => ({ name, type, ttl: 300, data: dataOf(type, given) }));
    return {
      exists: found !== null,
      records,
      aliases,
      authenticated: signed.includes(name),
      answerSection: records,
      authoritySection: [],
    };
  };
  return {
    asked,
    queryDns: query,
    async resolveAddresses(host) {
      const answers = await Promise.all([query(host, 'A'), query(host, 'AAAA')]);
      if (!answers.some(({ exists }) => exists)) throw new NetError('no_such_name', host);
      return answers.flatMap(({ records }) => records.map(({ data }) => String(data)));
    },
    async fetch(url): Promise<FetchResponse> {
      asked.push(url.href);
      await wait();
      const page = pages[url.href] ?? 'no_such_name';
      if (typeof page === 'string') throw new NetError(page, url.hostname);
      const { status = 200, headers = {}, body = '' } = page;
      return {
        status,
        headers: new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value]])),
        body: new TextEncoder().encode(body),
        truncated: false,
        address: '192.0.2.1',
        latencyMs: 1,
      };
    },
    async tlsHandshake(host) {
      throw new NetError('refused', host);
    },
    async sendClientHello(host) {
      throw new NetError('refused', host);
    },
    // Mail servers start TLS; their certificates are not shown.
    async smtpHandshake() {
      return {
        offersStartTls: true,
        said: null,
        tls: {
          address: '192.0.2.1',
          protocol: 'TLSv1.3',
          cipher: { name: '', standardName: '', bits: null },
          keyExchange: null,
          certificates: [],
          authorizationError: null,
          session: null,
          resumed: false,
          renegotiated: null,
          alpn: null,
          ocspResponse: null,
          latencyMs: 0,
        },
      };
    },
    async sendLine({ host, port }, line) {
      const question = `${host}:${port} ${line}`;
      asked.push(question);
      await wait();
      const said = whois[question];
      if (said === undefined) throw new NetError('refused', host);
      return said;
    },
    trustAnchors: () => [],
    dnssecRootKeys: () => [],
    isBusy: () => false,
    async close() {},
  };
}

/** An empty non-terminal exists (RFC 8020). */
function isAbove(name: string, names: ReadonlyMap<string, unknown>): boolean {
  for (const known of names.keys()) if (known.endsWith(`.${name}`) && !known.startsWith('*')) return true;
  return false;
}

function dataOf(type: DnsRecordType, given: unknown): unknown {
  if (type !== 'MX' || !Array.isArray(given)) return given;
  const [preference, exchange] = given as [number, string];
  return { preference, exchange };
}
