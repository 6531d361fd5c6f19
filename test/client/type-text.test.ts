import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOperations, type ClientDocument, renderClientSource } from '../../scripts/client/client-source.ts';
import { typeText } from '../../scripts/client/type-text.ts';
import type { JsonSchema } from '../../src/engine/json-schema.ts';

/** Schemas of JSON Schema as types of TypeScript. */

const text = { type: 'string' };
for (const [schema, type] of [
  [{ type: 'integer', minimum: 1 }, 'number'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ enum: ['a', 'b'] }, '"a" | "b"'],
  [{ const: 'full', type: 'string' }, '"full"'],
  [{ anyOf: [{ $ref: '#/components/schemas/Fix' }, { type: 'null' }] }, 'Fix | null'],
  [{ type: 'array', items: text }, 'string[]'],
  [{ type: 'array', items: { type: ['string', 'integer'] } }, '(string | number)[]'],
  [{ type: 'array', items: { enum: ['a'] } }, '("a")[]'],
  [
    { type: 'array', items: { type: 'object', additionalProperties: { type: ['number', 'null'] } } },
    '(Record<string, number | null>)[]',
  ],
  [
    { type: 'object', propertyNames: { enum: ['a'] }, additionalProperties: text, required: ['a'] },
    'Record<"a", string>',
  ],
  [{ type: 'object', propertyNames: { enum: ['a'] }, additionalProperties: text }, 'Partial<Record<"a", string>>'],
  [{ type: 'object', properties: {}, additionalProperties: false }, 'Record<string, never>'],
  [
    { type: 'object', properties: { 'a-b': text, c: text }, required: ['c'] },
    '{\n  "a-b"?: string | undefined;\n  c: string;\n}',
  ],
  [
    { type: 'object', properties: { a: text }, additionalProperties: {} },
    '{\n  a?: string | undefined;\n  [field: string]: unknown;\n}',
  ],
  [
    { type: 'object', properties: { a: { ...text, description: 'One */ two' } }, required: ['a'] },
    '{\n  /** One *\\/ two */\n  a: string;\n}',
  ],
  [{ 'x-foreign-text': true }, 'unknown'],
] satisfies [JsonSchema, string][]) {
  test(JSON.stringify(schema), () => assert.equal(typeText(schema), type));
}

test('a keyword or type that it does not know is an error, not a wrong type', () => {
  assert.throws(() => typeText({ oneOf: [text] }), /keyword oneOf/);
  assert.throws(() => typeText({ type: 'array', items: { allOf: [text] } }), /keyword allOf/);
  assert.throws(() => typeText({ type: 'date' }), /type date/);
  assert.throws(
    () => typeText({ type: 'object', properties: { a: text }, additionalProperties: text }),
    /named properties/,
  );
});

const operation = (operationId: string, schema: JsonSchema = { type: 'object', properties: {} }) => ({
  operationId,
  summary: 'It',
  description: 'Does it.',
  parameters: [],
  responses: { 200: { content: { 'application/json': { schema } } } },
});
const documentOf = (...described: ReturnType<typeof operation>[]): ClientDocument => ({
  paths: Object.fromEntries(described.map((one) => [`/v1/${one.operationId}`, { get: one }])),
  components: { schemas: { Error: {}, Fix: { type: 'object', properties: {} } } },
});

test('operations whose names would collide in the client are an error', () => {
  assert.match(renderClientSource(documentOf(operation('look_up'))), /  lookUp\(input: LookUpInput = \{\}/);
  for (const id of ['rows', 'call', 'constructor'])
    assert.throws(() => renderClientSource(documentOf(operation(id))), /choose another name/, id);
  assert.throws(() => renderClientSource(documentOf(operation('a_b'), operation('aB'))), /choose another name/);
});

test('rows are those of results, or of the only list; several other lists are pages alone', () => {
  const list = { type: 'array', items: text };
  const paged = (lists: Record<string, JsonSchema>): JsonSchema => ({
    type: 'object',
    properties: { ...lists, next_offset: { type: ['integer', 'null'] } },
  });
  const rows = [
    { results: list, facets: list },
    { defenses: list, next_calls: list },
    { a: list, b: list },
  ].map((lists) => clientOperations(documentOf(operation('x', paged(lists))))[0]!.row);
  assert.deepEqual(rows, ['XAnswer["results"][number]', 'XAnswer["defenses"][number]', 'null']);
  assert.equal(clientOperations(documentOf(operation('x')))[0]!.row, null);
});
