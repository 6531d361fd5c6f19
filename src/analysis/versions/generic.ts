import { compareDigits, compareCodeUnits, isDigits, type VersionOrder } from './version-order.ts';

const PRE_RELEASE = /^(?:alpha|beta|canary|dev|milestone|nightly|pre|preview|rc|snapshot|wmf)$/;
/** A letter before a number is short for these; alone it is a patch (`1.0.2a`). */
const SHORT_WORDS: Readonly<Record<string, string>> = { a: 'alpha', b: 'beta', m: 'milestone' };
const VERSION = /^v?\d[\w.+~:-]*$/;

/** Versions of a product whose scheme is not known, as in CPE names: by numbers; a pre-release before its release, other letters after. */
export const genericOrder: VersionOrder<string[]> = {
  parse(text) {
    const lower = text.toLowerCase();
    if (!VERSION.test(lower)) return null;
    const parts = lower.replace(/^v/, '').match(/\d+|[a-z]+/g)!;
    return parts.map((part, at) => (isDigits(parts[at + 1] ?? '') ? (SHORT_WORDS[part] ?? part) : part));
  },
  compare(a, b) {
    for (let at = 0; at < Math.max(a.length, b.length); at++) {
      const order = compareParts(a[at], b[at]);
      if (order !== 0) return order;
    }
    return 0;
  },
};

/** A part is digits or letters. */
function isNumber(part: string): boolean {
  return part.charCodeAt(0) <= 0x39;
}

function compareParts(a: string | undefined, b: string | undefined): number {
  if (a === undefined) return b === undefined ? 0 : -compareToEnd(b);
  if (b === undefined) return compareToEnd(a);
  const numberA = isNumber(a);
  const numberB = isNumber(b);
  if (numberA && numberB) return compareDigits(a, b);
  if (numberA !== numberB) return numberA ? 1 : -1;
  return Number(PRE_RELEASE.test(b)) - Number(PRE_RELEASE.test(a)) || compareCodeUnits(a, b);
}

/** `1.0.1` after `1.0`, `1.0-rc1` before it, `1.0.0` the same, `1.0a` after it. */
function compareToEnd(part: string): number {
  if (isNumber(part)) return /^0+$/.test(part) ? 0 : 1;
  return PRE_RELEASE.test(part) ? -1 : 1;
}
