import type { IrArgument, IrCall, IrNode } from '../ir/ir.ts';
import type { DeferredCall } from '../rules/rules.ts';
import type { Evaluator } from './evaluator.ts';
import type { Scope } from './scope.ts';
import type { Value } from './value.ts';

const made = new WeakMap<IrCall, IrCall | null>();

/** The value of the function that the call is told to call with its other arguments; null: it is told none. */
export function deferredResult(
  evaluator: Evaluator,
  node: IrCall,
  names: readonly string[],
  scope: Scope,
): Value | null {
  const [rule] = evaluator.rules.deferredCalls.find(names);
  if (rule === undefined) return null;
  let call = made.get(node);
  if (call === undefined) {
    call = deferredCall(node, rule);
    made.set(node, call);
  }
  return call === null ? null : evaluator.evaluate(call, scope);
}

function deferredCall(node: IrCall, { callee, list }: DeferredCall): IrCall | null {
  const named = argumentAt(node.args, callee);
  // A function that is written there is evaluated as an argument.
  if (named === undefined || !(named.value.op === 'variable' || named.value.op === 'member')) return null;
  const given = list === undefined ? undefined : argumentAt(node.args, list);
  const rest = node.args.slice(node.args.indexOf(named) + 1);
  const args = list === undefined ? rest : given === undefined ? [] : elementsOf(given.value);
  return { ...node, callee: named.value, args };
}

function argumentAt(args: readonly IrArgument[], place: number | string): IrArgument | undefined {
  if (typeof place === 'string') return args.find(({ name }) => name === place);
  return args.filter(({ name }) => name === null)[place];
}

function elementsOf(node: IrNode): IrArgument[] {
  const nodes: readonly IrNode[] =
    node.op === 'list' ? node.elements : [{ op: 'spread', value: node, syntax: node.syntax }];
  return nodes.map((value) => ({ name: null, value }));
}
