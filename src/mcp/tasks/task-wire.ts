import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type Result,
  type ServerCapabilities,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { isJsonObject } from '../../analysis/bounded-json.ts';
import type { Task } from './task-store.ts';

/** Tasks as the two protocols have them: in the core of 2025-11-25 (experimental), and as an extension of 2026-07-28. */

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';
export const FIRST_VERSION_WITH_TASKS = '2025-11-25';
/** The client did not declare a capability that the request needs (2026-07-28). */
export const MISSING_CAPABILITY_CODE = -32021;
export const MISSING_CAPABILITY = { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } };

const POLL_INTERVAL_MS = 1000;

/** There is no list of tasks: callers without a key are told apart by their address alone. */
export const TASK_CAPABILITIES: ServerCapabilities = {
  tasks: { cancel: {}, requests: { tools: { call: {} } } },
  extensions: { [TASKS_EXTENSION]: {} },
};

/** Whether a request of the modern protocol says that its client knows tasks. */
export function declaresTasks({ mcpReq }: ServerContext): boolean {
  const envelope: Record<string, unknown> = mcpReq.envelope ?? {};
  return hasTasksExtension(envelope[CLIENT_CAPABILITIES_META_KEY]);
}

/** The same of the capabilities themselves. */
export function hasTasksExtension(capabilities: unknown): boolean {
  const extensions = isJsonObject(capabilities) ? capabilities['extensions'] : undefined;
  return isJsonObject(extensions) && isJsonObject(extensions[TASKS_EXTENSION]);
}

/** A task in the form of 2026-07-28; a completed one with its result. */
export function toModernTask(task: Task): Result {
  return {
    ...commonFields(task),
    status: task.status,
    ttlMs: task.ttlMs,
    pollIntervalMs: POLL_INTERVAL_MS,
    // The structure of the result of `tools/call`, where `resultType` is required.
    ...(task.result === null ? {} : { result: { ...task.result, resultType: 'complete' } }),
  };
}

/** A task in the form of 2025-11-25, where a call that ended with an error has failed. */
export function toLegacyTask(task: Task): Result {
  const status = task.result?.isError === true ? 'failed' : task.status;
  return { ...commonFields(task), status, ttl: task.ttlMs, pollInterval: POLL_INTERVAL_MS };
}

/** The result of a task in the form of 2025-11-25. */
export function toLegacyTaskResult({ id }: Task, result: CallToolResult): Result {
  return { ...result, _meta: { ...result._meta, 'io.modelcontextprotocol/related-task': { taskId: id } } };
}

function commonFields({ id, createdAt, lastUpdatedAt }: Task): Result {
  return { taskId: id, createdAt: createdAt.toISOString(), lastUpdatedAt: lastUpdatedAt.toISOString() };
}
