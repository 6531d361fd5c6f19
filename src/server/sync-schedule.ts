import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { entryModuleUrl } from '../program-files.ts';
import { SyncProcess } from './sync-process.ts';
import { SyncLogger } from './sync-logger.ts';

/** What is run, and how often. */
export interface ScheduledCommand {
  words: readonly string[];
  intervalMs: number;
  /** Each interval is longer or shorter by at most this part of it, so that machines that were started together do not come together. */
  jitter: number;
}

export const DUE_SYNC: ScheduledCommand = {
  words: ['sync', '--due', '--report', 'ipc'],
  intervalMs: 15 * 60_000,
  jitter: 0,
};
/** In place of syncing, where a published catalog is followed: a check that finds nothing new reads two kilobytes. */
export const CATALOG_UPDATE: ScheduledCommand = {
  words: ['catalog', 'update', '--report', 'ipc'],
  intervalMs: 60 * 60_000,
  jitter: 0.25,
};

const FIRST_SYNC_DELAY_MS = 200;
/** Node takes this only when it starts. With its own limit, new objects of a sync take 150 MiB more while it indexes. */
const SMALL_NEW_SPACE = '--max-semi-space-size=2';

/**
 * Runs a command that brings the catalog up to date at start and then in intervals: `sextant sync --due` (feeds that are not due are
 * skipped), or `sextant catalog update`. A separate process keeps its memory and CPU away from requests.
 */
export class SyncSchedule {
  readonly #logger: Logger;
  readonly #onPublished: () => void;
  readonly #onMessage: (message: unknown) => void;
  readonly #command: ScheduledCommand;
  readonly #spawnSync: () => ChildProcess;
  #timer: NodeJS.Timeout | null = null;
  #process: SyncProcess | null = null;

  /** `onMessage` gets every message of the sync process. */
  constructor(
    logger: Logger,
    onPublished: () => void,
    onMessage: (message: unknown) => void,
    command: ScheduledCommand = DUE_SYNC,
    spawnSync: () => ChildProcess = () => spawnCommand(command.words),
  ) {
    this.#logger = logger;
    this.#onPublished = onPublished;
    this.#onMessage = onMessage;
    this.#command = command;
    this.#spawnSync = spawnSync;
  }

  start(): void {
    this.#timer = setTimeout(() => this.#tick(), FIRST_SYNC_DELAY_MS);
  }

  /** Ends a running sync; no other is started. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#process?.stop();
  }

  #tick(): void {
    const { intervalMs, jitter } = this.#command;
    const waitMs = intervalMs * (1 + jitter * (2 * Math.random() - 1));
    this.#timer = setTimeout(() => this.#tick(), waitMs);
    if (this.#process === null) void this.#runSync(new Date(Date.now() + waitMs));
  }

  async #runSync(next: Date): Promise<void> {
    const syncLogger = new SyncLogger(this.#logger, this.#onPublished, next);
    const process = new SyncProcess(this.#spawnSync, (message) => {
      this.#onMessage(message);
      syncLogger.onMessage(message);
    });
    this.#process = process;
    const end = await process.ended;
    this.#process = null;
    syncLogger.onEnd(end);
  }
}

function spawnCommand(words: readonly string[]): ChildProcess {
  const main = fileURLToPath(entryModuleUrl('main.ts'));
  return spawn(process.execPath, [...process.execArgv, SMALL_NEW_SPACE, main, ...words], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}
