import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { z } from 'zod';
import { verifyOperations } from '../../src/engine/verify-operations.ts';
import { OPERATIONS } from '../../src/operations/list.ts';
import type { Operation } from '../../src/engine/operation.ts';

const plain = (of: Partial<Record<keyof Operation, unknown>>): Operation =>
  ({
    ...OPERATIONS[0]!,
    id: 'first',
    route: 'GET /v1/first/:name',
    input: z.strictObject({ name: z.string(), limit: z.number().int().max(20).optional() }),
    output: z.object({ summary: z.string() }),
    examples: [{ title: 'One', input: { name: 'x' } }],
    ...of,
  }) as Operation;

const second = (of: Partial<Record<keyof Operation, unknown>>): Operation[] => [
  plain({}),
  plain({ id: 'second', route: 'GET /v1/second/:name', ...of }),
];

test('all operations fit together', () => verifyOperations(OPERATIONS));

test('what is shared on purpose is fine', () => {
  const Item = z.object({ name: z.string() }).meta({ id: 'CheckedItem' });
  verifyOperations([
    plain({ output: z.object({ results: z.array(Item) }) }),
    plain({ id: 'second', route: 'POST /v1/first/:name', output: z.object({ one: Item.nullable() }) }),
  ]);
});

describe('refuses, naming the operation', () => {
  const wrong: [what: string, operations: () => Operation[], says: RegExp][] = [
    ['a path name without a field', () => second({ route: 'GET /v1/second/:nme' }), /second: :nme of its route .*name/],
    ['an id twice', () => second({ id: 'first' }), /first: the id first is taken/],
    ['an operation twice', () => [OPERATIONS[0]!, OPERATIONS[0]!], /cve_lookup: it is in the list twice/],
    [
      'a route twice, under another name',
      () => second({ route: 'GET /v1/first/:limit' }),
      /second: the route .* first/,
    ],
    [
      'a refused example',
      () => second({ examples: [{ title: 'Big', input: { name: 'x', limit: 21 } }] }),
      /"Big": .*21/,
    ],
    [
      'an output schema id twice',
      () => [
        plain({ output: z.object({ a: z.string() }).meta({ id: 'CheckedTwice' }) }),
        plain({
          id: 'second',
          route: 'GET /v1/2/:name',
          output: z.object({ b: z.string() }).meta({ id: 'CheckedTwice' }),
        }),
      ],
      /second: the schema id CheckedTwice .* first/,
    ],
    [
      'the same deep inside',
      () => [
        plain({ output: z.object({ a: z.string().meta({ id: 'CheckedDeep' }) }) }),
        plain({
          id: 'second',
          route: 'GET /v1/2/:name',
          output: z.object({ b: z.array(z.number().meta({ id: 'CheckedDeep' }).nullable()).optional() }),
        }),
      ],
      /second: the schema id CheckedDeep .* first/,
    ],
  ];
  for (const [what, operations, says] of wrong) {
    test(what, () => {
      assert.throws(() => verifyOperations(operations()), { name: 'Error', message: says });
    });
  }
});
