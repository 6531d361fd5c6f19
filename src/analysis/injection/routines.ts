import type { Evaluator } from './evaluator.ts';
import type { Call, Routine, Step } from './program.ts';
import type { Value } from './value.ts';

/** The routine of this text that is called: by a value that is one, by its name, or as a method of the same object. */
export function routineOf({ program }: Evaluator, { callee }: Call, called: Value): Routine | null {
  if (called.routine !== null) return called.routine;
  if (callee.op === 'name') return program.routines.get(callee.name) ?? null;
  if (callee.op !== 'member' || callee.object.op !== 'name') return null;
  return /^(this|self|cls|\$this|static)$/.test(callee.object.name)
    ? (program.routines.get(callee.name) ?? null)
    : null;
}

/** What a routine of one step returns; null for one that does more. */
export function onlyResult({ body }: Routine): Step | null {
  const last = body.op === 'block' && body.steps.length === 1 ? body.steps[0]! : body;
  if (last.op !== 'exit') return null;
  const { value } = last;
  return value.op === 'block' && value.steps.length === 1 ? value.steps[0]! : value;
}
