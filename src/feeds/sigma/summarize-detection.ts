import type { Detection } from './detection.ts';
import { type ValueDetail, describeFieldTest } from './describe-field-test.ts';
import { buildTestTree, type EventTest, groupTests } from './test-tree.ts';
import { isMapping } from './yaml-values.ts';

const MAX_SUMMARY_CHARACTERS = 300;
/** How a group of tests is described, from most to least detail: each test, or the number of tests and some fields. */
const DETAIL_LEVELS: readonly (ValueDetail | { fields: number })[] = [
  'every value',
  'some values',
  'counts of lists',
  { fields: 4 },
  { fields: 2 },
  { fields: 0 },
];

type DetailLevel = (typeof DETAIL_LEVELS)[number];

/**
 * What a detection block matches, in one or two sentences of at most 300 characters. Long blocks are described in less detail:
 * first values are only counted, then tests. A condition that cannot be parsed is quoted.
 */
export function summarizeDetection(detection: Detection): string {
  const test = buildTestTree(detection);
  if (test === null) return quoteCondition(detection);
  const parts = test.kind === 'all' ? test.of : [test];
  const wanted = parts.filter(({ kind }) => kind !== 'not');
  const unwanted = parts.flatMap((part) => (part.kind === 'not' ? [part.of] : []));
  const matched = wanted.length === 0 ? null : groupTests('all', wanted);
  const excluded = unwanted.length === 0 ? null : groupTests('any', unwanted);
  if (matched === null)
    return mostDetailedFitting((level) => `Matches every event but those where ${describeTest(excluded!, level)}.`);
  if (excluded === null) return mostDetailedFitting((level) => `Matches events where ${describeTest(matched, level)}.`);
  return mostDetailedFitting(
    (level, otherLevel) =>
      `Matches events where ${describeTest(matched, level)}. Leaves out those where ${describeTest(excluded, otherLevel)}.`,
  );
}

/**
 * Tries all pairs of detail levels, most detail first. Of pairs with the same total, the one with more detail on the matched part
 * is first.
 */
function mostDetailedFitting(sentence: (matched: DetailLevel, excluded: DetailLevel) => string): string {
  const last = DETAIL_LEVELS.length - 1;
  for (let total = 0; total <= 2 * last; total++) {
    for (let first = Math.max(0, total - last); first <= Math.min(total, last); first++) {
      const text = sentence(DETAIL_LEVELS[first]!, DETAIL_LEVELS[total - first]!);
      if (text.length <= MAX_SUMMARY_CHARACTERS) return text;
    }
  }
  return sentence({ fields: 0 }, { fields: 0 });
}

function describeTest(test: EventTest, level: DetailLevel): string {
  return typeof level === 'string' ? describeEachTest(test, level) : outlineTest(test, level.fields);
}

function describeEachTest(test: EventTest, detail: ValueDetail): string {
  if (test.kind === 'field') return describeFieldTest(test, detail);
  if (test.kind === 'not') return `not (${describeEachTest(test.of, detail)})`;
  const parts = test.of.map((part) =>
    part.kind === 'field' || part.kind === 'not'
      ? describeEachTest(part, detail)
      : `(${describeEachTest(part, detail)})`,
  );
  if (test.kind === 'some') return `at least ${test.least} of these hold: ${parts.join('; ')}`;
  return parts.join(test.kind === 'all' ? ' and ' : ' or ');
}

/** `one of 12 alternatives holds, on Image, CommandLine and 3 more fields` */
function outlineTest(test: EventTest, shown: number): string {
  const names = [...new Set(fieldsOf(test))];
  const where = names.length === 0 ? 'the whole event' : listFields(names, shown);
  if (test.kind === 'field') return `one test holds, on ${where}`;
  if (test.kind === 'not') return `a test does not hold, on ${where}`;
  const count = test.of.length;
  const held = { all: `all of ${count} tests hold`, any: `any of ${count} tests holds`, some: '' }[test.kind];
  return `${test.kind === 'some' ? `at least ${test.least} of ${count} tests hold` : held}, on ${where}`;
}

function listFields(names: readonly string[], shown: number): string {
  const short = names.filter((name) => name.length <= 40).slice(0, shown);
  const more = names.length - short.length;
  if (short.length === 0) return `${names.length} field${names.length === 1 ? '' : 's'}`;
  if (more === 0) return short.join(', ');
  return `${short.join(', ')} and ${more} more field${more === 1 ? '' : 's'}`;
}

function fieldsOf(test: EventTest): string[] {
  if (test.kind === 'field') return test.field === null ? [] : [test.field];
  return (test.kind === 'not' ? [test.of] : test.of).flatMap(fieldsOf);
}

/** `2 selections test User and 1 more field. The condition reads: a | near b. Within 10m.` */
function quoteCondition({ selections, condition, timeframe }: Detection): string {
  const names = [...new Set(Object.values(selections).flatMap(fieldNames))];
  const count = Object.keys(selections).length;
  const where = names.length === 0 ? 'the whole event' : listFields(names, 2);
  const start = `${count === 1 ? '1 selection tests' : `${count} selections test`} ${where}. The condition`;
  const within = timeframe === null ? '' : ` Within ${timeframe}.`;
  const quoted = `${start} reads: ${condition}.${within}`;
  return quoted.length <= MAX_SUMMARY_CHARACTERS ? quoted : `${start} has ${condition.length} characters.${within}`;
}

function fieldNames(selection: unknown): string[] {
  if (Array.isArray(selection)) return selection.flatMap(fieldNames);
  if (!isMapping(selection)) return [];
  return Object.keys(selection)
    .map((key) => key.split('|')[0]!)
    .filter((name) => name !== '');
}
