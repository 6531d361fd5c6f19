import type { CompiledRules } from '../rules/compiled-rules.ts';
import type { Findings } from '../findings.ts';
import type { CallArgument, CallTarget, ParameterSource, RouteSchemas } from './call-types.ts';
import type { ClassTable } from './class-table.ts';
import type { HandedValues } from './handed-values.ts';
import type { JumpTracker } from './jumps.ts';
import type { IrCall, IrClass, IrFunction, IrNode, IrProgram } from '../ir/ir.ts';
import type { RequestFields } from './request-fields.ts';
import type { Scope } from './scope.ts';
import type { SharedNames } from './shared-names.ts';
import type { Value } from './value.ts';

/** The functions of the program, where they are written and where they are called. */
export interface FunctionCalls {
  /** The class whose method is being evaluated. */
  readonly currentClass: IrClass | null;
  /** How often the function was evaluated; 0 for none. */
  runsOf(fn: IrFunction | null): number;
  /** Evaluates a function where it is written, for callers that are not known, or a callback for what it is passed to. */
  evaluateInPlace(fn: IrFunction, source: ParameterSource, scope: Scope, schemas?: RouteSchemas | null): Value;
  /** What one of these functions returns for the arguments; null: it is not followed. */
  follow(targets: readonly CallTarget[], args: readonly CallArgument[], scope: Scope): Value | null;
}

/** The objects of classes of this code. */
export interface ObjectTable {
  readonly classes: ClassTable;
  /** What functions set to request data. */
  readonly sharedNames: SharedNames;
  readonly requestFields: RequestFields;
  /** Where the members of a class see the code around it. */
  outsideOf(owner: IrClass): Scope;
  /** An object as it is now, for where the scope does not reach: tainted as a whole as its fields are. */
  detached(value: Value, scope: Scope): Value;
  /** An object of the class of which all fields may hold what the source sends: it was made from a request. */
  tainted(owner: IrClass, value: Value): Value;
  /** The class itself, with the fields that its objects share. */
  classObject(owner: IrClass): Value;
  /** An object of the class of which no more is known than its fields' initial values and what methods set to request data. */
  symbolic(owner: IrClass, selfName: string, scope: Scope): Value;
  /** An object whose fields have their initial values, or an empty list. */
  blank(owner: IrClass): Value;
  /** A new object: its fields have their initial values, then the constructor runs. */
  construct(owner: IrClass, args: readonly CallArgument[], scope: Scope): Value;
  /** The value of a property that a method computes; null: another property. */
  property(object: Value, name: string, scope: Scope): Value | null;
  /** Sets a field; one that all objects share, in the class. `written`: what is known of a key that is not. */
  setField(object: Value, key: string, value: Value, scope: Scope, written?: Value | null): void;
  /** Keeps the fields that a method set to request data, and a constructor to objects, for the other methods of its class. */
  share(owner: IrClass | null, self: Value, ends: readonly Scope[], isConstructor: boolean): void;
}

/** What the parts of the flow analysis use of `FlowAnalysis`. */
export interface Evaluator {
  readonly rules: CompiledRules;
  readonly program: IrProgram;
  readonly findings: Findings;
  readonly jumps: JumpTracker;
  readonly functions: FunctionCalls;
  readonly objects: ObjectTable;
  readonly handed: HandedValues;
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
