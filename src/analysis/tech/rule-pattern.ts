/** `1.2.3`, `1.1.1k`, `1.0.2zd`, `2.0.0-rc.1`, `1.43.0-wmf.23`, `3.3.0.beta1-dev`. */
const VERSION_GROUP = String.raw`(\d[\d.]{0,30}(?:z?[a-z](?![a-z]))?(?:[-.]?(?:alpha|beta|rc|dev|wmf|pre|preview|canary|nightly|snapshot|lts|ee|ce)(?![a-z])[\d.-]{0,10}){0,2})`;
/** Only this many characters of a value are matched. */
export const MAX_VALUE_LENGTH = 1000;

/** The rule's expression; `{v}` captures a version. */
export function compileRulePattern(pattern: string): RegExp {
  return new RegExp(pattern.replace('{v}', VERSION_GROUP), 'i');
}

/** The version in a value that matches (`expression` null: always); null: matches without a version; undefined: does not match. */
export function matchVersion(expression: RegExp | null, value: string): string | null | undefined {
  if (expression === null) return null;
  const match = expression.exec(value.length > MAX_VALUE_LENGTH ? value.slice(0, MAX_VALUE_LENGTH) : value);
  return match === null ? undefined : normalizeVersion(match[1]);
}

/** A version in lower case, without trailing dots and hyphens; null for undefined. */
export function normalizeVersion(text: string | undefined): string | null {
  return text?.replace(/[.-]{1,10}$/, '').toLowerCase() ?? null;
}
