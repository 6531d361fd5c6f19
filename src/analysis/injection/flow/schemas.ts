import type { IrNode } from '../ir/ir.ts';
import { INJECTION_KINDS, mergeTaints } from '../taint.ts';
import { isHarmlessMatch } from './argument-tests.ts';
import type { EvaluatedCall } from './call-types.ts';
import type { Evaluator } from './evaluator.ts';
import { recordValue } from './merge-values.ts';
import { NameTest } from './name-test.ts';
import { refinementOf } from './refinements.ts';
import { elementOf, memberOf, sourceValue } from './source-values.ts';
import { listValue, UNKNOWN, UNKNOWN_KEY, type Value } from './value.ts';

/**
 * Schemas of validation libraries (zod, Joi, yup, valibot, TypeBox, superstruct). A schema is a value whose type says what it lets
 * through: nothing harmful, any text, an object of which each field has a schema, a list.
 */
const SAFE: Value = { ...UNKNOWN, typeName: '#schema safe' };
const TEXT: Value = { ...UNKNOWN, typeName: '#schema text' };

const BUILDER = new NameTest(
  /^(?:zod(?:\.z|\.default)?(?:\.coerce|\.iso)?|(?:@hapi\.)?[jJ]oi(?:\.Joi|\.default)?|yup(?:\.Yup)?|valibot(?:\.v)?|superstruct|@sinclair\.typebox\.Type|elysia\.t|celebrate\.Joi|express-validator)\.\w+$/,
);
const SAFE_KIND =
  /^(?:number|int\d*|integer|float\d*|bigint|boolean|bool|stringbool|date|datetime|enum|enums|nativeEnum|literal|null|undefined|uuid(?:v\d)?|guid|picklist|valid|equal|oneOf|only|hex|alphanum|token|ip|ipv[46]|cuid2?|ulid|nanoid|isoDate|iso|objectId|Number|Integer|Boolean|Literal|Enum|Numeric|is(?:Int|In|UUID|Numeric|Alphanumeric|Alpha|Hexadecimal|MongoId|ISO8601|Date|Boolean|Float|Decimal|IP|Hash|ULID)|to(?:Int|Float|Date|Boolean))$/;
const OBJECT_KIND = /^(?:object|strictObject|looseObject|interface|Object|type)$/;
const LIST_KIND = /^(?:array|set|Array)$/;
const PATTERN = /^(?:regex|pattern|matches)$/;
const WITH_FIELDS = /^(?:extend|keys|merge|augment|append|concat|shape|safeExtend)$/;
const LETS_MORE = /^(?:passthrough|unknown|catchall|loose|looseObject|nonstrict)$/;
const PARSE =
  /^(?:parse|parseAsync|validateSync|validateAsync|cast|attempt|create|mask|Parse|Decode|safeParse|safeParseAsync|spa|validate)$/;

/** The schema that the call makes or the value that it lets through; null: it is about none. */
export function schemaResult(evaluator: Evaluator, call: EvaluatedCall): Value | null {
  const { receiver, callee, args } = call;
  const procedure = receiver === null ? null : procedureResult(evaluator, call, receiver);
  if (procedure !== null) return procedure;
  const isMethod = receiver !== null && isSchema(receiver);
  const qualifiedName = callee.names[0] ?? '';
  if (!isMethod && !BUILDER.test(qualifiedName)) return null;
  const name = qualifiedName.slice(qualifiedName.lastIndexOf('.') + 1);
  const values = args.map(({ value }) => value);
  if (PARSE.test(name)) {
    const schema = isMethod ? receiver : values.find(isSchema);
    const data = args.find(({ value }) => !isSchema(value));
    if (schema !== undefined && data !== undefined)
      return outcome(name, letThrough(evaluator, schema, data.value, data.node));
  }
  if (isMethod) return chained(evaluator, call, receiver, name, values);
  // The text says which field the schema of one is for.
  return qualifiedName.startsWith('express-validator.')
    ? { ...TEXT, text: `${name} ${values[0]?.text ?? ''}` }
    : built(evaluator, name, values);
}

/** A builder of a procedure whose input is checked: the list of what it calls its handler with. */
const PROCEDURE = '#procedure';
/** How builders call the input of a handler: of tRPC and oRPC, of next-safe-action, of TanStack. */
const INPUTS = ['input', 'parsedInput', 'data'];

/** `procedure.input(schema)`, whose handler is the callback of a later method: `.query(({ input }) => ...)`; null: another call. */
function procedureResult(evaluator: Evaluator, { node, args }: EvaluatedCall, receiver: Value): Value | null {
  const [schema] = args;
  const isInput = node.callee.op === 'member' && INPUT_METHOD.test(node.callee.name);
  if (!isInput || schema === undefined || !isSchema(schema.value) || isSchema(receiver))
    return receiver.typeName === PROCEDURE ? receiver : null;
  const source = sourceValue('request', schema.node);
  const input = letThrough(evaluator, schema.value, source, schema.node);
  const given = recordValue(INPUTS.map((name) => [name, input]));
  return { ...listValue([{ ...given, taint: source.taint }]), typeName: PROCEDURE };
}

const INPUT_METHOD = /^(?:input|schema|inputSchema|validator|inputValidator)$/;

export function isSchema({ typeName }: Value): boolean {
  return typeName?.startsWith('#schema') === true;
}

