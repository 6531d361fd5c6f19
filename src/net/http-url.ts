import { unescape } from 'node:querystring';

/** Ports that the Fetch standard blocks ("bad port", 2.9): services that may read an HTTP request as their own commands. */
const BAD_PORTS = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/** Whether the Fetch standard blocks a port. */
export function isBadPort(port: number): boolean {
  return BAD_PORTS.has(port);
}

export function isHttpUrl({ protocol }: URL): boolean {
  return protocol === 'https:' || protocol === 'http:';
}

/** The port of an http(s) URL. */
export function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

export function hasCredentials({ username, password }: URL): boolean {
  return username !== '' || password !== '';
}

/** The value of an `Authorization` header (RFC 7617) with the user name and password of a URL; null: no credentials. */
export function basicAuthorization(url: URL): string | null {
  if (!hasCredentials(url)) return null;
  const pair = `${unescape(url.username)}:${unescape(url.password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

/** A host name without the brackets that an IPv6 address has in a URL. */
export function withoutBrackets(hostname: string): string {
  return hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname;
}
