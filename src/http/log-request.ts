import type { FastifyBaseLogger } from 'fastify';

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
