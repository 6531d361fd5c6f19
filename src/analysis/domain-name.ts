import { getDomain, getPublicSuffix } from 'tldts';
import { parseIp } from './ip-address.ts';

const MAX_LENGTH = 253;
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

/**
 * A domain name in its ASCII form (IDNA by the URL standard), lower case, without a final dot. Labels may begin with `_`, as in
 * service names. Null for anything else: a URL, a port, a wildcard, an address in any notation, a single label, labels that are
 * empty, too long or have other characters.
 */
export function parseDomainName(text: string): string | null {
  const given = text.endsWith('.') ? text.slice(0, -1) : text;
  if (given === '' || /[\s/\\:@?#%*[\]<>^|]/.test(given)) return null;
  const ascii = toAscii(given);
  if (ascii === null || ascii.length > MAX_LENGTH || parseIp(ascii) !== null) return null;
  const labels = ascii.split('.');
  if (labels.length < 2 || !labels.every((label) => LABEL.test(label))) return null;
  // A last label of digits is an address or nothing (URL standard, "ends in a number").
  return /^(\d+|0x[0-9a-f]*)$/.test(labels.at(-1)!) ? null : ascii;
}

function toAscii(name: string): string | null {
  const lower = name.toLowerCase();
  if (/^[a-z0-9._-]*$/.test(lower) && !/(^|\.)xn--/.test(lower)) return lower;
  const host = URL.parse(`https://${name}/`)?.hostname ?? '';
  return host === '' ? null : host;
}

/** A name without its final dot; the root stays `.`. */
export function withoutFinalDot(name: string): string {
  return name.length > 1 && name.endsWith('.') ? name.slice(0, -1) : name;
}

/** A name as it is compared and sent: lower case, without the final dot. */
export function normalizeDnsName(name: string): string {
  return withoutFinalDot(name.toLowerCase());
}

/** Whether a name is the other one or stands below it. Both in lower case, without a final dot. */
export function isSameOrSubdomain(name: string, other: string): boolean {
  return name === other || name.endsWith(`.${other}`);
}

/** A name and all above it that have at least two labels, the longest first; none for what is too long to be a name. */
export function nameAndParents(name: string): string[] {
  if (name.length > MAX_LENGTH) return [];
  const labels = name.split('.');
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
}

const PSL_OPTIONS = { allowPrivateDomains: true };

/** Public suffix plus one label (eTLD+1), private section included; null for a public suffix itself. */
export function registrableDomain(name: string): string | null {
  return getDomain(name, PSL_OPTIONS);
}

/** The registrable domain of a host; a public suffix or an address stands for itself. */
export function siteOfHost(hostname: string): string {
  return registrableDomain(hostname) ?? hostname;
}

/** Public suffix (eTLD) of a name. */
export function publicSuffix(name: string): string | null {
  return getPublicSuffix(name, PSL_OPTIONS);
}

/** The registrable domain under ICANN suffixes only: private ones such as `github.io` are ignored. */
export function icannRegistrableDomain(name: string): string | null {
  return getDomain(name);
}
