import type { CompiledRules } from '../rules/compiled-rules.ts';
import type { Findings } from '../findings.ts';
import type { CalledFunctions } from './functions.ts';
import type { JumpTracker } from './jumps.ts';
import type { Objects } from './objects.ts';
import type { IrCall, IrFunction, IrNode, IrProgram } from '../ir/ir.ts';
import type { Scope } from './scope.ts';
import type { Value } from './value.ts';

/** What the parts of the flow analysis use of `FlowAnalysis`. */
export interface Evaluator {
  readonly rules: CompiledRules;
  readonly program: IrProgram;
  readonly findings: Findings;
  readonly jumps: JumpTracker;
  readonly functions: CalledFunctions;
  readonly objects: Objects;
  /** The scope of the whole program. */
  readonly top: Scope;
  /** How many nodes were evaluated. */
  readonly steps: number;
  evaluate(node: IrNode, scope: Scope): Value;
  /** The value that the call had when it was evaluated last. */
  lastValueOf(node: IrCall): Value | undefined;
  /** Notes whether no taint enters the call. */
  markHarmless(node: IrCall, isHarmless: boolean): void;
  /** Whether no taint entered the call when it was evaluated last. */
  wasHarmless(node: IrCall): boolean;
  /** Assigns the value to the names in the target. `declares`: the names begin there. */
  bind(target: IrNode, value: Value, scope: Scope, declares?: boolean): void;
  /** Runs `read`, which reads the body of the function; null where that happens already. */
  guardRecursion<Result>(fn: IrFunction, read: () => Result): Result | null;
  /** Says that functions are nested too deeply to be followed. */
  noteTooNested(): void;
}
