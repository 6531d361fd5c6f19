import { typedValue } from './assignments.ts';
import type { EvaluatedCall } from './call-types.ts';
import type { Evaluator } from './evaluator.ts';
import { concatValues } from './join-values.ts';
import { withAnyField } from './merge-values.ts';
import { createTaint, elementOf } from './source-values.ts';
import { isTainted, UNKNOWN, type Value } from './value.ts';

/** `map.TryGetValue(key, out x)`, `queue.TryDequeue(out x)`; what a function that is not known gives is made of its arguments. */
export function setOutArguments(
  evaluator: Evaluator,
  { node, receiver, args, scope }: EvaluatedCall,
  result: Value,
): void {
  const name = node.callee.op === 'member' ? node.callee.name : '';
  const isTaken = /^Try(?:GetValue|Get|Remove|Dequeue|Pop|Peek|Take|Read)$/.test(name);
  const [key] = args.filter(({ out }) => out === undefined);
  for (const { out } of args) {
    if (out === undefined) continue;
    const given =
      isTaken && receiver !== null
        ? elementOf(evaluator.rules, receiver, key?.value ?? UNKNOWN, node)
        : { ...UNKNOWN, taint: result.taint, unfollowed: result.unfollowed };
    const { typeName } = evaluator.evaluate(out, scope);
    evaluator.bind(out, typeName === null ? given : typedValue(evaluator, given, typeName), scope);
  }
}

/** `json.Unmarshal(body, &order)`: the variables among the arguments get the taint of what is read. */
export function fillOutputArguments(
  evaluator: Evaluator,
  { node, callee, receiver, args, scope }: EvaluatedCall,
): void {
  const { rules } = evaluator;
  const [level] = rules.outputArguments.find(callee.names);
  if (level === undefined) return;
  const inputs = [...(receiver === null ? [] : [receiver]), ...args.map(({ value }) => value)];
  const taint = level === 'arguments' ? concatValues(inputs, false).taint : createTaint(level, node);
  if (taint.sql === undefined && !inputs.some(({ instanceOf }) => instanceOf !== null)) return;
  for (const [index, { node: argument, value }] of args.entries()) {
    // A writer of the framework, which sends what it is given.
    const isSent = value.instanceOf === null && rules.trustedTypes.test(value.typeName ?? '');
    if (argument.op !== 'variable' || isTainted(value) || isSent) continue;
    // `errors.As(err, &failure)`
    const object = level === 'arguments' ? inputs.find((one) => one !== value && one.instanceOf !== null) : undefined;
    if (object === undefined ? taint.sql === undefined : index === 0) continue;
    const filled = object ?? filledValue(evaluator, { ...value, taint });
    if (value.identity !== null) scope.setObject(value.identity, { ...filled, identity: value.identity });
    else scope.set(argument.name, filled);
  }
}

/** The value after tainted data was read into it: each field or element that may hold a text. */
function filledValue(evaluator: Evaluator, value: Value): Value {
  const { instanceOf, typeName, elements, fields, taint } = value;
  if (elements !== null) {
    const element = { ...UNKNOWN, taint };
    const type = typeName?.startsWith('[]') === true ? typeName.slice(2) : null;
    return { ...value, elements: [type === null ? element : typedValue(evaluator, element, type)] };
  }
  if (instanceOf !== null) return evaluator.objects.tainted(instanceOf, value);
  if (fields !== null) return { ...value, fields: withAnyField(fields, value), keys: { ...UNKNOWN, taint } };
  return typeName === null ? value : typedValue(evaluator, value, typeName);
}
