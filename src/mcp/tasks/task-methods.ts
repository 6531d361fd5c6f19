import {
  type CallToolResult,
  type JSONRPCRequest,
  ProtocolError,
  type Result,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { isJsonObject } from '../../analysis/bounded-json.ts';
import type { ToolCallContext } from '../../engine/tool-call-context.ts';
import { ApiError } from '../../errors.ts';
import { isCallOfTool } from '../compact/compact-tools.ts';
import type { ErrorMappingServer } from '../error-mapping-server.ts';
import { RPC_CODES } from '../json-rpc.ts';
import { MODERN_PROTOCOL_VERSION } from '../protocol-versions.ts';
import type { ToolSet } from '../tool-set.ts';
import { isLongRunning } from './long-running.ts';
import type { Task, TaskStore } from './task-store.ts';
import {
  declaresTasks,
  FIRST_VERSION_WITH_TASKS,
  MISSING_CAPABILITY,
  MISSING_CAPABILITY_CODE,
  toLegacyTask,
  toLegacyTaskResult,
  toModernTask,
} from './task-wire.ts';

/** A call by name, which may run longer than the request that asks for it. */
interface TaskCall {
  name: string;
  rawInput: Record<string, unknown>;
}

interface TaskMethodDeps {
  store: TaskStore;
  toolSet: ToolSet;
  getCallContext: () => ToolCallContext;
  getProtocolVersion: () => string | undefined;
  run: TaskRunner;
}

/** Runs a call to its end. Does not throw. */
export type TaskRunner = (call: TaskCall, callContext: ToolCallContext, signal: AbortSignal) => Promise<CallToolResult>;

const TASK_PARAMS = { params: z.looseObject({ taskId: z.string().max(100) }) };

/**
 * Adds tasks to a server. In 2025-11-25 the client decides: a call with `task` becomes one. In 2026-07-28 the server does: a call that
 * takes longer than the store's `answerWithinMs` becomes one, if its client knows tasks.
 */
export class TaskMethods {
  readonly #deps: TaskMethodDeps;

  constructor(deps: TaskMethodDeps) {
    this.#deps = deps;
  }

  /** Adds the methods of tasks to the server. */
  mount(server: ErrorMappingServer): void {
    server.setRequestHandler('tasks/get', TASK_PARAMS, async ({ taskId }, context) => {
      const { task } = await this.#requireTask(taskId, context);
      return this.#isModern() ? toModernTask(task) : toLegacyTask(task);
    });
    server.setRequestHandler('tasks/cancel', TASK_PARAMS, async ({ taskId }, context) => {
      const { task, owner } = await this.#requireTask(taskId, context);
      const isModern = this.#isModern();
      if (!isModern && task.status !== 'working') throw invalidParams(`The task has ended: ${task.status}`);
      this.#deps.store.cancel(taskId, owner);
      return isModern ? {} : toLegacyTask(task);
    });
    // Only in 2025-11-25; the SDK refuses it in 2026-07-28.
    server.setRequestHandler('tasks/result', TASK_PARAMS, async ({ taskId }, context) => {
      const { task, owner } = await this.#requireTask(taskId, context);
      await this.#deps.store.waitForEnd(taskId, owner, context.mcpReq.signal);
      if (task.result === null) throw invalidParams('The task was cancelled: it has no result');
      return toLegacyTaskResult(task, task.result);
    });
    // Only in 2026-07-28. No task asks its client for anything, so there is nothing to take from it.
    server.setRequestHandler('tasks/update', TASK_PARAMS, async ({ taskId }, context) => {
      if (!this.#isModern()) throw new ProtocolError(RPC_CODES.methodNotFound, 'Method not found');
      await this.#requireTask(taskId, context);
      return {};
    });
  }

  /** The result of a call that is, or may become, a task; null where it is answered as any other. */
  async answerCall({ params = {} }: JSONRPCRequest, context: ServerContext): Promise<Result | null> {
    const { name, arguments: rawInput = {}, task } = params;
    if (typeof name !== 'string' || !isJsonObject(rawInput)) return null;
    const call = { name, rawInput };
    if (this.#isModern()) return declaresTasks(context) ? this.#answerModern(call, context) : null;
    const version = this.#deps.getProtocolVersion() ?? '';
    return isJsonObject(task) && version >= FIRST_VERSION_WITH_TASKS ? this.#answerLegacy(call, task['ttl']) : null;
  }

  async #answerModern(call: TaskCall, { mcpReq: { signal } }: ServerContext): Promise<Result | null> {
    if (!this.#isLongCall(call)) return null;
    const { store } = this.#deps;
    const { owner, task } = await this.#start(call, undefined);
    if (task === null) return null;
    await store.waitForEnd(task.id, owner, AbortSignal.any([signal, AbortSignal.timeout(store.answerWithinMs)]));
    if (task.result !== null || signal.aborted) store.forget(task.id);
    return task.result ?? { resultType: 'task', ...toModernTask(task) };
  }

  async #answerLegacy(call: TaskCall, ttl: unknown): Promise<Result | null> {
    const { toolSet } = this.#deps;
    const isOfCompactMode = toolSet.mode === 'compact' && isCallOfTool(call.name);
    if (!isOfCompactMode) {
      if (toolSet.find(call.name) === null) return null;
      if (!this.#isLongCall(call)) {
        throw new ProtocolError(
          RPC_CODES.methodNotFound,
          `${call.name} does not run as a task: call it without \`task\``,
        );
      }
    }
    const { task } = await this.#start(call, typeof ttl === 'number' ? ttl : undefined);
    if (task === null) {
      throw new ProtocolError(RPC_CODES.serverError, 'Too many tasks: wait for those that run, or call without `task`');
    }
    return { task: { ...toLegacyTask(task), status: 'working' } };
  }

  async #start(call: TaskCall, ttlMs: number | undefined): Promise<{ owner: string; task: Task | null }> {
    const { store, getCallContext, run } = this.#deps;
    const callContext = getCallContext();
    const owner = await ownerOf(callContext);
    return { owner, task: store.start(owner, ttlMs, (signal) => run(call, callContext, signal)) };
  }

  #isLongCall({ name, rawInput }: TaskCall): boolean {
    try {
      const target = this.#deps.toolSet.targetOf(name, rawInput);
      return target !== null && isLongRunning(target.tool.operation);
    } catch {
      // What is wrong with it is said in the answer.
      return false;
    }
  }

  /** Throws `ProtocolError` where this caller has no such task, or its client did not say that it knows tasks. */
  async #requireTask(id: string, context: ServerContext): Promise<{ task: Task; owner: string }> {
    if (this.#isModern() && !declaresTasks(context)) {
      throw new ProtocolError(MISSING_CAPABILITY_CODE, 'Missing required client capability', MISSING_CAPABILITY);
    }
    const owner = await ownerOf(this.#deps.getCallContext());
    const task = this.#deps.store.find(id, owner);
    if (task === null) throw invalidParams('There is no such task: it has expired, or it was never started here');
    return { task, owner };
  }

  #isModern(): boolean {
    return this.#deps.getProtocolVersion() === MODERN_PROTOCOL_VERSION;
  }
}

/** The caller that a task belongs to. Throws `ProtocolError` for a key that is not valid. */
async function ownerOf(callContext: ToolCallContext): Promise<string> {
  try {
    return await callContext.callerKey();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new ProtocolError(RPC_CODES.serverError, error.message, { code: error.code });
  }
}

function invalidParams(message: string): ProtocolError {
  return new ProtocolError(RPC_CODES.invalidParams, message);
}
