import { isSameOrSubdomain } from '../domain-name.ts';

/** In this file names are in lower case without the final dot; the root is `.`. */

const encoder = new TextEncoder();

/** The labels of a name, the leftmost first; none for the root. */
export function labelsOf(name: string): string[] {
  return name === '.' ? [] : name.split('.');
}

/** The name with these labels; without labels the root. */
export function joinLabels(labels: readonly string[]): string {
  return labels.length === 0 ? '.' : labels.join('.');
}

/** Whether a name is `ancestor` or below it. */
export function isAtOrBelow(name: string, ancestor: string): boolean {
  return ancestor === '.' || isSameOrSubdomain(name, ancestor);
}

/** The last `count` labels of a name. */
export function lastLabels(name: string, count: number): string {
  const labels = labelsOf(name);
  return joinLabels(labels.slice(labels.length - count));
}

/** The wildcard name directly below a name. */
export function wildcardBelow(encloser: string): string {
  return encloser === '.' ? '*' : `*.${encloser}`;
}

/** Number of labels that two names have in common, from the root. */
export function countCommonLabels(one: string, other: string): number {
  const [left, right] = [labelsOf(one).toReversed(), labelsOf(other).toReversed()];
  const different = left.findIndex((label, index) => label !== right[index]);
  return different === -1 ? left.length : different;
}

/** Wire format, uncompressed (RFC 1035, 3.1). */
export function encodeName(name: string): Uint8Array {
  return concatBytes([...labelsOf(name).flatMap((label) => lengthPrefixed(encoder.encode(label))), Uint8Array.of(0)]);
}

/** Canonical order (RFC 4034, 6.1): label by label from the root, as bytes. */
export function compareNames(one: string, other: string): number {
  const [left, right] = [labelsOf(one).toReversed(), labelsOf(other).toReversed()];
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const order = compareBytes(encoder.encode(left[index]), encoder.encode(right[index]));
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Order of byte strings, a prefix first; negative, 0 or positive. */
export function compareBytes(one: Uint8Array, other: Uint8Array): number {
  const different = one.findIndex((byte, index) => byte !== other[index]);
  if (different === -1) return one.length - other.length;
  return different >= other.length ? 1 : one[different]! - other[different]!;
}

/** The parts as one array. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The length of a part in one byte, then the part. */
export function lengthPrefixed(part: Uint8Array): Uint8Array[] {
  return [Uint8Array.of(part.length), part];
}
