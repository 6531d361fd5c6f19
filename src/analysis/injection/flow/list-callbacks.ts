import type { IrFunction } from '../ir/ir.ts';
import { INJECTION_KINDS } from '../taint.ts';
import type { EvaluatedCall } from './call-types.ts';
import type { Evaluator } from './evaluator.ts';
import { mergeValues, recordValue } from './merge-values.ts';
import { keepsNames } from './propagation.ts';
import { refinementOf } from './refinements.ts';
import type { Scope } from './scope.ts';
import { elementOf } from './source-values.ts';
import { isTainted, listValue, UNKNOWN, type Value, withoutTaint } from './value.ts';

/** The list that a function of this code, which a variable holds, makes of each element; null: the call has none. */
export function mappedValue(evaluator: Evaluator, { node, receiver, args, scope }: EvaluatedCall): Value | null {
  const passed = args.find(({ value, result }) => result === null && functionOf(evaluator, value) !== null);
  if (passed === undefined) return null;
  const fn = functionOf(evaluator, passed.value)!;
  const lists = [
    ...(receiver === null ? [] : [receiver]),
    ...args.filter((one) => one !== passed).map(({ value }) => value),
  ];
  const elements = lists.map((list) => ({
    name: null,
    node,
    value: elementOf(evaluator.rules, list, UNKNOWN, node),
    result: null,
  }));
  const outside = passed.value.outside as Scope | null;
  const made = evaluator.functions.follow([{ fn, outside, self: null }], elements, scope);
  return made === null ? null : listValue([made]);
}

/** The function that a value is; one that is declared further down is known by its name. */
function functionOf({ program }: Evaluator, { fn, names, isDeclared }: Value): IrFunction | null {
  if (fn !== null || isDeclared || names.length !== 1) return fn;
  return program.functions.get(names[0]!)?.find(({ owner }) => owner === null) ?? null;
}

/** The last value of the callback, or the object that it fills. */
export function reducedValue({ args, scope }: EvaluatedCall, callback: Value): Value {
  const started = args.filter(({ result, name }) => result === null && name === null).map(({ value }) => value);
  return mergeValues([
    callback,
    ...started.map((value) => (value.identity === null ? value : scope.objectOf(value.identity))),
  ]);
}

/** A filter takes away the kinds of taint that its test excludes. */
export function filterResult(evaluator: Evaluator, { receiver, args, scope }: EvaluatedCall): Value {
  if (receiver === null) return args.find(({ result }) => result === null)?.value ?? UNKNOWN;
  const test = args.find(({ node }) => node.op === 'function')?.node;
  if (test?.op === 'function' && keepsNames(test.body)) return UNKNOWN;
  const target = test?.op === 'function' ? test.parameters[0]?.target : undefined;
  if (test?.op !== 'function' || target?.op !== 'variable' || !isTainted(receiver)) return receiver;
  const inner = scope.branch();
  inner.set(target.name, receiver);
  const { whenTrue } = refinementOf(evaluator, test.body.op === 'jump' ? test.body.value : test.body, inner);
  const own = whenTrue.filter(({ path }) => path === target.name).flatMap(({ kinds }) => kinds);
  const kept = withoutTaint(receiver, own);
  // `all.Where(one => allowed.Contains(one.Key))`: a part of each element is harmless.
  const parts = whenTrue.flatMap(({ path, kinds }) => {
    const name = path.startsWith(`${target.name}.`) ? path.slice(target.name.length + 1) : '';
    return /^\w+$/.test(name) && kinds.length === INJECTION_KINDS.length ? [name] : [];
  });
  if (parts.length === 0 || own.length > 0) return kept;
  const element = elementOf(evaluator.rules, receiver, UNKNOWN, test);
  if (element.fields !== null) return kept;
  return listValue([
    { ...element, ...recordValue([...parts.map((part) => [part, UNKNOWN] as const), [null, element]]) },
  ]);
}
