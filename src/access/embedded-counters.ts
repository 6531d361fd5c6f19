import type { DatabaseSync } from 'node:sqlite';
import type { Counters, ConsumeResult, ConsumeRequest, CounterWindow } from './counters.ts';
import { openEmbeddedDatabase } from './embedded-database.ts';
import { LocalCounters } from './local-counters.ts';

/** A write takes microseconds: a process that holds the lock for longer was stopped in the middle. */
const LOCK_TIMEOUT_MS = 250;
const RETRY_AFTER_FAILURE_MS = 1000;
const PURGE_INTERVAL_MS = 1000;
const PURGE_BATCH_ROWS = 1000;
/** A row has about 90 bytes, and each request writes one page. */
const PAGE_BYTES = 512;

const SCHEMA_SQL = `CREATE TABLE IF NOT EXISTS counter (
  name TEXT PRIMARY KEY,
  used INTEGER NOT NULL,
  ends INTEGER NOT NULL,
  granted INTEGER NOT NULL
) WITHOUT ROWID`;

/**
 * One statement, so that concurrent processes count one after another. ?1 name, ?2 amount, ?3 limit, ?4 now, ?5 length of the
 * window in milliseconds, ?6 all or nothing. An end more than one window ahead was written before the clock was set back: the
 * window is shortened, and used tokens stay used.
 */
const CONSUME_SQL = `INSERT INTO counter VALUES (?1, min(?2, ?3), ?4 + ?5, min(?2, ?3))
  ON CONFLICT (name) DO UPDATE SET
    granted = CASE WHEN ends <= ?4 THEN min(?2, ?3) WHEN used + ?2 <= ?3 THEN ?2 WHEN ?6 THEN 0 ELSE max(0, ?3 - used) END,
    used = CASE WHEN ends <= ?4 THEN min(?2, ?3) WHEN used + ?2 <= ?3 THEN used + ?2 WHEN ?6 THEN used ELSE max(used, ?3) END,
    ends = CASE WHEN ends <= ?4 THEN ?4 + ?5 ELSE min(ends, ?4 + ?5) END
  RETURNING name, granted, used, ends`;

/** A window as it is stored. */
export interface CounterRow {
  name: string;
  /** Tokens that the last `consume` granted. */
  granted: number;
  used: number;
  /** Milliseconds since 1970. */
  ends: number;
}

/**
 * Counters in the data folder, shared by the processes of one machine; they survive a restart. While the file cannot be written
 * (a full disk) this process counts by itself: it grants at most the limit one more time.
 */
export class EmbeddedCounters implements Counters {
  /** Name in `/v1/status` while it is down. */
  readonly name = 'counters';
  readonly #db: DatabaseSync;
  readonly #now: () => Date;
  readonly #statements: ReturnType<typeof prepareStatements>;
  readonly #timer: NodeJS.Timeout;
  readonly #onProblem: (problem: Error) => void;
  readonly #fallback = new LocalCounters();
  /** Monotonic milliseconds; null while the file can be written. */
  #retryAtMs: number | null = null;
  #lastPurgedName = '';

