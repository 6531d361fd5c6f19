import type { ChildProcess } from 'node:child_process';

/** Longer than the longest sync (`src/catalog/sync.ts`) after the longest wait for the sync lock. */
const MAX_SYNC_MS = 4 * 3_600_000;
const STOP_TIMEOUT_MS = 3000;
/** The last messages of a process may arrive after its exit. */
const LAST_MESSAGES_TIMEOUT_MS = 1000;

/** How a sync process ended. `lost`: it still runs after SIGTERM and SIGKILL. */
export type SyncExit =
  | { kind: 'not_started'; error: unknown }
  | { kind: 'ended'; code: number | null; signal: NodeJS.Signals | null }
  | { kind: 'lost' };

/** One run of `sextant sync` as a separate process. `ended` always resolves, whatever the process does. */
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
      this.#finish({ kind: 'not_started', error });
    }
  }

  /** Sends SIGTERM, and SIGKILL where the process does not end in time. */
  async stop(): Promise<void> {
    this.#child?.kill('SIGTERM');
    this.#setTimer(STOP_TIMEOUT_MS, () => {
      this.#child?.kill('SIGKILL');
      this.#setTimer(STOP_TIMEOUT_MS, () => this.#finish({ kind: 'lost' }));
    });
    await this.ended;
  }

  #watch(child: ChildProcess, onMessage: (message: unknown) => void): void {
    this.#child = child;
    this.#setTimer(MAX_SYNC_MS, () => void this.stop());
    child.on('message', (message) => onMessage(message));
    child.on('error', (error) => {
      // A process with a pid runs: only a signal or a message failed.
      if (child.pid === undefined) this.#finish({ kind: 'not_started', error });
    });
    child.once('exit', (code, signal) =>
      this.#setTimer(LAST_MESSAGES_TIMEOUT_MS, () => this.#finish({ kind: 'ended', code, signal })),
    );
    child.once('close', (code, signal) => this.#finish({ kind: 'ended', code, signal }));
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
