import { Refusal } from '../errors.ts';
import type { Operation } from '../engine/operation.ts';
import type { Caller } from './caller.ts';
import type { Gate } from './gate.ts';
import { quotaUsedUp, type Rate } from './rate.ts';

type Input = Record<string, unknown>;

/** What of a call may run: a bulk call may lose items, which are then named in `skipped`. */
export interface Admitted {
  readonly input: Input;
  readonly skipped: readonly string[];
}

/** A call whose input is valid, and who asks. */
export interface ChargedCall {
  readonly caller: Caller;
  readonly operation: Operation;
  readonly input: Input;
  /** Told of the caller's quota: when the call is charged, and again when tokens are given back. */
  tell: (rate: Rate) => void;
}

/** Documents of one caller that may be read or wait to be read at the same time, before it is known what they cost. */
const MAX_PREPARING = 8;
const RETRY_AFTER_SECONDS = 5;

/** Does the work of calls and has their callers pay for it: the one way of all surfaces that know callers. */
export class Charging {
  readonly #gate: Gate;
  /** By name of the caller; those who have nothing under way are not in it. */
  readonly #preparing = new Map<string, number>();

  constructor(gate: Gate) {
    this.#gate = gate;
  }

  /**
   * Reads what must be read to know the price, charges, works, and gives tokens back where the work shows that the call was not
   * valid or could not be done in time. Throws `Refusal` where the quota does not reach, and what the work throws.
   */
  async charge<T>(call: ChargedCall, work: (admitted: Admitted) => Promise<T>): Promise<T> {
    const { caller, operation, tell } = call;
    const input = operation.prepare === undefined ? call.input : await this.#prepared(call);
    const admitted = this.#gate.admit(caller, operation, input);
    const admission = admitted instanceof Promise ? await admitted : admitted;
    tell(admission.rate);
    if (admission.refusal !== null) throw admission.refusal;
    try {
      return await work({ input: admission.input, skipped: admission.skipped });
    } catch (error) {
      const settled = await this.#gate.settle(caller, admission, error);
      if (settled !== null) tell(settled);
      throw error;
    }
  }

  /** Reading a document costs time of threads that all callers share: who has no token left has none read. */
  async #prepared({ caller, operation, input, tell }: ChargedCall): Promise<Input> {
    // A list is charged by its length: an empty one costs nothing.
    if (operation.isQuickToPrepare?.(input) === true) return operation.prepare!(input);
    const rate = await this.#gate.standing(caller);
    if (rate.quota?.remaining === 0) {
      tell(rate);
      throw this.#gate.refused(caller, quotaUsedUp(1, rate.quota, rate.tier));
    }
    const underWay = this.#preparing.get(caller.name) ?? 0;
    if (underWay >= MAX_PREPARING) {
      throw new Refusal(
        'rate_limit_exceeded',
        `${MAX_PREPARING} documents of yours are being read at this moment. Send the next when one is answered.`,
        { retryAfterSeconds: RETRY_AFTER_SECONDS },
      );
    }
    this.#preparing.set(caller.name, underWay + 1);
    try {
      return await operation.prepare!(input);
    } finally {
      const left = this.#preparing.get(caller.name)! - 1;
      if (left === 0) this.#preparing.delete(caller.name);
      else this.#preparing.set(caller.name, left);
    }
  }
}
