import type { TextResourceContents } from '@modelcontextprotocol/server';
import type { Operation } from '../engine/operation.ts';
import type { RunnerDeps } from '../engine/runner.ts';
import type { RepeatedToolCall, ToolCallContext, ToolCallOutcome } from '../engine/tool-call-context.ts';
import { type ErrorBody, toApiError } from '../errors.ts';
import type { AppViews } from './app-views.ts';
import { fitAnswer, type FittedAnswer, parseAnswerUri } from './answer-links.ts';
import type { TargetCall } from './compact/compact-tools.ts';
import { type AnswerForm, callTool, errorAnswer, millisecondsSince, type ToolAnswer } from './call-tool.ts';
import type { FastPathCall } from './fast-path-call.ts';
import { type ByteParts, joinParts } from '../engine/cached-answer.ts';
import { RepeatedCalls } from './repeated-calls.ts';
import { markedContents } from './marked-contents.ts';
import { createResourceError, ResourceRegistry } from './resource-registry.ts';
import { type McpTool, createTools } from './tools.ts';
import { errorResultFields, uncachedResultFields, ToolResultCache } from './tool-result-cache.ts';
import type { TaskStore } from './tasks/task-store.ts';
import { type ToolSet, ToolSets } from './tool-set.ts';

/** A call as the protocol has it: a name and input, and the tools that may be called. */
export interface NamedCall {
  name: string;
  rawInput: Record<string, unknown>;
  toolSet: ToolSet;
}

/** What an MCP service may offer beyond its operations; absent: it does not. */
export interface McpOptions {
  /** Not where several processes answer: a task is known to one of them alone. */
  tasks?: TaskStore | null;
  views?: AppViews | null;
}

/** JSON of what results have beside their content and data, with a leading comma. */
export interface ResultEnds {
  ofAnswer: string;
  ofError: string;
}

/** What all MCP servers of a process share. */
export class McpService {
  /** Name and version for clients (`Implementation` in the protocol). */
  readonly serverInfo;
  readonly tools: readonly McpTool[];
  readonly toolSets: ToolSets;
  readonly resources: ResourceRegistry;
  readonly views: AppViews | null;
  readonly tasks: TaskStore | null;
  readonly #operations: readonly Operation[];
  readonly #runnerDeps: RunnerDeps;
  readonly #resultCache = new ToolResultCache();
  readonly #repeatedCalls: RepeatedCalls;

  constructor(operations: readonly Operation[], runnerDeps: RunnerDeps, { tasks, views }: McpOptions = {}) {
    this.tasks = tasks ?? null;
    this.views = views ?? null;
    this.serverInfo = {
      name: 'sextant',
      title: 'Sextant',
      version: runnerDeps.serviceState.version,
      description: 'Security intelligence that names its sources, its age and its gaps.',
    };
    this.tools = createTools(operations);
    this.toolSets = new ToolSets(this.tools, this.views);
    this.resources = new ResourceRegistry(operations, runnerDeps);
    this.#operations = operations;
    this.#runnerDeps = runnerDeps;
    this.#repeatedCalls = new RepeatedCalls(runnerDeps);
  }

