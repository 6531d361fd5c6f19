import type { IrCall, IrNode } from '../ir/ir.ts';
import type { CallArgument, EvaluatedCall } from './call-types.ts';
import type { Evaluator } from './evaluator.ts';
import { callsForEach } from './list-functions.ts';
import { reportTaintedSinks } from './sinks.ts';
import { elementOf } from './source-values.ts';
import { isTainted, UNKNOWN, type Value } from './value.ts';

/** `names.map(fs.readFileSync)`, `map(open, names)`: reports a sink that gets each element. */
export function reportReferencedSinks(evaluator: Evaluator, call: EvaluatedCall): void {
  const { args, callee, receiver, scope } = call;
  const name = callee.names[0] ?? '';
  if (!callsForEach(name.slice(name.lastIndexOf('.') + 1))) return;
  for (const [index, { node, value }] of args.entries()) {
    const isReference = (node.op === 'member' || node.op === 'variable') && value.fn === null && !isTainted(value);
    if (!isReference || evaluator.rules.sinks.find(value.names).length === 0) continue;
    const element = elementGiven(evaluator, args[index + 1] ?? args[index - 1], receiver, node);
    if (!isTainted(element)) continue;
    const given: CallArgument = { name: null, node, value: element, result: null };
    reportTaintedSinks(evaluator, { node: callOf(node), callee: value, receiver: null, args: [given], scope });
  }
}

/** Of the list whose method is called, or of the one beside the function. */
function elementGiven(
  { rules }: Evaluator,
  beside: CallArgument | undefined,
  receiver: Value | null,
  node: IrNode,
): Value {
  const list = beside !== undefined && isTainted(beside.value) ? beside.value : receiver;
  return list === null ? UNKNOWN : elementOf(rules, list, UNKNOWN, node);
}

function callOf(node: IrNode): IrCall {
  const { syntax } = node;
  return { op: 'call', callee: node, args: [{ name: null, value: node }], calleeName: syntax, isTagged: false, syntax };
}
