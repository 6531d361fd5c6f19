import type { Operation } from '../engine/operation.ts';
import type { RunnerDeps } from '../engine/runner.ts';
import type { ToolCallContext } from '../engine/tool-call-context.ts';
import { callTool, type ToolAnswer } from './call-tool.ts';
import type { FastPathCall } from './fast-path-call.ts';
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
    const { json, isError } = await this.callTool(tool, call.rawInput, callContext, disconnectSignal);
    const { id, cacheable } = tool.operation;
    const key = cacheable ? `${id} ${JSON.stringify(call.rawInput)}` : null;
    const fields = isError
      ? errorResultFields(json)
      : key === null
        ? uncachedResultFields(json)
        : this.#resultCache.resultFields(key, json);
    const start = Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(call.id)},"result":{`);
    return Buffer.concat([start, ...fields, Buffer.from(`${extraResultJson}}}`)]);
  }
}
