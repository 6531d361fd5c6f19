import type { CallToolResult, ResourceLink } from '@modelcontextprotocol/server';
import { type ApiError, CallerDisconnectedError, toApiError } from '../errors.ts';
import type { Operation, OperationInput } from '../engine/operation.ts';
import { parseInput } from '../engine/input/parse-input.ts';
import type { RunnerDeps } from '../engine/runner.ts';
import type { ToolCallContext, ToolCallOutcome } from '../engine/tool-call-context.ts';
import { fitAnswer, type FittedAnswer } from './answer-links.ts';
import { type ForeignTextMarker, foreignTextMarkerOf } from './mark-foreign-text.ts';
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
  /**
   * `cut`: a long answer is cut; `linked`: also with a link to all of it; `whole`: it is not cut.
   */
  form: AnswerForm;
}

export type AnswerForm = 'cut' | 'linked' | 'whole';

/** Result of a call: the JSON body that REST answers with, of the answer or of the error. */
export interface ToolAnswer {
  json: Buffer;
  isError: boolean;
  /** To the whole answer, where it was cut. */
  link?: ResourceLink | null;
  /** What marks foreign text in it; absent or null: it has none. */
  marker?: ForeignTextMarker | null;
  /** The input with which it was run; absent of an error. */
  input?: OperationInput;
}

/** Runs a tool. Never throws: an error is a result too. */
export async function callTool(call: ToolCall): Promise<ToolAnswer> {
  const { operation, callContext } = call;
  const started = performance.now();
  const recordOutcome = (outcome: ToolCallOutcome): void =>
    callContext.recordCall(operation.id, outcome, millisecondsSince(started));
  try {
    const answer = await runToolCall(call);
    recordOutcome('ok');
    return { ...answer, isError: false };
  } catch (thrown) {
    const error = toApiError(thrown);
    if (error.code === 'internal_error') callContext.logInternalError(thrown);
    recordOutcome(outcomeOf(error));
    return errorAnswer(error, callContext.requestId, call.operations);
  }
}

/** An error as the result of a call. */
export function errorAnswer(error: ApiError, requestId: string, operations: readonly Operation[]): ToolAnswer {
  return {
    json: Buffer.from(JSON.stringify(error.toBody(requestId, toolErrorMessage(error, operations)))),
    isError: true,
  };
}

/** Since a time of `performance.now()`, with one decimal. */
export function millisecondsSince(start: number): number {
  return Math.round((performance.now() - start) * 10) / 10;
}

function outcomeOf(error: ApiError): ToolCallOutcome {
  if (error instanceof CallerDisconnectedError) return 'disconnected';
  return error.code === 'rate_limit_exceeded' ? 'rate_limited' : 'error';
}

/** The message of an error over MCP: a hint names a tool, and is left out where the operation has none. */
export function toolErrorMessage(error: ApiError, operations: readonly Operation[]): string {
  return error.messageFor((id) => operations.find((other) => other.id === id && other.tool !== undefined)?.id ?? null);
}

/**
 * In the form of the protocol: as text, in which foreign text is marked, and as data, where `_meta` says which is foreign. An error is
 * text only, because clients validate data with the output schema.
 */
export function toCallToolResult({ json, isError, link = null, marker = null }: ToolAnswer): CallToolResult {
  const text = (marker?.mark(json) ?? json).toString();
  const content: CallToolResult['content'] = [{ type: 'text', text }, ...(link === null ? [] : [link])];
  if (isError) return { content, isError };
  return { content, structuredContent: JSON.parse(json.toString()), ...(marker !== null && { _meta: marker.meta }) };
}

async function runToolCall(call: ToolCall): Promise<FittedAnswer & { input: OperationInput }> {
  const { operation, rawInput, disconnectSignal, form } = call;
  let input: OperationInput = {};
  const parse = (): OperationInput => {
    input = parseInput(operation, withToolDefaults(operation, rawInput), call.operations);
    return input;
  };
  const json = await call.callContext.run({ operation, parseInput: parse, disconnectSignal }, call.runnerDeps);
  return {
    ...(form === 'whole'
      ? { json, link: null, marker: foreignTextMarkerOf(operation) }
      : fitAnswer(operation, rawInput, json, form === 'linked')),
    input,
  };
}
