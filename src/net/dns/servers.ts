import { getServers } from 'node:dns';
import { isIPv6 } from 'node:net';

export interface DnsServer {
  host: string;
  port: number;
}

const DNS_PORT = 53;

/** Parses `host`, `host:port`, `address` or `[address]:port`; an IPv6 address may have a zone. Null for anything else. */
export function parseDnsServer(text: string): DnsServer | null {
  const [, bracketed, plain, port] =
    /^(?:\[([\da-fA-F:.]+(?:%[\w.-]+)?)\]|([^\s:/[\]@]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const bare = isIPv6(text) ? text : undefined;
  const host = bracketed ?? plain ?? bare;
  const number = port === undefined ? DNS_PORT : Number(port);
  return host === undefined || number < 1 || number > 65_535 ? null : { host, port: number };
}

/** The configured resolvers, else those of the system. The operator chose them: their addresses are not vetted. */
export function selectDnsServers(configured: readonly string[]): DnsServer[] {
  const serverTexts = configured.length > 0 ? configured : getServers();
  return serverTexts.flatMap((text) => parseDnsServer(text) ?? []);
}
