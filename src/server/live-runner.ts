import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Operation, OperationInput } from '../engine/operation.ts';
import { type CallForwarder, deadlineError, DEADLINE_GRACE_MS, type OperationCall } from '../engine/runner.ts';
import { CallerDisconnectedError, notReadyError, overloadedError } from '../errors.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { entryModuleUrl } from '../program-files.ts';
import type { SourceHealth } from '../sources/source-requester.ts';
import {
  fromSentError,
  machineMs,
  type MessageFromLive,
  type MessageToLive,
  type SourceNotes,
  toSentError,
} from './live-messages.ts';
import { nextRestart, type RestartPolicy } from './next-restart.ts';

/** Calls under way and waiting; one more is refused. */
const MAX_CALLS = 1000;
/** The live process ends calls itself; this ends the wait where it does not. */
const LATE_REPLY_MS = DEADLINE_GRACE_MS + 1000;
const STOP_TIMEOUT_MS = 3000;
const PING_INTERVAL_MS = 2000;
/** Pings are counted, because after a pause of this process itself every reply would be late by the clock. */
const MAX_UNANSWERED_PINGS = 5;
const RESTART: RestartPolicy = { delayMs: 100, maxDelayMs: 30_000, stableAfterMs: 10_000 };

interface PendingCall {
  readonly call: OperationCall;
  settle(finish: () => void): void;
  resolve(json: Buffer): void;
  reject(error: unknown): void;
}

export interface LiveRunnerDeps {
  readonly config: Config;
  readonly logger: Logger;
  /** Counts a visit to a host; rejects with `ApiError` 429 above its limit. */
  readonly throttleTarget: (host: string) => Promise<void>;
  readonly metrics: Metrics | null;
  /** Starts the process; default: `live-process.ts`. */
  readonly startProcess?: (() => ChildProcess) | undefined;
}

/**
 * Runs calls in the live process, the child that asks live sources (docs/decisions/028). It starts with the first call, and again with
 * the next call where it died; the calls that it was answering then are refused with 503.
 */
export class LiveRunner implements CallForwarder {
  readonly #deps: LiveRunnerDeps;
  readonly #startProcess: () => ChildProcess;
  readonly #calls = new Map<number, PendingCall>();
  readonly #health = new Map<string, SourceHealth>();
  #child: ChildProcess | null = null;
  #pingTimer: NodeJS.Timeout | undefined;
  #unansweredPings = 0;
  #lastId = 0;
  /** Times on the clock of `performance.now()`. */
  #startedAt = 0;
  #notBefore = 0;
  /** How many processes died early in a row. */
  #failedStarts = 0;
  #isStopping = false;

