import { UNKNOWN, type Value } from './value.ts';

/** `printf` verbs whose output is a number, a boolean or hexadecimal digits. */
const NUMERIC = /^[dibouxXeEfFgGt]$/;
const VERB = /%(?:(%)|(?:(\d{1,3})\$)?[-+#0 ,.\d]{0,12}([A-Za-z]))/g;

/** The arguments of a format, with `UNKNOWN` for those that it prints as numbers. */
export function withoutNumericArguments(format: Value, values: readonly Value[]): Value[] {
  const remaining = [...values];
  if (format.text === null) return remaining;
  let next = 0;
  for (const [, percent, position, verb] of format.text.matchAll(VERB)) {
    if (percent !== undefined) continue;
    const index = position === undefined ? next++ : Number(position) - 1;
    if (NUMERIC.test(verb ?? '') && index < remaining.length) remaining[index] = UNKNOWN;
  }
  return remaining;
}
