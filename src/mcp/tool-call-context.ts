import type { Operation } from '../engine/operation.ts';
import type { OperationCall } from '../engine/runner.ts';

export type ToolCallOutcome = 'ok' | 'error' | 'rate_limited';

/** What of a call may run: a bulk call may lose items, which are then named in `skipped`. */
export interface AdmittedCall extends Pick<OperationCall, 'skipped' | 'self'> {
  readonly input: Record<string, unknown>;
}

/** What the surface that received a call of a tool does for it. */
export interface ToolCallContext {
  /** Stands in errors and log lines. */
  readonly requestId: string;
  /** Does the work of a call whose input is good, and has the caller pay for it. Throws what the work throws, and `ApiError`. */
  runCharged<T>(
    operation: Operation,
    input: Record<string, unknown>,
    work: (admission: AdmittedCall) => Promise<T>,
  ): Promise<T>;
  /** A call has ended. The tool's name is all that is told: no input, no target. */
  recordCall(tool: string, outcome: ToolCallOutcome, milliseconds: number): void;
  /** Something failed that is a fault of ours. */
  logInternalError(error: unknown): void;
}
