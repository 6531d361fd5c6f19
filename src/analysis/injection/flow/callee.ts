import type { Evaluator } from './evaluator.ts';
import type { IrCall, IrFunction, IrNode } from '../ir/ir.ts';
import type { Value } from './value.ts';

/** The routine of this text that is called: by a value that is one, by its name, or as a method of an object of this text. */
export function calleeFunction(
  { program }: Evaluator,
  { callee }: IrCall,
  called: Value,
  receiver: Value | null,
): IrFunction | null {
  if (called.fn !== null) return called.fn;
  if (callee.op === 'variable') return program.functions.get(callee.name) ?? null;
  if (callee.op !== 'member') return null;
  const { object } = callee;
  const own = object.op === 'variable' && (SELF_NAME.test(object.name) || program.classes.has(object.name));
  return own || program.classes.has(receiver?.typeName ?? '') ? (program.functions.get(callee.name) ?? null) : null;
}

const SELF_NAME = /^(this|self|cls|\$this|static)$/;

/** What a routine of one step returns; null for one that does more. */
export function singleReturnValue({ body }: IrFunction): IrNode | null {
  const last = body.op === 'block' && body.statements.length === 1 ? body.statements[0]! : body;
  if (last.op !== 'jump') return null;
  const { value } = last;
  return value.op === 'block' && value.statements.length === 1 ? value.statements[0]! : value;
}
