import type { Step } from '../ir/ir.ts';
import type { Value } from './value.ts';

/** An argument: its value, and where it is a callback what that returns. */

export interface Given {
  readonly name: string | null;
  readonly step: Step;
  readonly value: Value;
  readonly result: Value | null;
}
