/**
 * The order of versions of one ecosystem. Every function is linear in the length of the text: numbers of any length are compared
 * as digits, never converted.
 */
export interface VersionOrder<Version = unknown> {
  /** The version in the form that `compare` takes; null if the text is not a version in this ecosystem. */
  parse(text: string): Version | null;
  /** Negative, zero, positive, as for `Array.prototype.sort`. */
  compare(a: Version, b: Version): number;
  /** Of an order that remembers: how a text compares with others, as far as that was asked. Null: one cannot be read. */
  readonly known?: Map<string, Map<string, number | null>>;
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

/** The latest of some versions; of those that cannot be parsed none is. Null for an empty list. */
export function latestVersion(versions: readonly string[], order: VersionOrder): string | null {
  const later = (a: string, b: string): string => {
    const [left, right] = [order.parse(a), order.parse(b)];
    return left === null || (right !== null && order.compare(left, right) < 0) ? b : a;
  };
  return versions.length === 0 ? null : versions.reduce(later);
}

/** The same order, which parses each text once, and remembers what was compared. */
export function memoizeOrder(order: VersionOrder): VersionOrder {
  const parsed = new Map<string, unknown>();
  return {
    known: new Map(),
    compare: (a, b) => order.compare(a, b),
    parse(text) {
      let version = parsed.get(text);
      // An order gives null, never undefined, for what it cannot parse.
      if (version === undefined) parsed.set(text, (version = order.parse(text)));
      return version;
    },
  };
}
