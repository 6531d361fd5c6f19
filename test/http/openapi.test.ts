import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { z } from 'zod';
import { createOpenApiDocument } from '../../src/http/openapi.ts';
import { OPERATIONS } from '../../src/operations/list.ts';
import { inputPatterns } from '../../src/engine/input/identifiers.ts';
import { restOperations, routeTemplate } from '../../src/engine/route.ts';
import { variantsOf } from '../operations/answer-variants.ts';
import { IDS } from '../operations/fixture-facts.ts';
import { ask } from '../operations/request-of.ts';
import { startService } from '../support/service.ts';

/** What we publish, read as a client's generator would read it, must describe what we answer. */

type Json = Record<string, unknown>;
const service = await startService({ after }, { sources: 'lab' });
const document = createOpenApiDocument(OPERATIONS, '0.0.0') as {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;
  components: { schemas: Record<string, Json>; responses: Json };
};
const described = Object.values(document.paths).flatMap((methods) => Object.values(methods));

for (const operation of restOperations(OPERATIONS)) {
  describe(operation.id, () => {
    for (const { title, input } of [...operation.examples, ...variantsOf(operation)]) {
      test(`the answer to "${title}" is as published`, async () => {
        const { status, body } = await ask(service, operation, input);
        assert.equal(status, 200);
        assertPublished(operation.id, '200', body);
      });
    }
  });
}

test('errors are as published', async () => {
  for (const [path, status] of [
    ['/v1/cve/nonsense', '400'],
    [`/v1/cve/${IDS.unknown}`, '404'],
    [`/v1/cve/${IDS.log4shell}?limit=1`, '422'],
  ] as const) {
    const reply = await service.get(path);
    assert.equal(String(reply.status), status);
    assertPublished('cve_lookup', status, reply.body);
  }
});

test('an answer with a field more, or one less, is not', async () => {
  const { body } = await service.get(`/v1/cve/${IDS.log4shell}`);
  const { severity: _, ...less } = body;
  assert.throws(() => assertPublished('cve_lookup', '200', { ...body, surprise: 1 }));
  assert.throws(() => assertPublished('cve_lookup', '200', less));
});

const inZod = (schema: unknown): Json =>
  JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/')) as Json;
const $defs = inZod(document.components.schemas) as NonNullable<z.core.JSONSchema.JSONSchema['$defs']>;
const known = new Map<Json, z.ZodType>();

/** A schema of the document with all that it refers to. Compiled once: that takes longer than to check an answer. */
function compiled(schema: Json): z.ZodType {
  const type = known.get(schema) ?? z.fromJSONSchema({ ...inZod(schema), $defs });
  known.set(schema, type);
  return type;
}

function assertPublished(operationId: string, status: string, body: unknown): void {
  const given = described.find((operation) => operation.operationId === operationId)?.responses[status] as
    | { $ref?: string }
    | undefined;
  const name = given?.$ref?.split('/').at(-1);
  const response = (name === undefined ? given : document.components.responses[name]) as
    | { content: { 'application/json': { schema: Json } } }
    | undefined;
  assert.ok(response, `${operationId} publishes no ${status}`);
  const { error } = compiled(response.content['application/json'].schema).safeParse(body);
  assert.equal(error?.message.slice(0, 500), undefined);
}

/** Other patterns are part of their schema: words, dates. */
function isOfIdentifier(input: z.ZodType): boolean {
  return inputPatterns.get(input instanceof z.ZodOptional ? (input.unwrap() as z.ZodType) : input) !== undefined;
}

test('a pattern of an input accepts what the input accepts, and nothing else', () => {
  const patterns = new Map(
    restOperations(OPERATIONS).flatMap((operation) => {
      const path = document.paths[routeTemplate(operation.route.split(' ')[1]!)]!;
      const { parameters } = Object.values(path).find(
        ({ operationId }) => operationId === operation.id,
      )! as unknown as {
        parameters: { name: string; schema: { pattern?: string } }[];
      };
      return parameters.flatMap(({ name, schema: { pattern } }) =>
        pattern === undefined || !isOfIdentifier(operation.input.shape[name] as z.ZodType)
          ? []
          : [[pattern, operation.input.shape[name] as z.ZodType] as const],
      );
    }),
  );
  assert.equal(patterns.size, 9, [...patterns.keys()].join('\n'));
  const hex = (digits: number): string => 'aB3f'.repeat(digits / 4);
  const texts = [
    'CVE-2021-44228',
    'cve-2021-0001',
    'Cve-2021-123',
    'CVE-21-44228',
    'CVE-2021-44228x',
    'CVE2021-44228',
    'GHSA-jfh8-c2jp-5v3q',
    'ghsa-JFH8-C2JP-5V3Q',
    'GHSA-jfh8-c2jp',
    'GHSA-jfh8-c2jp-5v3',
    'GHSA-jfh8-c2jp-5v3_',
    'CWE-79',
    'cwe 79',
    'cwe_079',
    'CWE79',
    '79',
    '0',
    'CWE-0',
    'CWE-123456',
    'CWE--79',
    'AML.T0051',
    'aml.t0051.000',
    'AML.T51',
    'AMLxT0051',
    'AML.T0051.00',
    'AML.CS0000',
    'aml.cs0012',
    'AML.CS000',
    'T1566',
    't1566.001',
    'T1566.01',
    'T15666',
    '1566',
    'T1566x001',
    hex(32),
    hex(40),
    hex(64),
    hex(36),
    `${hex(32).slice(1)}g`,
    `${hex(64)}0`,
    '5ea8faa8-db8b-45be-89b0-151b84c82702',
    '5EA8FAA8-DB8B-45BE-89B0-151B84C82702',
    '5ea8faa8db8b45be89b0151b84c82702',
    '',
    ' ',
    'x',
    '\n',
  ];
  for (const [pattern, input] of patterns)
    for (const text of texts.flatMap((one) => [one, ` ${one}\t`, `${one}\n${one}`]))
      assert.equal(
        new RegExp(pattern, 'u').test(text),
        input.safeParse(text).success,
        `${pattern} ${JSON.stringify(text)}`,
      );
});

test('the example of an error is what the service answers', async () => {
  const { body } = await service.get('/v1/cves?limit=500');
  const [example] = document.components.schemas['Error']!['examples'] as [Json];
  assert.deepEqual({ ...body, request_id: '' }, { ...example, request_id: '' });
});
