/**
 * CPE 2.3 names (NISTIR 7695, formatted string binding, section 6.2):
 * `cpe:2.3:part:vendor:product:version:update:edition:language:sw_edition:target_sw:target_hw:other`.
 */
import { cleanText } from '../display-text.ts';
import { memoize } from '../memoize.ts';

export interface CpeName {
  /** `a` application, `o` operating system, `h` hardware; null for `*` and `-`. */
  readonly part: 'a' | 'o' | 'h' | null;
  readonly vendor: string;
  readonly product: string;
  /** Null for "any" (`*`); `-` for "not applicable". */
  readonly version: string | null;
  readonly update: string | null;
  readonly edition: string | null;
  readonly sw_edition: string | null;
  readonly target_sw: string | null;
  readonly target_hw: string | null;
}

const PREFIX = 'cpe:2.3:';
const COMPONENTS = 11;
const MAX_LENGTH = 512;

/**
 * Parses a name of a third-party document: a formatted string, in which the last components may be missing (they count as `*`), or
 * a CPE 2.2 URI (`cpe:/a:vendor:product:version`, NISTIR 7695 section 6.1). Null for other texts.
 */
export function parseCpeLenient(text: string): CpeName | null {
  const cpe = text.trim();
  if (cpe.length > MAX_LENGTH || /[\s\p{C}]/u.test(cpe)) return null;
  if (/^cpe:\//i.test(cpe)) return parseCpe(cpeUriToFormattedString(cpe.slice('cpe:/'.length)));
  if (!cpe.startsWith(PREFIX)) return null;
  const missing = COMPONENTS - splitEscaped(cpe.slice(PREFIX.length)).length;
  return parseCpe(cpe + ':*'.repeat(Math.max(0, missing)));
}

/** The name of a product is asked for several times while its record is read. */
const MAX_KEPT_NAMES = 4096;

/** Parses a CPE 2.3 formatted string and resolves its escapes; null for other texts. */
export const parseCpe = memoize(parseCpeOnce, MAX_KEPT_NAMES);

/** The same for a name that is asked for once: it is not kept. */
export function parseCpeOnce(text: string): CpeName | null {
  if (!text.startsWith(PREFIX)) return null;
  const raw = text.includes('\\') ? splitEscaped(text.slice(PREFIX.length)) : text.slice(PREFIX.length).split(':');
  if (raw.length !== COMPONENTS) return null;
  const [part, vendor, product, version, update, edition, , swEdition, targetSw, targetHw] = raw;
  return {
    part: part === 'a' || part === 'o' || part === 'h' ? part : null,
    vendor: unescapeCpe(vendor ?? ''),
    product: unescapeCpe(product ?? ''),
    version: parseCpeComponent(version),
    update: parseCpeComponent(update),
    edition: parseCpeComponent(edition),
    sw_edition: parseCpeComponent(swEdition),
    target_sw: parseCpeComponent(targetSw),
    target_hw: parseCpeComponent(targetHw),
  };
}

/** Most tokens are in their normal form already. */
const NORMALIZED_TOKEN = /^[a-z0-9._-]*$/;

/**
 * The form in which vendor and product are compared: lower case, `_` for white space, without CPE escapes.
 * `Log4J` and `log4j` are equal, `windows 10` and `windows_10` too. Names are kept without invisible characters, so that one that is asked for
 * (an emoji has some) loses them, too.
 */
export function normalizeCpeToken(text: string): string {
  if (NORMALIZED_TOKEN.test(text)) return text;
  // CPE escapes only punctuation: a backslash before a letter or digit is part of the name.
  return cleanText(text)
    .replace(/\\([^A-Za-z0-9_])/g, '$1')
    .trim()
    .toLowerCase()
    .replace(/\s+/g, '_');
}

function parseCpeComponent(component: string | undefined): string | null {
  return component === undefined || component === '*' || component === '' ? null : unescapeCpe(component);
}

function unescapeCpe(component: string): string {
  return component.includes('\\') ? component.replace(/\\(.)/g, '$1') : component;
}

function splitEscaped(text: string): string[] {
  const components: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '\\') at++;
    else if (character === ':') {
      components.push(text.slice(start, at));
      start = at + 1;
    }
  }
  components.push(text.slice(start));
  return components;
}

/**
 * The formatted string of a CPE 2.2 URI, given without its `cpe:/`. Its edition may hold five components:
 * `~edition~sw_edition~target_sw~target_hw~other`.
 */
export function cpeUriToFormattedString(uri: string): string {
  const [part, vendor, product, version, update, edition = '', language] = uri.split(':');
  const packed = edition.startsWith('~') ? edition.slice(1).split('~') : [edition];
  const [legacy, ...extended] = packed;
  const components = [part, vendor, product, version, update, legacy, language, ...extended.slice(0, 4)];
  while (components.length < COMPONENTS) components.push('');
  return `${PREFIX}${components.map(formatUriComponent).join(':')}`;
}

function formatUriComponent(text: string | undefined): string {
  if (text === undefined || text === '') return '*';
  if (text === '-') return text;
  return text
    .split(/(%[0-9a-f]{2})/i)
    .map((piece) => (/^%[0-9a-f]{2}$/i.test(piece) ? decodePercentEscape(piece) : escapeCpeText(piece)))
    .join('');
}

/** `%01` and `%02` are the wildcards `?` and `*`; all others are characters that must be escaped. */
function decodePercentEscape(escape: string): string {
  const code = Number.parseInt(escape.slice(1), 16);
  return code === 1 ? '?' : code === 2 ? '*' : escapeCpeText(String.fromCharCode(code));
}

/** A text as a component of a formatted string: lower case, punctuation escaped. */
export function escapeCpeText(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9._-]/g, (character) => `\\${character}`);
}
