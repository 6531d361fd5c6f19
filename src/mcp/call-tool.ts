import type { CallToolResult } from '@modelcontextprotocol/server';
import { asRefusal, type Refusal } from '../errors.ts';
import type { Operation } from '../engine/operation.ts';
import { parseInput } from '../engine/input/parse-input.ts';
import { runToJson, type Services } from '../engine/runner.ts';
import type { CallHost, CallOutcome } from './call-host.ts';
import { fit } from './fit.ts';
import { withToolDefaults } from './tools.ts';

/** One call of a tool, and all that it needs. */
export interface ToolCall {
  operation: Operation;
  given: Record<string, unknown>;
  /** All that can be asked here, for hints in refusals. */
  operations: readonly Operation[];
  services: Services;
  host: CallHost;
  gone: () => AbortSignal;
}

/** What a call ends with: JSON of the body that REST has, which may be that of a refusal. */
export interface ToolAnswer {
  json: Buffer;
  isError: boolean;
}

/** The answer of a tool. Never throws: a refusal is an answer too. */
export async function callTool(call: ToolCall): Promise<ToolAnswer> {
  const { operation, host } = call;
  const started = performance.now();
  const ended = (outcome: CallOutcome): void =>
    host.called(operation.id, outcome, Math.round((performance.now() - started) * 10) / 10);
  try {
    const json = await answer(call);
    ended('ok');
    return { json, isError: false };
  } catch (thrown) {
    const refusal = asRefusal(thrown);
    if (refusal.code === 'internal_error') host.fault(thrown);
    ended(refusal.code === 'rate_limit_exceeded' ? 'rate_limited' : 'error');
    return {
      json: Buffer.from(JSON.stringify(refusal.body(host.requestId, toolMessage(refusal, call.operations)))),
      isError: true,
    };
  }
}

/** What a refusal says over MCP, where an operation goes by the name of its tool. */
export function toolMessage(refusal: Refusal, operations: readonly Operation[]): string {
  return refusal.messageFor(
    (id) => operations.find((other) => other.id === id && other.tool !== undefined)?.id ?? null,
  );
}

/** As the protocol has it: as text, and as data. A refusal is text alone, because clients hold all data against the schema of answers. */
export function resultOf({ json, isError }: ToolAnswer): CallToolResult {
  const text = json.toString();
  const content: CallToolResult['content'] = [{ type: 'text', text }];
  return isError ? { content, isError } : { content, structuredContent: JSON.parse(text) };
}

async function answer({ operation, given, operations, services, host, gone }: ToolCall): Promise<Buffer> {
  const input = parseInput(operation, withToolDefaults(operation, given), operations);
  const json = await host.charged(operation, input, ({ input, ...admission }) =>
    runToJson(operation, input, services, { callerGone: gone, fault: (error) => host.fault(error), ...admission }),
  );
  return fit(operation, given, json);
}
