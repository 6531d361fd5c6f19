import { z } from 'zod';
import { QUOTA_WINDOW_SECONDS } from '../access/quota-status.ts';
import { ERRORS, type ErrorCode } from '../errors.ts';
import { costText, errorCodesOf } from '../engine/describe-operation.ts';
import { verifyOperations } from '../engine/verify-operations.ts';
import { AREAS, type Operation } from '../engine/operation.ts';
import { locationOf, parseRoute, type RestOperation, restOperations, routeTemplate } from '../engine/route.ts';
import { isAnswerShared } from '../engine/runner.ts';

type JsonObject = Record<string, unknown>;

/** Headers of every API response, by their names in `components`. */
const RATE_HEADER_DOCS: Record<string, { type: 'integer' | 'string'; description: string }> = {
  'X-RateLimit-Limit': { type: 'integer', description: 'Tokens of the window; absent where there is no limit.' },
  'X-RateLimit-Remaining': { type: 'integer', description: 'Tokens left; absent where there is no limit.' },
  'X-RateLimit-Reset': {
    type: 'integer',
    description: `Seconds until the window ends; ${QUOTA_WINDOW_SECONDS} where none is open; absent where there is no limit.`,
  },
  'X-RateLimit-Cost': { type: 'integer', description: 'Tokens that this request cost.' },
  'X-RateLimit-Tier': { type: 'string', description: '`keyless` or `pro`.' },
};
const ENTITY_TAG_DOCS = {
  ETag: { type: 'string' as const, description: 'Names the answer, without the age of its data; for `If-None-Match`.' },
};
const RATE_HEADER_REFS = headerRefs(RATE_HEADER_DOCS);
/** Of operations whose answers may be kept by the client. */
const KEPT_ANSWER_HEADER_REFS = headerRefs({ ...RATE_HEADER_DOCS, ...ENTITY_TAG_DOCS });
const UNCHANGED_RESPONSE = {
  304: {
    description:
      'The answer has not changed since the client got it with the `ETag` in `If-None-Match`. Costs nothing.',
    headers: KEPT_ANSWER_HEADER_REFS,
  },
};

