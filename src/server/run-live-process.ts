import { openSharedAnswers } from '../access/backends.ts';
import type { Config } from '../config.ts';
import { runOperationToJson, type RunnerDeps } from '../engine/runner.ts';
import { createLogger } from '../log.ts';
import type { NetworkClient } from '../net/network-client.ts';
import { OPERATIONS } from '../operations/list.ts';
import { LIVE_SOURCE_POLICIES } from '../sources/registry.ts';
import { describeSystemError } from '../system-error.ts';
import { fromSentError, machineMs, type MessageFromLive, type MessageToLive, toSentError } from './live-messages.ts';
import { lowerPriority } from './lower-priority.ts';
import { createRunnerDeps, openConfiguredNet } from './runner-deps.ts';
import { SourceNoteTaker } from './source-note-taker.ts';
import { StartQueue, untilIdle } from './start-queue.ts';

/** Notes that no reply has taken along are sent this often. */
const NOTES_INTERVAL_MS = 100;

type Call = Extract<MessageToLive, { type: 'call' }>;

/**
 * Runs the calls that the parent process sends: the part of a service that asks live sources. It has its own view of the catalog, and
 * all that belongs to sources: caches, slots, circuit breakers, connections. Ends with its parent. `openNet`: the way out.
 */
export function runLiveProcess(openNet: (config: Config) => NetworkClient = openConfiguredNet): void {
  // The parent ends this process, also where it dies itself; a signal to the whole group is for the parent.
  process.on('disconnect', () => process.exit());
  if (!process.connected) process.exit();
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  lowerPriority();
  let answerer: Promise<LiveAnswerer> | null = null;
  process.on('message', (message: MessageToLive) => {
    if (message.type === 'start') answerer = LiveAnswerer.open(message.config, openNet(message.config));
    else if (message.type === 'ping') send({ type: 'pong' });
    // What comes before `start` is done is kept in order by its promise. A failed start ends the process.
    else void answerer!.then((open) => open.onMessage(message));
  });
}

class LiveAnswerer {
  readonly #deps: RunnerDeps;
  readonly #notes: SourceNoteTaker;
  readonly #queue: StartQueue;
  readonly #running = new Map<number, AbortController>();
  readonly #visits: PendingVisits;
  readonly #operations = new Map(OPERATIONS.map((operation) => [operation.id, operation]));

  private constructor(deps: RunnerDeps, net: NetworkClient, notes: SourceNoteTaker, visits: PendingVisits) {
    this.#deps = deps;
    this.#queue = new StartQueue({ now: machineMs, untilTurn: () => untilIdle(() => net.isBusy()) });
    this.#notes = notes;
    this.#visits = visits;
    setInterval(() => this.#sendNotes(), NOTES_INTERVAL_MS);
  }

  static async open(config: Config, net: NetworkClient): Promise<LiveAnswerer> {
    const logger = createLogger(config);
    const visits = new PendingVisits();
    const notes = new SourceNoteTaker();
    const deps = createRunnerDeps(config, {
      net,
      onProblem: (problem) =>
        logger.error({ reason: describeSystemError(problem), process: 'live' }, 'catalog: not as it should be'),
      backends: {
        sharedAnswers: await openSharedAnswers(config),
        unavailableBackends: () => [],
        throttleTarget: (host) => visits.count(host),
      },
      observer: notes,
    });
    const healthOf = new Map(LIVE_SOURCE_POLICIES.map((policy) => [policy.id, policy]));
    notes.healthOf = (source) => deps.serviceState.sourceHealth(healthOf.get(source)!);
    return new LiveAnswerer(deps, net, notes, visits);
  }

  onMessage(message: MessageToLive): void {
    if (message.type === 'call') void this.#answer(message);
    else if (message.type === 'cancel') this.#running.get(message.id)?.abort();
    else if (message.type === 'visit_counted')
      this.#visits.settle(message.id, message.refusal && fromSentError(message.refusal));
    else if (message.type === 'refresh') this.#deps.catalog.refresh();
  }

  async #answer({ id, operation, input, skipped, callerPseudonym, deadlineAt }: Call): Promise<void> {
    const controller = new AbortController();
    this.#running.set(id, controller);
    try {
      await this.#queue.wait(deadlineAt, controller.signal);
      const json = await runOperationToJson(this.#operations.get(operation)!, input, this.#deps, {
        disconnectSignal: () => controller.signal,
        reportInternalError: (error) => send({ type: 'item_error', id, error: toSentError(error) }),
        skipped,
        callerPseudonym: callerPseudonym ?? undefined,
        remainingMs: Math.max(0, deadlineAt - machineMs()),
      });
      send({ type: 'reply', id, outcome: { json }, notes: this.#notes.take() });
    } catch (error) {
      send({ type: 'reply', id, outcome: { error: toSentError(error) }, notes: this.#notes.take() });
    } finally {
      this.#running.delete(id);
    }
  }

  #sendNotes(): void {
    const notes = this.#notes.take();
    if (notes !== null) send({ type: 'notes', notes });
  }
}

/** Visits of hosts, which the parent counts for all processes. */
class PendingVisits {
  readonly #pending = new Map<number, { resolve: () => void; reject: (error: unknown) => void }>();
  #lastId = 0;

  /** Rejects with the parent's refusal. */
  count(host: string): Promise<void> {
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#pending.set(id, { resolve, reject });
    send({ type: 'count_visit', id, host });
    return promise;
  }

  settle(id: number, refusal: unknown): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (refusal === null) pending?.resolve();
    else pending?.reject(refusal);
  }
}

function send(message: MessageFromLive): void {
  if (process.connected) process.send!(message);
}
