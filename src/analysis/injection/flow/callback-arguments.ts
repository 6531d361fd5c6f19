import type { IrCall, IrNode, IrParameter } from '../ir/ir.ts';
import type { CallArgument } from './call-types.ts';
import type { Evaluator } from './evaluator.ts';
import { mergeValues } from './merge-values.ts';
import type { Scope } from './scope.ts';
import { createTaint, elementOf } from './source-values.ts';
import { UNKNOWN, type Value } from './value.ts';

/** The arguments of the callback that sums up a list: what was summed up before, and an element. Null: it sums up nothing. */
export function reducedArguments(
  { names }: Value,
  call: IrCall,
  evaluator: Evaluator,
  scope: Scope,
  element: Value,
): readonly Value[] | null {
  const name = (names[0] ?? '').replace(/^.*\./, '');
  if (!/^(reduce|inject|fold|Aggregate|each_with_object)$/.test(name)) return null;
  const start = call.args.find(({ value }) => value.op !== 'function')?.value;
  const before = start === undefined ? element : evaluator.evaluate(start, scope);
  return name === 'each_with_object' ? [element, before] : [mergeValues([before, element]), element];
}

/** What functions of PHP pass to their callback, and a look-up to the block that makes its default; null: not known. */
export function functionArguments(
  evaluator: Evaluator,
  { names }: Value,
  call: IrCall,
  receiver: Value | null,
  scope: Scope,
): readonly Value[] | null {
  const name = (names[0] ?? '').replace(/^.*\./, '');
  const isFunction = receiver === null && ARRAY_FUNCTIONS.test(name);
  if (!isFunction && !(receiver !== null && name === 'fetch')) return null;
  const others = call.args
    .filter(({ value }) => value.op !== 'function')
    .map(({ value }) => evaluator.evaluate(value, scope));
  const [first, second] = others;
  if (first === undefined) return null;
  // `table.fetch(key) { |missing| ... }` in Ruby.
  if (!isFunction) return [first];
  if (name.startsWith('call_user_func')) return name.endsWith('array') ? (first.elements ?? null) : others;
  if (name === 'preg_replace_callback') return second === undefined ? null : [second];
  const elements = others.map((value) => elementOf(evaluator.rules, value, UNKNOWN, call));
  if (name === 'array_reduce') return [mergeValues([second ?? UNKNOWN, elements[0]!]), elements[0]!];
  return /^u\w*sort$/.test(name) ? [elements[0]!, elements[0]!] : elements;
}

const ARRAY_FUNCTIONS =
  /^(?:array_(?:map|filter|walk|reduce|walk_recursive|find|any|all)|u[ak]?sort|call_user_func(?:_array)?|preg_replace_callback|iterator_apply)$/;

/** Methods whose callback gets the index of the element behind it. */
const INDEX_CALL = /^(?:each_with_index|with_index)$/;
/** Matchers of a route of Roda whose part of the path the block gets. */
const TYPE_MATCHER = /^(?:Integer|Float|String)$/;

/** `r.get Integer do |id|`: the arguments of the block, of which those of number matchers are harmless; null: no such matchers. */
export function matchedArguments({ args }: IrCall, block: IrNode): CallArgument[] | null {
  const matchers = args.flatMap(({ value }) =>
    value.op === 'variable' && TYPE_MATCHER.test(value.name) ? [value] : [],
  );
  if (matchers.length === 0) return null;
  return matchers.map((node) => {
    const value: Value = node.name === 'String' ? { ...UNKNOWN, taint: createTaint('request', node) } : UNKNOWN;
    return { name: null, node: block, value, result: null };
  });
}

/** A parameter of a callback is not tainted as such, but rules know it by its name and type. */
export function callbackParameter({ callee }: IrCall, { target, type, isSafeType }: IrParameter, index: number): Value {
  if (target.op === 'record' && index === 0) return { ...UNKNOWN, names: ['req'] };
  const names = target.op === 'variable' ? [target.name] : [];
  const isIndex = index === 1 && callee.op === 'member' && INDEX_CALL.test(callee.name);
  const unfollowed = isSafeType || isIndex ? null : target.syntax;
  return { ...UNKNOWN, typeName: type, names: type === null ? names : [...names, type], unfollowed };
}
