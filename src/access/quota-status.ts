import { ApiError } from '../errors.ts';
import type { Tier } from './caller.ts';
import type { ConsumeResult } from './counters.ts';

/** Seconds from the first charged request until all is free again. */
export const QUOTA_WINDOW_SECONDS = 3600;

/** What a response says of its caller's quota. */
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

/** Headers that tell the quota; a page of another origin may read them. */
export const RATE_LIMIT_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Cost',
  'X-RateLimit-Tier',
  'RateLimit-Reset',
] as const;

/** Sets the headers of a rate. Without a limit there is no number to tell: `Limit: 0` would read as "nothing is left". */
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

/** The refusal of a call that costs more than what is left. */
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
