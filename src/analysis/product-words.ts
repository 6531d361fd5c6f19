import { parseCveId } from './cve/cve-id.ts';

/** A product name with the version after it; null: without one. */
export interface ProductReading {
  readonly name: string;
  readonly version: string | null;
}

/** What words may name: products, each with its version, and CVEs. */
export interface ProductWords {
  /** CVE ids among the words, each once. */
  readonly cveIds: readonly string[];
  /** The likeliest first: a number at the end may be a version (`Chrome 120`), or part of a name (`Windows Server 2019`). */
  readonly readings: readonly ProductReading[];
}

const MAX_WORDS_LENGTH = 300;
const MAX_NAME_LENGTH = 200;
const CVE_ID = /\bCVE-\d{4}-\d{4,19}\b/gi;
/** Words that make a question of a product, and say nothing of it. */
const QUESTION =
  /^(?:(?:is|are|does|do|check|my)\s+)+|\s*\b(?:(?:is|are|be)\s+)?(?:affected|vulnerable|safe|fixed|patched)\b(?:\s+(?:by|to|for|in|from|against))?|[?!]+/gi;
const LOOSE_ENDS =
  /^(?:[\s,;:|()[\]–—-]|(?:and|by|for|in|to|with|affect)\b)+|(?:[\s,;:|([–—-]|\b(?:and|by|for|in|to|with))+$/gi;
const VERSION = String.raw`\d{1,9}[a-z]?(?:[.+~-]\w{1,20}|[a-z]{1,6}\d{1,4}){0,8}`;
const NAME = String.raw`[\p{L}\d@][^\n]{0,198}?`;
/** `OpenSSL 3.0.6`, `Exim version 4.92`, `nginx v1.18`, `openssl-1.0.2k`, `OpenSSL (3.0.6)` */
const NAME_AND_VERSION = new RegExp(
  `^(${NAME})[\\s,:]+\\(?(?:version|ver\\.?|release|v\\.?)?\\s*v?(${VERSION})\\)?$`,
  'iu',
);
const HYPHENED = new RegExp(`^([a-z][\\w.+]*(?:-[a-z]\\w*)*)-v?(\\d{1,9}(?:\\.\\w{1,20}){1,8})$`, 'iu');
/** What servers say of themselves: `nginx/1.18.0 (Ubuntu)`, `Apache/2.4.49 (Unix) OpenSSL/1.1.1k`, `OpenSSH_8.9p1`. */
const BANNER = /^([a-z][\w.+-]*(?: [a-z][\w.+-]*){0,3})(?:\/v?|_(?=\d+\.\d))(\d[\w+~-]*(?:\.[\w+~-]+)+)(?:\s.*)?$/i;
/** What servers call themselves where the product is called otherwise. */
const BANNER_NAMES: Readonly<Record<string, string>> = {
  apache: 'Apache HTTP Server',
  httpd: 'Apache HTTP Server',
  'microsoft-iis': 'IIS',
};

/** A release of Windows by its half-year. */
const HALF_YEAR = /^\d\dH[12]$/i;
/** A number alone may belong to the name. */
const BARE_NUMBER = /^\d{1,4}$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** Standards and protocols have versions, too, and what is counted has numbers. */
const NO_PRODUCT =
  /^(?:rfc|iso(?:[ /]iec)?|iec|nist(?: sp)?|fips|pci(?:[ -]dss)?|owasp|cis|ports?|tcp|udp|https?|tls|dtls|ssl|smb|snmp|ipv|cvss|spdx|top|year|day|days|page|version|line|error|code|chapter|section|bod|patch tuesday|room|step|item|no|number)$/i;

/** Reads the product, its version and the CVEs that words name, by their form alone: whether there is such a product a catalog tells. */
export function readProductWords(words: string): ProductWords {
  const text = words.slice(0, MAX_WORDS_LENGTH);
  const cveIds = [...new Set((text.match(CVE_ID) ?? []).flatMap((id) => parseCveId(id) ?? []))];
  const rest = withoutLooseEnds(text.replaceAll(CVE_ID, ' ').replaceAll(QUESTION, ' '));
  return { cveIds, readings: readingsOf(rest, cveIds.length > 0) };
}

/** Words that end with a version: `apache log4j 2.14.1`. Null for others, and where the number may as well be part of the name. */
export function splitProductVersion(words: string): { name: string; version: string } | null {
  const [first] = readProductWords(words).readings;
  return first === undefined || first.version === null ? null : { name: first.name, version: first.version };
}

function withoutLooseEnds(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ').replaceAll(LOOSE_ENDS, '').trim();
}

function readingsOf(text: string, isAboutCve: boolean): ProductReading[] {
  const banner = BANNER.exec(text);
  const isBanner = banner !== null;
  const [, name, version] = banner ?? NAME_AND_VERSION.exec(text) ?? HYPHENED.exec(text) ?? [];
  const whole: ProductReading = { name: text, version: null };
  if (name === undefined || version === undefined || DAY.test(version)) {
    return isAboutCve && text !== '' && text.length <= MAX_NAME_LENGTH ? [whole] : [];
  }
  if (isBanner && BANNER_NAMES[name.toLowerCase()] !== undefined) {
    return [{ name: BANNER_NAMES[name.toLowerCase()]!, version }];
  }
  if (NO_PRODUCT.test(name) || name.length > MAX_NAME_LENGTH) return [];
  const split = { name: name.replace(/[\s,:]+$/, ''), version };
  if (isYear(version) || HALF_YEAR.test(version)) return [whole, split];
  return BARE_NUMBER.test(version) ? [split, whole] : [split];
}

function isYear(text: string): boolean {
  return /^(?:19|20)\d\d$/.test(text);
}
