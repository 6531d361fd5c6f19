import type { CallToolResult } from '@modelcontextprotocol/server';
import { type ApiError, CallerDisconnectedError, toApiError } from '../errors.ts';
import type { Operation } from '../engine/operation.ts';
import { parseInput } from '../engine/input/parse-input.ts';
import type { RunnerDeps } from '../engine/runner.ts';
import type { ToolCallContext, ToolCallOutcome } from '../engine/tool-call-context.ts';
import { truncateToBudget } from './truncate-to-budget.ts';
import { withToolDefaults } from './tools.ts';

/** One call of a tool, and all that it needs. */
export interface ToolCall {
  operation: Operation;
  rawInput: Record<string, unknown>;
  /** All that can be asked here, for hints in refusals. */
  operations: readonly Operation[];
  services: RunnerDeps;
  callContext: ToolCallContext;
  disconnectSignal: () => AbortSignal;
}

/** What a call ends with: JSON of the body that REST has, which may be that of a refusal. */
export interface ToolAnswer {
  json: Buffer;
  isError: boolean;
}

/** The answer of a tool. Never throws: a refusal is an answer too. */
export async function callTool(call: ToolCall): Promise<ToolAnswer> {
  const { operation, callContext } = call;
  const started = performance.now();
  const ended = (outcome: ToolCallOutcome): void =>
    callContext.recordCall(operation.id, outcome, Math.round((performance.now() - started) * 10) / 10);
  try {
    const json = await runToolCall(call);
    ended('ok');
    return { json, isError: false };
  } catch (thrown) {
    const refusal = toApiError(thrown);
    if (refusal.code === 'internal_error') callContext.logInternalError(thrown);
    ended(outcomeOf(refusal));
    return {
      json: Buffer.from(
        JSON.stringify(refusal.toBody(callContext.requestId, toolErrorMessage(refusal, call.operations))),
      ),
      isError: true,
    };
  }
}

function outcomeOf(error: ApiError): ToolCallOutcome {
  if (error instanceof CallerDisconnectedError) return 'disconnected';
  return error.code === 'rate_limit_exceeded' ? 'rate_limited' : 'error';
}

/** What a refusal says over MCP, where an operation goes by the name of its tool. */
export function toolErrorMessage(refusal: ApiError, operations: readonly Operation[]): string {
  return refusal.messageFor(
    (id) => operations.find((other) => other.id === id && other.tool !== undefined)?.id ?? null,
  );
}

/** As the protocol has it: as text, and as data. A refusal is text alone, because clients hold all data against the schema of answers. */
export function toCallToolResult({ json, isError }: ToolAnswer): CallToolResult {
  const text = json.toString();
  const content: CallToolResult['content'] = [{ type: 'text', text }];
  return isError ? { content, isError } : { content, structuredContent: JSON.parse(text) };
}

async function runToolCall(call: ToolCall): Promise<Buffer> {
  const { operation, rawInput, disconnectSignal } = call;
  const parse = () => parseInput(operation, withToolDefaults(operation, rawInput), call.operations);
  const json = await call.callContext.run({ operation, parseInput: parse, disconnectSignal }, call.services);
  return truncateToBudget(operation, rawInput, json);
}
