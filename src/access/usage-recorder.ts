import { setImmediate } from 'node:timers/promises';
import type { Accounts, UsageRow } from './accounts.ts';
import type { Caller } from './caller.ts';

const FLUSH_INTERVAL_MS = 1000;
const PURGE_INTERVAL_MS = 60_000;
const MINUTE_MS = 60_000;
const ROWS_PER_BATCH = 200;
/** Between two flushes, or while the account store is down. */
const MAX_BUFFERED_ROWS = 20_000;

/** How long a row is kept: 24 hours. */
export const USAGE_RETENTION_MS = 24 * 3_600_000;

export interface UsageRecorderDeps {
  accounts: Accounts;
  now: () => Date;
  /** Called once when writing begins to fail, and for rows that were dropped. */
  onProblem: (problem: Error) => void;
}

/**
 * Counts the requests of callers and writes them in batches, a second later, so that no request waits. Rows that cannot be written
 * are kept and tried again; beyond the limit the oldest rows are dropped and reported.
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

  /** Records one request. `optedOut` (DNT, Sec-GPC): no usage row; only the key's last use is updated. */
  record(caller: Caller, endpoint: string, optedOut: boolean): void {
    if (caller.key !== null) this.#usedKeyHashes.add(caller.key.hash);
    if (optedOut) return;
    const minute = Math.floor(this.#now().getTime() / MINUTE_MS) * MINUTE_MS;
    this.#addToBuffer(caller.pseudonym, endpoint, minute, 1);
  }

  /** Writes the buffered rows. Never rejects. */
  flush(): Promise<void> {
    this.#flushing ??= this.#writeBuffered().finally(() => {
      this.#flushing = null;
    });
    return this.#flushing;
  }

  /** Deletes rows older than a day. Never rejects. */
  async purge(): Promise<void> {
    try {
      await this.#accounts.purgeUsage(new Date(this.#now().getTime() - USAGE_RETENTION_MS));
    } catch (error) {
      this.#reportFailure(error);
    }
  }

  /** Writes the buffered rows. The caller closes the accounts. */
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
        // Yield to the event loop between batches.
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
    const addedMeanwhile = this.#bufferedRows;
    this.#bufferedRows = new Map();
    for (const { caller, endpoint, minute, count } of [...rows, ...addedMeanwhile.values()]) {
      this.#addToBuffer(caller, endpoint, minute.getTime(), count);
    }
    for (const key of keys) this.#usedKeyHashes.add(key);
  }

  #addToBuffer(caller: string, endpoint: string, minute: number, count: number): void {
    const id = `${minute} ${caller} ${endpoint}`;
    const existing = this.#bufferedRows.get(id);
    if (existing !== undefined) {
      existing.count += count;
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
