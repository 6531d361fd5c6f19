import cluster, { type Worker } from 'node:cluster';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { MetricsSnapshot } from '../metrics/metrics.ts';
import { CliError } from '../exit-codes.ts';
import { entryModuleUrl } from '../program-files.ts';
import { closeUndeliveredConnections } from './undelivered-connections.ts';
import { type MessageFromWorker, PendingRequests, type MessageToWorker } from './worker-messages.ts';
import { nextRestart, type RestartPolicy } from './next-restart.ts';

const SNAPSHOT_TIMEOUT_MS = 1000;
const RESTART: RestartPolicy = { delayMs: 100, maxDelayMs: 30_000, stableAfterMs: 10_000 };
/** A worker that does not listen by then is replaced. */
const LISTEN_TIMEOUT_MS = 60_000;
const PING_INTERVAL_MS = 2000;
/**
 * A worker with this many unanswered pings in a row is replaced: it would not answer requests either. Pings are counted, because after
 * a pause of this process itself (a frozen container) every worker would be late by the clock.
 */
const MAX_UNANSWERED_PINGS = 5;

/** Callbacks for the start of the first worker. */
interface FirstStart {
  listening: (port: number) => void;
  failed: () => void;
}

/** Starts the worker processes and replaces those that die. This process accepts connections and hands them to the workers in turn. */
export class WorkerSupervisor {
  readonly #logger: Logger;
  readonly #count: number;
  /** By slot, 1 to `count`; a slot is empty until its worker is restarted. */
  readonly #workerBySlot = new Map<number, Worker>();
  /** Listening workers, with the number of pings since their last answer. */
  readonly #unansweredPings = new Map<Worker, number>();
  readonly #snapshotRequests = new PendingRequests<MetricsSnapshot>(SNAPSHOT_TIMEOUT_MS);
  readonly #startWorker: () => Worker;
  /** Of workers that wait for their restart. */
  readonly #restartTimers = new Set<NodeJS.Timeout>();
  #pingTimer: NodeJS.Timeout | undefined;
  #restartCount = 0;
  #isStopping = false;

  constructor(count: number, logger: Logger, startWorker: () => Worker = forkWorker) {
    this.#count = count;
    this.#logger = logger;
    this.#startWorker = startWorker;
  }

