import { type ChildProcess, spawn } from 'node:child_process';
import type { Logger } from 'pino';
import type { SyncEvent } from '../catalog/sync.ts';

const FIRST_AFTER_MS = 200;
const EVERY_MS = 15 * 60_000;
const STOP_WITHIN_MS = 3000;

/**
 * Runs `sextant sync --due` as a process of its own, at start and then every quarter of an hour: it does nothing for a
 * feed before its time. A process apart keeps its memory and its work away from the answers.
 */
export class SyncSchedule {
  readonly #logger: Logger;
  readonly #onPublished: () => void;
  #timer: NodeJS.Timeout | null = null;
  #child: ChildProcess | null = null;

  constructor(logger: Logger, onPublished: () => void) {
    this.#logger = logger;
    this.#onPublished = onPublished;
  }

  start(): void {
    this.#timer = setTimeout(() => {
      this.#run();
      this.#timer = setInterval(() => this.#run(), EVERY_MS);
    }, FIRST_AFTER_MS);
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    const child = this.#child;
    if (child === null || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
    await ended;
    clearTimeout(late);
  }

  #run(): void {
    if (this.#child !== null) return;
    const main = new URL('../main.ts', import.meta.url).pathname;
    const child = spawn(process.execPath, [...process.execArgv, main, 'sync', '--due', '--report', 'ipc'], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#child = child;
    child.on('message', (event) => this.#log(event as SyncEvent));
    child.on('error', (error) => this.#logger.error({ err: error }, 'sync cannot be started'));
    child.on('exit', (code, signal) => {
      this.#child = null;
      if (code !== 0) this.#logger.warn({ code, signal }, 'sync ended with problems');
    });
  }

  #log(event: SyncEvent): void {
    if (event.type === 'refused') this.#logger.warn(event, 'sync: refused');
    else if (event.type === 'feed_done') this.#logger.info(event, 'sync: feed');
    else if (event.type === 'done') {
      this.#logger.info(event, 'sync: done');
      this.#onPublished();
    }
  }
}
