import cluster, { type Worker } from 'node:cluster';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { Snapshot } from '../metrics/metrics.ts';
import { textOfWorkers } from '../metrics/workers.ts';
import { CliError } from './exit.ts';
import { type FromWorker, Questions, type ToWorker } from './worker-messages.ts';

const SNAPSHOT_WITHIN_MS = 1000;
const RESTART_AFTER_MS = 100;
const RESTART_AFTER_AT_MOST_MS = 30_000;
/** One that lived so long did not die of how it was started. */
const SETTLED_MS = 10_000;

/** The processes that answer, seen from the one that keeps them running. It hands each new connection to one of them. */
export class Workers {
  readonly #logger: Logger;
  readonly #count: number;
  /** By place, 1 to `count`; a place is empty while its worker is about to be started again. */
  readonly #running = new Map<number, Worker>();
  readonly #listening = new Set<Worker>();
  readonly #snapshots = new Questions<Snapshot>(SNAPSHOT_WITHIN_MS);
  #restarts = 0;
  #stopping = false;

  constructor(count: number, logger: Logger) {
    this.#count = count;
    this.#logger = logger;
    const exec = fileURLToPath(new URL('../main.ts', import.meta.url));
    // JSON would make null of the NaN in a snapshot.
    cluster.setupPrimary({ exec, args: ['serve'], serialization: 'advanced' });
  }

  /** The first worker makes what all share (secret, tables); once it listens, the others follow. Throws where it does not. */
  async start(): Promise<void> {
    const first = this.#fork(1, 0);
    await new Promise<void>((resolve, reject) => {
      first.once('listening', () => resolve());
      first.once('exit', () => reject(new CliError('failed', 'the first worker could not start')));
    });
    for (let place = 2; place <= this.#count; place++) this.#fork(place, 0);
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
    await Promise.all(
      [...this.#running.values()].map(async (worker) => {
        const ended = new Promise((resolve) => worker.once('exit', resolve));
        if (worker.isDead()) return;
        tell(worker, { type: 'stop' });
        await ended;
      }),
    );
  }

  kill(): void {
    for (const worker of this.#running.values()) worker.process.kill('SIGKILL');
  }

  /** `deaths`: how many workers in this place died early, one after the other. */
  #fork(place: number, deaths: number): Worker {
    const worker = cluster.fork();
    const startedAt = performance.now();
    this.#running.set(place, worker);
    worker.once('listening', () => this.#listening.add(worker));
    worker.on('message', (message: FromWorker) => void this.#hear(worker, message));
    worker.once('exit', (code, signal) => {
      this.#running.delete(place);
      const listened = this.#listening.delete(worker);
      // The first of all that could not start: nobody could.
      if (this.#stopping || (place === 1 && !listened && this.#restarts === 0)) return;
      const early = performance.now() - startedAt < SETTLED_MS ? deaths + 1 : 0;
      const afterMs = Math.min(RESTART_AFTER_MS * 2 ** early, RESTART_AFTER_AT_MOST_MS);
      this.#restarts++;
      this.#logger.error({ worker: place, code, signal, restart_after_ms: afterMs }, 'a worker died');
      setTimeout(() => {
        if (!this.#stopping) this.#fork(place, early);
      }, afterMs);
    });
    return worker;
  }

  async #hear(worker: Worker, message: FromWorker): Promise<void> {
    if (message.type === 'snapshot') this.#snapshots.answer(message.id, message.snapshot);
    else tell(worker, { type: 'metrics', id: message.id, text: await this.metricsText().catch(() => null) });
  }
}

function tell(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => {});
}
