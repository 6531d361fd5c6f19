import { concatWithQuotes, literalValue, UNKNOWN, UNKNOWN_PART, type Value } from './value.ts';

/** `printf` verbs whose output is a number, a boolean or hexadecimal digits. */
const NUMERIC = /^[dibouxXeEfFgGt]$/;
/** A verb of `printf`; with `{` a place of `format`, as in Python and C#. */
const PLACE = /%(?:(%)|(?:(\d{1,3})\$)?[-+#0 ,.\d]{0,12}([A-Za-z]))|\{\w*\}/g;

/** Verbs of formats for SQL that quote what they print as an identifier or a literal. */
export const SQL_QUOTING = /^[IL]$/;

/** The text of a format with the arguments in their places; those that a verb prints as numbers, or quotes, are harmless there. */
export function formatted(format: Value, values: readonly Value[], harmless = NUMERIC): Value {
  const { text } = format;
  if (text === null) return concatWithQuotes([format, ...values]);
  const parts: Value[] = [];
  const used = new Set<number>();
  let next = 0;
  let end = 0;
  for (const found of text.matchAll(PLACE)) {
    const [written, percent, position, verb] = found;
    if (percent !== undefined) continue;
    const index = position === undefined ? next++ : Number(position) - 1;
    const value = values[index];
    if (value === undefined) continue;
    parts.push(literalValue(text.slice(end, found.index)), harmless.test(verb ?? '') ? UNKNOWN : value);
    used.add(index);
    end = found.index + written.length;
  }
  parts.push(literalValue(text.slice(end)));
  // Named places, and a format that is tainted itself.
  const rest = values.filter((_, index) => !used.has(index));
  const whole = concatWithQuotes([...parts, ...rest, { ...format, text: '' }]);
  return { ...whole, isBuilt: values.length > 0, text: text.includes(UNKNOWN_PART) ? text : whole.text };
}