  /** `onProblem` is called once when the file cannot be written, and when it can again. */
  constructor(file: string, now: () => Date, onProblem: (problem: Error) => void = () => {}) {
    this.#db = openEmbeddedDatabase(file, {
      lockTimeoutMs: LOCK_TIMEOUT_MS,
      synchronous: 'off',
      pageSizeBytes: PAGE_BYTES,
      schema: SCHEMA_SQL,
      recreateIfDamaged: true,
    });
    this.#now = now;
    this.#onProblem = onProblem;
    this.#statements = prepareStatements(this.#db);
    this.#timer = setInterval(() => this.#purgeBatch(), PURGE_INTERVAL_MS).unref();
  }

  /** False while the file cannot be written. */
  get isUp(): boolean {
    return this.#retryAtMs === null;
  }

  consume(name: string, request: ConsumeRequest): ConsumeResult {
    const { amount, limit, windowSeconds, allOrNothing } = request;
    if (allOrNothing && amount > limit) return this.peek(name, request);
    const consumeInFile = (): ConsumeResult => {
      const now = this.#now().getTime();
      const row = this.#statements.consume.get(name, amount, limit, now, windowSeconds * 1000, allOrNothing ? 1 : 0);
      return rowToResult(row as unknown as CounterRow, now, limit);
    };
    return this.#tryOnFile(consumeInFile) ?? this.#fallback.consume(name, request);
  }

  refund(name: string, amount: number, window: CounterWindow): ConsumeResult {
    const refundInFile = (): ConsumeResult => {
      this.#statements.refund.run(name, amount, this.#now().getTime());
      return this.#readWindow(name, window);
    };
    return this.#tryOnFile(refundInFile) ?? this.#fallback.refund(name, amount, window);
  }

  peek(name: string, window: CounterWindow): ConsumeResult {
    return this.#tryOnFile(() => this.#readWindow(name, window)) ?? this.#fallback.peek(name, window);
  }

  /** The stored window; null if it is not stored, or the file cannot be read. */
  readRow(name: string): CounterRow | null {
    return this.#tryOnFile(() => ({ row: this.#statements.peek.get(name) as CounterRow | undefined }))?.row ?? null;
  }

  /** Replaces stored windows, all or none; false while the file cannot be written. */
  writeRows(rows: readonly CounterRow[]): boolean {
    const written = this.#tryOnFile(() => {
      this.#db.exec('BEGIN IMMEDIATE');
      try {
        for (const { name, used, ends, granted } of rows) this.#statements.write.run(name, used, ends, granted);
        this.#db.exec('COMMIT');
      } catch (error) {
        if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
        throw error;
      }
      return true;
    });
    return written ?? false;
  }

  #readWindow(name: string, { limit, windowSeconds }: CounterWindow): ConsumeResult {
    const now = this.#now().getTime();
    const row = this.#statements.peek.get(name) as CounterRow | undefined;
    if (row === undefined || row.ends <= now) return { granted: 0, remaining: limit, resetSeconds: windowSeconds };
    return rowToResult({ ...row, granted: 0, ends: Math.min(row.ends, now + windowSeconds * 1000) }, now, limit);
  }

  /** Null while the file cannot be used; tried again after a second. */
  #tryOnFile<T>(count: () => T): T | null {
    if (this.#retryAtMs !== null && performance.now() < this.#retryAtMs) return null;
    try {
      const result = count();
      if (this.#retryAtMs !== null) this.#onProblem(new Error('the counters can be written again'));
      this.#retryAtMs = null;
      return result;
    } catch (error) {
      if (this.#retryAtMs === null) {
        this.#onProblem(
          new Error('the counters in the data folder cannot be written; going on without', { cause: error }),
        );
      }
      this.#retryAtMs = performance.now() + RETRY_AFTER_FAILURE_MS;
      return null;
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#db.close();
  }

  /** Deletes windows that have ended, in batches, so that no request waits for it. */
  #purgeBatch(): void {
    try {
      const end = (this.#statements.purgeBatchEnd.get(this.#lastPurgedName) as { name: string } | undefined)?.name;
      this.#statements.purge.run(this.#lastPurgedName, end ?? '\u{10ffff}', this.#now().getTime());
      this.#lastPurgedName = end ?? '';
    } catch {
      // The next `consume` meets and reports the same error.
    }
  }
}

function prepareStatements(db: DatabaseSync) {
  return {
    consume: db.prepare(CONSUME_SQL),
    refund: db.prepare('UPDATE counter SET used = max(0, used - ?2) WHERE name = ?1 AND ends > ?3'),
    write: db.prepare('INSERT OR REPLACE INTO counter (name, used, ends, granted) VALUES (?1, ?2, ?3, ?4)'),
    peek: db.prepare('SELECT name, granted, used, ends FROM counter WHERE name = ?'),
    purgeBatchEnd: db.prepare(
      `SELECT name FROM counter WHERE name > ? ORDER BY name LIMIT 1 OFFSET ${PURGE_BATCH_ROWS - 1}`,
    ),
    purge: db.prepare('DELETE FROM counter WHERE name > ?1 AND name <= ?2 AND ends <= ?3'),
  };
}

/** `granted`: what this call was granted. */
export function rowToResult(
  { granted, used, ends }: Omit<CounterRow, 'name'>,
  now: number,
  limit: number,
): ConsumeResult {
  return { granted, remaining: Math.max(0, limit - used), resetSeconds: Math.max(1, Math.ceil((ends - now) / 1000)) };
}
