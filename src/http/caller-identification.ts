import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../access/access.ts';
import type { Caller } from '../access/caller.ts';
import { mapMaybePromise, type MaybePromise } from '../access/maybe-promise.ts';
import { type QuotaStatus, setRateLimitHeaders } from '../access/quota-status.ts';
import type { Operation } from '../engine/operation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; null outside of the API, and where the key was refused. */
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    operation?: Operation;
  }
}

/** Identifies the caller of every request to the API before its body is read. */
export function mountCallerIdentification(app: FastifyInstance, { admission, refusedRequests }: Access): void {
  app.decorateRequest('caller', null);
  app.addHook('onRequest', (request, _reply, next) => {
    const route = request.routeOptions;
    const isMcp = route.url === '/mcp';
    if (!isMcp && !isApiRequest(request, route)) return next();
    if (refusedRequests.hasRecords) {
      const { addressPseudonym, isUnlimited } = admission.identifyByAddress(request.raw);
      const refusal = isUnlimited ? null : refusedRequests.limitErrorFor(addressPseudonym);
      if (refusal !== null) return next(refusal);
    }
    if (isMcp) return next();
    const known = (caller: Caller): void => {
      request.caller = caller;
      next();
    };
    try {
      const found = admission.authenticate(request.raw);
      if (found instanceof Promise) found.then(known, next);
      else known(found);
    } catch (refusal) {
      next(refusal as Error);
    }
  });
}

/** The quota as it stands, on responses of the API that say nothing of it yet: they cost nothing. */
export function setCurrentQuotaHeaders(
  { admission }: Access,
  request: FastifyRequest,
  reply: FastifyReply,
): MaybePromise<void> {
  if (!isApiRequest(request) || reply.hasHeader('x-ratelimit-tier')) return;
  // Counters that are away are no reason to withhold an answer.
  try {
    const told = mapMaybePromise(
      admission.currentQuota(request.caller ?? admission.identifyByAddress(request.raw)),
      (rate) => setReplyRateHeaders(reply, rate),
    );
    return told instanceof Promise ? told.catch(() => {}) : told;
  } catch {}
}

/** Counts a request that is refused and costs nothing: of those an address has so many in a minute. */
export function countUnchargedRefusal(
  access: Access,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
): void {
  if (status >= 500 || !isApiRequest(request) || Number(reply.getHeader('x-ratelimit-cost') ?? 0) > 0) return;
  countRefusedRequest(access, request);
}

export function countRefusedRequest({ admission, refusedRequests }: Access, request: FastifyRequest): void {
  const { addressPseudonym, isUnlimited } = admission.identifyByAddress(request.raw);
  if (!isUnlimited) refusedRequests.record(addressPseudonym);
}

export function setReplyRateHeaders(reply: FastifyReply, rate: QuotaStatus): void {
  setRateLimitHeaders(rate, (name, value) => {
    reply.header(name, value);
  });
}

/** By the route, which a path may name in several ways; where there is none, by the path as it came. */
function isApiRequest(request: FastifyRequest, route = request.routeOptions): boolean {
  return route?.config?.operation !== undefined || /^\/v1(?:[/?]|$)/.test(request.url);
}

/** Do Not Track, Global Privacy Control. */
export function hasOptedOutOfTracking(headers: FastifyRequest['headers']): boolean {
  return headers.dnt === '1' || headers['sec-gpc'] === '1';
}
