import type { CallToolResult } from '@modelcontextprotocol/server';
import { type ApiError, CallerDisconnectedError, toApiError } from '../errors.ts';
import type { Operation, OperationInput } from '../engine/operation.ts';
import { parseInput } from '../engine/input/parse-input.ts';
import type { RunnerDeps } from '../engine/runner.ts';
import type { ToolCallContext, ToolCallOutcome } from '../engine/tool-call-context.ts';
import { truncateToBudget } from './truncate-to-budget.ts';
import { withToolDefaults } from './tools.ts';

/** One call of a tool, with all that it needs. */
export interface ToolCall {
  operation: Operation;
  rawInput: Record<string, unknown>;
  /** All operations, for hints in errors. */
  operations: readonly Operation[];
  runnerDeps: RunnerDeps;
  callContext: ToolCallContext;
  disconnectSignal: () => AbortSignal;
}

/** Result of a call: the JSON body that REST answers with, of the answer or of the error. */
export interface ToolAnswer {
  json: Buffer;
  isError: boolean;
  /** The input with which it was run; absent of an error. */
  input?: OperationInput;
}

/** Runs a tool. Never throws: an error is a result too. */
export async function callTool(call: ToolCall): Promise<ToolAnswer> {
  const { operation, callContext } = call;
  const started = performance.now();
  const recordOutcome = (outcome: ToolCallOutcome): void =>
    callContext.recordCall(operation.id, outcome, Math.round((performance.now() - started) * 10) / 10);
  try {
    const answer = await runToolCall(call);
    recordOutcome('ok');
    return { ...answer, isError: false };
  } catch (thrown) {
    const error = toApiError(thrown);
    if (error.code === 'internal_error') callContext.logInternalError(thrown);
    recordOutcome(outcomeOf(error));
    return {
      json: Buffer.from(JSON.stringify(error.toBody(callContext.requestId, toolErrorMessage(error, call.operations)))),
      isError: true,
    };
  }
}

function outcomeOf(error: ApiError): ToolCallOutcome {
  if (error instanceof CallerDisconnectedError) return 'disconnected';
  return error.code === 'rate_limit_exceeded' ? 'rate_limited' : 'error';
}

/** The message of an error over MCP: a hint names a tool, and is left out where the operation has none. */
export function toolErrorMessage(error: ApiError, operations: readonly Operation[]): string {
  return error.messageFor((id) => operations.find((other) => other.id === id && other.tool !== undefined)?.id ?? null);
}

/** In the form of the protocol: as text and as data. An error is text only, because clients validate data with the output schema. */
export function toCallToolResult({ json, isError }: ToolAnswer): CallToolResult {
  const text = json.toString();
  const content: CallToolResult['content'] = [{ type: 'text', text }];
  return isError ? { content, isError } : { content, structuredContent: JSON.parse(text) };
}

async function runToolCall(call: ToolCall): Promise<{ json: Buffer; input: OperationInput }> {
  const { operation, rawInput, disconnectSignal } = call;
  let input: OperationInput = {};
  const parse = (): OperationInput => {
    input = parseInput(operation, withToolDefaults(operation, rawInput), call.operations);
    return input;
  };
  const json = await call.callContext.run({ operation, parseInput: parse, disconnectSignal }, call.runnerDeps);
  return { json: truncateToBudget(operation, rawInput, json), input };
}
