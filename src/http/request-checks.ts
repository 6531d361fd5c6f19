import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { countHeader } from '../access/caller.ts';
import type { OriginCheck } from '../access/origin-policy.ts';
import { ApiError } from '../errors.ts';

/**
 * Headers of every response (docs/decisions/009-requests-from-pages.md). Responses show the caller's quota, so they must not be
 * cached; routes whose response may be cached (files of the reference page) replace the header.
 */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const;
const SECURITY_HEADER_ENTRIES = Object.entries(SECURITY_HEADERS);

/** Sets the headers of every response, and checks protocol and origin of every request before other hooks run. */
export function mountRequestChecks(app: FastifyInstance, originCheck: OriginCheck): void {
  app.addHook('onRequest', (request, reply, next) => {
    reply.header('x-request-id', request.id);
    for (const [name, value] of SECURITY_HEADER_ENTRIES) reply.header(name, value);
    const refusal = protocolError(request, reply) ?? originError(originCheck, request);
    if (refusal === null) next();
    else next(refusal);
  });
}

/** Requests that HTTP does not allow or that this service does not support. */
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
  const contentEncoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (contentEncoding === 'identity' || method === 'GET' || method === 'HEAD') return null;
  // RFC 9110, 12.5.3: in a response, it names the codings accepted in requests.
  reply.header('accept-encoding', 'identity');
  return new ApiError('unsupported_media_type', 'Bodies are taken as they are: send them without Content-Encoding.');
}

/** Not for /mcp: its endpoint has a stricter check, and another error format. */
function originError(check: OriginCheck, { headers, routeOptions: { url, config } }: FastifyRequest): ApiError | null {
  if (url === '/mcp') return null;
  const refusal = check(headers, config?.operation === undefined);
  return refusal === null ? null : new ApiError(refusal.code, refusal.message);
}
