import type { FieldTest, SigmaValue } from './test-tree.ts';

/** How much of the values a description contains. With `counts of lists`, a single short value is still shown. */
export type ValueDetail = 'every value' | 'some values' | 'counts of lists';

const MAX_SHOWN_VALUES = 3;
const MAX_SHOWN_CHARACTERS = 60;

/** Modifiers that say how a field is compared. */
const COMPARISONS: Record<string, string> = {
  contains: 'contains',
  startswith: 'starts with',
  endswith: 'ends with',
  re: 'matches the regular expression',
  cidr: 'is in the network',
  lt: 'is below',
  lte: 'is at most',
  gt: 'is above',
  gte: 'is at least',
};

/** Modifiers that say in which form values are searched for. */
const VALUE_FORMS: Record<string, string> = {
  base64: 'Base64-encoded',
  base64offset: 'Base64-encoded at any offset',
  wide: 'as UTF-16LE',
  utf16: 'as UTF-16',
  utf16le: 'as UTF-16LE',
  utf16be: 'as UTF-16BE',
  windash: 'with any kind of dash',
  cased: 'in this case only',
  expand: 'with placeholders filled in',
  i: 'in any case',
  m: 'over several lines',
  s: 'with . for line ends too',
};

/** A test as text: `Image ends with any of "\net.exe", "\net1.exe"`. */
export function describeFieldTest(test: FieldTest, detail: ValueDetail): string {
  const subject = test.field === null ? 'the event' : clipName(test.field);
  const { modifiers } = test;
  const [only] = test.values;
  if (modifiers.length === 1 && modifiers[0] === 'exists' && typeof only === 'boolean' && test.values.length === 1) {
    return `${subject} is ${only ? 'present' : 'absent'}`;
  }
  const comparisons = modifiers.filter((name) => Object.hasOwn(COMPARISONS, name));
  const forms = modifiers.filter((name) => Object.hasOwn(VALUE_FORMS, name)).map((name) => VALUE_FORMS[name]);
  const areKnown = modifiers.every(
    (name) => Object.hasOwn(COMPARISONS, name) || Object.hasOwn(VALUE_FORMS, name) || name === 'fieldref',
  );
  const values = describeValues(test, detail);
  if (!areKnown || comparisons.length > 1)
    return `${subject} passes "${modifiers.map(clipName).join('|')}" with ${values}`;
  const verb = comparisons[0] === undefined ? equalityVerb(test) : COMPARISONS[comparisons[0]];
  const reference = modifiers.includes('fieldref') ? 'the value of ' : '';
  return [subject, verb, `${reference}${values}`, forms.length > 0 && `(${forms.join(', ')})`]
    .filter(Boolean)
    .join(' ');
}

/** The verb if no modifier gives one: keywords are contained in the event, values with wildcards are patterns, others are equal. */
function equalityVerb({ field, values }: FieldTest): string {
  if (field === null) return 'contains';
  return values.some((value) => typeof value === 'string' && hasWildcard(value)) ? 'is like' : 'is';
}

/** `*` or `?` that no backslash escapes; two backslashes are one literal backslash. */
function hasWildcard(text: string): boolean {
  return /(?<!\\)(?:\\\\)*[*?]/.test(text);
}

function describeValues({ quantifier, values }: FieldTest, detail: ValueDetail): string {
  const count = values.length;
  if (count === 1)
    return detail === 'every value' ? quoteValue(values[0]!, Infinity) : describeSingleValue(values[0]!, detail);
  if (detail === 'every value')
    return `${quantifier} of ${values.map((value) => quoteValue(value, Infinity)).join(', ')}`;
  const number = `${quantifier} of ${count} values`;
  if (detail === 'counts of lists') return number;
  return `${number} (${values
    .slice(0, MAX_SHOWN_VALUES)
    .map((value) => quoteValue(value, MAX_SHOWN_CHARACTERS))
    .join(', ')}${count > MAX_SHOWN_VALUES ? ', ...' : ''})`;
}

function describeSingleValue(value: SigmaValue, detail: ValueDetail): string {
  if (typeof value !== 'string' || detail === 'some values') return quoteValue(value, MAX_SHOWN_CHARACTERS);
  return value.length <= MAX_SHOWN_CHARACTERS / 2 ? quoteValue(value, Infinity) : 'one value';
}

function quoteValue(value: SigmaValue, limit: number): string {
  if (typeof value !== 'string') return String(value);
  const line = value.replaceAll('\n', '\\n').replaceAll('\t', '\\t');
  return line.length <= limit ? `"${line}"` : `"${line.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '')}[...]"`;
}

function clipName(name: string): string {
  return name.length <= MAX_SHOWN_CHARACTERS ? name : `${name.slice(0, MAX_SHOWN_CHARACTERS)}[...]`;
}
