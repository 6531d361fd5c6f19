import type { MessagePort } from 'node:worker_threads';
import { ApiError, type ApiErrorOptions, type ErrorCode } from '../errors.ts';
import type { TaskLoaders } from './tasks.ts';

/** Message to a thread, which gets one at a time. */
export interface TaskRequest {
  task: string;
  input: unknown;
}

/** Message from a thread. An `ApiError` is sent as fields, because a cloned error loses its class. */
export type TaskReply = { output: unknown } | { error: Error } | { apiError: ApiErrorFields };

interface ApiErrorFields extends ApiErrorOptions {
  code: ErrorCode;
  baseMessage: string;
}

/** In a thread: executes each request that comes. */
export function serveTasks(port: MessagePort, tasks: TaskLoaders): void {
  port.on('message', (request: TaskRequest) => void handleRequest(port, tasks, request));
}

/** The output of a task; throws its error. */
export function unwrapReply(reply: TaskReply): unknown {
  if ('output' in reply) return reply.output;
  if ('error' in reply) throw reply.error;
  const { code, baseMessage, ...options } = reply.apiError;
  throw new ApiError(code, baseMessage, options);
}

async function handleRequest(port: MessagePort, tasks: TaskLoaders, { task, input }: TaskRequest): Promise<void> {
  try {
    const load = tasks[task];
    if (load === undefined) throw new Error(`there is no task ${task}`);
    const run = (await load()) as (given: unknown) => unknown;
    const reply: TaskReply = { output: await run(input) };
    // Throws where the output cannot be cloned.
    port.postMessage(reply);
  } catch (error) {
    port.postMessage(toErrorReply(error));
  }
}

function toErrorReply(error: unknown): TaskReply {
  if (!(error instanceof ApiError)) return { error: error instanceof Error ? error : new Error(String(error)) };
  const { code, baseMessage, issues, retryAfterSeconds, operationHint } = error;
  return { apiError: { code, baseMessage, issues, retryAfterSeconds, operationHint } };
}
