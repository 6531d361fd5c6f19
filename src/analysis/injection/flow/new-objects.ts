import { mergeTaints } from '../taint.ts';
import type { EvaluatedCall } from './call-types.ts';
import type { Evaluator } from './evaluator.ts';
import { recordValue } from './merge-values.ts';
import { unknownCallResult } from './unknown-calls.ts';
import { listValue, UNKNOWN, type Value } from './value.ts';

/** The names under which languages have the message of an exception. */
export const MESSAGE_FIELDS = ['message', 'Message'];

/** An exception of a class that is not in this code: its message is what it was made with. */
export function exceptionValue(values: readonly Value[]): Value {
  const message = values[0] ?? UNKNOWN;
  return recordValue(MESSAGE_FIELDS.map((name) => [name, message]));
}

/** An object of a class that is not in this code: the fields that its constructor is known to set, and the taint of its arguments. */
export function newObject(evaluator: Evaluator, call: EvaluatedCall, typeName: string): Value {
  const fields = call.args.filter(({ name }) => name !== null).map(({ name, value }) => [name, value] as const);
  const [made] = evaluator.rules.constructorFields.find(call.callee.names);
  if (made !== undefined) {
    const positional = call.args.filter(({ name }) => name === null);
    fields.unshift(
      ...made.names.slice(0, positional.length).map((name, index) => [name, positional[index]!.value] as const),
    );
    fields.unshift(...made.lists.map((name) => [name, listValue([])] as const));
  }
  const object = fields.length === 0 ? UNKNOWN : recordValue(fields);
  if (call.node.isLiteral === true) return { ...object, typeName };
  const taint = mergeTaints([object.taint, unknownCallResult(evaluator, call).taint]);
  return { ...object, typeName, taint };
}
