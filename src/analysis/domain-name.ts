import { getDomain, getPublicSuffix } from 'tldts';
import { parseIp } from './ip-address.ts';

const MAX_LENGTH = 253;
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

/**
 * A domain name in its ASCII form (IDNA by the URL standard), lower case, without a final dot; null for what is none: a URL, a
 * port, a wildcard, an address in any notation, a name of one label, labels that are empty, too long or of characters that names
 * do not have. Labels may begin with `_`, as service names do.
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

const PSL_OPTIONS = { allowPrivateDomains: true };

/** Public suffix plus one label (eTLD+1), private section included; null for a public suffix itself. */
export function registrableDomain(name: string): string | null {
  return getDomain(name, PSL_OPTIONS);
}

/** Public suffix (eTLD) of a name. */
export function publicSuffix(name: string): string | null {
  return getPublicSuffix(name, PSL_OPTIONS);
}

/** The name that a registry has on its books: one label under a suffix of the registries, not of companies (`github.io`). */
export function icannRegistrableDomain(name: string): string | null {
  return getDomain(name);
}
