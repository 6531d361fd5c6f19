const PRE_RELEASE = /^(?:a|alpha|b|beta|dev|m|milestone|pre|preview|rc|snapshot)$/;
const VERSION = /^v?\d[a-z0-9]*(?:[-_.+~][a-z0-9]+)*$/;

/**
 * Compares two versions of a product with an unknown version scheme: by numbers, a pre-release before its release. Negative if the
 * left one is older. Null if the order is not certain (other characters, a number against a word that is not a pre-release).
 */
export function compareVersions(left: string, right: string): number | null {
  const a = tokenize(left);
  const b = tokenize(right);
  if (a === null || b === null) return null;
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const order = compareTokens(a[at], b[at]);
    if (order !== 0) return order;
  }
  return 0;
}

function tokenize(version: string): string[] | null {
  const text = version.toLowerCase();
  return VERSION.test(text) ? (text.replace(/^v/, '').match(/\d+|[a-z]+/g) ?? null) : null;
}

function compareTokens(a: string | undefined, b: string | undefined): number | null {
  if (a === undefined) return b === undefined ? 0 : -compareToEnd(b);
  if (b === undefined) return compareToEnd(a);
  const [isNumberA, isNumberB] = [/^\d/.test(a), /^\d/.test(b)];
  if (isNumberA && isNumberB) return Number(a) - Number(b);
  if (isNumberA) return PRE_RELEASE.test(b) ? 1 : null;
  if (isNumberB) return PRE_RELEASE.test(a) ? -1 : null;
  const stage = Number(PRE_RELEASE.test(b)) - Number(PRE_RELEASE.test(a));
  return stage !== 0 ? stage : a === b ? 0 : a < b ? -1 : 1;
}

/** Compares a version that has this additional token with the shorter one: `1.0.1` is after `1.0`, `1.0-rc1` before, `1.0.0` equal. */
function compareToEnd(token: string): number {
  if (/^\d/.test(token)) return Number(token) === 0 ? 0 : 1;
  return PRE_RELEASE.test(token) ? -1 : 1;
}
