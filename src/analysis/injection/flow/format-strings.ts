import { concatWithQuotes } from './join-values.ts';
import { literalValue, UNKNOWN, UNKNOWN_KEY, UNKNOWN_PART, type Value } from './value.ts';

/** `printf` verbs whose output is a number, a boolean or hexadecimal digits. */
const NUMERIC = /^[dibouxXeEfFgGt]$/;
/** A verb of `printf`, also `%(name)s` of Python; with `{name}` a place of `format`, as in Python and C#. */
const PLACE =
  /%(?:(%)|(?:(\d{1,3})\$)?(?:\((\w+)\))?[-+#0 ,.\d]{0,12}([A-Za-z]))|\{(\w*)(?:\.(\w+))?(?:[.[!:][^{}]{0,40})?\}/g;

/** Verbs of formats for SQL that quote what they print as an identifier or a literal. */
export const SQL_QUOTING = /^[IL]$/;

/**
 * The text of a format with the values in their places; those that a verb prints as numbers, or quotes, are harmless there. `named`:
 * the values of places with a name.
 */
export function formatted(
  format: Value,
  values: readonly Value[],
  named: ReadonlyMap<string, Value> | null = null,
  harmless = NUMERIC,
): Value {
  const { text } = format;
  if (text === null) return concatWithQuotes([format, ...values, ...(named?.values() ?? [])]);
  const parts: Value[] = [];
  const used = new Set<number>();
  let next = 0;
  let end = 0;
  for (const found of text.matchAll(PLACE)) {
    const [written, percent, position, key, verb, field, member] = found;
    if (percent !== undefined) continue;
    const name = key ?? (field === undefined || /^\d*$/.test(field) ? null : field);
    const index = name !== null ? -1 : position === undefined ? (field ? Number(field) : next++) : Number(position) - 1;
    const whole = name === null ? values[index] : (named?.get(name) ?? named?.get(UNKNOWN_KEY));
    if (whole === undefined) continue;
    const value = (member === undefined ? undefined : whole.fields?.get(member)) ?? whole;
    parts.push(literalValue(text.slice(end, found.index)), harmless.test(verb ?? '') ? UNKNOWN : value);
    used.add(index);
    end = found.index + written.length;
  }
  parts.push(literalValue(text.slice(end)));
  // Named places of values that are not known, and a format that is tainted itself.
  const rest = values.filter((_, index) => !used.has(index));
  const whole = concatWithQuotes([...parts, ...rest, { ...format, text: '' }]);
  return {
    ...whole,
    isBuilt: values.length > 0 || named !== null,
    text: text.includes(UNKNOWN_PART) ? text : whole.text,
  };
}

/** The text of a template whose places are written `$name` or `${name}`: `string.Template` of Python. */
export function substituted(template: Value, values: readonly Value[], named: ReadonlyMap<string, Value>): Value {
  const { text } = template;
  const written = text?.replaceAll(/\$\{?([A-Za-z_]\w*)\}?/g, '{$1}');
  return formatted(written === undefined ? template : { ...template, text: written }, values, named);
}
