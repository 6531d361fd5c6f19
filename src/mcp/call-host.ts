import type { Operation } from '../operations/operation.ts';

export type CallOutcome = 'ok' | 'error' | 'rate_limited';

/** What the surface that received a call of a tool does for it. */
export interface CallHost {
  /** Stands in errors and log lines. */
  readonly requestId: string;
  /**
   * Every call of a tool passes here, after its input was found good and before its work: takes the cost from the caller's quota,
   * gives the input that may run (a bulk call may lose items). Throws `Refusal`.
   */
  admit(operation: Operation, input: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** A call has ended. The tool's name is all that is told: no input, no target. */
  called(tool: string, outcome: CallOutcome, milliseconds: number): void;
  /** Something failed that is a fault of ours. */
  fault(error: unknown): void;
}
