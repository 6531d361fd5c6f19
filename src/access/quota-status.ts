import { ApiError } from '../errors.ts';
import type { Tier } from './caller.ts';
import type { ConsumeResult } from './counters.ts';

/** Length of the quota window, which opens with the first charged request. */
export const QUOTA_WINDOW_SECONDS = 3600;

/** The caller's quota as a response reports it. */
export interface QuotaStatus {
  readonly tier: Tier;
  /** Tokens that this request cost. */
  readonly cost: number;
  /** Null where the tier has no limit. */
  readonly quota: Quota | null;
}

/** Tokens an hour. */
export interface Quota {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

export function toQuota({ remaining, resetSeconds }: ConsumeResult, limit: number): Quota {
  return { limit, remaining, resetSeconds };
}

/** Quota headers that pages of other origins may read (CORS). */
export const RATE_LIMIT_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Cost',
  'X-RateLimit-Tier',
  'RateLimit-Reset',
] as const;

/** Sets the quota headers. Without a limit no numbers are sent: `Limit: 0` would mean that nothing is left. */
export function setRateLimitHeaders(
  { tier, cost, quota }: QuotaStatus,
  set: (name: string, value: string) => void,
): void {
  if (quota !== null) {
    set('x-ratelimit-limit', String(quota.limit));
    set('x-ratelimit-remaining', String(quota.remaining));
    set('x-ratelimit-reset', String(quota.resetSeconds));
  }
  set('x-ratelimit-cost', String(cost));
  set('x-ratelimit-tier', tier);
}

/** `ApiError` 429 for a call that costs more than is left. */
export function quotaExceededError(price: number, { limit, remaining, resetSeconds }: Quota, tier: Tier): ApiError {
  const left =
    remaining === 0
      ? `All ${limit} tokens of this hour are used`
      : `This call costs ${price} tokens, and ${remaining} of ${limit} are left`;
  const more = tier === 'keyless' ? ' A Pro key has more.' : '';
  return new ApiError('rate_limit_exceeded', `${left}. The quota is free again in ${resetSeconds} seconds.${more}`, {
    retryAfterSeconds: resetSeconds,
  });
}
