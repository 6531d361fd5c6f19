import type { FastifyRequest, FastifyReply } from 'fastify';
import type { Access } from '../access/access.ts';
import { bearerChallenge, needsChallenge } from '../access/oauth/resource-metadata.ts';
import { type MaybePromise, mapMaybePromise } from '../access/maybe-promise.ts';
import { formatSuggestion } from '../engine/input/did-you-mean.ts';
import { ApiError, toApiError } from '../errors.ts';
import { countUnchargedRefusal } from './refused-requests.ts';
import { setCurrentQuotaHeaders } from './quota-headers.ts';
import { logInternalError } from './log-internal-error.ts';
import type { KnownPaths } from './known-paths.ts';

/** Sends an error in the format of the error registry, never with a stack or a file path; logs internal errors. */
export function sendError(
  access: Access,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): MaybePromise<FastifyReply> {
  const error = thrown instanceof ApiError ? thrown : fromFrameworkError(thrown);
  if (error.code === 'internal_error') logInternalError(request, thrown);
  if (error.retryAfterSeconds !== null) reply.header('retry-after', String(error.retryAfterSeconds));
  if (error.code === 'rate_limit_exceeded') reply.header('ratelimit-reset', String(error.retryAfterSeconds));
  if (needsChallenge(error)) reply.header('www-authenticate', bearerChallenge(access.oauth, error, ''));
  return mapMaybePromise(setCurrentQuotaHeaders(access, request, reply), () => {
    countUnchargedRefusal(access, request, reply, error.status);
    return reply
      .header('x-request-id', request.id)
      .header('content-type', 'application/json; charset=utf-8')
      .code(error.status)
      .send(JSON.stringify(error.toBody(request.id)));
  });
}

/** 404 for an unknown path, with the nearest known one; 405 with an `Allow` header for a method that the path does not support. */
export function pathError(knownPaths: KnownPaths, { url, method }: FastifyRequest, reply: FastifyReply): ApiError {
  const methods = knownPaths.methodsOf(url);
  if (methods.length === 0) {
    const hint = formatSuggestion(knownPaths.nearestTemplate(url));
    return new ApiError('not_found', `There is no such path.${hint} /docs lists all of them.`);
  }
  reply.header('allow', methods.join(', '));
  return new ApiError('method_not_allowed', `This path takes ${methods.join(' and ')}, not ${method}.`);
}

/** Errors that Fastify raises itself, as errors of the registry. */
export function fromFrameworkError(thrown: unknown): ApiError {
  const { code, statusCode } = thrown as { code?: string; statusCode?: number };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new ApiError('body_too_large', 'The body is over 1 MiB.');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new ApiError('unsupported_media_type', 'Bodies are application/json.');
  if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_MAX_PARAM_LENGTH' || statusCode === 414) {
    return new ApiError('invalid_argument', 'The path is too long or not valid percent-encoded UTF-8.');
  }
  if (statusCode === 400) return new ApiError('invalid_argument', 'The request cannot be read.');
  return toApiError(thrown);
}
