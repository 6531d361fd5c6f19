import { hasKnownSuffix, parseDomainName } from '../domain-name.ts';
import { parseIp } from '../ip-address.ts';
import { type HashType, detectHashType } from './parse-indicator.ts';
import { DEFANGED_DOT, plainDots, unmaskText } from './unmask-text.ts';

/** Something in a text that an indicator can be made of, public or not. */
export interface ExtractedIndicator {
  readonly type: 'ipv4' | 'ipv6' | 'domain' | 'url' | 'email' | 'cve' | HashType;
  /** Whole again; hashes and hosts in lower case. */
  readonly value: string;
}

/** Longer texts are cut here. */
const MAX_CHARACTERS = 1024 * 1024;
const DOT = `[.${DEFANGED_DOT}]`;
const LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}_-]{0,61}[\p{L}\p{N}])?`;

const URL_PATTERN = /(?<![a-z])(?:https?|ftp):\/\/[^\s<>"“”„«»‘’`|\\^{}]{3,2048}/gi;
const EMAIL_PATTERN = new RegExp(
  String.raw`(?<![\p{L}\p{N}@/.+=%-])[\w.+=%-]{1,64}@((?:${LABEL}${DOT}){1,8}\p{L}[\p{L}\p{N}-]{1,62})(?![\p{L}\p{N}@-])`,
  'gu',
);
const CVE_PATTERN = /(?<![\w-])CVE-(\d{4})-(\d{4,19})(?!\d)/gi;
const HASH_PATTERN = /(?<![0-9a-z])(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32})(?![0-9a-z])/gi;
const IPV6_PATTERN = /(?<![\w:.])(?:[0-9a-f]{1,4}(?::|::)){1,7}:?(?:[0-9a-f]{1,4})?(?![\w:%]|\.\d)/gi;
const IPV4_PATTERN = new RegExp(
  String.raw`(?<![\w.${DEFANGED_DOT}-])\d{1,3}(?:${DOT}\d{1,3}){3}(?![\w-]|${DOT}\d)`,
  'g',
);
const NAME_PATTERN = new RegExp(
  String.raw`(?<![\p{L}\p{N}_@\\$%-]|[\p{L}\p{N}_]${DOT}|[^/]/)(?:${LABEL}${DOT}){1,8}\p{L}[\p{L}\p{N}-]{1,62}(?![\p{L}\p{N}_@-]|${DOT}[\p{L}\p{N}]|\()`,
  'gu',
);

