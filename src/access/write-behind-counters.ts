import type { ConsumeRequest, ConsumeResult, Counters, CounterWindow } from './counters.ts';
import { type CounterRow, type EmbeddedCounters, rowToResult } from './embedded-counters.ts';
import { FolderUse } from './folder-use.ts';

/** A process that dies loses what was counted in this time. */
const FLUSH_INTERVAL_MS = 1000;
/** How long another process that opens the folder waits for this one to share. */
const SHARE_CHECK_INTERVAL_MS = 50;
const MAX_WINDOWS = 100_000;

interface Window {
  used: number;
  /** Milliseconds since 1970. */
  ends: number;
  changed: boolean;
}

/**
 * Counters of the data folder. While this process uses the folder alone, it counts in memory and writes once a second
 * (docs/decisions/021-counting-in-memory.md); from the moment that another process wants the folder, both count in the file.
 * The rules are those of `EmbeddedCounters`.
 */
export class WriteBehindCounters implements Counters {
  readonly name = 'counters';
  readonly #file: EmbeddedCounters;
  readonly #use: FolderUse;
  readonly #now: () => Date;
  readonly #timers: NodeJS.Timeout[];
  readonly #windows = new Map<string, Window>();
  #countsInMemory: boolean;

  private constructor(file: EmbeddedCounters, use: FolderUse, now: () => Date) {
    this.#file = file;
    this.#use = use;
    this.#now = now;
    this.#countsInMemory = use.isSole;
    this.#timers = this.#countsInMemory
      ? [
          setInterval(() => this.#shareIfWanted(), SHARE_CHECK_INTERVAL_MS).unref(),
          setInterval(() => this.#flush(), FLUSH_INTERVAL_MS).unref(),
        ]
      : [];
  }

  /** `counters` count in the file at `path`, and are closed with this. */
  static async open(path: string, counters: EmbeddedCounters, now: () => Date): Promise<WriteBehindCounters> {
    return new WriteBehindCounters(counters, await FolderUse.open(path), now);
  }

  /** False while the file cannot be written. */
  get isUp(): boolean {
    return this.#file.isUp;
  }

  consume(name: string, request: ConsumeRequest): ConsumeResult {
    if (!this.#countsInMemory) return this.#file.consume(name, request);
    const { amount, limit, windowSeconds, allOrNothing } = request;
    const now = this.#now().getTime();
    const lastEnd = now + windowSeconds * 1000;
    const open = this.#openWindow(name, now);
    // It was written before the clock was set back: the window is shortened, and used tokens stay used.
    if (open !== null && open.ends > lastEnd) Object.assign(open, { ends: lastEnd, changed: true });
    const free = Math.max(0, limit - (open?.used ?? 0));
    const granted = amount <= free ? amount : allOrNothing ? 0 : free;
    if (granted === 0) return this.peek(name, request);
    const window = { used: (open?.used ?? 0) + granted, ends: open?.ends ?? lastEnd, changed: true };
    this.#windows.set(name, window);
    return rowToResult({ ...window, granted }, now, limit);
  }

  refund(name: string, amount: number, window: CounterWindow): ConsumeResult {
    if (!this.#countsInMemory) return this.#file.refund(name, amount, window);
    const open = this.#openWindow(name, this.#now().getTime());
    if (open !== null) {
      open.used = Math.max(0, open.used - amount);
      open.changed = true;
    }
    return this.peek(name, window);
  }

  peek(name: string, window: CounterWindow): ConsumeResult {
    if (!this.#countsInMemory) return this.#file.peek(name, window);
    const { limit, windowSeconds } = window;
    const now = this.#now().getTime();
    const open = this.#openWindow(name, now);
    if (open === null) return { granted: 0, remaining: limit, resetSeconds: windowSeconds };
    const ends = Math.min(open.ends, now + windowSeconds * 1000);
    return rowToResult({ granted: 0, used: open.used, ends }, now, limit);
  }

  async close(): Promise<void> {
    this.#stopCountingInMemory();
    await this.#file.close();
    this.#use.close();
  }

  /** Null where the window is not open. */
  #openWindow(name: string, now: number): Window | null {
    let window = this.#windows.get(name);
    if (window === undefined) {
      if (this.#windows.size >= MAX_WINDOWS) this.#makeRoom();
      const row = this.#file.readRow(name);
      if (row === null) return null;
      window = { used: row.used, ends: row.ends, changed: false };
      this.#windows.set(name, window);
    }
    return window.ends > now ? window : null;
  }

  #shareIfWanted(): void {
    if (!this.#use.isWanted) return;
    this.#stopCountingInMemory();
    this.#use.share();
  }

  #stopCountingInMemory(): void {
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    if (!this.#countsInMemory) return;
    this.#flush();
    this.#countsInMemory = false;
    this.#windows.clear();
  }

  /** Writes what changed, and forgets what has ended. While the file cannot be written, all is kept. */
  #flush(): void {
    const changed: CounterRow[] = [];
    const now = this.#now().getTime();
    for (const [name, { used, ends, changed: isChanged }] of this.#windows) {
      if (isChanged) changed.push({ name, used, ends, granted: 0 });
      else if (ends <= now) this.#windows.delete(name);
    }
    if (changed.length === 0 || !this.#file.writeRows(changed)) return;
    for (const { name } of changed) this.#windows.get(name)!.changed = false;
  }

  /** Writes and forgets all windows; while the file cannot be written, the oldest tenth is forgotten. */
  #makeRoom(): void {
    this.#flush();
    if (this.#file.isUp) return this.#windows.clear();
    for (const name of [...this.#windows.keys()].slice(0, MAX_WINDOWS / 10)) this.#windows.delete(name);
  }
}
