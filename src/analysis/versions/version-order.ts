/**
 * The order of versions of one ecosystem. Every function is linear in the length of the text: numbers of any length are compared
 * as digits, never converted.
 */
export interface VersionOrder<Version = unknown> {
  /** The version in the form that `compare` takes; null if the text is not a version in this ecosystem. */
  parse(text: string): Version | null;
  /** Negative, zero, positive, as for `Array.prototype.sort`. */
  compare(a: Version, b: Version): number;
}

/** Compares two runs of ASCII digits by their value. */
export function compareDigits(a: string, b: string): number {
  const left = stripLeadingZeros(a);
  const right = stripLeadingZeros(b);
  return left.length - right.length || compareCodeUnits(left, right);
}

/** By code units, as `<` does. */
export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function isDigits(text: string): boolean {
  return /^\d+$/.test(text);
}

function stripLeadingZeros(digits: string): string {
  let start = 0;
  while (start < digits.length - 1 && digits.charCodeAt(start) === 48) start++;
  return start === 0 ? digits : digits.slice(start);
}