  constructor(deps: LiveRunnerDeps) {
    this.#deps = deps;
    this.#startProcess = deps.startProcess ?? (() => forkServiceProcess(entryModuleUrl('server/live-process.ts')));
    deps.metrics?.registerLiveCalls(() => this.#calls.size);
  }

  async run(operation: Operation, input: OperationInput, call: OperationCall): Promise<Buffer> {
    const signal = call.disconnectSignal();
    if (signal.aborted) throw new CallerDisconnectedError();
    if (this.#calls.size >= MAX_CALLS) throw overloadedError();
    const child = this.#child ?? this.#start();
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    const cancel = (error: unknown): void => {
      pending.settle(() => reject(error));
      sendToLive(child, { type: 'cancel', id });
    };
    const onAbort = (): void => cancel(new CallerDisconnectedError());
    const timer = setTimeout(() => cancel(deadlineError(operation)), operation.deadlineMs + LATE_REPLY_MS);
    const pending: PendingCall = {
      call,
      settle: (finish) => {
        if (!this.#calls.delete(id)) return;
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        finish();
      },
      resolve,
      reject,
    };
    this.#calls.set(id, pending);
    signal.addEventListener('abort', onAbort, { once: true });
    sendToLive(child, {
      type: 'call',
      id,
      operation: operation.id,
      input,
      skipped: call.skipped ?? [],
      callerPseudonym: call.self?.pseudonym ?? null,
      deadlineAt: machineMs() + operation.deadlineMs,
    });
    return promise;
  }

  /** As the live process last told; of a source that was not asked yet both are null. */
  health(source: string): SourceHealth {
    return this.#health.get(source) ?? { last_success_at: null, last_error: null };
  }

  refreshCatalog(): void {
    if (this.#child !== null) sendToLive(this.#child, { type: 'refresh' });
  }

  /** Ends the live process; calls that it still answers are refused. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const child = this.#child;
    if (child === null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    if (child.connected) child.disconnect();
    await ended;
    clearTimeout(late);
  }

  /** Throws `ApiError` 503 while the service stops, and for a while after a process that died early. */
  #start(): ChildProcess {
    const now = performance.now();
    if (this.#isStopping || now < this.#notBefore) throw notReadyError('Live sources cannot be asked at this moment.');
    this.#startedAt = now;
    const child = this.#startProcess();
    this.#child = child;
    this.#unansweredPings = 0;
    child.on('message', (message: MessageFromLive) => this.#onMessage(child, message));
    child.once('exit', (code, signal) => this.#onEnd(child, { code, signal }));
    child.on('error', (error) => {
      // A process with a pid runs: only a signal or a message failed.
      if (child.pid === undefined) this.#onEnd(child, { err: error });
    });
    sendToLive(child, { type: 'start', config: this.#deps.config });
    this.#pingTimer = setInterval(() => this.#ping(child), PING_INTERVAL_MS).unref();
    return child;
  }

  #onEnd(child: ChildProcess, cause: object): void {
    if (this.#child !== child) return;
    this.#child = null;
    clearInterval(this.#pingTimer);
    const calls = [...this.#calls.values()];
    if (!this.#isStopping) {
      const now = performance.now();
      const { failedStarts, afterMs } = nextRestart(this.#failedStarts, now - this.#startedAt, RESTART);
      this.#failedStarts = failedStarts;
      this.#notBefore = now + (failedStarts < 2 ? 0 : afterMs);
      this.#deps.logger.error({ ...cause, calls: calls.length }, 'the process that asks live sources died');
    }
    for (const pending of calls)
      pending.settle(() => pending.reject(notReadyError('The process that asks live sources ended.')));
  }

  /** Ends a process that does not answer: stopped by a signal, or blocked. */
  #ping(child: ChildProcess): void {
    if (this.#unansweredPings === MAX_UNANSWERED_PINGS) {
      this.#deps.logger.error(
        { silent_ms: MAX_UNANSWERED_PINGS * PING_INTERVAL_MS },
        'the process that asks live sources does not answer: ended',
      );
      child.kill('SIGKILL');
    }
    this.#unansweredPings++;
    sendToLive(child, { type: 'ping' });
  }

  #onMessage(child: ChildProcess, message: MessageFromLive): void {
    this.#unansweredPings = 0;
    if (message.type === 'notes') this.#takeNotes(message.notes);
    else if (message.type === 'count_visit') void this.#countVisit(child, message.id, message.host);
    else if (message.type === 'item_error')
      this.#calls.get(message.id)?.call.reportInternalError?.(fromSentError(message.error));
    else if (message.type === 'reply') {
      if (message.notes !== null) this.#takeNotes(message.notes);
      this.#onReply(message);
    }
  }

  #onReply({ id, outcome }: Extract<MessageFromLive, { type: 'reply' }>): void {
    const pending = this.#calls.get(id);
    pending?.settle(() => {
      if ('error' in outcome) return pending.reject(fromSentError(outcome.error));
      const { buffer, byteOffset, byteLength } = outcome.json;
      pending.resolve(Buffer.from(buffer, byteOffset, byteLength));
    });
  }

  async #countVisit(child: ChildProcess, id: number, host: string): Promise<void> {
    const refusal = await this.#deps.throttleTarget(host).then(
      () => null,
      (error: unknown) => toSentError(error),
    );
    sendToLive(child, { type: 'visit_counted', id, refusal });
  }

  #takeNotes({ calls, cacheHits, health }: SourceNotes): void {
    const { metrics } = this.#deps;
    for (const { source, ...state } of health) this.#health.set(source, state);
    for (const { source, outcome, seconds } of calls) metrics?.recordSourceCall(source, outcome, seconds);
    for (const source of cacheHits) metrics?.recordSourceCacheHit(source);
  }
}

/** Starts a module as a process of the service. Its log goes where that of this process goes. */
export function forkServiceProcess(entry: URL, args: readonly string[] = []): ChildProcess {
  return fork(fileURLToPath(entry), args, {
    // Bytes stay bytes.
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

function sendToLive(child: ChildProcess, message: MessageToLive): void {
  if (child.connected) child.send(message, () => {});
}