/** What the schema lets through of the value. */
export function letThrough(evaluator: Evaluator, schema: Value, value: Value, node: IrNode): Value {
  if (schema.typeName === SAFE.typeName) return { ...UNKNOWN, hidden: mergeTaints([value.hidden, value.taint]) };
  if (schema.fields !== null) {
    return recordValue(
      [...schema.fields].map(([key, field]) => {
        const part = key === UNKNOWN_KEY ? { ...value, fields: null } : memberOf(evaluator.rules, value, key, node);
        return [key === UNKNOWN_KEY ? null : key, letThrough(evaluator, field, part, node)] as const;
      }),
    );
  }
  const [element] = schema.elements ?? [];
  return element === undefined
    ? { ...value, fromSource: false }
    : listValue([letThrough(evaluator, element, elementOf(evaluator.rules, value, UNKNOWN, node), node)]);
}

/** What a call gives that validates: the value, or a record in which it stands. */
function outcome(name: string, value: Value): Value {
  if (/^(?:safeParse|safeParseAsync|spa)$/.test(name))
    return recordValue([
      ['data', value],
      ['output', value],
      ['success', UNKNOWN],
      ['error', UNKNOWN],
    ]);
  // Joi gives a record, yup the value.
  return name === 'validate' ? recordValue([...(value.fields ?? []), ['value', value], ['error', UNKNOWN]]) : value;
}

function built(evaluator: Evaluator, name: string, values: readonly Value[]): Value {
  const [first] = values;
  if (PATTERN.test(name)) return first !== undefined && isHarmlessMatch(evaluator.rules, first) ? SAFE : TEXT;
  if (SAFE_KIND.test(name)) return SAFE;
  if (OBJECT_KIND.test(name))
    return objectSchema(first?.fields ?? new Map(), LETS_MORE.test(name) || first === undefined);
  if (LIST_KIND.test(name)) return listSchema(first);
  const parts = values.flatMap((value) => (isSchema(value) ? [value] : (value.elements ?? []).filter(isSchema)));
  // One of the parts of a pipe is enough, of a union each one is needed.
  if (name === 'pipe') return parts.find(({ typeName }) => typeName === SAFE.typeName) ?? parts[0] ?? TEXT;
  return parts.length > 0 && parts.every((part) => part.typeName === parts[0]!.typeName) ? parts[0]! : TEXT;
}

function chained(
  evaluator: Evaluator,
  { args, scope }: EvaluatedCall,
  schema: Value,
  name: string,
  values: readonly Value[],
): Value {
  const [first] = values;
  const { fields } = schema;
  const safe: Value = { ...schema, typeName: SAFE.typeName };
  if (fields !== null) {
    const added = first?.fields ?? null;
    if (LETS_MORE.test(name)) return objectSchema(fields, true);
    return WITH_FIELDS.test(name) && added !== null ? objectSchema(new Map([...fields, ...added]), false) : schema;
  }
  if (/^(?:items|of|element)$/.test(name)) return listSchema(first);
  if (name === 'array') return listSchema(schema);
  if (SAFE_KIND.test(name)) return safe;
  if (PATTERN.test(name)) return first !== undefined && isHarmlessMatch(evaluator.rules, first) ? safe : schema;
  if (/^(?:or|and|concat)$/.test(name)) return first?.typeName === schema.typeName ? schema : TEXT;
  if (name === 'transform') return first !== undefined && makesHarmless(evaluator, first) ? safe : schema;
  const test = args[0]?.node;
  if (!/^(?:refine|check|test|custom)$/.test(name) || test?.op !== 'function') return schema;
  const target = test.parameters[0]?.target;
  if (target?.op !== 'variable') return schema;
  const inner = scope.branch();
  inner.set(target.name, { ...UNKNOWN, names: [target.name] });
  const { whenTrue } = refinementOf(evaluator, test.body.op === 'jump' ? test.body.value : test.body, inner);
  const isHarmless = whenTrue.some(
    ({ path, kinds }) => path === target.name && kinds.length === INJECTION_KINDS.length,
  );
  return isHarmless ? safe : schema;
}

function makesHarmless({ rules }: Evaluator, { names }: Value): boolean {
  return rules.sanitizers.find(names).some((kinds) => kinds.length === INJECTION_KINDS.length);
}

/** The schema of an object with these fields. `letsMore`: other fields are let through as they are. */
export function objectSchema(fields: ReadonlyMap<string, Value>, letsMore: boolean): Value {
  const all = new Map([...fields].map(([name, field]) => [name, isSchema(field) ? field : TEXT] as const));
  if (letsMore) all.set(UNKNOWN_KEY, TEXT);
  return { ...UNKNOWN, typeName: '#schema object', fields: all };
}

function listSchema(element: Value | undefined): Value {
  return {
    ...UNKNOWN,
    typeName: '#schema list',
    elements: [element !== undefined && isSchema(element) ? element : TEXT],
  };
}

/** The schema that a JSON Schema describes: `{ type: 'object', properties: { id: { type: 'integer' } } }`. */
export function ofJsonSchema(evaluator: Evaluator, schema: Value): Value {
  if (isSchema(schema) || schema.fields === null) return isSchema(schema) ? schema : TEXT;
  const { fields } = schema;
  const properties = fields.get('properties')?.fields;
  if (properties != null) {
    const parts = [...properties].map(([name, property]) => [name, ofJsonSchema(evaluator, property)] as const);
    // Other properties are let through unless that is forbidden, or they are removed.
    return objectSchema(new Map(parts), fields.get('additionalProperties')?.constant !== false);
  }
  const items = fields.get('items');
  if (items !== undefined) return listSchema(ofJsonSchema(evaluator, items));
  const pattern = fields.get('pattern');
  const type = fields.get('type')?.text ?? '';
  const format = fields.get('format')?.text ?? '';
  const isSafe =
    fields.has('enum') ||
    fields.has('const') ||
    /^(?:integer|number|boolean|null)$/.test(type) ||
    /^(?:uuid|date|date-time|time|ipv[46])$/.test(format) ||
    (pattern !== undefined && isHarmlessMatch(evaluator.rules, pattern));
  return isSafe ? SAFE : TEXT;
}
