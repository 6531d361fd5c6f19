import cluster, { type Worker } from 'node:cluster';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { MetricsSnapshot } from '../metrics/metrics.ts';
import { mergeWorkerMetrics } from '../metrics/worker-metrics.ts';
import { CliError } from '../exit-codes.ts';
import { type MessageFromWorker, PendingRequests, type MessageToWorker } from './worker-messages.ts';

const SNAPSHOT_TIMEOUT_MS = 1000;
const RESTART_DELAY_MS = 100;
const MAX_RESTART_DELAY_MS = 30_000;
/** One that lived so long did not die of how it was started. */
const STABLE_AFTER_MS = 10_000;
/** One that does not listen by then is ended, and another started. */
const LISTEN_TIMEOUT_MS = 60_000;
const PING_INTERVAL_MS = 2000;
/**
 * A worker that left so many pings in a row unanswered is ended, and another started: no request to it would be answered. They are
 * counted, because after a pause of this process itself (a frozen container) a clock alone would say that every worker is late.
 */
const MAX_UNANSWERED_PINGS = 5;

/** The processes that answer, seen from the one that keeps them running. Each takes connections from one shared socket. */
export class WorkerSupervisor {
  readonly #logger: Logger;
  readonly #count: number;
  /** By place, 1 to `count`; a place is empty while its worker is about to be started again. */
  readonly #workerBySlot = new Map<number, Worker>();
  /** With the number of pings since their last answer. */
  readonly #unansweredPings = new Map<Worker, number>();
  readonly #snapshotRequests = new PendingRequests<MetricsSnapshot>(SNAPSHOT_TIMEOUT_MS);
  readonly #startWorker: () => Worker;
  /** Of workers that are about to be started again. */
  readonly #restartTimers = new Set<NodeJS.Timeout>();
  #pingTimer: NodeJS.Timeout | undefined;
  #restartCount = 0;
  #isStopping = false;

  constructor(count: number, logger: Logger, startWorker: () => Worker = forkWorker) {
    this.#count = count;
    this.#logger = logger;
    this.#startWorker = startWorker;
  }

  /** The first worker makes what all share (secret, tables); once it listens, the others follow. Throws where it does not. */
  async start(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const failed = (): void => reject(new CliError('failed', 'the first worker could not start'));
      this.#startInSlot(1, 0, { listening: resolve, failed });
    });
    for (let place = 2; place <= this.#count; place++) this.#startInSlot(place, 0);
    this.#pingTimer = setInterval(() => this.#pingAll(), PING_INTERVAL_MS);
  }

  refreshCatalogs(): void {
    for (const worker of this.#workerBySlot.values()) sendToWorker(worker, { type: 'refresh' });
  }

  /** Asks every worker what it counted; one that does not say so in time is left out. */
  async metricsText(): Promise<string> {
    const found = new Map<string, MetricsSnapshot>();
    await Promise.all(
      [...this.#workerBySlot].map(async ([place, worker]) => {
        if (!this.#unansweredPings.has(worker)) return;
        const snapshot = await this.#snapshotRequests.request((id) => sendToWorker(worker, { type: 'snapshot', id }));
        if (snapshot !== null) found.set(String(place), snapshot);
      }),
    );
    return mergeWorkerMetrics(found, this.#restartCount);
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

  /** `deaths`: how many workers in this place died early, one after the other. `first`: told how the first of all starts. */
  #startInSlot(place: number, deaths: number, first?: { listening: () => void; failed: () => void }): void {
    const startedAt = performance.now();
    let listened = false;
    let isOver = false;
    let late: NodeJS.Timeout | undefined;
    const over = (why: object): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(late);
      this.#workerBySlot.delete(place);
      if (this.#isStopping) return;
      if (first !== undefined && !listened) return first.failed();
      this.#scheduleRestart(place, performance.now() - startedAt < STABLE_AFTER_MS ? deaths + 1 : 0, why);
    };
    let worker: Worker;
    try {
      worker = this.#startWorker();
    } catch (error) {
      return over({ err: error });
    }
    this.#workerBySlot.set(place, worker);
    late = setTimeout(() => worker.process.kill('SIGKILL'), LISTEN_TIMEOUT_MS);
    worker.once('listening', () => {
      clearTimeout(late);
      listened = true;
      this.#unansweredPings.set(worker, 0);
      first?.listening();
    });
    worker.on('message', (message: MessageFromWorker) => void this.#onMessage(worker, message));
    worker.once('exit', (code, signal) => {
      this.#unansweredPings.delete(worker);
      over({ code, signal });
    });
    worker.on('error', (error) => {
      // With a number it runs, and only a message to it failed.
      if (worker.process.pid === undefined) over({ err: error });
    });
  }

  #scheduleRestart(place: number, deaths: number, why: object): void {
    const afterMs = Math.min(RESTART_DELAY_MS * 2 ** deaths, MAX_RESTART_DELAY_MS);
    this.#restartCount++;
    this.#logger.error({ worker: place, ...why, restart_after_ms: afterMs }, 'a worker died');
    const pause = setTimeout(() => {
      this.#restartTimers.delete(pause);
      this.#startInSlot(place, deaths);
    }, afterMs);
    this.#restartTimers.add(pause);
  }

  /** Ends the workers that are there and do not answer: stopped by a signal, or held up for good. */
  #pingAll(): void {
    for (const [place, worker] of this.#workerBySlot) {
      const unanswered = this.#unansweredPings.get(worker);
      if (unanswered === undefined) continue;
      if (unanswered === MAX_UNANSWERED_PINGS) {
        this.#unansweredPings.delete(worker);
        this.#logger.error(
          { worker: place, silent_ms: unanswered * PING_INTERVAL_MS },
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
    if (message.type === 'snapshot') this.#snapshotRequests.answer(message.id, message.snapshot);
    else sendToWorker(worker, { type: 'metrics', id: message.id, text: await this.metricsText().catch(() => null) });
  }
}

function sendToWorker(worker: Worker, message: MessageToWorker): void {
  if (worker.isConnected()) worker.send(message, () => {});
}

function forkWorker(): Worker {
  const exec = fileURLToPath(new URL('../main.ts', import.meta.url));
  // All take connections from the same socket. Handed out by the first process, one that is on its way to a worker that
  // dies would stay open for ever.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  // JSON would make null of the NaN in a snapshot.
  cluster.setupPrimary({ exec, args: ['serve'], serialization: 'advanced' });
  return cluster.fork();
}
