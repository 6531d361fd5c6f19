import { accessPathOf } from '../ir/access-path.ts';
import type { IrNode } from '../ir/ir.ts';
import type { Sink } from '../rules/rules.ts';
import type { CallArgument, EvaluatedCall } from './call-types.ts';
import { interpretedValue } from './command-values.ts';
import { concatValues } from './join-values.ts';
import type { Scope } from './scope.ts';
import { namedValue, positionalValues } from './sink-arguments.ts';
import { isTainted, UNKNOWN, type Value } from './value.ts';

/** The fields of an options object that hold the statement. */
const STATEMENT_FIELDS = ['text', 'sql', 'query', 'statement', 'raw', 'sqlText', 'Statement', 'QueryString'];

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
  const isReceiver = argument === 'receiver';
  const first = args.find(({ name }) => name === null)?.node;
  const object = !isReceiver ? first : node.callee.op === 'member' ? node.callee.object : undefined;
  const value = isReceiver ? receiver : positionalValues(args)[0];
  return object === undefined || value == null ? null : { object, value };
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
  return isOfOtherField ? UNKNOWN : value;
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
    stored = (key === null ? undefined : scope.get(key)) ?? current?.get(name);
  }
  return stored;
}

/** The statement in `{ text, values }` or `[statement, ...values]`. */
export function statementOf(value: Value): Value | null {
  if (value.fields !== null) {
    for (const name of STATEMENT_FIELDS) {
      const field = value.fields.get(name);
      if (field !== undefined) return field;
    }
    return null;
  }
  return value.elements === null ? value : (value.elements[0] ?? null);
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
