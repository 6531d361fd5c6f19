import { ApiError } from '../errors.ts';
import type { Operation } from '../engine/operation.ts';
import type { Caller } from './caller.ts';
import type { AdmissionController } from './admission-controller.ts';
import { quotaExceededError, type QuotaStatus } from './quota-status.ts';

type Input = Record<string, unknown>;

/** What of a call may run: a bulk call may lose items, which are then named in `skipped`. */
export interface AdmittedInput {
  readonly input: Input;
  readonly skipped: readonly string[];
}

/** A call whose input is valid, and who asks. */
export interface ChargeRequest {
  readonly caller: Caller;
  readonly operation: Operation;
  readonly input: Input;
  /** Told of the caller's quota: when the call is charged, and again when tokens are given back. */
  onQuotaStatus: (rate: QuotaStatus) => void;
}

/** Documents of one caller that may be read or wait to be read at the same time, before it is known what they cost. */
const MAX_DOCUMENTS_PER_CALLER = 8;
const RETRY_AFTER_SECONDS = 5;

/** Does the work of calls and has their callers pay for it: the one way of all surfaces that know callers. */
export class CallCharger {
  readonly #admission: AdmissionController;
  /** By name of the caller; those who have nothing under way are not in it. */
  readonly #preparing = new Map<string, number>();

  constructor(gate: AdmissionController) {
    this.#admission = gate;
  }

  /**
   * Reads what must be read to know the price, charges, works, and gives tokens back where the work shows that the call was not
   * valid or could not be done in time. Throws `ApiError` where the quota does not reach, and what the work throws.
   */
  async chargeAndRun<T>(call: ChargeRequest, work: (admitted: AdmittedInput) => Promise<T>): Promise<T> {
    const { caller, operation, onQuotaStatus } = call;
    const input = operation.prepareInput === undefined ? call.input : await this.#prepareInput(call);
    const admitted = this.#admission.admit(caller, operation, input);
    const admission = admitted instanceof Promise ? await admitted : admitted;
    onQuotaStatus(admission.quotaStatus);
    if (admission.error !== null) throw admission.error;
    try {
      return await work({ input: admission.input, skipped: admission.skipped });
    } catch (error) {
      const settled = await this.#admission.refundAfterError(caller, admission, error);
      if (settled !== null) onQuotaStatus(settled);
      throw error;
    }
  }

  /** Reading a document costs time of threads that all callers share: who has no token left has none read. */
  async #prepareInput({ caller, operation, input, onQuotaStatus }: ChargeRequest): Promise<Input> {
    // A list is charged by its length: an empty one costs nothing.
    if (operation.isQuickToPrepare?.(input) === true) return operation.prepareInput!(input);
    const rate = await this.#admission.currentQuota(caller);
    if (rate.quota?.remaining === 0) {
      onQuotaStatus(rate);
      throw this.#admission.recordQuotaRefusal(caller, quotaExceededError(1, rate.quota, rate.tier));
    }
    const underWay = this.#preparing.get(caller.pseudonym) ?? 0;
    if (underWay >= MAX_DOCUMENTS_PER_CALLER) {
      throw new ApiError(
        'rate_limit_exceeded',
        `${MAX_DOCUMENTS_PER_CALLER} documents of yours are being read at this moment. Send the next when one is answered.`,
        { retryAfterSeconds: RETRY_AFTER_SECONDS },
      );
    }
    this.#preparing.set(caller.pseudonym, underWay + 1);
    try {
      return await operation.prepareInput!(input);
    } finally {
      const left = this.#preparing.get(caller.pseudonym)! - 1;
      if (left === 0) this.#preparing.delete(caller.pseudonym);
      else this.#preparing.set(caller.pseudonym, left);
    }
  }
}
