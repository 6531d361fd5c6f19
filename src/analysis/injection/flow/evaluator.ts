import type { CompiledRules } from '../rules/compiled-rules.ts';
import type { Findings } from '../findings.ts';
import type { Jumps } from './jumps.ts';
import type { Program } from '../lowering/lower-program.ts';
import type { Routine, Step } from '../ir/ir.ts';
import type { Scope } from './scope.ts';
import type { Level, Taint, Value } from './value.ts';

/** What a routine's parameters are: by their own right, filled from a request, or these values. */
export type ParametersAre = 'parameter' | 'request' | readonly Value[];

/** What the parts of the flow analysis may ask of the whole. */
export interface Evaluator {
  readonly rules: CompiledRules;
  readonly program: Program;
  readonly findings: Findings;
  readonly jumps: Jumps;
  evaluate(step: Step, scope: Scope): Value;
  /** The member of a value: of a source it is the source, of a record its field. */
  memberOf(object: Value, name: string, step: Step): Value;
  elementOf(object: Value, index: Value, step: Step): Value;
  /** What a module goes by here. */
  moduleValue(module: string): Value;
  newTaint(level: Level, step: Step): Taint;
  /** Gives names their values. */
  bind(target: Step, value: Value, scope: Scope): void;
  /** Runs a routine's body; the value is what it returns. */
  enter(routine: Routine, given: ParametersAre, scope: Scope): Value;
  /** Does something that reads the routine's body; null where that is being done already. */
  guardRecursion<Result>(routine: Routine, read: () => Result): Result | null;
  /** What a routine of this text returns for these arguments; null where calls are too nested to be followed. */
  callInto(routine: Routine, args: readonly Value[]): Value | null;
}
