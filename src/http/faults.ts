import type { FastifyRequest } from 'fastify';

/** A fault of ours, with its stack, under the request id that the caller was given. */
export function logFault(request: FastifyRequest, error: unknown): void {
  request.log.error({ err: error, request_id: request.id }, 'internal error');
}