  /** The answer to a call by the name of a tool; null where no tool has this name. */
  async answerCall(
    { name, rawInput, toolSet }: NamedCall,
    callContext: ToolCallContext,
    disconnectSignal: () => AbortSignal,
    form: AnswerForm,
  ): Promise<ToolAnswer | null> {
    const started = performance.now();
    const record = (outcome: ToolCallOutcome): void =>
      callContext.recordCall(name, outcome, millisecondsSince(started));
    let target: TargetCall | null;
    try {
      const own = toolSet.mode === 'compact' ? toolSet.compact.answer(name, rawInput) : null;
      if (own !== null) {
        record('ok');
        return { json: Buffer.from(JSON.stringify(own)), isError: false };
      }
      target = toolSet.targetOf(name, rawInput);
    } catch (thrown) {
      record('error');
      return errorAnswer(toApiError(thrown), callContext.requestId, this.#operations);
    }
    return target === null ? null : this.#callTool(target, callContext, disconnectSignal, form);
  }

  /** All of an answer, by the URI of a link; null for another URI. Charged like the call. Throws `ProtocolError`. */
  async readAnswer(
    uri: string,
    toolSet: ToolSet,
    callContext: ToolCallContext,
    disconnectSignal: () => AbortSignal,
  ): Promise<TextResourceContents | null> {
    const question = parseAnswerUri(uri);
    if (question === null) return null;
    const tool = toolSet.find(question.tool);
    if (tool === null) throw createResourceError('not_found', 'No tool here has this name.', uri);
    const target = { tool, rawInput: question.rawInput };
    const { json, isError } = await this.#callTool(target, callContext, disconnectSignal, 'whole');
    if (!isError) return markedContents(uri, tool.operation, json);
    const { error } = JSON.parse(json.toString()) as ErrorBody;
    throw createResourceError(error.code, error.message, uri);
  }

  #callTool(
    { tool: { operation }, rawInput }: TargetCall,
    callContext: ToolCallContext,
    disconnectSignal: () => AbortSignal,
    form: AnswerForm,
  ): Promise<ToolAnswer> {
    const [operations, runnerDeps] = [this.#operations, this.#runnerDeps];
    return callTool({ operation, rawInput, operations, runnerDeps, callContext, disconnectSignal, form });
  }

  /** The JSON-RPC response to a fast-path call. */
  async respondToCall(
    call: FastPathCall,
    tool: McpTool,
    callContext: ToolCallContext,
    disconnectSignal: () => AbortSignal,
    ends: ResultEnds,
  ): Promise<Buffer> {
    const started = performance.now();
    const key = cacheKeyOf(call, tool);
    const repeated = this.findRepeatedCall(call, tool, ends);
    if (repeated !== null && (await callContext.chargeAnswered(tool.operation, repeated.price))) {
      const response = joinParts(repeated.render());
      callContext.recordCall(tool.operation.id, 'ok', millisecondsSince(started));
      return response;
    }
    const { fields, isError } = await this.#runCall(call, tool, callContext, disconnectSignal, key);
    return joinParts(renderResponse(call, fields, isError ? ends.ofError : ends.ofAnswer));
  }

  /** The fast-path call, where it was answered before; not charged or counted yet. */
  findRepeatedCall(call: FastPathCall, tool: McpTool, ends: ResultEnds): RepeatedToolCall | null {
    const { operation } = tool;
    const key = cacheKeyOf(call, tool);
    const repeated = key === null ? null : this.#repeatedCalls.find(key);
    if (repeated === null) return null;
    const render = (): ByteParts => {
      const { responseCache, now } = this.#runnerDeps;
      responseCache.hits++;
      const time = now();
      const asTool = (): FittedAnswer => fitAnswer(operation, call.rawInput, repeated.answer.json(time), call.isLinked);
      const fields = this.#resultCache.repeatedResultFields(key!, repeated.answer, time, asTool);
      return renderResponse(call, fields, ends.ofAnswer);
    };
    return { operation, price: repeated.price, render };
  }

  /** JSON fields of the result of a call. `key`: of the caches; null where the answer may change. */
  async #runCall(
    { rawInput, isLinked }: FastPathCall,
    tool: McpTool,
    callContext: ToolCallContext,
    disconnectSignal: () => AbortSignal,
    key: string | null,
  ): Promise<{ fields: Buffer[]; isError: boolean }> {
    const form = isLinked ? 'linked' : 'cut';
    const answer = await this.#callTool({ tool, rawInput }, callContext, disconnectSignal, form);
    const { json, isError, input, link = null, marker = null } = answer;
    if (isError) return { fields: errorResultFields(json), isError };
    if (key === null) return { fields: uncachedResultFields({ json, link, marker }), isError };
    this.#repeatedCalls.remember(key, tool.operation, input!);
    return { fields: this.#resultCache.resultFields(key, { json, link, marker }), isError };
  }
}

/** Operation, form of the answer, and input as it was sent; null where the answer may change. */
function cacheKeyOf({ rawInput, isLinked }: FastPathCall, { operation }: McpTool): string | null {
  return operation.cacheable ? `${operation.id}${isLinked ? '' : ' unlinked'} ${JSON.stringify(rawInput)}` : null;
}

function renderResponse({ id }: FastPathCall, resultFields: ByteParts, resultEnd: string): ByteParts {
  const start = Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{`);
  return [start, ...resultFields, Buffer.from(`${resultEnd}}}`)];
}
