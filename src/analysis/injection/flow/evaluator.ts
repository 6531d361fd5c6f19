import type { CompiledRules } from '../rules/compiled-rules.ts';
import type { Findings } from '../findings.ts';
import type { JumpTracker } from './jumps.ts';
import type { IrFunction, IrNode, IrProgram } from '../ir/ir.ts';
import type { Scope } from './scope.ts';
import type { Value } from './value.ts';
import type { SourceLevel, Taint } from '../taint.ts';

/** What a routine's parameters are: by their own right, filled from a request, or these values. */
export type ParameterSource = 'parameter' | 'request' | readonly Value[];

/** What the parts of the flow analysis may ask of the whole. */
export interface Evaluator {
  readonly rules: CompiledRules;
  readonly program: IrProgram;
  readonly findings: Findings;
  readonly jumps: JumpTracker;
  evaluate(node: IrNode, scope: Scope): Value;
  /** The member of a value: of a source it is the source, of a record its field. */
  memberOf(object: Value, name: string, node: IrNode): Value;
  elementOf(object: Value, index: Value, node: IrNode): Value;
  /** What a module goes by here. */
  moduleValue(module: string): Value;
  newTaint(level: SourceLevel, node: IrNode): Taint;
  /** Gives names their values. */
  bind(target: IrNode, value: Value, scope: Scope): void;
  /** Runs a routine's body; the value is what it returns. */
  evaluateFunction(fn: IrFunction, callArguments: ParameterSource, scope: Scope): Value;
  /** Does something that reads the routine's body; null where that is being done already. */
  guardRecursion<Result>(fn: IrFunction, read: () => Result): Result | null;
  /** What a routine of this text returns for these arguments; null where calls are too nested to be followed. */
  followCall(fn: IrFunction, args: readonly Value[]): Value | null;
}
