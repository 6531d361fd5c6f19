import { accessPathOf } from '../ir/access-path.ts';
import type { IrNode } from '../ir/ir.ts';
import type { Sink } from '../rules/rules.ts';
import type { CallArgument, EvaluatedCall } from './call-types.ts';
import { interpretedValue } from './command-values.ts';
import { concatValues } from './join-values.ts';
import type { Scope } from './scope.ts';
import { namedValue, positionalArguments, positionalValues } from './sink-arguments.ts';
import { isTainted, UNKNOWN, type Value } from './value.ts';

/** The fields of an options object that hold the statement. */
const STATEMENT_FIELDS = [
  'text',
  'sql',
  'query',
  'statement',
  'raw',
  'sqlText',
  'Statement',
  'QueryString',
  'SQL',
  'Sql',
];

/** The value that the sink runs or opens; null: the call has none. */
export function sinkArgument(sink: Sink, call: EvaluatedCall): Value | null {
  const { receiver, args } = call;
  if (sink.members !== undefined) {
    const holder = holderOf(sink, call);
    return holder === null ? null : heldValue(sink, holder.object, holder.value, call);
  }
  const named = namedValue(sink, args);
  if (named !== undefined) return named;
  const positional = positionalValues(args);
  if (sink.argument === 'all') return positional.length === 0 ? null : concatValues(positional, false);
  if (sink.argument === 'receiver') return receiver;
  return sink.argument === 'named' ? null : (positional[sink.argument] ?? null);
}

/** The object of a sink with `members`, and its value; null: the call has none. */
function holderOf(
  { argument }: Sink,
  { receiver, args, node }: EvaluatedCall,
): { object: IrNode; value: Value } | null {
  if (argument !== 'receiver') {
    const given = typeof argument === 'number' ? positionalArguments(args)[argument] : undefined;
    return given === undefined ? null : { object: given.node, value: given.value };
  }
  return receiver === null || node.callee.op !== 'member' ? null : { object: node.callee.object, value: receiver };
}

/** The program and its arguments in the members of an object; empty: it has none. */
export function heldWords(sink: Sink, call: EvaluatedCall): Value[] {
  const holder = sink.commandMembers === undefined ? null : holderOf(sink, call);
  return holder === null ? [] : storedWords(sink, holder.object, holder.value, call.scope);
}

function storedWords({ commandMembers }: Sink, object: IrNode, value: Value, scope: Scope): Value[] {
  if (commandMembers === undefined) return [];
  const [program, list] = [commandMembers.program, commandMembers.list].map((path) =>
    storedMember(object, value, path.split('.'), scope),
  );
  return program === undefined || list?.elements == null ? [] : [program, ...list.elements];
}

/** What an object holds that was made or filled before: `new SqlCommand(sql)`, `info.Arguments = arguments`. */
function heldValue(sink: Sink, object: IrNode, value: Value, { scope }: EvaluatedCall): Value {
  for (const path of sink.members ?? []) {
    const held = storedMember(object, value, path.split('.'), scope);
    if (held?.taint[sink.kind] !== undefined) return held;
  }
  const interpreted = interpretedValue(storedWords(sink, object, value, scope));
  if (interpreted !== null) return interpreted;
  // Other fields make the object tainted as well: a list of arguments that no shell reads.
  const isOfOtherField = [...(value.fields?.values() ?? [])].some(
    ({ taint }) => taint[sink.kind] !== undefined && taint[sink.kind]?.span === value.taint[sink.kind]?.span,
  );
  return isOfOtherField || sink.onlyMembers === true ? UNKNOWN : value;
}

/** The value that was given to a member of an object, or to a member of that; undefined: none was. */
function storedMember(object: IrNode, value: Value, path: readonly string[], scope: Scope): Value | undefined {
  let member = object;
  let stored: Value | undefined = value;
  for (const name of path) {
    member = { op: 'member', object: member, name, syntax: object.syntax };
    const { fields, identity }: Partial<Value> = stored ?? {};
    const current: ReadonlyMap<string, Value> | null | undefined =
      identity == null ? fields : scope.objectOf(identity).fields;
    const key = accessPathOf(member);
    const parts: (Value | undefined)[] = stored?.elements?.map(({ fields: own }) => own?.get(name)) ?? [];
    // Of a list of objects: that of the first one that does harm.
    const inList = parts.find((part) => part !== undefined && isTainted(part));
    stored = (key === null ? undefined : scope.get(key)) ?? current?.get(name) ?? inList;
  }
  return stored;
}

/** The statement in `{ text, values }`, `[statement, ...values]` or a list of the first. */
export function statementOf(value: Value): Value | null {
  if (value.fields !== null) {
    for (const name of STATEMENT_FIELDS) {
      const field = value.fields.get(name);
      if (field !== undefined) return field;
    }
    return null;
  }
  const { elements } = value;
  const [first] = elements ?? [];
  if (elements === null || first === undefined) return elements === null ? value : null;
  if (first.fields === null) return first;
  const statements = elements.map(statementOf).filter((one) => one !== null);
  return statements.find(isTainted) ?? statements[0] ?? null;
}

/** Places of pg-promise whose value is written into the statement as it is: `$1:raw`, `${name^}`. */
const RAW_PLACE = /\$(?:(\d{1,3})|[{(<[/]\s*(\w+)\s*)(?::raw\b|\^(?!\s*\d))/g;

/** The statement with the values of such places. */
export function withRawValues(statement: Value, args: readonly CallArgument[]): Value {
  if (statement.text?.includes('$') !== true) return statement;
  const [, values] = positionalValues(args);
  const raw = [...statement.text.matchAll(RAW_PLACE)].map(([, place, name]) => {
    if (name !== undefined) return values?.fields?.get(name);
    return values?.elements == null ? values : values.elements[Number(place) - 1];
  });
  const found = raw.filter((value) => value !== undefined);
  return found.length === 0 ? statement : { ...concatValues([statement, ...found]), text: statement.text };
}

/** A text with places that the call itself receives: `FormattableString` of C#. */
export function isTemplate(argument: CallArgument | undefined): boolean {
  return (
    argument?.node.syntax.type === 'interpolated_string_expression' || argument?.value.typeName === 'FormattableString'
  );
}

/** Whether the call has the option that makes it safe, as a named argument or in a record. */
export function hasSafeOption(
  { safeOptionValues: values }: Sink,
  option: string,
  args: readonly CallArgument[],
): boolean {
  return args.some(({ name, value }) => {
    const chosen = name === option ? value : value.fields?.get(option);
    if (chosen === undefined || values === undefined) return chosen !== undefined;
    // A function of this code may be any filter.
    return [chosen.text ?? '', ...chosen.names].some((one) => values.test(one.slice(one.lastIndexOf('.') + 1)));
  });
}

/** Whether a tainted value among the arguments is a list. */
export function hasTaintedList(args: readonly CallArgument[], index: Sink['argument']): boolean {
  const value = typeof index === 'number' ? positionalValues(args)[index] : undefined;
  return value !== undefined && value.elements !== null && isTainted(value);
}
