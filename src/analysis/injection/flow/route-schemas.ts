import type { IrNode } from '../ir/ir.ts';
import type { RouteSchemas } from './call-types.ts';
import type { Evaluator } from './evaluator.ts';
import type { Scope } from './scope.ts';
import { isSchema, letThrough, objectSchema, ofJsonSchema } from './schemas.ts';
import { memberOf } from './source-values.ts';
import type { Value } from './value.ts';

/** The parts of a request as options of a route call them, and as the request does. */
const PARTS: readonly (readonly [option: string, member: string])[] = [
  ['params', 'params'],
  ['querystring', 'query'],
  ['query', 'query'],
  ['body', 'body'],
  ['json', 'body'],
  ['form', 'body'],
  ['payload', 'payload'],
  ['headers', 'headers'],
];

/**
 * The schemas in the options of a route: `{ schema: { params } }` of Fastify, `{ options: { validate: { query } } }` of Hapi; those of the
 * fields of its only parameter: `server.tool('x', { id: z.number() }, handler)`, `{ inputSchema: { id: z.number() } }`. Null: no schema.
 */
export function routeSchemas(evaluator: Evaluator, { fields }: Value): RouteSchemas | null {
  if (fields === null) return null;
  const inner = fields.get('options') ?? fields.get('config');
  const schemas =
    fields.get('schema') ?? fields.get('validate') ?? inner?.fields?.get('validate') ?? inner?.fields?.get('schema');
  if (schemas !== undefined) return partsOf(evaluator, schemas);
  const own = fields.get('inputSchema')?.fields ?? fields;
  if (own.size === 0 || ![...own.values()].every(isSchema)) return null;
  return new Map([...own].map(([name, field]) => [PARTS.find(([option]) => option === name)?.[1] ?? name, field]));
}

/** The schemas that a call before the handler checks: `celebrate({ body: schema })`, `validate(schema)`, `zValidator('query', schema)`; null: no schema. */
export function checkedSchemas(evaluator: Evaluator, node: IrNode, scope: Scope): RouteSchemas | null {
  if (node.op !== 'call') return null;
  const values = node.args
    .filter(({ value }) => value.op !== 'function')
    .map(({ value }) => evaluator.evaluate(value, scope));
  const [first, second] = values;
  if (first === undefined) return null;
  const member = PARTS.find(([option]) => option === first.constant)?.[1];
  if (member !== undefined) return second !== undefined && isSchema(second) ? new Map([[member, second]]) : null;
  const isChecked = isSchema(first) || [...(first.fields?.values() ?? [])].some(isSchema);
  return isChecked ? partsOf(evaluator, first) : null;
}

/** The schemas of single fields among the values before a handler: `query('id').isInt()` of express-validator; null: no schema. */
export function fieldSchemas(values: readonly Value[]): RouteSchemas | null {
  const parts = new Map<string, Map<string, Value>>();
  for (const value of values.flatMap((one) => one.elements ?? [one])) {
    const [validator = '', field = ''] = isSchema(value) ? (value.text ?? '').split(' ') : [];
    for (const member of VALIDATORS[validator] ?? []) {
      const fields = parts.get(member) ?? new Map<string, Value>();
      parts.set(member, fields.set(field, value));
    }
  }
  if (parts.size === 0) return null;
  return new Map([...parts].map(([member, fields]) => [member, objectSchema(fields, true)] as const));
}

/** The parts of a request in which a validator looks for its field. */
const VALIDATORS: Readonly<Record<string, readonly string[]>> = {
  query: ['query'],
  param: ['params'],
  body: ['body'],
  header: ['headers'],
  cookie: ['cookies'],
  check: ['query', 'params', 'body'],
};

function partsOf(evaluator: Evaluator, { fields }: Value): RouteSchemas | null {
  const found = PARTS.flatMap(([option, member]) => {
    const schema = fields?.get(option);
    return schema === undefined ? [] : [[member, ofJsonSchema(evaluator, schema)] as const];
  });
  return found.length === 0 ? null : new Map(found);
}

/** The request, of which the route lets through what its schemas allow. */
export function checkedRequest(evaluator: Evaluator, request: Value, schemas: RouteSchemas, node: IrNode): Value {
  const fields = new Map(request.fields);
  for (const [name, schema] of schemas) {
    fields.set(name, letThrough(evaluator, schema, memberOf(evaluator.rules, request, name, node), node));
  }
  return { ...request, fields };
}