  /**
   * The first worker creates what all share (secret, tables); when it listens, the others are started. Returns the port. Throws where it
   * fails.
   */
  async start(): Promise<number> {
    const port = await new Promise<number>((resolve, reject) => {
      const failed = (): void => reject(new CliError('failed', 'the first worker could not start'));
      this.#startInSlot(1, 0, { listening: resolve, failed });
    });
    for (let slot = 2; slot <= this.#count; slot++) this.#startInSlot(slot, 0);
    this.#pingTimer = setInterval(() => this.#pingAll(), PING_INTERVAL_MS);
    return port;
  }

  refreshCatalogs(): void {
    for (const worker of this.#workerBySlot.values()) sendToWorker(worker, { type: 'refresh' });
  }

  /** The metrics of all workers; a worker that does not answer in time is left out. */
  async metricsText(): Promise<string> {
    const found = new Map<string, MetricsSnapshot>();
    await Promise.all(
      [...this.#workerBySlot].map(async ([slot, worker]) => {
        if (!this.#unansweredPings.has(worker)) return;
        const snapshot = await this.#snapshotRequests.request((id) =>
          sendToWorker(worker, { type: 'snapshot_request', id }),
        );
        if (snapshot !== null) found.set(String(slot), snapshot);
      }),
    );
    const { metricsTextByWorker } = await import('../metrics/worker-metrics.ts');
    return metricsTextByWorker(found, this.#restartCount);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#pingTimer);
    for (const pause of this.#restartTimers) clearTimeout(pause);
    await Promise.all(
      [...this.#workerBySlot.values()].map(async (worker) => {
        if (worker.isDead()) return;
        const ended = new Promise((resolve) => worker.once('exit', resolve));
        if (worker.isConnected()) sendToWorker(worker, { type: 'stop' });
        else worker.process.kill('SIGTERM');
        await ended;
      }),
    );
  }

  killAll(): void {
    for (const worker of this.#workerBySlot.values()) worker.process.kill('SIGKILL');
  }

  /** `failedStarts`: how many workers of this slot died early, one after another. */
  #startInSlot(slot: number, failedStarts: number, first?: FirstStart): void {
    const startedAt = performance.now();
    let hasListened = false;
    let hasEnded = false;
    let listenTimer: NodeJS.Timeout | undefined;
    const onEnd = (cause: object): void => {
      if (hasEnded) return;
      hasEnded = true;
      clearTimeout(listenTimer);
      this.#workerBySlot.delete(slot);
      if (this.#isStopping) return;
      if (first !== undefined && !hasListened) return first.failed();
      this.#scheduleRestart(slot, nextRestart(failedStarts, performance.now() - startedAt, RESTART), cause);
    };
    let worker: Worker;
    try {
      worker = this.#startWorker();
    } catch (error) {
      return onEnd({ err: error });
    }
    this.#workerBySlot.set(slot, worker);
    listenTimer = setTimeout(() => worker.process.kill('SIGKILL'), LISTEN_TIMEOUT_MS);
    worker.once('listening', ({ port }) => {
      clearTimeout(listenTimer);
      hasListened = true;
      this.#unansweredPings.set(worker, 0);
      first?.listening(port);
    });
    worker.on('message', (message: MessageFromWorker) => void this.#onMessage(worker, message));
    worker.once('exit', (code, signal) => {
      this.#unansweredPings.delete(worker);
      onEnd({ code, signal });
    });
    worker.on('error', (error) => {
      // A worker with a pid runs: only a message failed.
      if (worker.process.pid === undefined) onEnd({ err: error });
    });
  }

  #scheduleRestart(slot: number, { failedStarts, afterMs }: ReturnType<typeof nextRestart>, cause: object): void {
    this.#restartCount++;
    this.#logger.error({ worker: slot, ...cause, restart_after_ms: afterMs }, 'a worker died');
    const pause = setTimeout(() => {
      this.#restartTimers.delete(pause);
      this.#startInSlot(slot, failedStarts);
    }, afterMs);
    this.#restartTimers.add(pause);
  }

  /** Ends workers that do not answer: stopped by a signal, or blocked. */
  #pingAll(): void {
    for (const [slot, worker] of this.#workerBySlot) {
      const unanswered = this.#unansweredPings.get(worker);
      if (unanswered === undefined) continue;
      if (unanswered === MAX_UNANSWERED_PINGS) {
        this.#unansweredPings.delete(worker);
        this.#logger.error(
          { worker: slot, silent_ms: unanswered * PING_INTERVAL_MS },
          'a worker does not answer: ended',
        );
        worker.process.kill('SIGKILL');
      } else {
        this.#unansweredPings.set(worker, unanswered + 1);
        sendToWorker(worker, { type: 'ping' });
      }
    }
  }

  async #onMessage(worker: Worker, message: MessageFromWorker): Promise<void> {
    if (this.#unansweredPings.has(worker)) this.#unansweredPings.set(worker, 0);
    if (message.type === 'pong') return;
    if (message.type === 'snapshot_reply') this.#snapshotRequests.settle(message.id, message.snapshot);
    else
      sendToWorker(worker, { type: 'metrics_reply', id: message.id, text: await this.metricsText().catch(() => null) });
  }
}

function sendToWorker(worker: Worker, message: MessageToWorker): void {
  if (worker.isConnected()) worker.send(message, () => {});
}

function forkWorker(): Worker {
  const exec = fileURLToPath(entryModuleUrl('main.ts'));
  // In turn: where workers accept by themselves, one of them takes all connections of a busy client, and the other is idle.
  cluster.schedulingPolicy = cluster.SCHED_RR;
  // JSON would turn NaN in a snapshot into null.
  cluster.setupPrimary({ exec, args: ['serve'], serialization: 'advanced' });
  const worker = cluster.fork();
  closeUndeliveredConnections(worker);
  return worker;
}
