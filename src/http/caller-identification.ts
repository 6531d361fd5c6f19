import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Access } from '../access/access.ts';
import type { Caller } from '../access/caller.ts';
import { readKeyCookie } from '../access/key-cookie.ts';
import type { MaybePromise } from '../access/maybe-promise.ts';
import { ApiError } from '../errors.ts';
import type { Operation } from '../engine/operation.ts';
import { isApiRequest } from './api-request.ts';
import { mcpCredentialsError } from './mcp-credentials.ts';
import type { PageRoute } from './page-request-handler.ts';
import { countRefusedRequest } from './refused-requests.ts';
import { requestOrigin } from './request-origin.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The identified caller; null outside /v1 and pages, and when the key was rejected; at /mcp only with an authorization server. */
    caller: Caller | null;
    /** Why the key in the cookie of somebody who had signed in to the pages is not valid; else null. */
    signOutReason: ApiError | null;
  }
  interface FastifyContextConfig {
    operation?: Operation;
    page?: PageRoute;
  }
}

/**
 * Identifies the caller of each API request, and of each request for a page, before its body is read. Addresses with too many refused requests get an error here,
 * also at /mcp.
 */
export function mountCallerIdentification(app: FastifyInstance, access: Access): void {
  app.decorateRequest('caller', null);
  app.decorateRequest('signOutReason', null);
  app.addHook('onRequest', (request, _reply, next) => {
    const route = request.routeOptions;
    const isMcp = route.url === '/mcp';
    if (!isMcp && route.config?.page === undefined && !isApiRequest(request, route)) return next();
    const limitError = refusedRequestsError(access, request.raw);
    if (limitError !== null) return next(limitError);
    if (isMcp) {
      // Without an authorization server, a wrong key is the error of a call. A preflight of a browser has no credentials.
      if (access.oauth === null || request.method === 'OPTIONS') return next();
      const credentialsError = mcpCredentialsError(access.oauth, request.raw);
      if (credentialsError !== null) return next(credentialsError);
    }
    const setCaller = (caller: Caller): void => {
      request.caller = caller;
      next();
    };
    try {
      const caller =
        route.config?.page === undefined ? access.admission.authenticate(request.raw) : identifyReader(access, request);
      if (caller instanceof Promise) caller.then(setCaller, next);
      else setCaller(caller);
    } catch (error) {
      next(error as Error);
    }
  });
}

/** The caller of a page: by a key in the headers, by that in the cookie of who signed in, or else by address. */
function identifyReader(access: Access, request: FastifyRequest): MaybePromise<Caller> {
  const { admission } = access;
  const { headers, raw } = request;
  const hasKeyHeader = headers.authorization !== undefined || headers['x-api-key'] !== undefined;
  const key = hasKeyHeader ? null : readKeyCookie(headers, requestOrigin(headers));
  if (key === null) return admission.authenticate(raw);
  // A cookie is sent again and again: the reader goes on without the key, and is told.
  const withoutKey = (error: unknown): Caller => {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    request.signOutReason = error;
    countRefusedRequest(access, request);
    return admission.identifyByAddress(raw);
  };
  try {
    const caller = admission.authenticateKey(key, raw);
    return caller instanceof Promise ? caller.catch(withoutKey) : caller;
  } catch (error) {
    return withoutKey(error);
  }
}

/** The error of a request whose address has too many refused requests; else null. */
export function refusedRequestsError(
  { admission, refusedRequests }: Pick<Access, 'admission' | 'refusedRequests'>,
  request: IncomingMessage,
): ApiError | null {
  if (!refusedRequests.hasRecords) return null;
  const { addressPseudonym, isUnlimited } = admission.identifyByAddress(request);
  return isUnlimited ? null : refusedRequests.limitErrorFor(addressPseudonym);
}

/** True for requests with Do Not Track or Global Privacy Control. */
export function hasOptedOutOfTracking(headers: IncomingHttpHeaders): boolean {
  return headers.dnt === '1' || headers['sec-gpc'] === '1';
}
