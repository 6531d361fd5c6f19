import type { FastifyBaseLogger } from 'fastify';
import type { ToolCallOutcome } from '../engine/tool-call-context.ts';

/** A request that was answered. */
export interface AnsweredRequest {
  id: string;
  method: string | undefined;
  /** The path template; `unknown` if no route matched. */
  route: string;
  status: number;
  milliseconds: number;
}

/** One line for each request: the path template, but no address, query or target. */
export function logRequest(
  log: Pick<FastifyBaseLogger, 'info'>,
  { id, method, route, status, milliseconds }: AnsweredRequest,
): void {
  log.info({ request_id: id, method, route, status, ms: Math.round(milliseconds * 10) / 10 });
}

/** One line for each tool call: the name of the tool, but no input and no target. */
export function logToolCall(
  log: Pick<FastifyBaseLogger, 'info'>,
  { id, tool, outcome, milliseconds }: { id: string; tool: string; outcome: ToolCallOutcome; milliseconds: number },
): void {
  log.info({ request_id: id, tool, outcome, ms: Math.round(milliseconds * 10) / 10 });
}
