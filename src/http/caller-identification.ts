import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Access } from '../access/access.ts';
import type { Caller } from '../access/caller.ts';
import type { ApiError } from '../errors.ts';
import type { Operation } from '../engine/operation.ts';
import type { PageRoute } from './page-request-handler.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The identified caller; null outside /v1 and pages, and when the key was rejected. */
    caller: Caller | null;
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
  app.addHook('onRequest', (request, _reply, next) => {
    const route = request.routeOptions;
    const isMcp = route.url === '/mcp';
    if (!isMcp && route.config?.page === undefined && !isApiRequest(request, route)) return next();
    const limitError = refusedRequestsError(access, request.raw);
    if (limitError !== null) return next(limitError);
    if (isMcp) return next();
    const setCaller = (caller: Caller): void => {
      request.caller = caller;
      next();
    };
    try {
      const caller = access.admission.authenticate(request.raw);
      if (caller instanceof Promise) caller.then(setCaller, next);
      else setCaller(caller);
    } catch (error) {
      next(error as Error);
    }
  });
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

/** True for a request to an operation: by the matched route, because a route has several spellings, or by a raw path below `/v1`. */
export function isApiRequest(request: FastifyRequest, route = request.routeOptions): boolean {
  return route?.config?.operation !== undefined || /^\/v1(?:[/?]|$)/.test(request.url);
}

/** True for requests with Do Not Track or Global Privacy Control. */
export function hasOptedOutOfTracking(headers: IncomingHttpHeaders): boolean {
  return headers.dnt === '1' || headers['sec-gpc'] === '1';
}
