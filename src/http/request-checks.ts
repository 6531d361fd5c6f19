import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { countHeader } from '../access/caller.ts';
import { RESOURCE_METADATA_PATH } from '../access/oauth/resource-metadata.ts';
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

/**
 * Sets the headers of every response, and checks protocol and origin of every request before other hooks run. `allowsMcpOrigin`: pages that
 * may use MCP read where its authorization server is.
 */
export function mountRequestChecks(
  app: FastifyInstance,
  originCheck: OriginCheck,
  allowsMcpOrigin: (origin: string) => boolean,
): void {
  const metadataError = (request: IncomingMessage): ApiError | null => {
    const error = originError(originCheck, request, true);
    const { origin } = request.headers;
    return error?.code === 'origin_not_allowed' && origin !== undefined && allowsMcpOrigin(origin) ? null : error;
  };
  app.addHook('onRequest', (request, reply, next) => {
    reply.header('x-request-id', request.id);
    for (const [name, value] of SECURITY_HEADER_ENTRIES) reply.header(name, value);
    const { url, config } = request.routeOptions;
    const isMetadata = url?.startsWith(RESOURCE_METADATA_PATH) === true;
    const refusal =
      protocolError(request.raw) ??
      // The endpoint of MCP has a stricter check, and another error format.
      (url === '/mcp'
        ? null
        : isMetadata
          ? metadataError(request.raw)
          : originError(originCheck, request.raw, config?.operation === undefined));
    // RFC 9110, 12.5.3: in a response, it names the codings accepted in requests.
    if (refusal?.code === 'unsupported_media_type') reply.header('accept-encoding', 'identity');
    if (refusal === null) next();
    else next(refusal);
  });
}

/** The error of a request that HTTP does not allow or that this service does not support; else null. */
export function protocolError({ headers, method, httpVersion, rawHeaders }: IncomingMessage): ApiError | null {
  const hosts = countHeader(rawHeaders, 'host');
  if (hosts > 1) return new ApiError('invalid_argument', 'Several Host headers were sent; send one (RFC 9112, 3.2).');
  if (hosts === 0 && headers.host === undefined && httpVersion === '1.1') {
    return new ApiError('invalid_argument', 'The Host header is missing (RFC 9112, 3.2).');
  }
  const { expect } = headers;
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    return new ApiError('expectation_failed', 'Of the Expect header only 100-continue is supported.');
  }
  const contentEncoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (contentEncoding === 'identity' || method === 'GET' || method === 'HEAD') return null;
  return new ApiError('unsupported_media_type', 'Bodies are taken as they are: send them without Content-Encoding.');
}

/** The error of a request whose host or origin is refused; else null. `isPage`: as in `OriginCheck`. */
export function originError(check: OriginCheck, { headers }: IncomingMessage, isPage: boolean): ApiError | null {
  const refusal = check(headers, isPage);
  return refusal === null ? null : new ApiError(refusal.code, refusal.message);
}
