import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type SigmaCondition, parseCondition } from '../../src/feeds/sigma/condition.ts';

const NAMES = [
  'a',
  'b',
  'c',
  'sel_1',
  'sel_2',
  'filter_main_x',
  'filter_main_y',
  'filter_opt',
  '_hidden',
  'of',
  'not-this',
];

/** Fully bracketed, so that precedence shows. */
function shown(condition: SigmaCondition | null): string | null {
  if (condition === null) return null;
  if (condition.kind === 'selection') return condition.name;
  if (condition.kind === 'not') return `!${shown(condition.of)}`;
  const inner = condition.of.map(shown);
  if (condition.kind === 'some') return `${condition.least}of[${inner.join(' ')}]`;
  return `(${inner.join(condition.kind === 'all' ? ' & ' : ' | ')})`;
}

/** The order of the Sigma specification 2.0, "Condition": `or` binds least, then `and`, `not`, `x of`, brackets. */
describe('what binds closer', () => {
  for (const [text, meaning] of [
    ['a', 'a'],
    ['a and b or c', '((a & b) | c)'],
    ['a or b and c', '(a | (b & c))'],
    ['not a and b', '(!a & b)'],
    ['not (a and b)', '!(a & b)'],
    ['not not a', '!!a'],
    ['(a or b) and not c', '((a | b) & !c)'],
    ['((a))', 'a'],
    ['a and not 1 of filter_main_* and not 1 of filter_opt*', '(a & !(filter_main_x | filter_main_y) & !filter_opt)'],
    ['all of sel_* or b', '((sel_1 & sel_2) | b)'],
    ['1 of sel_*', '(sel_1 | sel_2)'],
    ['any of sel_*', '(sel_1 | sel_2)'],
    ['2 of sel_*', '2of[sel_1 sel_2]'],
    ['1 of *_1', 'sel_1'],
    ['all of s*l*_*', '(sel_1 & sel_2)'],
    ['1 of them', '(a | b | c | sel_1 | sel_2 | filter_main_x | filter_main_y | filter_opt | of | not-this)'],
    ['a AND NOT b', '(a & !b)'],
    ['not not-this', '!not-this'],
    ['(a)or(b)', '(a | b)'],
  ] as const) {
    test(text, () => assert.equal(shown(parseCondition(text, NAMES)), meaning));
  }
});

describe('what is not understood is said to be so', () => {
  for (const text of [
    '',
    'and',
    'a and',
    'a b',
    '(a',
    'a)',
    'missing',
    'a and missing',
    '1 of nothing*',
    '1 of',
    'some of sel_*',
    '0 of sel_*',
    'not',
    'a | count() > 5',
    'a | near b',
    '()',
    '('.repeat(10_000),
    `${'not '.repeat(10_000)}a`,
  ]) {
    test(text.slice(0, 40), () => assert.equal(parseCondition(text, NAMES), null));
  }
});

test('patterns mean what a regular expression of them would', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', '_'), minLength: 1, maxLength: 6 });
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '_', '*', '*'), minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 8 }), pattern, (names, glob) => {
      const expected = names.filter((one) => new RegExp(`^${glob.replaceAll('*', '.*')}$`).test(one));
      const meant = parseCondition(`all of ${glob}`, names);
      const found = meant === null ? [] : meant.kind === 'all' ? meant.of : [meant];
      assert.deepEqual(
        found.map((one) => (one.kind === 'selection' ? one.name : '?')),
        expected,
      );
    }),
  );
});

test('a tree written out with brackets is read back with the same truth for every choice of selections', () => {
  const names = ['a', 'b', 'c'];
  const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(...names),
      fc.record({
        op: fc.constantFrom('and' as const, 'or' as const),
        of: fc.array(tie('tree'), { minLength: 2, maxLength: 3 }),
      }),
      fc.record({ op: fc.constant('not' as const), of: fc.tuple(tie('tree')) }),
    ),
  }));
  fc.assert(
    fc.property(tree, (made) => {
      const parsed = parseCondition(written(made), names);
      for (let choice = 0; choice < 8; choice++) {
        const holds = (name: string): boolean => ((choice >> names.indexOf(name)) & 1) === 1;
        assert.equal(truth(parsed!, holds), meaning(made, holds), written(made));
      }
    }),
  );
});

type Tree = string | { op: 'and' | 'or' | 'not'; of: Tree[] };

function written(tree: Tree): string {
  if (typeof tree === 'string') return tree;
  return tree.op === 'not'
    ? `not (${written(tree.of[0]!)})`
    : tree.of.map((inner) => `(${written(inner)})`).join(` ${tree.op} `);
}

function meaning(tree: Tree, holds: (name: string) => boolean): boolean {
  if (typeof tree === 'string') return holds(tree);
  if (tree.op === 'not') return !meaning(tree.of[0]!, holds);
  return tree.op === 'and'
    ? tree.of.every((inner) => meaning(inner, holds))
    : tree.of.some((inner) => meaning(inner, holds));
}

function truth(condition: SigmaCondition, holds: (name: string) => boolean): boolean {
  if (condition.kind === 'selection') return holds(condition.name);
  if (condition.kind === 'not') return !truth(condition.of, holds);
  const count = condition.of.filter((inner) => truth(inner, holds)).length;
  return count >= (condition.kind === 'all' ? condition.of.length : condition.kind === 'some' ? condition.least : 1);
}
