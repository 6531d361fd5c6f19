import type { FastifyRequest } from 'fastify';
import { redactError } from '../redact-error.ts';

/** Logs an unexpected error with its stack, under the request id that the caller was given. */
export function logInternalError(request: FastifyRequest, error: unknown): void {
  request.log.error({ err: redactError(error), request_id: request.id }, 'internal error');
}
