import type { CallToolResult } from '@modelcontextprotocol/server';
import { asRefusal } from '../errors.ts';
import type { Operation } from '../operations/operation.ts';
import { parseInput } from '../operations/parse-input.ts';
import { runToJson, type Services } from '../operations/runner.ts';
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
  signal: AbortSignal;
}

/** The answer of a tool: the body that REST has, as data and as text. A refusal is an answer too, marked as an error. */
export async function callTool(call: ToolCall): Promise<CallToolResult> {
  const { operation, host } = call;
  const started = performance.now();
  const ended = (outcome: CallOutcome): void =>
    host.called(operation.id, outcome, Math.round((performance.now() - started) * 10) / 10);
  try {
    const result = await answer(call);
    ended('ok');
    return result;
  } catch (thrown) {
    const refusal = asRefusal(thrown);
    if (refusal.code === 'internal_error') host.fault(thrown);
    ended(refusal.code === 'rate_limit_exceeded' ? 'rate_limited' : 'error');
    // As text alone: clients hold structured content against the schema of answers, also when it is none.
    return { content: [{ type: 'text', text: JSON.stringify(refusal.body(host.requestId)) }], isError: true };
  }
}

async function answer({ operation, given, operations, services, host, signal }: ToolCall): Promise<CallToolResult> {
  const parsed = parseInput(operation, withToolDefaults(operation, given), operations);
  const json = await host.charged(operation, parsed, ({ input, ...admission }) =>
    runToJson(operation, input, services, { callerGone: () => signal, fault: (error) => host.fault(error), ...admission }),
  );
  const whole = json.toString();
  const structuredContent = fit(operation, given, JSON.parse(whole) as Record<string, unknown>);
  const text = 'trimmed' in structuredContent ? JSON.stringify(structuredContent) : whole;
  return { content: [{ type: 'text', text }], structuredContent };
}
