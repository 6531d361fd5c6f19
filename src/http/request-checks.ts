import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { OriginCheck } from '../access/origin-policy.ts';
import { ApiError } from '../errors.ts';

/**
 * Headers of every answer (docs/decisions/009-requests-from-pages.md). Answers carry the caller's quota, so nobody keeps them;
 * what may be kept (the files of the reference page) says so itself.
 */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const;
const SECURITY_HEADER_ENTRIES = Object.entries(SECURITY_HEADERS);

/** The headers of every answer, and the checks that every request passes before anything is done for it. */
export function mountRequestChecks(app: FastifyInstance, originCheck: OriginCheck): void {
  app.addHook('onRequest', (request, reply, next) => {
    reply.header('x-request-id', request.id);
    for (const [name, value] of SECURITY_HEADER_ENTRIES) reply.header(name, value);
    const refusal = protocolError(request, reply) ?? originError(originCheck, request);
    if (refusal === null) next();
    else next(refusal);
  });
}

/** What HTTP itself does not allow, or this service does not support. */
function protocolError({ raw, headers, method }: FastifyRequest, reply: FastifyReply): ApiError | null {
  const hosts = countHeader(raw.rawHeaders, 'host');
  if (hosts > 1) return new ApiError('invalid_argument', 'Several Host headers were sent; send one (RFC 9112, 3.2).');
  if (hosts === 0 && headers.host === undefined && raw.httpVersion === '1.1') {
    return new ApiError('invalid_argument', 'The Host header is missing (RFC 9112, 3.2).');
  }
  const { expect } = headers;
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    return new ApiError('expectation_failed', 'Of the Expect header only 100-continue is supported.');
  }
  const contentEncoding = headers['content-encoding'];
  if (
    contentEncoding === undefined ||
    method === 'GET' ||
    method === 'HEAD' ||
    contentEncoding.toLowerCase() === 'identity'
  )
    return null;
  // Which codings of a request are taken: RFC 9110, 12.5.3.
  reply.header('accept-encoding', 'identity');
  return new ApiError('unsupported_media_type', 'Bodies are taken as they are: send them without Content-Encoding.');
}

/** MCP has a stricter rule of its own, and answers in its own form. */
function originError(check: OriginCheck, { headers, routeOptions: { url, config } }: FastifyRequest): ApiError | null {
  if (url === '/mcp') return null;
  const refusal = check(headers, config?.operation === undefined);
  return refusal === null ? null : new ApiError(refusal.code, refusal.message);
}

function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const header = rawHeaders[index]!;
    if (header.length === name.length && header.toLowerCase() === name) count++;
  }
  return count;
}
