import { setImmediate } from 'node:timers/promises';
import type { Accounts, UsageRow } from './accounts.ts';
import type { Caller } from './caller.ts';

const FLUSH_INTERVAL_MS = 1000;
const PURGE_INTERVAL_MS = 60_000;
const MINUTE_MS = 60_000;
const ROWS_PER_BATCH = 200;
/** Between two flushes, or while the accounts are away. */
const MAX_BUFFERED_ROWS = 20_000;

/** How long a row is kept: 24 hours. */
export const USAGE_RETENTION_MS = 24 * 3_600_000;

export interface UsageRecorderDeps {
  accounts: Accounts;
  now: () => Date;
  /** Told once when writing begins to fail, and of rows that had to be dropped. */
  onProblem: (problem: Error) => void;
}

/**
 * Counts what callers asked for and writes it in batches, a second later: no request waits for it. What cannot be written is
 * kept and tried again; past a limit the oldest is dropped, and said.
 */
export class UsageRecorder {
  readonly #accounts: Accounts;
  readonly #now: () => Date;
  readonly #onProblem: (problem: Error) => void;
  readonly #timers: NodeJS.Timeout[];
  #bufferedRows = new Map<string, UsageRow>();
  #usedKeyHashes = new Set<string>();
  #flushing: Promise<void> | null = null;
  #isFailing = false;
  #droppedRequests = 0;

  constructor({ accounts, now, onProblem }: UsageRecorderDeps) {
    this.#accounts = accounts;
    this.#now = now;
    this.#onProblem = onProblem;
    this.#timers = [
      setInterval(() => void this.flush(), FLUSH_INTERVAL_MS).unref(),
      setInterval(() => void this.purge(), PURGE_INTERVAL_MS).unref(),
    ];
  }

  /** Takes note of one request. `unlogged`: the caller asked for no row (DNT, Sec-GPC); the key's last use is no row. */
  record(caller: Caller, endpoint: string, unlogged: boolean): void {
    if (caller.key !== null) this.#usedKeyHashes.add(caller.key.hash);
    if (unlogged) return;
    const minute = Math.floor(this.#now().getTime() / MINUTE_MS) * MINUTE_MS;
    this.#addToBuffer(caller.pseudonym, endpoint, minute, 1);
  }

  /** Writes what there is. Never rejects. */
  flush(): Promise<void> {
    this.#flushing ??= this.#writeBuffered().finally(() => {
      this.#flushing = null;
    });
    return this.#flushing;
  }

  /** Forgets rows older than a day. Never rejects. */
  async purge(): Promise<void> {
    try {
      await this.#accounts.purgeUsage(new Date(this.#now().getTime() - USAGE_RETENTION_MS));
    } catch (error) {
      this.#reportFailure(error);
    }
  }

  /** Writes what is left. The accounts are closed by who opened them. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#flushing;
    await this.flush();
  }

  async #writeBuffered(): Promise<void> {
    const rows = [...this.#bufferedRows.values()];
    const keys = [...this.#usedKeyHashes];
    this.#bufferedRows = new Map();
    this.#usedKeyHashes = new Set();
    let written = 0;
    try {
      for (; written < rows.length; written += ROWS_PER_BATCH) {
        // Between two batches others have their turn.
        if (written > 0) await setImmediate();
        await this.#accounts.addUsage(rows.slice(written, written + ROWS_PER_BATCH));
      }
      if (keys.length > 0) await this.#accounts.touchKeys(keys, this.#now());
      this.#isFailing = false;
    } catch (error) {
      this.#reportFailure(error);
      this.#requeue(rows.slice(written), keys);
    }
    this.#reportDropped();
  }

  #requeue(rows: readonly UsageRow[], keys: readonly string[]): void {
    const since = this.#bufferedRows;
    this.#bufferedRows = new Map();
    for (const { caller, endpoint, minute, count } of [...rows, ...since.values()]) {
      this.#addToBuffer(caller, endpoint, minute.getTime(), count);
    }
    for (const key of keys) this.#usedKeyHashes.add(key);
  }

  #addToBuffer(caller: string, endpoint: string, minute: number, count: number): void {
    const id = `${minute} ${caller} ${endpoint}`;
    const there = this.#bufferedRows.get(id);
    if (there !== undefined) {
      there.count += count;
      return;
    }
    if (this.#bufferedRows.size >= MAX_BUFFERED_ROWS) this.#dropOldest();
    this.#bufferedRows.set(id, { caller, endpoint, minute: new Date(minute), count });
  }

  #dropOldest(): void {
    const [id, { count }] = this.#bufferedRows.entries().next().value!;
    this.#bufferedRows.delete(id);
    this.#droppedRequests += count;
  }

  #reportFailure(error: unknown): void {
    if (!this.#isFailing) this.#onProblem(new Error('usage cannot be written; trying again', { cause: error }));
    this.#isFailing = true;
  }

  #reportDropped(): void {
    if (this.#droppedRequests === 0) return;
    this.#onProblem(new Error(`usage of ${this.#droppedRequests} requests dropped: it could not be written in time`));
    this.#droppedRequests = 0;
  }
}
