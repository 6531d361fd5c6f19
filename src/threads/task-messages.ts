import { type ErrorCode, ApiError } from '../errors.ts';

/** What a thread is asked. It is given one question at a time. */
export interface TaskRequest {
  task: string;
  input: unknown;
}

/** What it answers. A refusal travels by its parts: copied between threads, an error loses its class. */
export type TaskReply = { output: unknown } | { refusal: { code: ErrorCode; message: string } } | { error: Error };

export function toErrorReply(error: unknown): TaskReply {
  if (error instanceof ApiError) return { refusal: { code: error.code, message: error.message } };
  return { error: error instanceof Error ? error : new Error(String(error)) };
}

/** The output, or the task's error thrown. */
export function unwrapReply(reply: TaskReply): unknown {
  if ('output' in reply) return reply.output;
  throw 'refusal' in reply ? new ApiError(reply.refusal.code, reply.refusal.message) : reply.error;
}
