import type { Operation } from '../engine/operation.ts';
import type { RunnerDeps } from '../engine/runner.ts';
import type { RepeatedToolCall, ToolCallContext } from '../engine/tool-call-context.ts';
import { callTool, type ToolAnswer } from './call-tool.ts';
import type { FastPathCall } from './fast-path-call.ts';
import { type ByteParts, joinParts } from '../engine/cached-answer.ts';
import { RepeatedCalls } from './repeated-calls.ts';
import { truncateToBudget } from './truncate-to-budget.ts';
import { ResourceRegistry } from './resource-registry.ts';
import { type McpTool, createTools } from './tools.ts';
import { errorResultFields, uncachedResultFields, ToolResultCache } from './tool-result-cache.ts';

/** What all MCP servers of a process share. */
export class McpService {
  /** Name and version for clients (`Implementation` in the protocol). */
  readonly serverInfo;
  readonly tools: readonly McpTool[];
  readonly resources: ResourceRegistry;
  readonly #operations: readonly Operation[];
  readonly #runnerDeps: RunnerDeps;
  readonly #resultCache = new ToolResultCache();
  readonly #repeatedCalls: RepeatedCalls;

  constructor(operations: readonly Operation[], runnerDeps: RunnerDeps) {
    this.serverInfo = {
      name: 'sextant',
      title: 'Sextant',
      version: runnerDeps.serviceState.version,
      description: 'Security intelligence that names its sources, its age and its gaps.',
    };
    this.tools = createTools(operations);
    this.resources = new ResourceRegistry(operations, runnerDeps);
    this.#operations = operations;
    this.#runnerDeps = runnerDeps;
    this.#repeatedCalls = new RepeatedCalls(runnerDeps);
  }

  /** See `callTool`. */
  callTool(
    { operation }: McpTool,
    rawInput: Record<string, unknown>,
    callContext: ToolCallContext,
    disconnectSignal: () => AbortSignal,
  ): Promise<ToolAnswer> {
    return callTool({
      operation,
      rawInput,
      operations: this.#operations,
      runnerDeps: this.#runnerDeps,
      callContext,
      disconnectSignal,
    });
  }

  /** The JSON-RPC response to a fast-path call. `extraResultJson`: further JSON fields of the result, with a leading comma. */
  async respondToCall(
    call: FastPathCall,
    tool: McpTool,
    callContext: ToolCallContext,
    disconnectSignal: () => AbortSignal,
    extraResultJson: string,
  ): Promise<Buffer> {
    const started = performance.now();
    const key = cacheKeyOf(call, tool);
    const repeated = this.findRepeatedCall(call, tool, extraResultJson);
    if (repeated !== null && (await callContext.chargeAnswered(tool.operation, repeated.price))) {
      const response = joinParts(repeated.render());
      callContext.recordCall(tool.operation.id, 'ok', Math.round((performance.now() - started) * 10) / 10);
      return response;
    }
    const fields = await this.#runCall(call, tool, callContext, disconnectSignal, key);
    return joinParts(renderResponse(call, fields, extraResultJson));
  }

  /** The fast-path call, where it was answered before; not charged or counted yet. */
  findRepeatedCall(call: FastPathCall, tool: McpTool, extraResultJson: string): RepeatedToolCall | null {
    const { operation } = tool;
    const key = cacheKeyOf(call, tool);
    const repeated = key === null ? null : this.#repeatedCalls.find(key);
    if (repeated === null) return null;
    const render = (): ByteParts => {
      const { responseCache, now } = this.#runnerDeps;
      responseCache.hits++;
      const time = now();
      const asTool = (): Buffer => truncateToBudget(operation, call.rawInput, repeated.answer.json(time));
      const fields = this.#resultCache.repeatedResultFields(key!, repeated.answer, time, asTool);
      return renderResponse(call, fields, extraResultJson);
    };
    return { operation, price: repeated.price, render };
  }

  /** JSON fields of the result of a call. `key`: of the caches; null where the answer may change. */
  async #runCall(
    { rawInput }: FastPathCall,
    tool: McpTool,
    callContext: ToolCallContext,
    disconnectSignal: () => AbortSignal,
    key: string | null,
  ): Promise<Buffer[]> {
    const { json, isError, input } = await this.callTool(tool, rawInput, callContext, disconnectSignal);
    if (isError) return errorResultFields(json);
    if (key === null) return uncachedResultFields(json);
    this.#repeatedCalls.remember(key, tool.operation, input!);
    return this.#resultCache.resultFields(key, json);
  }
}

/** Operation and input as it was sent; null where the answer may change. */
function cacheKeyOf({ rawInput }: FastPathCall, { operation }: McpTool): string | null {
  return operation.cacheable ? `${operation.id} ${JSON.stringify(rawInput)}` : null;
}

function renderResponse({ id }: FastPathCall, resultFields: ByteParts, extraResultJson: string): ByteParts {
  const start = Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{`);
  return [start, ...resultFields, Buffer.from(`${extraResultJson}}}`)];
}
