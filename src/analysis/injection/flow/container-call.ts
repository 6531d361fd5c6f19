import type { IrNode } from '../ir/ir.ts';
import type { Evaluator } from './evaluator.ts';
import type { Scope } from './scope.ts';
import type { Value } from './value.ts';

/** A call on a container: `name` with `values` on `receiver`, which `object` evaluates to. */
export interface ContainerCall {
  readonly evaluator: Evaluator;
  readonly scope: Scope;
  readonly node: IrNode;
  readonly name: string;
  readonly object: IrNode;
  readonly receiver: Value;
  readonly values: readonly Value[];
  /** What the callbacks among the arguments return. */
  readonly results: readonly Value[];
}
