import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { entryModuleUrl } from '../program-files.ts';
import { SyncProcess } from './sync-process.ts';
import { SyncLogger } from './sync-logger.ts';

const FIRST_SYNC_DELAY_MS = 200;
const SYNC_INTERVAL_MS = 15 * 60_000;
/** Node takes this only when it starts. With its own limit, new objects of a sync take 150 MiB more while it indexes. */
const SMALL_NEW_SPACE = '--max-semi-space-size=2';

/**
 * Runs `sextant sync --due` at start and then every quarter of an hour; feeds that are not due are skipped. A separate process keeps
 * the memory and CPU of the sync away from requests.
 */
export class SyncSchedule {
  readonly #logger: Logger;
  readonly #onPublished: () => void;
  readonly #spawnSync: () => ChildProcess;
  #timer: NodeJS.Timeout | null = null;
  #process: SyncProcess | null = null;

  constructor(logger: Logger, onPublished: () => void, spawnSync: () => ChildProcess = spawnDueSync) {
    this.#logger = logger;
    this.#onPublished = onPublished;
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
    this.#timer = setTimeout(() => this.#tick(), SYNC_INTERVAL_MS);
    if (this.#process === null) void this.#runSync();
  }

  async #runSync(): Promise<void> {
    const syncLogger = new SyncLogger(this.#logger, this.#onPublished, new Date(Date.now() + SYNC_INTERVAL_MS));
    const process = new SyncProcess(this.#spawnSync, (message) => syncLogger.onMessage(message));
    this.#process = process;
    const end = await process.ended;
    this.#process = null;
    syncLogger.onEnd(end);
  }
}

function spawnDueSync(): ChildProcess {
  const main = fileURLToPath(entryModuleUrl('main.ts'));
  return spawn(process.execPath, [...process.execArgv, SMALL_NEW_SPACE, main, 'sync', '--due', '--report', 'ipc'], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}
