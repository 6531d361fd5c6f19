import type { Operation } from '../operations/operation.ts';
import type { Call } from '../operations/runner.ts';

export type CallOutcome = 'ok' | 'error' | 'rate_limited';

/** What of a call may run: a bulk call may lose items, which are then named in `skipped`. */
export interface Admission extends Pick<Call, 'skipped' | 'self'> {
  input: Record<string, unknown>;
}

/** What the surface that received a call of a tool does for it. */
export interface CallHost {
  /** Stands in errors and log lines. */
  readonly requestId: string;
  /**
   * Every call of a tool passes here, after its input was found good and before its work: takes the cost from the caller's quota.
   * Throws `Refusal`.
   */
  admit(operation: Operation, input: Record<string, unknown>): Admission | Promise<Admission>;
  /** A call has ended. The tool's name is all that is told: no input, no target. */
  called(tool: string, outcome: CallOutcome, milliseconds: number): void;
  /** Something failed that is a fault of ours. */
  fault(error: unknown): void;
}
