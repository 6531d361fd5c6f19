import type { IrCall, IrFunction, IrNode } from '../ir/ir.ts';
import type { Evaluator } from './evaluator.ts';
import type { Scope } from './scope.ts';
import type { Value } from './value.ts';

export interface CallArgument {
  /** Of a named argument. */
  readonly name: string | null;
  readonly node: IrNode;
  readonly value: Value;
  /** Of a callback: what it returns. */
  readonly result: Value | null;
}

/** A call of which the callee, the receiver and the arguments are evaluated. */
export interface EvaluatedCall {
  readonly node: IrCall;
  readonly callee: Value;
  /** The object whose method is called. */
  readonly receiver: Value | null;
  readonly args: readonly CallArgument[];
  readonly scope: Scope;
}

const SELF_NAME = /^(this|self|cls|\$this|static)$/;

/** The function of this code that is called: by a value, by its name, or as a method of an object whose class is in this code. */
export function calledFunction(
  { program }: Evaluator,
  { node: { callee }, callee: called, receiver }: Pick<EvaluatedCall, 'node' | 'callee' | 'receiver'>,
): IrFunction | null {
  if (called.fn !== null) return called.fn;
  if (callee.op === 'variable') return program.functions.get(callee.name) ?? null;
  if (callee.op !== 'member') return null;
  const { object } = callee;
  const isOwn = object.op === 'variable' && (SELF_NAME.test(object.name) || program.classes.has(object.name));
  return isOwn || program.classes.has(receiver?.typeName ?? '') ? (program.functions.get(callee.name) ?? null) : null;
}
