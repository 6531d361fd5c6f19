import type { IrCall, IrNode } from './ir.ts';

/** The statements of a block that are calls. */
export function callsIn(node: IrNode): IrCall[] {
  if (node.op === 'block') return node.statements.flatMap(callsIn);
  if (node.op === 'jump') return callsIn(node.value);
  return node.op === 'call' ? [node] : [];
}

/** The name of a function that is called without a receiver; empty: it is something else. */
export function calledName({ callee }: IrCall): string {
  return callee.op === 'variable' ? callee.name : '';
}
