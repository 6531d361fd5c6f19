import { parseDomainName, publicSuffix, registrableDomain } from './domain-name.ts';
import { parseIp } from './ip-address.ts';

/** Slips of the hand in endings of names. */
const ENDING_SLIPS: Readonly<Record<string, string>> = {
  cm: 'com',
  cmo: 'com',
  co: 'com',
  comm: 'com',
  con: 'com',
  ocm: 'com',
  om: 'com',
  vom: 'com',
  xom: 'com',
  met: 'net',
  ner: 'net',
  nte: 'net',
  ogr: 'org',
  or: 'org',
  orgg: 'org',
};

/** Names that may have been meant by one that does not exist, the likeliest first: the slip mended, the registrable domain. */
export function nearestDomains(name: string): string[] {
  const labels = name.split('.');
  const ending = labels.at(-1)!;
  const mended = ENDING_SLIPS[ending];
  const found = [
    mended === undefined ? null : [...labels.slice(0, -1), mended].join('.'),
    /^w{1,2}$|^w{4,}$|^wwe$|^qww$/.test(labels[0]!) ? labels.with(0, 'www').join('.') : null,
    registrableDomain(name),
  ];
  return [...new Set(found)].filter(
    (each): each is string => each !== null && each !== name && publicSuffix(each) !== each,
  );
}

/** What a text that is not a domain name is about: an address, or the domain that it holds (URL, mail address, wildcard, port). */
export function subjectOfText(text: string): { kind: 'ip' | 'domain'; value: string } | null {
  const trimmed = text.trim().replaceAll('[.]', '.').replace(/^hxxp/i, 'http');
  const ip = parseIp(trimmed);
  if (ip !== null) return { kind: 'ip', value: ip };
  const host = trimmed
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/[/?#].*$/s, '')
    .replace(/^.*@/, '')
    .replace(/^\*\./, '')
    .replace(/:\d*$/, '');
  const hostIp = parseIp(host.replace(/^\[|\]$/g, ''));
  if (hostIp !== null) return { kind: 'ip', value: hostIp };
  const domain = parseDomainName(host);
  return domain === null ? null : { kind: 'domain', value: domain };
}
