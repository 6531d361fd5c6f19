import { setImmediate } from 'node:timers/promises';
import type { Accounts, UsageRow } from './accounts.ts';
import type { Caller } from './caller.ts';

const FLUSH_EVERY_MS = 1000;
const PURGE_EVERY_MS = 60_000;
const MINUTE_MS = 60_000;
const ROWS_AT_ONCE = 200;
/** Between two flushes, or while the accounts are away. */
const MAX_ROWS = 20_000;

/** How long a row is kept: 24 hours. */
export const KEPT_MS = 24 * 3_600_000;

export interface RecorderOptions {
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
  #rows = new Map<string, UsageRow>();
  #keys = new Set<string>();
  #flushing: Promise<void> | null = null;
  #failing = false;
  #dropped = 0;

  constructor({ accounts, now, onProblem }: RecorderOptions) {
    this.#accounts = accounts;
    this.#now = now;
    this.#onProblem = onProblem;
    this.#timers = [
      setInterval(() => void this.flush(), FLUSH_EVERY_MS).unref(),
      setInterval(() => void this.purge(), PURGE_EVERY_MS).unref(),
    ];
  }

  /** Takes note of one request. `unlogged`: the caller asked for no row (DNT, Sec-GPC); the key's last use is no row. */
  note(caller: Caller, endpoint: string, unlogged: boolean): void {
    if (caller.key !== null) this.#keys.add(caller.key.hash);
    if (unlogged) return;
    const minute = Math.floor(this.#now().getTime() / MINUTE_MS) * MINUTE_MS;
    this.#add(caller.name, endpoint, minute, 1);
  }

  /** Writes what there is. Never rejects. */
  flush(): Promise<void> {
    this.#flushing ??= this.#write().finally(() => {
      this.#flushing = null;
    });
    return this.#flushing;
  }

  /** Forgets rows older than a day. Never rejects. */
  async purge(): Promise<void> {
    try {
      await this.#accounts.purgeUsage(new Date(this.#now().getTime() - KEPT_MS));
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Writes what is left. The accounts are closed by who opened them. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#flushing;
    await this.flush();
  }

  async #write(): Promise<void> {
    const rows = [...this.#rows.values()];
    const keys = [...this.#keys];
    this.#rows = new Map();
    this.#keys = new Set();
    let written = 0;
    try {
      for (; written < rows.length; written += ROWS_AT_ONCE) {
        // Between two batches others have their turn.
        if (written > 0) await setImmediate();
        await this.#accounts.addUsage(rows.slice(written, written + ROWS_AT_ONCE));
      }
      if (keys.length > 0) await this.#accounts.touchKeys(keys, this.#now());
      this.#failing = false;
    } catch (error) {
      this.#fail(error);
      this.#keepForLater(rows.slice(written), keys);
    }
    this.#tellDropped();
  }

  #keepForLater(rows: readonly UsageRow[], keys: readonly string[]): void {
    const since = this.#rows;
    this.#rows = new Map();
    for (const { caller, endpoint, minute, count } of [...rows, ...since.values()]) {
      this.#add(caller, endpoint, minute.getTime(), count);
    }
    for (const key of keys) this.#keys.add(key);
  }

  #add(caller: string, endpoint: string, minute: number, count: number): void {
    const id = `${minute} ${caller} ${endpoint}`;
    const there = this.#rows.get(id);
    if (there !== undefined) {
      there.count += count;
      return;
    }
    if (this.#rows.size >= MAX_ROWS) this.#dropOldest();
    this.#rows.set(id, { caller, endpoint, minute: new Date(minute), count });
  }

  #dropOldest(): void {
    const [id, { count }] = this.#rows.entries().next().value!;
    this.#rows.delete(id);
    this.#dropped += count;
  }

  #fail(error: unknown): void {
    if (!this.#failing) this.#onProblem(new Error('usage cannot be written; trying again', { cause: error }));
    this.#failing = true;
  }

  #tellDropped(): void {
    if (this.#dropped === 0) return;
    this.#onProblem(new Error(`usage of ${this.#dropped} requests dropped: it could not be written in time`));
    this.#dropped = 0;
  }
}
