import { type ErrorCode, ApiError } from '../errors.ts';
import type { Operation } from '../engine/operation.ts';
import type { Caller, CallerAuthenticator, IncomingRequest, Tier } from './caller.ts';
import type { Counters, ConsumeResult } from './counters.ts';
import { mapMaybePromise, type MaybePromise } from './maybe-promise.ts';
import { toQuota, quotaExceededError, type QuotaStatus, QUOTA_WINDOW_SECONDS } from './quota-status.ts';

type Input = Record<string, unknown>;

/** Tokens an hour; 0 = unlimited. */
export type TierLimits = Readonly<Record<Tier, number>>;

/** What the gate says to a call. */
export interface Admission {
  readonly quotaStatus: QuotaStatus;
  /** Why the call does not run; null where it does. */
  readonly error: ApiError | null;
  /** The input to run with: of a bulk call, the items that the quota reached. */
  readonly input: Input;
  /** Items of a bulk call that the quota did not reach, each once, in order. */
  readonly skipped: readonly string[];
  /** When the window that the tokens were taken from ends, in milliseconds of the gate's clock; null where none were taken. */
  readonly windowEndsAtMs: number | null;
}

const NO_ITEMS: readonly string[] = [];
const NOT_CHARGED = { skipped: NO_ITEMS, windowEndsAtMs: null };
/** Outcomes that cost nothing: the call turned out not to be valid, its target is throttled, or it could not be done in time. */
const UNCHARGED_ERROR_CODES: ReadonlySet<ErrorCode> = new Set([
  'invalid_argument',
  'invalid_api_key',
  'expired_api_key',
  'api_key_required',
  'validation_error',
  'body_too_large',
  'target_throttled',
  'not_ready',
  'upstream_timeout',
]);
/** Windows are told to the second, rounded up: in the last one it is not certain that the window is still the same. */
const RESET_ROUNDING_MS = 1000;

/** Where every surface that knows callers asks: who is it, may it run, what is left. Over embedded counters it answers at once. */
export class AdmissionController {
  readonly #authenticator: CallerAuthenticator;
  readonly #counters: Counters;
  readonly #limits: TierLimits;
  readonly #onQuotaRefusal: (tier: Tier) => void;
  readonly #nowMs: () => number;

  /** `onRefused` is told of every call that the quota did not reach; `elapsed`: milliseconds of a clock that goes on. */
  constructor(of: {
    authenticator: CallerAuthenticator;
    counters: Counters;
    limits: TierLimits;
    onQuotaRefusal?: (tier: Tier) => void;
    nowMs?: () => number;
  }) {
    this.#authenticator = of.authenticator;
    this.#counters = of.counters;
    this.#limits = of.limits;
    this.#onQuotaRefusal = of.onQuotaRefusal ?? (() => {});
    this.#nowMs = of.nowMs ?? (() => performance.now());
  }

  /** Throws `ApiError` 401 for a key that is none, or no longer. */
  authenticate(request: IncomingRequest): MaybePromise<Caller> {
    return this.#authenticator.authenticate(request);
  }

  /** The caller by address, whatever key came with the request. */
  identifyByAddress(request: IncomingRequest): Caller {
    return this.#authenticator.identifyByAddress(request);
  }

  /** The quota as it stands, for a response that cost nothing. */
  currentQuota(caller: Caller): MaybePromise<QuotaStatus> {
    const limit = this.#limitOf(caller);
    if (limit === 0) return unlimitedStatus(caller, 0);
    return mapMaybePromise(this.#counters.peek(caller.quotaWindowName, quotaWindow(limit)), (taken) =>
      toQuotaStatus(caller, limit, taken, 0),
    );
  }

  /** Takes note of a call that the quota does not reach; gives its refusal back. */
  recordQuotaRefusal(caller: Caller, refusal: ApiError): ApiError {
    this.#onQuotaRefusal(caller.tier);
    return refusal;
  }