function headerRefs(docs: object): JsonObject {
  return Object.fromEntries(Object.keys(docs).map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The OpenAPI 3.1 description of all operations, derived from their definitions. */
export function createOpenApiDocument(operations: readonly Operation[], version: string): JsonObject {
  verifyOperations(operations);
  const schemas: JsonObject = { Error: errorSchema() };
  const paths: Record<string, JsonObject> = {};
  for (const operation of restOperations(operations)) {
    const { method, path } = parseRoute(operation.route);
    const pathTemplate = routeTemplate(path);
    paths[pathTemplate] = { ...paths[pathTemplate], [method.toLowerCase()]: operationObject(operation, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sextant',
      version,
      summary: 'Security intelligence with its sources, its age and its gaps.',
      description:
        'Every look-up carries a `verdict`: which sources stand behind the answer, how old it is, and what could not be seen.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(operations.map(({ area }) => area))].map((name) => ({ name, description: AREAS[name] })),
    // Keyless use is allowed: the empty requirement.
    security: [{}, { apiKey: [] }],
    paths,
    components: {
      schemas,
      headers: Object.fromEntries(
        Object.entries({ ...RATE_HEADER_DOCS, ...ENTITY_TAG_DOCS }).map(([name, { type, description }]) => [
          name,
          { description, schema: { type } },
        ]),
      ),
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'A Pro key raises the quota.' } },
    },
  };
}

function operationObject(operation: RestOperation, schemas: JsonObject): JsonObject {
  const inputSchema = schemaOrRef(operation.input, 'input', schemas) as {
    properties?: JsonObject;
    required?: string[];
  };
  const fields = Object.entries(inputSchema.properties ?? {}).map(([name, schema]) => ({
    name,
    schema: schema as JsonObject,
    in: locationOf(operation, name),
  }));
  const body = fields.filter((field) => field.in === 'body');
  const required = new Set(inputSchema.required ?? []);
  const isKept = isAnswerShared(operation) && parseRoute(operation.route).method === 'GET';
  return {
    operationId: operation.id,
    tags: [operation.area],
    summary: operation.title,
    description: `${operation.description} Costs ${costText(operation)}.`,
    parameters: fields
      .filter((field) => field.in !== 'body')
      .map((field) => parameterObject(operation, field, required)),
    ...(body.length === 0 ? {} : { requestBody: requestBodyObject(operation, body, required) }),
    responses: {
      200: {
        description: 'The answer.',
        headers: isKept ? KEPT_ANSWER_HEADER_REFS : RATE_HEADER_REFS,
        content: { 'application/json': { schema: schemaOrRef(operation.output, 'output', schemas) } },
      },
      ...(isKept ? UNCHANGED_RESPONSE : {}),
      ...errorResponses(errorCodesOf(operation)),
    },
  };
}

function parameterObject(
  operation: Operation,
  field: { name: string; schema: JsonObject; in: string },
  required: ReadonlySet<string>,
): JsonObject {
  const { description, examples: _, ...schema } = field.schema;
  const examples = operation.examples.flatMap(({ title, input }) => {
    const value = (input as JsonObject)[field.name];
    return value === undefined ? [] : [[title, { value }] as const];
  });
  return {
    name: field.name,
    in: field.in,
    required: field.in === 'path' || required.has(field.name),
    ...(description === undefined ? {} : { description }),
    schema,
    ...(examples.length === 0 ? {} : { examples: Object.fromEntries(examples) }),
  };
}

function requestBodyObject(
  operation: Operation,
  fields: { name: string; schema: JsonObject }[],
  required: ReadonlySet<string>,
): JsonObject {
  const names = fields.map(({ name }) => name);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    required: names.filter((name) => required.has(name)),
    additionalProperties: false,
  };
  const examples = operation.examples.map(({ title, input }) => [
    title,
    { value: Object.fromEntries(Object.entries(input as JsonObject).filter(([name]) => names.includes(name))) },
  ]);
  return { required: true, content: { 'application/json': { schema, examples: Object.fromEntries(examples) } } };
}

function errorResponses(codes: readonly ErrorCode[]): JsonObject {
  const byStatus = new Map<number, string[]>();
  for (const code of codes) {
    const { status, means } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), `\`${code}\`: ${means}`]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, lines]) => [
      status,
      {
        description: lines.join(' '),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}

/** JSON Schema of a zod type. Types with an id are added to `schemas` and referenced. */
function schemaOrRef(zodType: z.ZodType, io: 'input' | 'output', schemas: JsonObject): JsonObject {
  const {
    $schema: _,
    $defs,
    ...schema
  } = z.toJSONSchema(zodType, { io, unrepresentable: 'any', override: dropDefaultId }) as JsonObject & {
    $defs?: JsonObject;
  };
  for (const [id, definition] of Object.entries($defs ?? {})) schemas[id] ??= rewriteRefs(definition);
  const id = zodType.meta()?.id;
  const linked = rewriteRefs(schema) as JsonObject;
  if (typeof id !== 'string') return linked;
  schemas[id] ??= linked;
  return { $ref: `#/components/schemas/${id}` };
}

function dropDefaultId({ jsonSchema }: { jsonSchema: JsonObject }): void {
  delete jsonSchema.id;
}

function rewriteRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewriteRefs);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key === '$ref' && typeof inner === 'string'
        ? [key, inner.replace('#/$defs/', '#/components/schemas/')]
        : [key, rewriteRefs(inner)],
    ),
  );
}

function errorSchema(): JsonObject {
  return {
    type: 'object',
    required: ['error', 'message', 'request_id'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: { type: 'string', enum: Object.keys(ERRORS) },
          message: { type: 'string' },
          retry_after_seconds: { type: 'integer' },
          docs_url: { type: 'string' },
        },
      },
      message: { type: 'string', description: 'The same text as `error.message`.' },
      detail: {
        type: 'array',
        items: {
          type: 'object',
          required: ['loc', 'msg', 'type'],
          properties: {
            loc: { type: 'array', items: { type: ['string', 'integer'] } },
            msg: { type: 'string' },
            type: { type: 'string' },
          },
        },
      },
      request_id: { type: 'string' },
    },
  };
}
