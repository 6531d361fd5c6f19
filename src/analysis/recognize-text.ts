import { detectIdentifierKind, IDENTIFIER_KIND_PHRASES, type IdentifierKind } from './identifier-kind.ts';
import { parseCpeLenient } from './cve/cpe.ts';
import { detectPastedKind } from './indicators/pasted-kind.ts';
import { refang } from './indicators/refang.ts';

/** What a text that somebody typed or pasted is, by its form. `words`: no known form; it may name a product. */
export type TextKind = IdentifierKind | 'purl' | 'cpe' | 'package' | 'phone' | 'words';

export interface RecognizedText {
  readonly kind: TextKind;
  /** Without marks of lists, quotes and defanging. */
  readonly value: string;
  /** It was written so that it is not a link: nobody wants to visit it. */
  readonly isDefanged: boolean;
}

const MAX_LENGTH = 2048;
/** Marks that lists in mails and tickets put around an entry. */
const LIST_MARKS = /^(?:[-*•·–>]|\d{1,3}[.)])\s+|[,;]+$/gu;
const LOOSE_CVE_ID = /^CVE[\s_:–—-]{1,3}(\d{4})[\s_–—-](\d{4,19})$/iu;
const PURL = /^pkg:[a-z][a-z0-9.+-]*\/\S+$/i;
/** `lodash@4.17.20`, `@babel/core@7.0.0`, `group:artifact@1.0`; pip writes `django==2.2`. */
const PACKAGE = /^((?:@[\w.-]+\/)?\w[\w.:/+-]*)(@|==)(v?\d[\w.+!-]*)$/;
/** A Maven coordinate with its version, `group:artifact:version`: the group has a dot, or the version has. */
const MAVEN = /^([a-z][\w-]*(?:\.[\w-]+)*):([a-z][\w.-]*):(v?\d[\w.+-]*)$/i;
/** What is after the `@` of a mail address. */
const MAIL_HOST = /\.[a-z]{2,}$|^\d{1,3}(?:\.\d{1,3}){3}$/i;
/** No top-level domain begins with a digit (RFC 3696, section 2): `OpenSSH_8.9p1` is no domain. */
const ENDS_WITH_NUMBER = /\.\d[^.]*$/;
/** Lines of a list that are notes to its readers. */
const COMMENT = /^\s*#/;

/**
 * Recognises one line: an identifier of a known kind, an indicator, also defanged, a package, a CPE name, a phone number with its
 * country code, or else words.
 */
