import type { FastifyRequest } from 'fastify';
import { wordless } from '../redact-error.ts';

/** A fault of ours, with its stack, under the request id that the caller was given. */
export function logFault(request: FastifyRequest, error: unknown): void {
  request.log.error({ err: wordless(error), request_id: request.id }, 'internal error');
}
