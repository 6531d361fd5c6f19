import { parseDomainName, withoutFinalDot } from '../domain-name.ts';
import { isPublicIp, parseIp } from '../ip-address.ts';
import { refang } from './refang.ts';

const MAX_LENGTH = 2048;
const HASH_TYPES: Readonly<Record<number, HashType>> = { 32: 'md5', 40: 'sha1', 64: 'sha256' };

export type HashType = 'md5' | 'sha1' | 'sha256';

/** An indicator of compromise; `value` is canonical. */
export type Indicator =
  | { type: 'ip'; value: string }
  | { type: 'domain'; value: string }
  /** `host` without brackets. */
  | { type: 'url'; value: string; host: string }
  | { type: 'hash'; value: string; hash: HashType };

/**
 * Parses an indicator, also a defanged one: a public IP address (with or without a port), a domain name, an http(s) or ftp URL without
 * credentials and with a public host, an MD5, SHA-1 or SHA-256 hash. Null for other texts.
 */
export function parseIndicator(text: string): Indicator | null {
  if (text.length > MAX_LENGTH) return null;
  const plain = refang(text);
  const hash = detectHashType(plain);
  if (hash !== null) return { type: 'hash', value: plain.toLowerCase(), hash };
  if (/^(?:https?|ftp):/i.test(plain)) return parseUrlIndicator(plain);
  const ip = parseIp(stripPort(plain));
  if (ip !== null) return isPublicIp(ip) ? { type: 'ip', value: ip } : null;
  const domain = parseDomainName(plain);
  return domain === null ? null : { type: 'domain', value: domain };
}

/** The type of a hash in hexadecimal digits, in either case; null for other texts. */
export function detectHashType(text: string): HashType | null {
  return /^[0-9a-f]+$/i.test(text) ? (HASH_TYPES[text.length] ?? null) : null;
}

function parseUrlIndicator(text: string): Extract<Indicator, { type: 'url' }> | null {
  const url = /^\w+:\/\//.test(text) ? URL.parse(text) : null;
  if (url === null || url.username !== '' || url.password !== '') return null;
  url.hash = '';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const known = parseIp(host) === null ? parseDomainName(host) !== null : isPublicIp(host);
  return known && url.href.length <= MAX_LENGTH ? { type: 'url', value: url.href, host: withoutFinalDot(host) } : null;
}

/** Removes the port that lists of servers add: `192.0.2.1:443`, `[2001:db8::1]:443`. */
function stripPort(text: string): string {
  return /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? /^\[([\da-f:.]+)\](?::\d{1,5})?$/i.exec(text)?.[1] ?? text;
}
