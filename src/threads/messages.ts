import { type ErrorCode, Refusal } from '../errors.ts';

/** What a thread is asked. It is given one question at a time. */
export interface Question {
  task: string;
  input: unknown;
}

/** What it answers. A refusal travels by its parts: copied between threads, an error loses its class. */
export type Reply = { output: unknown } | { refusal: { code: ErrorCode; message: string } } | { error: Error };

export function asReply(error: unknown): Reply {
  if (error instanceof Refusal) return { refusal: { code: error.code, message: error.message } };
  return { error: error instanceof Error ? error : new Error(String(error)) };
}

/** The output, or the task's error thrown. */
export function outputOf(reply: Reply): unknown {
  if ('output' in reply) return reply.output;
  throw 'refusal' in reply ? new Refusal(reply.refusal.code, reply.refusal.message) : reply.error;
}
