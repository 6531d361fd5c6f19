import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { entryModuleUrl } from '../program-files.ts';
import { describeSystemError } from '../system-error.ts';
import { openWatchStore, WATCHES_FILE } from '../watches/store/open-watch-store.ts';
import { forkServiceProcess } from './live-runner.ts';
import { nextRestart, type RestartPolicy } from './next-restart.ts';
import type { StartWatching } from './run-watch-process.ts';

/** While there is no watch. */
const LOOK_INTERVAL_MS = 3000;
const RESTART: RestartPolicy = { delayMs: 1000, maxDelayMs: 60_000, stableAfterMs: 30_000 };
const STOP_TIMEOUT_MS = 4000;

interface SupervisorDeps {
  config: Config;
  logger: Logger;
  /** Starts the process; default: `watch-process.ts`. */
  startProcess?: (() => ChildProcess) | undefined;
}

/** Starts the watch process when this installation has a watch, and again where it dies. */
export class WatchSupervisor {
  readonly #deps: SupervisorDeps;
  #timer: NodeJS.Timeout | undefined;
  #child: ChildProcess | null = null;
  #failedStarts = 0;
  #isStopping = false;

  constructor(deps: SupervisorDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#schedule(0, () => void this.#look());
  }

  /** Ends the process, which finishes what it sends if that takes less than two seconds. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    const child = this.#child;
    if (child === null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    if (child.connected) child.disconnect();
    await ended;
    clearTimeout(late);
  }

  async #look(): Promise<void> {
    let hasWatches = false;
    try {
      hasWatches = await this.#hasWatches();
    } catch (error) {
      this.#deps.logger.warn({ reason: describeSystemError(error) }, 'watches: cannot be read');
    }
    if (hasWatches) this.#startProcess();
    else this.#schedule(LOOK_INTERVAL_MS, () => void this.#look());
  }

  async #hasWatches(): Promise<boolean> {
    const { dataDir, databaseUrl } = this.#deps.config;
    if (databaseUrl === null && !existsSync(join(dataDir, WATCHES_FILE))) return false;
    const store = await openWatchStore(this.#deps.config, () => new Date());
    try {
      return (await store.matches.countWatches()) > 0;
    } finally {
      await store.close();
    }
  }

  #startProcess(): void {
    if (this.#isStopping) return;
    const { config, logger } = this.#deps;
    const startProcess =
      this.#deps.startProcess ?? (() => forkServiceProcess(entryModuleUrl('server/watch-process.ts')));
    const startedAt = performance.now();
    const child = startProcess();
    this.#child = child;
    const onEnd = (cause: object): void => {
      if (this.#child !== child) return;
      this.#child = null;
      if (this.#isStopping) return;
      const { failedStarts, afterMs } = nextRestart(this.#failedStarts, performance.now() - startedAt, RESTART);
      this.#failedStarts = failedStarts;
      logger.error({ ...cause, restart_after_ms: afterMs }, 'the watch process died');
      this.#schedule(afterMs, () => this.#startProcess());
    };
    child.once('exit', (code, signal) => onEnd({ code, signal }));
    child.on('error', (error) => {
      // A process with a pid runs: only a signal or a message failed.
      if (child.pid === undefined) onEnd({ err: error });
    });
    child.send({ type: 'start', config } satisfies StartWatching, () => {});
  }

  #schedule(afterMs: number, act: () => void): void {
    if (!this.#isStopping) this.#timer = setTimeout(act, afterMs).unref();
  }
}
