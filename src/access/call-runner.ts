import type { CallerAccount } from '../engine/caller-account.ts';
import type { Operation, OperationInput } from '../engine/operation.ts';
import {
  findCachedAnswer,
  isAnswerShared,
  type OperationCall,
  responseCacheKey,
  type RunnerDeps,
  runOperationToJson,
} from '../engine/runner.ts';
import type { CachedAnswer } from '../engine/cached-answer.ts';
import { ApiError, RETRY_AFTER_SECONDS } from '../errors.ts';
import type { AdmissionController } from './admission-controller.ts';
import type { Caller, IncomingRequest } from './caller.ts';
import { mapMaybePromise, type MaybePromise } from './maybe-promise.ts';
import type { QuotaStatus } from './quota-status.ts';

/** A call of an operation by an identified caller, as its surface received it. */
export interface CallerCall extends Pick<OperationCall, 'disconnectSignal' | 'reportInternalError' | 'onSharedAnswer'> {
  readonly caller: Caller;
  readonly operation: Operation;
  /** Checks the input; an `ApiError` that it throws costs no tokens. */
  readonly parseInput: () => OperationInput;
  /** The caller opted out of usage records (DNT, Sec-GPC). */
  readonly optedOut: boolean;
  /** Receives the caller's quota: when the call is charged, and again when tokens are refunded. */
  readonly onQuotaStatus: (quotaStatus: QuotaStatus) => void;
  /** True where the caller has this answer already: then the call costs nothing. */
  readonly hasAnswer?: (answer: CachedAnswer) => boolean;
  /** True where the caller has already what is made of this answer: then the call costs nothing. */
  readonly hasMadeOf?: (json: Buffer) => boolean;
}

export interface CallRunnerDeps {
  readonly admission: AdmissionController;
  readonly callerAccountOf: (caller: Caller) => CallerAccount;
  readonly recordRequest: (caller: Caller, operation: Operation, optedOut: boolean) => void;
  /** The counters answer at once, without a promise. */
  readonly countsAtOnce: boolean;
}

/** Documents of one caller that may be read or wait to be read at the same time, before their price is known. */
const MAX_DOCUMENTS_PER_CALLER = 8;

/** Charges calls and runs them. Every surface that knows its callers uses it. */
export class CallRunner {
  readonly #deps: CallRunnerDeps;
  /** Documents that are being read, by the caller's pseudonym. */
  readonly #documentsInProgress = new Map<string, number>();

  constructor(deps: CallRunnerDeps) {
    this.#deps = deps;
  }

  /**
   * Parses the input, charges the caller, runs the operation, and refunds the tokens where the error costs nothing. Records one
   * use when the call has ended, whatever its outcome. Gives the answer as JSON; throws `ApiError` where the input is not valid
   * or the quota is used up, and what the operation throws.
   */
  async run(call: CallerCall, runnerDeps: RunnerDeps): Promise<Buffer> {
    try {
      return await this.#chargeAndRun(call, runnerDeps);
    } finally {
      this.#deps.recordRequest(call.caller, call.operation, call.optedOut);
    }
  }

