/**
 * CPE 2.3 names (NISTIR 7695, formatted string binding, section 6.2):
 * `cpe:2.3:part:vendor:product:version:update:edition:language:sw_edition:target_sw:target_hw:other`.
 */

export interface CpeName {
  /** `a` application, `o` operating system, `h` hardware; null for `*` and `-`. */
  part: 'a' | 'o' | 'h' | null;
  vendor: string;
  product: string;
  /** Null for "any" (`*`); `-` for "not applicable". */
  version: string | null;
  update: string | null;
  edition: string | null;
  sw_edition: string | null;
  target_sw: string | null;
  target_hw: string | null;
}

const PREFIX = 'cpe:2.3:';
const COMPONENTS = 11;

/** Parsed name with escapes resolved, or null when the text is no CPE 2.3 formatted string. */
export function parseCpe(text: string): CpeName | null {
  if (!text.startsWith(PREFIX)) return null;
  const raw = text.includes('\\') ? splitEscaped(text.slice(PREFIX.length)) : text.slice(PREFIX.length).split(':');
  if (raw.length !== COMPONENTS) return null;
  const [part, vendor, product, version, update, edition, , swEdition, targetSw, targetHw] = raw;
  return {
    part: part === 'a' || part === 'o' || part === 'h' ? part : null,
    vendor: unescape(vendor ?? ''),
    product: unescape(product ?? ''),
    version: anyIsNull(version),
    update: anyIsNull(update),
    edition: anyIsNull(edition),
    sw_edition: anyIsNull(swEdition),
    target_sw: anyIsNull(targetSw),
    target_hw: anyIsNull(targetHw),
  };
}

/**
 * The form in which vendor and product are compared: lower case, `_` for white space, without CPE escapes.
 * `Log4J`, `log4j` are one; `windows 10` and `windows_10` are one.
 */
export function cpeToken(text: string): string {
  // CPE escapes punctuation only: a backslash before a letter or digit is one of the name's own.
  return text
    .replace(/\\([^A-Za-z0-9_])/g, '$1')
    .trim()
    .toLowerCase()
    .replace(/\s+/g, '_');
}

function anyIsNull(component: string | undefined): string | null {
  return component === undefined || component === '*' || component === '' ? null : unescape(component);
}

function unescape(component: string): string {
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
