import cluster, { type Worker } from 'node:cluster';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { Snapshot } from '../metrics/metrics.ts';
import { textOfWorkers } from '../metrics/workers.ts';
import { CliError } from '../exit.ts';
import { type FromWorker, Questions, type ToWorker } from './worker-messages.ts';

const SNAPSHOT_WITHIN_MS = 1000;
const RESTART_AFTER_MS = 100;
const RESTART_AFTER_AT_MOST_MS = 30_000;
/** One that lived so long did not die of how it was started. */
const SETTLED_MS = 10_000;
/** One that does not listen by then is ended, and another started. */
const LISTEN_WITHIN_MS = 60_000;
const PING_EVERY_MS = 2000;
/**
 * A worker that left so many pings in a row unanswered is ended, and another started: no request to it would be answered. They are
 * counted, because after a pause of this process itself (a frozen container) a clock alone would say that every worker is late.
 */
const UNANSWERED_PINGS = 5;

/** The processes that answer, seen from the one that keeps them running. Each takes connections from one shared socket. */
export class Workers {
  readonly #logger: Logger;
  readonly #count: number;
  /** By place, 1 to `count`; a place is empty while its worker is about to be started again. */
  readonly #running = new Map<number, Worker>();
  /** With the number of pings since their last answer. */
  readonly #listening = new Map<Worker, number>();
  readonly #snapshots = new Questions<Snapshot>(SNAPSHOT_WITHIN_MS);
  readonly #startWorker: () => Worker;
  /** Of workers that are about to be started again. */
  readonly #pauses = new Set<NodeJS.Timeout>();
  #pinging: NodeJS.Timeout | undefined;
  #restarts = 0;
  #stopping = false;

  constructor(count: number, logger: Logger, startWorker: () => Worker = forkWorker) {
    this.#count = count;
    this.#logger = logger;
    this.#startWorker = startWorker;
  }

  /** The first worker makes what all share (secret, tables); once it listens, the others follow. Throws where it does not. */
  async start(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const failed = (): void => reject(new CliError('failed', 'the first worker could not start'));
      this.#fork(1, 0, { listening: resolve, failed });
    });
    for (let place = 2; place <= this.#count; place++) this.#fork(place, 0);
    this.#pinging = setInterval(() => this.#ping(), PING_EVERY_MS);
  }

  refresh(): void {
    for (const worker of this.#running.values()) tell(worker, { type: 'refresh' });
  }

  /** Asks every worker what it counted; one that does not say so in time is left out. */
  async metricsText(): Promise<string> {
    const found = new Map<string, Snapshot>();
    await Promise.all(
      [...this.#running].map(async ([place, worker]) => {
        if (!this.#listening.has(worker)) return;
        const snapshot = await this.#snapshots.ask((id) => tell(worker, { type: 'snapshot', id }));
        if (snapshot !== null) found.set(String(place), snapshot);
      }),
    );
    return textOfWorkers(found, this.#restarts);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    clearInterval(this.#pinging);
    for (const pause of this.#pauses) clearTimeout(pause);
    await Promise.all(
      [...this.#running.values()].map(async (worker) => {
        if (worker.isDead()) return;
        const ended = new Promise((resolve) => worker.once('exit', resolve));
        if (worker.isConnected()) tell(worker, { type: 'stop' });
        else worker.process.kill('SIGTERM');
        await ended;
      }),
    );
  }

  kill(): void {
    for (const worker of this.#running.values()) worker.process.kill('SIGKILL');
  }

  /** `deaths`: how many workers in this place died early, one after the other. `first`: told how the first of all starts. */
  #fork(place: number, deaths: number, first?: { listening: () => void; failed: () => void }): void {
    const startedAt = performance.now();
    let listened = false;
    let isOver = false;
    let late: NodeJS.Timeout | undefined;
    const over = (why: object): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(late);
      this.#running.delete(place);
      if (this.#stopping) return;
      if (first !== undefined && !listened) return first.failed();
      this.#restart(place, performance.now() - startedAt < SETTLED_MS ? deaths + 1 : 0, why);
    };
    let worker: Worker;
    try {
      worker = this.#startWorker();
    } catch (error) {
      return over({ err: error });
    }
    this.#running.set(place, worker);
    late = setTimeout(() => worker.process.kill('SIGKILL'), LISTEN_WITHIN_MS);
    worker.once('listening', () => {
      clearTimeout(late);
      listened = true;
      this.#listening.set(worker, 0);
      first?.listening();
    });
    worker.on('message', (message: FromWorker) => void this.#hear(worker, message));
    worker.once('exit', (code, signal) => {
      this.#listening.delete(worker);
      over({ code, signal });
    });
    worker.on('error', (error) => {
      // With a number it runs, and only a message to it failed.
      if (worker.process.pid === undefined) over({ err: error });
    });
  }

  #restart(place: number, deaths: number, why: object): void {
    const afterMs = Math.min(RESTART_AFTER_MS * 2 ** deaths, RESTART_AFTER_AT_MOST_MS);
    this.#restarts++;
    this.#logger.error({ worker: place, ...why, restart_after_ms: afterMs }, 'a worker died');
    const pause = setTimeout(() => {
      this.#pauses.delete(pause);
      this.#fork(place, deaths);
    }, afterMs);
    this.#pauses.add(pause);
  }

  /** Ends the workers that are there and do not answer: stopped by a signal, or held up for good. */
  #ping(): void {
    for (const [place, worker] of this.#running) {
      const unanswered = this.#listening.get(worker);
      if (unanswered === undefined) continue;
      if (unanswered === UNANSWERED_PINGS) {
        this.#listening.delete(worker);
        this.#logger.error({ worker: place, silent_ms: unanswered * PING_EVERY_MS }, 'a worker does not answer: ended');
        worker.process.kill('SIGKILL');
      } else {
        this.#listening.set(worker, unanswered + 1);
        tell(worker, { type: 'ping' });
      }
    }
  }

  async #hear(worker: Worker, message: FromWorker): Promise<void> {
    if (this.#listening.has(worker)) this.#listening.set(worker, 0);
    if (message.type === 'pong') return;
    if (message.type === 'snapshot') this.#snapshots.answer(message.id, message.snapshot);
    else tell(worker, { type: 'metrics', id: message.id, text: await this.metricsText().catch(() => null) });
  }
}

function tell(worker: Worker, message: ToWorker): void {
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
