import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import type { ApiError } from '../../src/errors.ts';
import { createIssueFormatter } from '../../src/engine/input/issue-formatter.ts';
import { type Operation, defineOperation } from '../../src/engine/operation.ts';
import { parseInput } from '../../src/engine/input/parse-input.ts';

const Input = z.strictObject({
  limit: z.number().int().min(1).max(20).optional(),
  share: z.number().min(0).max(1).default(0),
  count: z.number().int().min(0).optional(),
  full: z.boolean().optional(),
  sort: z
    .preprocess((value) => (typeof value === 'string' ? value.toLowerCase() : value), z.enum(['up', 'down']))
    .optional(),
  form: z.literal('full').optional(),
  word: z.string().min(2).max(5).optional(),
  words: z.array(z.string().max(3)).max(2).optional(),
  day: z.iso.date({ error: 'a date that exists' }).optional(),
});

const checked = defineOperation({
  id: 'x',
  area: 'cve',
  title: 'x',
  description: 'x',
  route: 'POST /v1/x',
  input: Input,
  output: z.object({}),
  cost: 1,
  examples: [],
  answer: () => ({}),
}) as unknown as Operation;

const faults = (input: z.ZodObject, raw: unknown) =>
  (input.safeParse(raw, { error: createIssueFormatter(input, raw) }).error?.issues ?? []).map(({ message }) => message);

const cases: [raw: Record<string, unknown>, says: string][] = [
  [{ limit: 21 }, '21 is over the limit: accepted 1 to 20'],
  [{ limit: 0 }, '0 is under the limit: accepted 1 to 20'],
  [{ limit: 'two' }, '"two" is not a whole number: accepted 1 to 20'],
  [{ limit: '5' }, '"5" is text, not a whole number: accepted 1 to 20'],
  [{ limit: 1.5 }, '1.5 is not a whole number: accepted 1 to 20'],
  [{ limit: null }, 'null is not a whole number: accepted 1 to 20'],
  [{ share: 2 }, '2 is over the limit: accepted 0 to 1'],
  [{ share: 'half' }, '"half" is not a number: accepted 0 to 1'],
  [{ count: -1 }, '-1 is under the limit: accepted from 0 on'],
  [{ full: 'maybe' }, '"maybe" is not true or false'],
  [{ sort: 'SIDEWAYS' }, '"SIDEWAYS" is not one of up, down'],
  [{ form: 'short' }, '"short" is not full, the only value accepted'],
  [{ word: 'x' }, 'too short: 1 character, accepted 2 to 5'],
  [{ word: 'x'.repeat(6) }, 'too long: 6 characters, accepted 2 to 5'],
  [{ word: {} }, 'an object is not a text: accepted 2 to 5 characters'],
  [{ words: 'a' }, '"a" is not a list: accepted up to 2 items'],
  [{ words: ['a', 'b', 'c'] }, 'too many: 3 items, accepted up to 2'],
  [{ words: ['abcd'] }, 'too long: 4 characters, accepted up to 3'],
  [{ words: [{}] }, 'an object is not a text: accepted up to 3 characters'],
  [{ day: 'soon' }, 'a date that exists'],
];
for (const [raw, says] of cases) {
  test(`${JSON.stringify(raw)}: ${says}`, () => assert.deepEqual(faults(Input, raw), [says]));
}

test('a missing field is told with what it is and an example', () => {
  const input = z.strictObject({ id: z.string().meta({ description: 'A number.', examples: ['7'] }), n: z.number() });
  assert.deepEqual(faults(input, {}), ['missing: A number, for example 7', 'missing']);
});

test('what was sent is cut, and shown without what cannot be seen', () => {
  const [says = ''] = faults(Input, { full: `\u202e${'x'.repeat(1000)}` });
  assert.match(says, /^"\?x+\.\.\." is not true or false$/);
  assert.ok(says.length < 80);
});

test('a length that is none is not read from what pretends to have one', () => {
  for (const word of [{ length: 1 }, { length: 50 }, { length: '50' }, { toString: 1 }]) {
    assert.equal(faults(Input, { word })[0], 'an object is not a text: accepted 2 to 5 characters');
    assert.throws(
      () => parseInput(checked, { word }),
      ({ issues }: ApiError) => issues?.length === 1 && issues[0]!.type === 'invalid_type',
    );
  }
});

test('a length that the library stumbles over is wrong input', () => {
  assert.throws(() => parseInput(checked, { word: { length: [{ toString: 1 }] } }), { code: 'validation_error' });
});

test('an exception while input is checked is wrong input, not a fault of the service', () => {
  const input = Input.extend({
    word: z.string().transform(() => {
      throw new RangeError('Maximum call stack size exceeded');
    }),
  });
  assert.throws(() => parseInput({ ...checked, input }, { word: 'x' }), { code: 'validation_error' });
});