  /**
   * Charges and records a call whose answer is in memory, at `price` tokens. Null where the quota does not cover it: nothing was taken or
   * recorded then, and `run` refuses the call.
   */
  chargeAnswered(
    { caller, operation, optedOut }: Pick<CallerCall, 'caller' | 'operation' | 'optedOut'>,
    price: number,
  ): MaybePromise<QuotaStatus | null> {
    return mapMaybePromise(this.#deps.admission.chargeAnswered(caller, price), (status) => {
      if (status !== null) this.#deps.recordRequest(caller, operation, optedOut);
      return status;
    });
  }

  /**
   * Identifies the caller of a request whose answer is in memory, and does the same, where neither has to wait. Null where one has, or
   * where the request is to be refused: nothing was taken or recorded then.
   */
  chargeAnsweredAtOnce(
    request: IncomingRequest,
    { operation, optedOut }: Pick<CallerCall, 'operation' | 'optedOut'>,
    price: number,
  ): QuotaStatus | null {
    const caller = this.#callerAtOnce(request);
    return caller === null ? null : (this.chargeAnswered({ caller, operation, optedOut }, price) as QuotaStatus | null);
  }

  /**
   * Does the same for an answer that `make` makes after the charge. Null also where it makes none or throws: then the call is to be run,
   * for its answer or its error.
   */
  chargeAndMakeAtOnce<T>(
    request: IncomingRequest,
    { operation, optedOut }: Pick<CallerCall, 'operation' | 'optedOut'>,
    price: number,
    make: () => T | null,
  ): { status: QuotaStatus; answer: T } | null {
    const { admission, recordRequest } = this.#deps;
    const caller = this.#callerAtOnce(request);
    const status = caller === null ? null : (admission.chargeAnswered(caller, price) as QuotaStatus | null);
    if (status === null) return null;
    let answer: T | null = null;
    try {
      answer = make();
    } catch {}
    if (answer === null) {
      void admission.cancelCharge(caller!, status);
      return null;
    }
    recordRequest(caller!, operation, optedOut);
    return { status, answer };
  }

  /** Null where the caller is not known without waiting, or is refused. */
  #callerAtOnce(request: IncomingRequest): Caller | null {
    const { admission, countsAtOnce } = this.#deps;
    if (!countsAtOnce) return null;
    let caller: MaybePromise<Caller>;
    try {
      caller = admission.authenticate(request);
    } catch {
      return null;
    }
    if (!(caller instanceof Promise)) return caller;
    // It is being read, and is there for the request when it is asked for again.
    caller.catch(() => {});
    return null;
  }

  async #chargeAndRun(call: CallerCall, runnerDeps: RunnerDeps): Promise<Buffer> {
    const { caller, operation, onQuotaStatus, disconnectSignal, reportInternalError } = call;
    const { admission: controller, callerAccountOf } = this.#deps;
    const parsed = call.parseInput();
    // Who is to be refused, by `admit` below, gets neither an entity tag confirmed nor a document read.
    const mayAsk = controller.credentialsError(caller, operation) === null;
    if (mayAsk && call.hasAnswer !== undefined && isAnswerShared(operation)) {
      const cached = findCachedAnswer(responseCacheKey(operation, parsed), runnerDeps);
      if (cached !== null && call.hasAnswer(cached)) {
        onQuotaStatus(await controller.currentQuota(caller));
        call.onSharedAnswer?.(cached);
        return cached.json(runnerDeps.now());
      }
    }
    const prepared = operation.prepareInput === undefined || !mayAsk ? parsed : await this.#prepareInput(call, parsed);
    const pending = controller.admit(caller, operation, prepared);
    // Without this test a call over embedded counters would wait for one more turn of the event loop.
    const admission = pending instanceof Promise ? await pending : pending;
    onQuotaStatus(admission.quotaStatus);
    if (admission.error !== null) throw admission.error;
    const { input, skipped } = admission;
    const self = operation.personal === undefined ? undefined : callerAccountOf(caller);
    let shared: CachedAnswer | null = null;
    const onSharedAnswer = (answer: CachedAnswer): void => {
      shared = answer;
      call.onSharedAnswer?.(answer);
    };
    try {
      const details = { disconnectSignal, reportInternalError, skipped, self, onSharedAnswer };
      const json = await runOperationToJson(operation, input, runnerDeps, details);
      if ((shared !== null && call.hasAnswer?.(shared) === true) || call.hasMadeOf?.(json) === true)
        onQuotaStatus(await controller.refund(caller, admission));
      return json;
    } catch (error) {
      const refunded = await controller.refundAfterError(caller, admission, error);
      if (refunded !== null) onQuotaStatus(refunded);
      throw error;
    }
  }

  /** Documents are read in threads that all callers share: for a caller without tokens none is read. */
  async #prepareInput({ caller, operation, onQuotaStatus }: CallerCall, input: OperationInput) {
    // A list is charged by its length: an empty one costs nothing.
    if (operation.isQuickToPrepare?.(input) === true) return operation.prepareInput!(input);
    const { admission } = this.#deps;
    const status = await admission.currentQuota(caller);
    if (status.quota?.remaining === 0) {
      onQuotaStatus(status);
      throw admission.refuseForQuota(caller, 1, status.quota);
    }
    const inProgress = this.#documentsInProgress.get(caller.pseudonym) ?? 0;
    if (inProgress >= MAX_DOCUMENTS_PER_CALLER) {
      throw new ApiError(
        'rate_limit_exceeded',
        `${MAX_DOCUMENTS_PER_CALLER} documents of yours are being read at this moment. Send the next when one is answered.`,
        { retryAfterSeconds: RETRY_AFTER_SECONDS },
      );
    }
    this.#documentsInProgress.set(caller.pseudonym, inProgress + 1);
    try {
      return await operation.prepareInput!(input);
    } finally {
      const remaining = this.#documentsInProgress.get(caller.pseudonym)! - 1;
      if (remaining === 0) this.#documentsInProgress.delete(caller.pseudonym);
      else this.#documentsInProgress.set(caller.pseudonym, remaining);
    }
  }
}