export function recognizeText(text: string): RecognizedText {
  const bare = text.trim().slice(0, MAX_LENGTH).replace(LIST_MARKS, '').trim();
  const value = refang(bare);
  const isDefanged = /\[|\(dot\)|\{\.|^h(?:xx|\*\*)p/i.test(bare) && value !== bare;
  const [, year, number] = LOOSE_CVE_ID.exec(value) ?? [];
  if (year !== undefined) return { kind: 'cve', value: `CVE-${year}-${number}`, isDefanged: false };
  if (PURL.test(value)) return { kind: 'purl', value, isDefanged: false };
  if (/^cpe:/i.test(value))
    return { kind: parseCpeLenient(value) === null ? 'words' : 'cpe', value, isDefanged: false };
  const [, group = '', artifact = '', release = ''] = MAVEN.exec(value) ?? [];
  if (group.includes('.') || (group !== '' && release.includes('.'))) {
    return { kind: 'purl', value: `pkg:maven/${group}/${artifact}@${release}`, isDefanged: false };
  }
  const kind = detectIdentifierKind(value);
  const packageText = kind === null || kind === 'email' ? recognizePackage(value) : null;
  if (packageText !== null) return packageText;
  if (kind === 'domain' && ENDS_WITH_NUMBER.test(value)) return { kind: 'words', value: bare, isDefanged: false };
  if (kind !== null) return { kind, value, isDefanged };
  // An address with a port, an ftp address, a name in another form.
  const pasted = detectPastedKind(bare);
  if (pasted === null || pasted.kind === 'username' || (pasted.kind === 'phone' && !value.startsWith('+')))
    return { kind: 'words', value: bare, isDefanged: false };
  return { kind: pasted.kind, value: pasted.value, isDefanged };
}

function recognizePackage(text: string): RecognizedText | null {
  const [, name, sign, version = ''] = PACKAGE.exec(text) ?? [];
  if (name === undefined || MAIL_HOST.test(version)) return null;
  return sign === '=='
    ? { kind: 'purl', value: `pkg:pypi/${name}@${version}`, isDefanged: false }
    : { kind: 'package', value: text, isDefanged: false };
}

/** The lines of a pasted text, each recognised, without empty lines, comments (`#`) and repetitions. A line of identifiers alone is several. */
export function recognizeLines(text: string): RecognizedText[] {
  const recognized = text
    .split(/\r\n?|\n/)
    .filter((line) => line.trim() !== '' && !COMMENT.test(line))
    .flatMap(recognizeLine);
  return [...new Map(recognized.map((one) => [`${one.kind} ${one.value.toLowerCase()}`, one])).values()];
}

function recognizeLine(line: string): RecognizedText[] {
  const whole = recognizeText(line);
  if (whole.kind !== 'words') return [whole];
  const products = splitBanner(line);
  if (products.length > 1) return products.map((value) => ({ kind: 'words', value, isDefanged: false }));
  const parts = line
    .split(/[\s,;|]+/)
    .filter((part) => part !== '')
    .map(recognizeText);
  return parts.length > 1 && parts.every(({ kind }) => kind !== 'words') ? parts : [whole];
}

/** A product of a banner with its version: `OpenSSL/3.0.6` (RFC 9110, section 10.2.4). */
const BANNER_PRODUCT = /^[a-z][\w.+-]*\/v?\d[\w+~-]*(?:\.[\w+~-]+)+$/i;

/** The products of a banner, without its comments in brackets; [] for other lines. */
function splitBanner(line: string): string[] {
  const parts = line
    .replaceAll(/\([^()]*\)/g, ' ')
    .trim()
    .split(/\s+/);
  return parts.every((part) => BANNER_PRODUCT.test(part)) ? parts : [];
}

/** What words look like that are nearly an identifier, and how that is written; null: they are like none. */
export function describeNearMiss(words: string): string | null {
  if (CVE_ID_IN_WORDS.test(words)) return null;
  return NEAR_MISSES.find(([pattern]) => pattern.test(words.trim()))?.[1] ?? null;
}

/** A CVE id beside other words: so these are a question about it. */
const CVE_ID_IN_WORDS = /\bCVE-\d{4}-\d{4,19}\b/i;

const NEAR_MISSES: readonly (readonly [RegExp, string])[] = [
  [/^CVE\b/i, 'It looks like a CVE id: CVE-, a year, and at least four digits, as in CVE-2021-44228.'],
  [/^GHSA\b/i, 'It looks like a GitHub advisory id: GHSA- and three groups of four, as in GHSA-jfh8-c2jp-5v3q.'],
  [/^CWE\b/i, 'It looks like a CWE id: CWE- and a number, as in CWE-79.'],
  [/^CVSS/i, 'It looks like a CVSS vector: CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H.'],
  [/^cpe:/i, 'It looks like a CPE name: cpe:2.3:a:apache:log4j:2.14.1:*:*:*:*:*:*:*.'],
  [/^pkg:/i, 'It looks like a package URL: pkg:npm/express@4.16.0.'],
  [/^AML\./i, 'It looks like an ATLAS id: AML.T0051 or AML.CS0009.'],
  [/^T\d{1,6}(?:\.\d+)?$/i, 'It looks like an ATT&CK technique: T and four digits, as in T1059.001.'],
  [/^[\d.]+$/, 'It looks like an IPv4 address: four numbers up to 255, as in 8.8.8.8.'],
  [/^[0-9a-f]{24,128}$/i, 'It looks like a hash: an MD5 has 32 digits, a SHA-1 40, a SHA-256 64.'],
  [/^\S+@\S*$/, 'It looks like a mail address: name@example.com.'],
  [/^[a-z]{2,10}:\/\//i, 'It looks like a web address: only http, https and ftp are looked up.'],
];

/** The kind as a phrase with its article: `a CVE id`, `words`. */
export function textKindPhrase(kind: TextKind): string {
  switch (kind) {
    case 'purl':
      return 'a package URL';
    case 'cpe':
      return 'a CPE name';
    case 'package':
      return 'a package';
    case 'phone':
      return 'a phone number';
    case 'words':
      return 'words';
    default:
      return IDENTIFIER_KIND_PHRASES[kind];
  }
}
