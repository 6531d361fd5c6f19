import { type ErrorCode, Refusal } from '../errors.ts';
import type { Operation } from '../engine/operation.ts';
import type { Caller, Callers, Request, Tier } from './caller.ts';
import type { Counters, Taken } from './counters.ts';
import { chain, type MaybePromise } from './maybe-promise.ts';
import { quotaOf, quotaUsedUp, type Rate, WINDOW_SECONDS } from './rate.ts';

type Input = Record<string, unknown>;

/** Tokens an hour; 0 = unlimited. */
export type Limits = Readonly<Record<Tier, number>>;

/** What the gate says to a call. */
export interface Admission {
  readonly rate: Rate;
  /** Why the call does not run; null where it does. */
  readonly refusal: Refusal | null;
  /** The input to run with: of a bulk call, the items that the quota reached. */
  readonly input: Input;
  /** Items of a bulk call that the quota did not reach, each once, in order. */
  readonly skipped: readonly string[];
  /** When the window that the tokens were taken from ends, in milliseconds of the gate's clock; null where none were taken. */
  readonly windowEnds: number | null;
}

const NONE: readonly string[] = [];
const UNCHARGED = { skipped: NONE, windowEnds: null };
/** Outcomes that cost nothing: the call turned out not to be valid, its target is throttled, or it could not be done in time. */
const FREE: ReadonlySet<ErrorCode> = new Set([
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
const ROUNDING_MS = 1000;

/** Where every surface that knows callers asks: who is it, may it run, what is left. Over embedded counters it answers at once. */
export class Gate {
  readonly #callers: Callers;
  readonly #counters: Counters;
  readonly #limits: Limits;
  readonly #onRefused: (tier: Tier) => void;
  readonly #elapsed: () => number;

  /** `onRefused` is told of every call that the quota did not reach; `elapsed`: milliseconds of a clock that goes on. */
  constructor(of: {
    callers: Callers;
    counters: Counters;
    limits: Limits;
    onRefused?: (tier: Tier) => void;
    elapsed?: () => number;
  }) {
    this.#callers = of.callers;
    this.#counters = of.counters;
    this.#limits = of.limits;
    this.#onRefused = of.onRefused ?? (() => {});
    this.#elapsed = of.elapsed ?? (() => performance.now());
  }

  /** Throws `Refusal` 401 for a key that is none, or no longer. */
  identify(request: Request): MaybePromise<Caller> {
    return this.#callers.identify(request);
  }

  /** The caller by address, whatever key came with the request. */
  keyless(request: Request): Caller {
    return this.#callers.keyless(request);
  }

  /** The quota as it stands, for a response that cost nothing. */
  standing(caller: Caller): MaybePromise<Rate> {
    const limit = this.#limitOf(caller);
    if (limit === 0) return unlimited(caller, 0);
    return chain(this.#counters.look(caller.window, window(limit)), (taken) => rateOf(caller, limit, taken, 0));
  }

  /** Takes note of a call that the quota does not reach; gives its refusal back. */
  refused(caller: Caller, refusal: Refusal): Refusal {
    this.#onRefused(caller.tier);
    return refusal;
  }

  /** Charges a call whose input is valid, before the work. A bulk call that the quota reaches in part is cut to that part. */
  admit(caller: Caller, operation: Operation, input: Input): MaybePromise<Admission> {
    if (operation.personal === 'pro' && caller.key === null) {
      const refusal = new Refusal('api_key_required', 'This needs a Pro key, sent as "Authorization: Bearer <key>".');
      return chain(this.standing(caller), (rate) => ({ rate, refusal, input, ...UNCHARGED }));
    }
    const items = operation.bulk === undefined ? null : itemsOf(operation.bulk, input);
    const price = items?.size ?? (typeof operation.cost === 'number' ? operation.cost : operation.cost(input));
    if (price === 0) return chain(this.standing(caller), (rate) => ({ rate, refusal: null, input, ...UNCHARGED }));
    const limit = this.#limitOf(caller);
    if (limit === 0) return { rate: unlimited(caller, price), refusal: null, input, ...UNCHARGED };
    const taken = this.#counters.take(caller.window, { ...window(limit), amount: price, whole: items === null });
    return chain(taken, (taken) => {
      const rate = rateOf(caller, limit, taken, taken.granted);
      if (taken.granted === 0) {
        const refusal = this.refused(caller, quotaUsedUp(price, quotaOf(taken, limit), caller.tier));
        return { rate, refusal, input, ...UNCHARGED };
      }
      const windowEnds = this.#elapsed() + taken.resetSeconds * 1000;
      if (items === null || taken.granted === items.size)
        return { rate, refusal: null, input, skipped: NONE, windowEnds };
      return { rate, refusal: null, ...firstOf(items, taken.granted, operation.bulk!.list, input), windowEnds };
    });
  }

  /**
   * After work that threw: a call that costs nothing by its outcome gets its tokens back, while the window is open that they were
   * taken from. Gives the rate to answer with, null where it stays as it was.
   */
  settle(caller: Caller, { rate, windowEnds }: Admission, thrown: unknown): MaybePromise<Rate | null> {
    if (rate.cost === 0 || !(thrown instanceof Refusal) || !FREE.has(thrown.code)) return null;
    const limit = this.#limitOf(caller);
    if (limit === 0) return unlimited(caller, 0);
    if (windowEnds === null || this.#elapsed() >= windowEnds - ROUNDING_MS) return this.standing(caller);
    return chain(this.#counters.giveBack(caller.window, rate.cost, window(limit)), (taken) =>
      rateOf(caller, limit, taken, 0),
    );
  }

  #limitOf({ tier, unlimited }: Caller): number {
    return unlimited === true ? 0 : this.#limits[tier];
  }
}

function window(limit: number): { limit: number; windowSeconds: number } {
  return { limit, windowSeconds: WINDOW_SECONDS };
}

function rateOf({ tier }: Caller, limit: number, taken: Taken, cost: number): Rate {
  return { tier, cost, quota: quotaOf(taken, limit) };
}

function unlimited({ tier }: Caller, cost: number): Rate {
  return { tier, cost, quota: null };
}

/** The items of a bulk call by their canonical form, in order, each with its places in the list. */
function itemsOf({ list, canonical }: NonNullable<Operation['bulk']>, input: Input): Map<string, number[]> {
  const items = new Map<string, number[]>();
  for (const [place, item] of (input[list] as unknown[]).entries()) {
    const name = canonical(item);
    const places = items.get(name);
    if (places === undefined) items.set(name, [place]);
    else places.push(place);
  }
  return items;
}

/** The call cut to its first `count` different items, and the names of the others. */
function firstOf(
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