  /** Charges a call whose input is valid, before the work. A bulk call that the quota reaches in part is cut to that part. */
  admit(caller: Caller, operation: Operation, input: Input): MaybePromise<Admission> {
    if (operation.personal === 'pro' && caller.key === null) {
      const refusal = new ApiError('api_key_required', 'This needs a Pro key, sent as "Authorization: Bearer <key>".');
      return mapMaybePromise(this.currentQuota(caller), (quotaStatus) => ({
        quotaStatus,
        error: refusal,
        input,
        ...NOT_CHARGED,
      }));
    }
    const items = operation.bulk === undefined ? null : indexesByItem(operation.bulk, input);
    const price = items?.size ?? (typeof operation.cost === 'number' ? operation.cost : operation.cost(input));
    if (price === 0)
      return mapMaybePromise(this.currentQuota(caller), (quotaStatus) => ({
        quotaStatus,
        error: null,
        input,
        ...NOT_CHARGED,
      }));
    const limit = this.#limitOf(caller);
    if (limit === 0) return { quotaStatus: unlimitedStatus(caller, price), error: null, input, ...NOT_CHARGED };
    const taken = this.#counters.consume(caller.quotaWindowName, {
      ...quotaWindow(limit),
      amount: price,
      allOrNothing: items === null,
    });
    return mapMaybePromise(taken, (taken) => {
      const quotaStatus = toQuotaStatus(caller, limit, taken, taken.granted);
      if (taken.granted === 0) {
        const refusal = this.recordQuotaRefusal(caller, quotaExceededError(price, toQuota(taken, limit), caller.tier));
        return { quotaStatus, error: refusal, input, ...NOT_CHARGED };
      }
      const windowEndsAtMs = this.#nowMs() + taken.resetSeconds * 1000;
      if (items === null || taken.granted === items.size)
        return { quotaStatus, error: null, input, skipped: NO_ITEMS, windowEndsAtMs };
      return {
        quotaStatus,
        error: null,
        ...cutToFirstItems(items, taken.granted, operation.bulk!.listField, input),
        windowEndsAtMs,
      };
    });
  }

  /**
   * After work that threw: a call that costs nothing by its outcome gets its tokens back, while the window is open that they were
   * taken from. Gives the rate to answer with, null where it stays as it was.
   */
  refundAfterError(
    caller: Caller,
    { quotaStatus, windowEndsAtMs }: Admission,
    thrown: unknown,
  ): MaybePromise<QuotaStatus | null> {
    if (quotaStatus.cost === 0 || !(thrown instanceof ApiError) || !UNCHARGED_ERROR_CODES.has(thrown.code)) return null;
    const limit = this.#limitOf(caller);
    if (limit === 0) return unlimitedStatus(caller, 0);
    if (windowEndsAtMs === null || this.#nowMs() >= windowEndsAtMs - RESET_ROUNDING_MS)
      return this.currentQuota(caller);
    return mapMaybePromise(
      this.#counters.refund(caller.quotaWindowName, quotaStatus.cost, quotaWindow(limit)),
      (taken) => toQuotaStatus(caller, limit, taken, 0),
    );
  }

  #limitOf({ tier, isUnlimited }: Caller): number {
    return isUnlimited === true ? 0 : this.#limits[tier];
  }
}

function quotaWindow(limit: number): { limit: number; windowSeconds: number } {
  return { limit, windowSeconds: QUOTA_WINDOW_SECONDS };
}

function toQuotaStatus({ tier }: Caller, limit: number, taken: ConsumeResult, cost: number): QuotaStatus {
  return { tier, cost, quota: toQuota(taken, limit) };
}

function unlimitedStatus({ tier }: Caller, cost: number): QuotaStatus {
  return { tier, cost, quota: null };
}

/** The items of a bulk call by their canonical form, in order, each with its places in the list. */
function indexesByItem({ listField, canonical }: NonNullable<Operation['bulk']>, input: Input): Map<string, number[]> {
  const items = new Map<string, number[]>();
  for (const [place, item] of (input[listField] as unknown[]).entries()) {
    const name = canonical(item);
    const places = items.get(name);
    if (places === undefined) items.set(name, [place]);
    else places.push(place);
  }
  return items;
}

/** The call cut to its first `count` different items, and the names of the others. */
function cutToFirstItems(
  items: ReadonlyMap<string, readonly number[]>,
  count: number,
  list: string,
  input: Input,
): Pick<Admission, 'input' | 'skipped'> {
  const reached = new Set([...items.values()].slice(0, count).flat());
  const all = input[list] as unknown[];
  return {
    input: { ...input, [list]: all.filter((_, place) => reached.has(place)) },
    skipped: [...items.keys()].slice(count),
  };
}
