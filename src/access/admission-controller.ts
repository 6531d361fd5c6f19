import { type ErrorCode, ApiError } from '../errors.ts';
import type { Operation, OperationInput } from '../engine/operation.ts';
import type { Caller, CallerAuthenticator, IncomingRequest, Tier } from './caller.ts';
import type { Counters, CounterWindow, ConsumeResult } from './counters.ts';
import { mapMaybePromise, type MaybePromise } from './maybe-promise.ts';
import { type Quota, quotaExceededError, type QuotaStatus, toQuota, QUOTA_WINDOW_SECONDS } from './quota-status.ts';

/** Tokens an hour; 0 = unlimited. `accessToken`: of a subject of access tokens; default: as for a key. */
export type TierLimits = Readonly<Record<Tier, number>> & { readonly accessToken?: number };

/** The decision on a call, before its work. */
export interface Admission {
  readonly quotaStatus: QuotaStatus;
  /** Null where the call may run. */
  readonly error: ApiError | null;
  /** The input to run with; of a bulk call, only the items that the quota covers. */
  readonly input: OperationInput;
  /** Items of a bulk call that the quota does not cover, each once, in order. */
  readonly skipped: readonly string[];
  /** End of the window that the tokens were taken from, on the clock `nowMs`; null where none were taken. */
  readonly windowEndsAtMs: number | null;
}

const NOT_CHARGED = { skipped: [], windowEndsAtMs: null };
/** Errors that cost nothing: the call was not valid, its target is throttled, or it could not be done in time. */
const UNCHARGED_ERROR_CODES: ReadonlySet<ErrorCode> = new Set([
  'invalid_argument',
  'invalid_api_key',
  'expired_api_key',
  'invalid_access_token',
  'insufficient_scope',
  'api_key_required',
  'validation_error',
  'body_too_large',
  'target_throttled',
  'not_ready',
  'upstream_timeout',
]);
/** `resetSeconds` is rounded up: in the last second the window may already be another one. */
const RESET_ROUNDING_MS = 1000;

interface AdmissionControllerDeps {
  authenticator: CallerAuthenticator;
  counters: Counters;
  limits: TierLimits;
  /** Callers without a key or an access token are refused. Default: false. */
  requiresCredentials?: boolean;
  /** Called for every call that the quota does not cover. */
  onQuotaRefusal?: ((tier: Tier) => void) | undefined;
  /** Milliseconds; default: a monotonic clock. */
  nowMs?: () => number;
}

/** Identifies callers, admits and charges their calls, and reports their quota. Synchronous with embedded counters. */
export class AdmissionController {
  readonly #authenticator: CallerAuthenticator;
  readonly #counters: Counters;
  readonly #limits: TierLimits;
  readonly #requiresCredentials: boolean;
  readonly #onQuotaRefusal: (tier: Tier) => void;
  readonly #nowMs: () => number;

  constructor(deps: AdmissionControllerDeps) {
    this.#authenticator = deps.authenticator;
    this.#counters = deps.counters;
    this.#limits = deps.limits;
    this.#requiresCredentials = deps.requiresCredentials ?? false;
    this.#onQuotaRefusal = deps.onQuotaRefusal ?? (() => {});
    this.#nowMs = deps.nowMs ?? (() => performance.now());
  }

  /** Throws `ApiError` 401 for a key that is malformed, unknown, revoked or expired; for an access token as `AccessTokens` does. */
  authenticate(request: IncomingRequest): MaybePromise<Caller> {
    return this.#authenticator.authenticate(request);
  }

  /** The same for a key that came by another way than the request's headers. */
  authenticateKey(key: string, request: IncomingRequest): MaybePromise<Caller> {
    return this.#authenticator.authenticateKey(key, request);
  }

  /** The caller by address; a key in the request is ignored. */
  identifyByAddress(request: IncomingRequest): Caller {
    return this.#authenticator.identifyByAddress(request);
  }

