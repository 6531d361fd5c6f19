import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { summarizeDetection } from '../../src/feeds/sigma/summarize-detection.ts';

function summary(selections: Record<string, unknown>, condition: string, timeframe: string | null = null): string {
  return summarizeDetection({ selections, condition, timeframe });
}

describe('one field', () => {
  for (const [key, value, words] of [
    ['EventID', 4624, 'EventID is 4624'],
    ['User', null, 'User is null'],
    ['User', '', 'User is ""'],
    ['User', ['SYSTEM', null], 'User is any of "SYSTEM", null'],
    ['Image|endswith', '\\cmd.exe', 'Image ends with "\\cmd.exe"'],
    ['Image|startswith', ['C:\\A', 'C:\\B'], 'Image starts with any of "C:\\A", "C:\\B"'],
    ['CommandLine|contains|all', ['a', 'b'], 'CommandLine contains all of "a", "b"'],
    ['CommandLine|contains|windash', ' -x', 'CommandLine contains " -x" (with any kind of dash)'],
    ['CommandLine|re', 'a.*b', 'CommandLine matches the regular expression "a.*b"'],
    ['CommandLine|re|i', 'a.*b', 'CommandLine matches the regular expression "a.*b" (in any case)'],
    ['Payload|wide|base64offset|contains', 'x', 'Payload contains "x" (as UTF-16LE, Base64-encoded at any offset)'],
    ['DestinationIp|cidr', '10.0.0.0/8', 'DestinationIp is in the network "10.0.0.0/8"'],
    ['Size|gte', 100, 'Size is at least 100'],
    ['Hash|exists', true, 'Hash is present'],
    ['Hash|exists', false, 'Hash is absent'],
    ['Image|fieldref', 'ParentImage', 'Image is the value of "ParentImage"'],
    ['Path', '/home/*/x', 'Path is like "/home/*/x"'],
    ['Path', '/home/\\*/x', 'Path is "/home/\\*/x"'],
    ['Path', 'C:\\\\*', 'Path is like "C:\\\\*"'],
    ['Field|unheard', 'x', 'Field passes "unheard" with "x"'],
    ['|all', ['x', 'y'], 'the event contains all of "x", "y"'],
  ] as const) {
    test(`${key}: ${JSON.stringify(value)}`, () =>
      assert.equal(summary({ s: { [key]: value } }, 's'), `Matches events where ${words}.`));
  }
});

describe('how tests combine', () => {
  const A = { A: 1 };
  const B = { B: 2 };
  const AB = { A: 1, B: 2 };
  for (const [selections, condition, sentence] of [
    [{ s: AB }, 's', 'Matches events where A is 1 and B is 2.'],
    [{ s: [A, B] }, 's', 'Matches events where A is 1 or B is 2.'],
    [{ s: ['x', 'y'] }, 's', 'Matches events where the event contains any of "x", "y".'],
    [{ s: ['x', A] }, 's', 'Matches events where the event contains "x" or A is 1.'],
    [{ a: [A, B], b: { C: 3 } }, 'a and b', 'Matches events where (A is 1 or B is 2) and C is 3.'],
    [{ a: AB, b: { C: 3 } }, '1 of them', 'Matches events where (A is 1 and B is 2) or C is 3.'],
    [{ a: A, f: B }, 'a and not f', 'Matches events where A is 1. Leaves out those where B is 2.'],
    [
      { a: A, f_1: B, f_2: { C: 3, D: 4 } },
      'a and not 1 of f_*',
      'Matches events where A is 1. Leaves out those where B is 2 or (C is 3 and D is 4).',
    ],
    [
      { a: A, f: B, g: { C: 3 } },
      'a and not f and not g',
      'Matches events where A is 1. Leaves out those where B is 2 or C is 3.',
    ],
    [{ a: A, f: B }, 'a and not all of f*', 'Matches events where A is 1. Leaves out those where B is 2.'],
    [{ a: A, f: B, c: { C: 3 } }, '(a and not f) or c', 'Matches events where (A is 1 and not (B is 2)) or C is 3.'],
    [{ a: A }, 'not a', 'Matches every event but those where A is 1.'],
    [{ a: A }, 'not not a', 'Matches events where A is 1.'],
    [
      { a: A, b: B, c: { C: 3 } },
      '2 of them',
      'Matches events where at least 2 of these hold: A is 1; B is 2; C is 3.',
    ],
  ] as const) {
    test(`${condition} over ${JSON.stringify(selections)}`, () =>
      assert.equal(summary(selections, condition), sentence));
  }
});

