import type { Evaluator } from './evaluator.ts';
import type { Call, Routine, Step } from '../ir/ir.ts';
import type { Value } from './value.ts';

/** The routine of this text that is called: by a value that is one, by its name, or as a method of an object of this text. */
export function routineOf(
  { program }: Evaluator,
  { callee }: Call,
  called: Value,
  receiver: Value | null,
): Routine | null {
  if (called.routine !== null) return called.routine;
  if (callee.op === 'name') return program.routines.get(callee.name) ?? null;
  if (callee.op !== 'member') return null;
  const { object } = callee;
  const own = object.op === 'name' && (OWN.test(object.name) || program.classes.has(object.name));
  return own || program.classes.has(receiver?.typeName ?? '') ? (program.routines.get(callee.name) ?? null) : null;
}

const OWN = /^(this|self|cls|\$this|static)$/;

/** What a routine of one step returns; null for one that does more. */
export function onlyResult({ body }: Routine): Step | null {
  const last = body.op === 'block' && body.steps.length === 1 ? body.steps[0]! : body;
  if (last.op !== 'exit') return null;
  const { value } = last;
  return value.op === 'block' && value.steps.length === 1 ? value.steps[0]! : value;
}