  /** The quota now, for a response that cost nothing. */
  currentQuota(caller: Caller): MaybePromise<QuotaStatus> {
    const limit = this.#limitOf(caller);
    if (limit === 0) return unlimitedStatus(caller, 0);
    return mapMaybePromise(this.#counters.peek(caller.quotaWindowName, quotaWindow(limit)), (result) =>
      toQuotaStatus(caller, limit, result, 0),
    );
  }

  /** The error of a caller who must have a key or an access token for this operation, and has none; else null. */
  credentialsError({ tier, isUnlimited }: Caller, { personal }: Operation): ApiError | null {
    if (tier === 'pro' || (personal === 'owner' && isUnlimited)) return null;
    if (personal === 'pro') {
      return new ApiError('api_key_required', 'This needs a Pro key, sent as "Authorization: Bearer <key>".');
    }
    if (personal === 'owner') {
      const message =
        'Watches belong to a key: send it as "Authorization: Bearer <key>". An installation for one person, which listens on loopback, does not ask for a key.';
      return new ApiError('api_key_required', message);
    }
    // What is stored about a caller is told to every caller.
    if (!this.#requiresCredentials || personal === 'anyone') return null;
    const message =
      'This installation answers nobody without an access token or an API key, sent as "Authorization: Bearer <token>".';
    return new ApiError('api_key_required', message);
  }

  /** The error of a call that costs more than the quota has left; counts it in the metrics. */
  refuseForQuota({ tier }: Caller, price: number, quota: Quota): ApiError {
    this.#onQuotaRefusal(tier);
    return quotaExceededError(price, quota, tier);
  }

  /** Charges a call whose input is valid, before the work. A bulk call is cut to the items that the quota covers. */
  admit(caller: Caller, operation: Operation, input: OperationInput): MaybePromise<Admission> {
    const credentialsError = this.credentialsError(caller, operation);
    if (credentialsError !== null) return this.#withoutCharge(caller, input, credentialsError);
    const items = operation.bulk === undefined ? null : indexesByItem(operation.bulk, input);
    const price = items?.size ?? priceOf(operation, input);
    if (price === 0) return this.#withoutCharge(caller, input, null);
    const limit = this.#limitOf(caller);
    if (limit === 0) return { quotaStatus: unlimitedStatus(caller, price), error: null, input, ...NOT_CHARGED };
    const request = { ...quotaWindow(limit), amount: price, allOrNothing: items === null };
    return mapMaybePromise(this.#counters.consume(caller.quotaWindowName, request), (taken) => {
      const quotaStatus = toQuotaStatus(caller, limit, taken, taken.granted);
      if (taken.granted === 0) {
        const error = this.refuseForQuota(caller, price, toQuota(taken, limit));
        return { quotaStatus, error, input, ...NOT_CHARGED };
      }
      const windowEndsAtMs = this.#nowMs() + taken.resetSeconds * 1000;
      if (items === null || taken.granted === items.size)
        return { quotaStatus, error: null, input, skipped: [], windowEndsAtMs };
      const cut = cutToFirstItems(items, taken.granted, operation.bulk!.listField, input);
      return { quotaStatus, error: null, ...cut, windowEndsAtMs };
    });
  }

  /** Gives back what a call was charged a moment ago. */
  cancelCharge(caller: Caller, quotaStatus: QuotaStatus): MaybePromise<QuotaStatus> {
    const { quota } = quotaStatus;
    const windowEndsAtMs = quota === null ? null : this.#nowMs() + quota.resetSeconds * 1000;
    return this.refund(caller, { quotaStatus, windowEndsAtMs });
  }

