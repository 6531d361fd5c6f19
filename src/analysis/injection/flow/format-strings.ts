import { UNKNOWN, type Value } from './value.ts';

/** Verbs of `printf` by which only a number, a truth value or hexadecimal digits come out. */
const NUMERIC = /^[dibouxXeEfFgGt]$/;
const VERB = /%(?:(%)|(?:(\d{1,3})\$)?[-+#0 ,.\d]{0,12}([A-Za-z]))/g;

/** The values that a format puts into a text, without those that come out as numbers. */
export function withoutNumericArguments(format: Value, values: readonly Value[]): Value[] {
  const left = [...values];
  if (format.text === null) return left;
  let next = 0;
  for (const [, percent, position, verb] of format.text.matchAll(VERB)) {
    if (percent !== undefined) continue;
    const at = position === undefined ? next++ : Number(position) - 1;
    if (NUMERIC.test(verb ?? '') && at < left.length) left[at] = UNKNOWN;
  }
  return left;
}
