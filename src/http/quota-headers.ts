import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../access/access.ts';
import { mapMaybePromise, type MaybePromise } from '../access/maybe-promise.ts';
import { type QuotaStatus, setRateLimitHeaders } from '../access/quota-status.ts';
import { isApiRequest } from './api-request.ts';

/** Adds the current quota to API responses that cost nothing and therefore have no quota headers yet. */
export function setCurrentQuotaHeaders(
  { admission }: Access,
  request: FastifyRequest,
  reply: FastifyReply,
): MaybePromise<void> {
  if (!isApiRequest(request) || reply.hasHeader('x-ratelimit-tier')) return;
  // If the counters cannot be read, the response goes out without these headers.
  try {
    const pending = mapMaybePromise(
      admission.currentQuota(request.caller ?? admission.identifyByAddress(request.raw)),
      (quota) => setQuotaHeaders(reply, quota),
    );
    return pending instanceof Promise ? pending.catch(() => {}) : pending;
  } catch {}
}

/** Sets the quota headers of a response. */
export function setQuotaHeaders(reply: FastifyReply, quota: QuotaStatus): void {
  setRateLimitHeaders(quota, (name, value) => {
    reply.header(name, value);
  });
}