/** What stands before a number with four parts that is a version or a chapter. */
const VERSION_BEFORE =
  /(?:\b(?:versions?|ver|build|release|rev|revision|chapter|section|clause|rule|agent|firmware|driver|update|patch|oid)\b["'\s:=.]{0,4}|[\p{L}]\/)$/iu;
/** Top-level domains that are endings of files, too. */
const FILE_ENDINGS = new Set('zip mov sh py md rs pl ps cc so js ai app bat cab cpl mp ws pub tf mk'.split(' '));
/** Top-level domains that are names of properties in programs, and objects that have such. */
const PROPERTY_NAMES = new Set(
  'name host id is in to link map run search style now page call next select date info zone'.split(' '),
);
const OBJECTS =
  /^(?:window|document|location|this|self|user|users|config|cfg|conf|app|data|event|e|obj|object|req|request|res|response|process|system|os|sys|console|module|node|item|rule|field|file|args|options|params|props|state|session|server|client|db)$/i;

/**
 * The indicators of a text, defanged or not, each once, in the order of the text and by kind: URLs, mail addresses, CVE ids, hashes,
 * addresses (private ones, too), names. Names of files, versions and code are left out, as far as they can be told; who defangs a name means it.
 */
export function extractIndicators(text: string): ExtractedIndicator[] {
  let rest = unmaskText(text.slice(0, MAX_CHARACTERS));
  const found = new Map<string, ExtractedIndicator>();
  // What was read is taken out, so that the host of a URL and the domain of a mail address are not read again.
  const take = (
    pattern: RegExp,
    read: (match: string, before: string, after: string) => ExtractedIndicator | null,
  ): void => {
    rest = rest.replace(pattern, (match: string, ...more: unknown[]) => {
      const offset = more.find((one) => typeof one === 'number') as number;
      const after = rest.slice(offset + match.length, offset + match.length + 3);
      const indicator = read(match, rest.slice(Math.max(0, offset - 24), offset), after);
      if (indicator === null) return match;
      found.set(`${indicator.type} ${indicator.value}`, indicator);
      return ' '.repeat(match.length);
    });
  };
  take(URL_PATTERN, (match) => readUrl(match));
  take(EMAIL_PATTERN, (match) => readEmail(match));
  take(CVE_PATTERN, (match) => ({ type: 'cve', value: match.toUpperCase() }));
  take(HASH_PATTERN, (match) => readHash(match));
  take(IPV6_PATTERN, (match) => readIpv6(match));
  take(IPV4_PATTERN, (match, before) => readIpv4(match, before));
  take(NAME_PATTERN, (match, _before, after) => readName(match, after));
  return [...found.values()];
}

function readUrl(match: string): ExtractedIndicator | null {
  const url = URL.parse(trimUrl(plainDots(match)));
  if (
    url === null ||
    (parseIp(url.hostname.replace(/^\[|\]$/g, '')) === null && parseDomainName(url.hostname) === null)
  )
    return null;
  return { type: 'url', value: url.href };
}

/** Without the punctuation of the sentence around it; a closing bracket stays where it was opened within. */
function trimUrl(text: string): string {
  let url = text.replace(/'[^']*$/, '');
  for (;;) {
    const last = url.at(-1) ?? '';
    const opening = { ')': '(', ']': '[' }[last];
    const isUnopened = opening !== undefined && url.split(opening).length < url.split(last).length;
    if (!isUnopened && !/[.,;:!?*]/.test(last)) return url;
    url = url.slice(0, -1);
  }
}

function readEmail(match: string): ExtractedIndicator | null {
  const [local = '', host = ''] = plainDots(match).split('@');
  const domain = parseDomainName(host);
  if (domain === null || !isKnownName(domain) || /^\.|\.$|\.\./.test(local)) return null;
  return { type: 'email', value: `${local}@${domain}` };
}

function readHash(match: string): ExtractedIndicator | null {
  const type = detectHashType(match);
  // A long number is not one.
  return type === null || /^\d+$/.test(match) || new Set(match).size < 4 ? null : { type, value: match.toLowerCase() };
}

function readIpv6(match: string): ExtractedIndicator | null {
  const value = match.length < 5 || !/\d/.test(match) ? null : parseIp(match);
  return value === null ? null : { type: 'ipv6', value };
}

function readIpv4(match: string, before: string): ExtractedIndicator | null {
  const value = parseIp(plainDots(match));
  const isVersion = !match.includes(DEFANGED_DOT) && VERSION_BEFORE.test(before);
  return value === null || isVersion || value.startsWith('0.') || value.startsWith('255.')
    ? null
    : { type: 'ipv4', value };
}

function readName(match: string, after: string): ExtractedIndicator | null {
  const domain = parseDomainName(plainDots(match));
  if (domain === null) return null;
  const isMeant = match.includes(DEFANGED_DOT) || (isKnownName(domain) && isMeantAsName(match, domain, after));
  return isMeant ? { type: 'domain', value: domain } : null;
}

/** Whether a name that was not defanged is no file, no key of JSON and no property of a program. */
function isMeantAsName(match: string, domain: string, after: string): boolean {
  const labels = domain.split('.');
  const ending = labels.at(-1)!;
  if (FILE_ENDINGS.has(ending) || /^["']\s?:/.test(after)) return false;
  if (PROPERTY_NAMES.has(ending) && OBJECTS.test(labels[0]!)) return false;
  return !/\p{Ll}\p{Lu}/u.test(match);
}

function isKnownName(domain: string): boolean {
  return domain.endsWith('.onion') || hasKnownSuffix(domain);
}