describe('a long block is told with less of it', () => {
  const values = (count: number): string[] => Array.from({ length: count }, (_, n) => `\\program-${n}.exe`);

  test('values are counted, with the first few', () => {
    assert.equal(
      summary({ s: { 'Image|endswith': values(40) } }, 's'),
      'Matches events where Image ends with any of 40 values ("\\program-0.exe", "\\program-1.exe", "\\program-2.exe", ...).',
    );
  });

  test('what is left out loses its values before what is matched does', () => {
    assert.equal(
      summary({ s: { 'Image|endswith': values(5) }, f: { 'Parent|contains|all': values(30) } }, 's and not f'),
      'Matches events where Image ends with any of "\\program-0.exe", "\\program-1.exe", "\\program-2.exe", "\\program-3.exe", "\\program-4.exe". Leaves out those where Parent contains all of 30 values ("\\program-0.exe", "\\program-1.exe", "\\program-2.exe", ...).',
    );
  });

  test('tests are counted at last, with their fields', () => {
    const selections = Object.fromEntries(
      values(60).map((name, n) => [`s${n}`, { [`Field${n % 6}|contains`]: name, Other: n }]),
    );
    assert.equal(
      summary(selections, '1 of them'),
      'Matches events where any of 60 tests holds, on Field0, Other, Field1, Field2 and 3 more fields.',
    );
  });

  test('a long text is cut, and the cut shows', () => {
    assert.equal(
      summary({ s: { 'C|contains': 'x'.repeat(500) } }, 's'),
      `Matches events where C contains "${'x'.repeat(60)}[...]".`,
    );
  });
});

describe('a condition that is not understood is given as it stands', () => {
  test('an aggregation', () => {
    assert.equal(
      summary({ s: { type: 'USER_LOGIN', res: 'failed' } }, 's | count() by host > 50', '10m'),
      '1 selection tests type, res. The condition reads: s | count() by host > 50. Within 10m.',
    );
  });

  test('or, when too long, by its length', () => {
    const condition = `s | ${'x'.repeat(400)}`;
    assert.equal(
      summary({ s: ['a'], t: ['b'] }, condition),
      '2 selections test the whole event. The condition has 404 characters.',
    );
  });

  test('as is a selection of a form that there is not', () => {
    assert.equal(summary({ s: { A: { B: 1 } } }, 's'), '1 selection tests A. The condition reads: s.');
    assert.equal(summary({ s: { A: [] } }, 's'), '1 selection tests A. The condition reads: s.');
  });
});

test('whatever the block, one line of at most 300 characters', () => {
  const value = fc.oneof(fc.string({ maxLength: 200 }), fc.integer(), fc.constant(null), fc.boolean());
  const field = fc
    .tuple(fc.string({ maxLength: 80 }), fc.constantFrom('', '|contains', '|re', '|contains|all', '|x|y'))
    .map((parts) => parts.join(''));
  const map = fc.dictionary(field, fc.oneof(value, fc.array(value, { maxLength: 20 })), { maxKeys: 8 });
  const selection = fc.oneof(map, fc.array(map, { maxLength: 5 }), fc.array(value, { maxLength: 5 }));
  const selections = fc.dictionary(fc.constantFrom('a', 'b', 'f1', 'f2'), selection, { minKeys: 1 });
  const condition = fc.constantFrom(
    'a',
    'a and b',
    'a and not 1 of f*',
    '1 of them',
    'not a or not b',
    'all of f*',
    'a | count() > 3',
  );
  fc.assert(
    fc.property(selections, condition, (made, text) => {
      const sentence = summary(made, text);
      assert.ok(sentence.length <= 300 && sentence.length > 10, sentence);
    }),
  );
});
