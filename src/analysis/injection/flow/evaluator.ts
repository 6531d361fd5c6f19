import type { CompiledRules } from '../rules/compiled-rules.ts';
import type { Findings } from '../findings.ts';
import type { JumpTracker } from './jumps.ts';
import type { IrFunction, IrNode, IrProgram } from '../ir/ir.ts';
import type { Scope } from './scope.ts';
import type { Value } from './value.ts';

/** Where the values of parameters come from: an unknown caller, a request, or a call with these arguments. */
export type ParameterSource = 'parameter' | 'request' | readonly Value[];

/** What the parts of the flow analysis use of `FlowAnalysis`. */
export interface Evaluator {
  readonly rules: CompiledRules;
  readonly program: IrProgram;
  readonly findings: Findings;
  readonly jumps: JumpTracker;
  evaluate(node: IrNode, scope: Scope): Value;
  /** Assigns the value to the names in the target. */
  bind(target: IrNode, value: Value, scope: Scope): void;
  /** Evaluates the body of a function; the value is what it returns. */
  evaluateFunction(fn: IrFunction, source: ParameterSource, scope: Scope): Value;
  /** Runs `read`, which reads the body of the function; null where that happens already. */
  guardRecursion<Result>(fn: IrFunction, read: () => Result): Result | null;
  /** What a function of this code returns for these arguments; null where calls are nested too deeply. */
  followCall(fn: IrFunction, args: readonly Value[]): Value | null;
}
