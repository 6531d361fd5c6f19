import type { ChildProcess } from 'node:child_process';

/** Longer than a sync may take (`src/catalog/sync.ts`) after the longest wait for its turn. */
const MAX_SYNC_MS = 4 * 3_600_000;
const STOP_TIMEOUT_MS = 3000;
/** What a process reported last may come a little after it ended. */
const LAST_MESSAGES_TIMEOUT_MS = 1000;

/** How a sync process ended. `lost`: it was told to end, then killed, and is still there. */
export type SyncExit =
  | { how: 'not_started'; error: unknown }
  | { how: 'ended'; code: number | null; signal: NodeJS.Signals | null }
  | { how: 'lost' };

/** One run of `sextant sync` as a process of its own. It ends, whatever the process does. */
export class SyncProcess {
  /** Never rejects. */
  readonly ended: Promise<SyncExit>;
  readonly #resolve: (end: SyncExit) => void;
  #child: ChildProcess | null = null;
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(spawnChild: () => ChildProcess, onMessage: (message: unknown) => void) {
    const { promise, resolve } = Promise.withResolvers<SyncExit>();
    this.ended = promise;
    this.#resolve = resolve;
    try {
      this.#watch(spawnChild(), onMessage);
    } catch (error) {
      this.#finish({ how: 'not_started', error });
    }
  }

  /** Asks the process to end, and kills it where it does not in time. */
  async stop(): Promise<void> {
    this.#child?.kill('SIGTERM');
    this.#setTimer(STOP_TIMEOUT_MS, () => {
      this.#child?.kill('SIGKILL');
      this.#setTimer(STOP_TIMEOUT_MS, () => this.#finish({ how: 'lost' }));
    });
    await this.ended;
  }

  #watch(child: ChildProcess, onMessage: (message: unknown) => void): void {
    this.#child = child;
    this.#setTimer(MAX_SYNC_MS, () => void this.stop());
    child.on('message', (message) => onMessage(message));
    child.on('error', (error) => {
      // With a number it runs, and only a signal or a message to it failed.
      if (child.pid === undefined) this.#finish({ how: 'not_started', error });
    });
    child.once('exit', (code, signal) =>
      this.#setTimer(LAST_MESSAGES_TIMEOUT_MS, () => this.#finish({ how: 'ended', code, signal })),
    );
    child.once('close', (code, signal) => this.#finish({ how: 'ended', code, signal }));
  }

  #setTimer(ms: number, act: () => void): void {
    if (this.#child === null) return;
    this.#timers.add(setTimeout(act, ms));
  }

  #finish(end: SyncExit): void {
    this.#child = null;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#resolve(end);
  }
}
