import type { IrNode } from '../ir/ir.ts';
import type { Value } from './value.ts';

/** An argument: its value, and where it is a callback what that returns. */

export interface CallArgument {
  readonly name: string | null;
  readonly node: IrNode;
  readonly value: Value;
  readonly result: Value | null;
}
