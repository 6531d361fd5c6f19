import { getDomain, getPublicSuffix, parse } from 'tldts';
import { parseIp } from './ip-address.ts';

const MAX_LENGTH = 253;
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

/**
 * A domain name in its ASCII form (IDNA by the URL standard), lower case, without a final dot. Labels may begin with `_`, as in
 * service names. Null for anything else: a URL, a port, a wildcard, an address in any notation, a single label, labels that are
 * empty, too long or have other characters.
 */
export function parseDomainName(text: string): string | null {
  const name = text.endsWith('.') ? text.slice(0, -1) : text;
  if (name === '' || /[\s/\\:@?#%*[\]<>^|]/.test(name)) return null;
  const ascii = toAscii(name);
  if (ascii === null || ascii.length > MAX_LENGTH || parseIp(ascii) !== null) return null;
  const labels = ascii.split('.');
  if (labels.length < 2 || !labels.every((label) => LABEL.test(label))) return null;
  // A name whose last label is a number is parsed as an IP address (URL standard, "ends in a number").
  return /^(\d+|0x[0-9a-f]*)$/.test(labels.at(-1)!) ? null : ascii;
}

function toAscii(name: string): string | null {
  const lower = name.toLowerCase();
  if (/^[a-z0-9._-]*$/.test(lower) && !/(^|\.)xn--/.test(lower)) return lower;
  const host = URL.parse(`https://${name}/`)?.hostname ?? '';
  return host === '' ? null : host;
}

/** Whether a name is a host name in lower case (RFC 1123, 2.1; `_` allowed): it needs no quotes in a shell. */
export function isHostName(name: string): boolean {
  return name.length <= MAX_LENGTH && name.includes('.') && name.split('.').every((label) => LABEL.test(label));
}

/** A name without its final dot; the root stays `.`. */
export function withoutFinalDot(name: string): string {
  return name.length > 1 && name.endsWith('.') ? name.slice(0, -1) : name;
}

/** The form in which names are compared and sent: lower case, without the final dot. */
export function normalizeDnsName(name: string): string {
  return withoutFinalDot(name.toLowerCase());
}

/** Whether `name` equals `other` or is a subdomain of it. Both in lower case, without a final dot. */
export function isSameOrSubdomain(name: string, other: string): boolean {
  return name === other || name.endsWith(`.${other}`);
}

/** A name and its parents with at least two labels, the longest first; empty for a text that is too long for a name. */
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

/** The registrable domain of a host; the host itself for a public suffix or an IP address. */
export function siteOfHost(hostname: string): string {
  return registrableDomain(hostname) ?? hostname;
}

/** Public suffix (eTLD) of a name. */
export function publicSuffix(name: string): string | null {
  return getPublicSuffix(name, PSL_OPTIONS);
}

/** Whether the name is below a suffix of the public suffix list: a top-level domain that exists. */
export function hasKnownSuffix(name: string): boolean {
  const { isIcann, isPrivate, domain } = parse(name, PSL_OPTIONS);
  return domain !== null && (isIcann === true || isPrivate === true);
}

/** The registrable domain under ICANN suffixes only: private ones such as `github.io` are ignored. */
export function icannRegistrableDomain(name: string): string | null {
  return getDomain(name);
}
