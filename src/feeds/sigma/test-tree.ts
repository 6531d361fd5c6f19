import { type SigmaCondition, parseCondition } from './condition.ts';
import type { Detection } from './detection.ts';
import { isMapping } from './yaml-values.ts';

export type SigmaValue = string | number | boolean | null;

/** Compares one field of an event with values; `field` null: the whole event is searched. */
export interface FieldTest {
  kind: 'field';
  field: string | null;
  /** In the rule's order, without `all`. */
  modifiers: string[];
  /** Whether any or all of the values must match. */
  quantifier: 'any' | 'all';
  values: SigmaValue[];
}

/** All tests of a rule as one tree. A group within a group of the same kind is merged into it. */
export type EventTest =
  | FieldTest
  | { kind: 'not'; of: EventTest }
  | { kind: 'all' | 'any'; of: EventTest[] }
  | { kind: 'some'; least: number; of: EventTest[] };

/** The tests of a detection block; null if the condition or a selection has an unknown form. */
export function buildTestTree({ selections, condition }: Detection): EventTest | null {
  const parsed = parseCondition(condition, Object.keys(selections));
  if (parsed === null) return null;
  const read = new Map<string, EventTest | null>();
  const testOf = (name: string): EventTest | null => {
    if (!read.has(name)) read.set(name, selectionTest(selections[name]));
    return read.get(name)!;
  };
  return fromCondition(parsed, testOf);
}

function fromCondition(condition: SigmaCondition, testOf: (name: string) => EventTest | null): EventTest | null {
  if (condition.kind === 'selection') return testOf(condition.name);
  if (condition.kind === 'not') {
    const inner = fromCondition(condition.of, testOf);
    return inner === null ? null : inner.kind === 'not' ? inner.of : { kind: 'not', of: inner };
  }
  const of = allOrNone(condition.of.map((inner) => fromCondition(inner, testOf)));
  if (of === null) return null;
  return condition.kind === 'some' ? { ...condition, of } : groupTests(condition.kind, of);
}

/** A map matches if all of its fields match, a list if any of its maps or keywords does. */
function selectionTest(selection: unknown): EventTest | null {
  if (isMapping(selection)) {
    const fields = allOrNone(Object.entries(selection).map(([key, value]) => fieldTest(key, value)));
    return fields === null || fields.length === 0 ? null : groupTests('all', fields);
  }
  const items = Array.isArray(selection) ? selection : [selection];
  const keywords = items.filter((item): item is SigmaValue => isValue(item));
  const maps = allOrNone(items.filter((item) => !isValue(item)).map(selectionTest));
  if (maps === null || items.length === 0) return null;
  const keywordTest: FieldTest = { kind: 'field', field: null, modifiers: [], quantifier: 'any', values: keywords };
  return groupTests('any', keywords.length === 0 ? maps : [keywordTest, ...maps]);
}

/** `CommandLine|contains|all: [...]` */
function fieldTest(key: string, value: unknown): FieldTest | null {
  const [field = '', ...modifiers] = key.split('|');
  const values = Array.isArray(value) ? value : [value];
  if (values.length === 0 || !values.every(isValue)) return null;
  return {
    kind: 'field',
    field: field === '' ? null : field,
    modifiers: modifiers.filter((modifier) => modifier !== 'all'),
    quantifier: modifiers.includes('all') ? 'all' : 'any',
    values,
  };
}

function isValue(value: unknown): value is SigmaValue {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/** A group of tests as one test; groups of the same kind within it are merged into it. */
export function groupTests(kind: 'all' | 'any', of: EventTest[]): EventTest {
  const flat = of.flatMap((test) => (test.kind === kind ? test.of : [test]));
  return flat.length === 1 ? flat[0]! : { kind, of: flat };
}

function allOrNone(tests: (EventTest | null)[]): EventTest[] | null {
  return tests.includes(null) ? null : (tests as EventTest[]);
}