  /** Charges a call that is already answered. Null where the quota does not cover it, or credentials are missing: nothing was taken or counted then. */
  chargeAnswered(caller: Caller, price: number): MaybePromise<QuotaStatus | null> {
    if (this.#requiresCredentials && caller.tier !== 'pro') return null;
    if (price === 0) return this.currentQuota(caller);
    const limit = this.#limitOf(caller);
    if (limit === 0) return unlimitedStatus(caller, price);
    const request = { ...quotaWindow(limit), amount: price, allOrNothing: true };
    return mapMaybePromise(this.#counters.consume(caller.quotaWindowName, request), (taken) =>
      taken.granted === 0 ? null : toQuotaStatus(caller, limit, taken, taken.granted),
    );
  }

  /** Refunds the tokens of a call whose error costs nothing. Gives the quota to answer with; null where it did not change. */
  refundAfterError(
    caller: Caller,
    { quotaStatus, windowEndsAtMs }: Admission,
    thrown: unknown,
  ): MaybePromise<QuotaStatus | null> {
    if (quotaStatus.cost === 0 || !(thrown instanceof ApiError) || !UNCHARGED_ERROR_CODES.has(thrown.code)) return null;
    return this.refund(caller, { quotaStatus, windowEndsAtMs });
  }

  /** Refunds the tokens of a call, while the window is open that they were taken from. Gives the quota to answer with. */
  refund(
    caller: Caller,
    { quotaStatus, windowEndsAtMs }: Pick<Admission, 'quotaStatus' | 'windowEndsAtMs'>,
  ): MaybePromise<QuotaStatus> {
    const limit = this.#limitOf(caller);
    if (limit === 0) return unlimitedStatus(caller, 0);
    if (windowEndsAtMs === null || this.#nowMs() >= windowEndsAtMs - RESET_ROUNDING_MS)
      return this.currentQuota(caller);
    return mapMaybePromise(
      this.#counters.refund(caller.quotaWindowName, quotaStatus.cost, quotaWindow(limit)),
      (taken) => toQuotaStatus(caller, limit, taken, 0),
    );
  }

  #withoutCharge(caller: Caller, input: OperationInput, error: ApiError | null): MaybePromise<Admission> {
    return mapMaybePromise(this.currentQuota(caller), (quotaStatus) => ({ quotaStatus, error, input, ...NOT_CHARGED }));
  }

  #limitOf({ tier, isUnlimited, hasAccessToken }: Caller): number {
    if (isUnlimited) return 0;
    return (hasAccessToken ? this.#limits.accessToken : undefined) ?? this.#limits[tier];
  }
}

/** Tokens that a call costs that is not a bulk call. */
export function priceOf({ cost }: Operation, input: OperationInput): number {
  return typeof cost === 'number' ? cost : cost(input);
}

function quotaWindow(limit: number): CounterWindow {
  return { limit, windowSeconds: QUOTA_WINDOW_SECONDS };
}

function toQuotaStatus({ tier }: Caller, limit: number, taken: ConsumeResult, cost: number): QuotaStatus {
  return { tier, cost, quota: toQuota(taken, limit) };
}

function unlimitedStatus({ tier }: Caller, cost: number): QuotaStatus {
  return { tier, cost, quota: null };
}

/** The items of a bulk call by their canonical form, in order, each with its indexes in the list. */
function indexesByItem(
  { listField, canonical }: NonNullable<Operation['bulk']>,
  input: OperationInput,
): Map<string, number[]> {
  const list = input[listField] as unknown[];
  return Map.groupBy(list.keys(), (index) => canonical(list[index]));
}

/** The call cut to its first `count` different items, and the names of the others. */
function cutToFirstItems(
  items: ReadonlyMap<string, readonly number[]>,
  count: number,
  list: string,
  input: OperationInput,
): Pick<Admission, 'input' | 'skipped'> {
  const covered = new Set([...items.values()].slice(0, count).flat());
  const all = input[list] as unknown[];
  return {
    input: { ...input, [list]: all.filter((_, index) => covered.has(index)) },
    skipped: [...items.keys()].slice(count),
  };
}
