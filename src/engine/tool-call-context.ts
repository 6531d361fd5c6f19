import type { ByteParts } from './cached-answer.ts';
import type { Operation, OperationInput } from './operation.ts';
import type { RunnerDeps } from './runner.ts';

/** `disconnected`: the caller closed the connection before the answer was ready. */
export type ToolCallOutcome = 'ok' | 'error' | 'rate_limited' | 'disconnected';

/** A call of a tool whose input is not parsed yet. */
export interface UnparsedCall {
  readonly operation: Operation;
  /** Throws `ApiError` where the input is not valid. */
  readonly parseInput: () => OperationInput;
  readonly disconnectSignal: () => AbortSignal;
}

/** A tool call whose answer is in memory, to be charged at `price` tokens. */
export interface RepeatedToolCall {
  readonly operation: Operation;
  readonly price: number;
  /** The response of the protocol, as JSON. */
  render(): ByteParts;
}

/** What the surface that received a tool call (HTTP, standard input) does for it. */
export interface ToolCallContext {
  /** Appears in errors and log lines. */
  readonly requestId: string;
  /** The pseudonym of the caller; one for all where callers are not told apart. Throws `ApiError` for a key that is not valid. */
  callerKey(): Promise<string>;
  /** Runs a call, charged where callers are known; gives the answer as JSON. Throws `ApiError`, and what the operation throws. */
  run(call: UnparsedCall, runnerDeps: RunnerDeps): Promise<Buffer>;
  /**
   * Charges a call whose answer is in memory, at `price` tokens, where callers are known. False where `run` has to refuse the call: nothing
   * was taken or recorded then.
   */
  chargeAnswered(operation: Operation, price: number): Promise<boolean>;
  /** Records the end of a call: the name of the tool, no input and no target. */
  recordCall(tool: string, outcome: ToolCallOutcome, milliseconds: number): void;
  logInternalError(error: unknown): void;
}
