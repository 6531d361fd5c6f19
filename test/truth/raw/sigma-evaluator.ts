import type { FieldTest, EventTest, SigmaValue } from '../../../src/feeds/sigma/test-tree.ts';

/** Fields of one event. */
export type Event = Readonly<Record<string, string | number | boolean | null>>;

/** Whether an event passes the tests of a rule (Sigma specification 2: text compares in any case, `*` and `?` are wildcards). */
export function matches(test: EventTest, event: Event): boolean {
  if (test.kind === 'field') return fieldMatches(test, event);
  if (test.kind === 'not') return !matches(test.of, event);
  if (test.kind === 'all') return test.of.every((part) => matches(part, event));
  if (test.kind === 'any') return test.of.some((part) => matches(part, event));
  const count = test.of.filter((part) => matches(part, event)).length;
  return test.kind === 'some' && count >= test.least;
}

function fieldMatches({ field, modifiers, quantifier, values }: FieldTest, event: Event): boolean {
  const test = (value: SigmaValue): boolean =>
    field === null
      ? Object.values(event).some((actual) => valueMatches(actual, ['contains', ...modifiers], value))
      : modifiers.includes('fieldref')
        ? valueMatches(
            event[field] ?? null,
            modifiers.filter((name) => name !== 'fieldref'),
            literal(event[String(value)] ?? null),
          )
        : valueMatches(event[field] ?? null, modifiers, value);
  return quantifier === 'all' ? values.every(test) : values.some(test);
}

/** A value of the event itself, in which nothing is a wildcard. */
function literal(value: SigmaValue): SigmaValue {
  return typeof value === 'string' ? value.replace(/[*?\\]/g, '\\$&') : value;
}

function valueMatches(actual: SigmaValue, modifiers: readonly string[], value: SigmaValue): boolean {
  if (value === null) return actual === null;
  if (actual === null) return false;
  const text = String(actual);
  if (modifiers.includes('re')) return new RegExp(String(value), modifiers.includes('i') ? 'is' : 's').test(text);
  const unknown = modifiers.filter((name) => !['contains', 'startswith', 'endswith', 'windash'].includes(name));
  if (unknown.length > 0) throw new Error(`no evaluation for ${unknown.join(', ')}`);
  const wanted = modifiers.includes('windash') ? dashes(String(value)) : [String(value)];
  const open = {
    before: modifiers.includes('contains') || modifiers.includes('endswith'),
    after: modifiers.includes('contains') || modifiers.includes('startswith'),
  };
  return wanted.some((one) => pattern(one, open).test(text));
}

/** The value as a regular expression; a backslash before `*`, `?` or a backslash takes their meaning. */
function pattern(value: string, open: { before: boolean; after: boolean }): RegExp {
  const body = value.replace(/\\([*?\\])|[*?]|[\s\S]/g, (part, escaped: string | undefined) => {
    if (escaped !== undefined) return RegExp.escape(escaped);
    if (part === '*') return '[\\s\\S]*';
    return part === '?' ? '[\\s\\S]' : RegExp.escape(part);
  });
  return new RegExp(`${open.before ? '' : '^'}${body}${open.after ? '' : '$'}`, 'i');
}

function dashes(value: string): string[] {
  return ['-', '/', '\u2013', '\u2014', '\u2015'].map((dash) => value.replace(/\B[-/]\b/g, dash));
}
