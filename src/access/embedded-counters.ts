import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Counters, Taken, TakeRequest, Window } from './counters.ts';
import { openEmbedded } from './embedded-database.ts';
import { LocalShare } from './local-share.ts';

/** A write takes microseconds: a process that holds the file for longer was stopped in the middle. */
const WAIT_MS = 250;
const AWAY_MS = 1000;
const PURGE_EVERY_MS = 1000;
const PURGE_ROWS = 1000;
/** A row is some 90 bytes, and each take writes one page. */
const PAGE_BYTES = 512;

const SCHEMA = `CREATE TABLE IF NOT EXISTS counter (
  name TEXT PRIMARY KEY,
  used INTEGER NOT NULL,
  ends INTEGER NOT NULL,
  granted INTEGER NOT NULL
) WITHOUT ROWID`;

/**
 * One statement, so that whatever else is counting comes before or after it. ?1 name, ?2 amount, ?3 limit, ?4 now, ?5 length
 * of the window in milliseconds, ?6 all or nothing. An end farther away than a whole window was written before the clock was
 * set back: it is brought nearer, and what was used stays used.
 */
const TAKE = `INSERT INTO counter VALUES (?1, min(?2, ?3), ?4 + ?5, min(?2, ?3))
  ON CONFLICT (name) DO UPDATE SET
    granted = CASE WHEN ends <= ?4 THEN min(?2, ?3) WHEN used + ?2 <= ?3 THEN ?2 WHEN ?6 THEN 0 ELSE max(0, ?3 - used) END,
    used = CASE WHEN ends <= ?4 THEN min(?2, ?3) WHEN used + ?2 <= ?3 THEN used + ?2 WHEN ?6 THEN used ELSE max(used, ?3) END,
    ends = CASE WHEN ends <= ?4 THEN ?4 + ?5 ELSE min(ends, ?4 + ?5) END
  RETURNING granted, used, ends`;

interface Row {
  granted: number;
  used: number;
  ends: number;
}

/**
 * Counters in the data folder, shared by the processes of one machine; they live through a restart. While the file cannot be
 * written (a full disk) this process counts by itself: it gives at most the limit once more.
 */
export class EmbeddedCounters implements Counters {
  /** As `/v1/status` says it. */
  readonly name = 'counters';
  readonly #db: DatabaseSync;
  readonly #now: () => Date;
  readonly #take: StatementSync;
  readonly #giveBack: StatementSync;
  readonly #look: StatementSync;
  readonly #sliceEnd: StatementSync;
  readonly #purge: StatementSync;
  readonly #timer: NodeJS.Timeout;
  readonly #onProblem: (problem: Error) => void;
  readonly #share = new LocalShare();
  /** Monotonic milliseconds; null while all is well. */
  #awayUntil: number | null = null;
  #purgedTo = '';

  /** `onProblem` is told once when counting in the file begins to fail, and when it works again. */
  constructor(file: string, now: () => Date, onProblem: (problem: Error) => void = () => {}) {
    const db = openEmbedded(file, {
      waitMs: WAIT_MS,
      synchronous: 'off',
      pageSize: PAGE_BYTES,
      schema: SCHEMA,
      disposable: true,
    });
    this.#db = db;
    this.#now = now;
    this.#onProblem = onProblem;
    this.#take = db.prepare(TAKE);
    this.#giveBack = db.prepare(
      'UPDATE counter SET used = max(0, used - ?2) WHERE name = ?1 AND ends > ?3 RETURNING granted, used, ends',
    );
    this.#look = db.prepare('SELECT granted, used, ends FROM counter WHERE name = ?');
    this.#sliceEnd = db.prepare(
      `SELECT name FROM counter WHERE name > ? ORDER BY name LIMIT 1 OFFSET ${PURGE_ROWS - 1}`,
    );
    this.#purge = db.prepare('DELETE FROM counter WHERE name > ?1 AND name <= ?2 AND ends <= ?3');
    this.#timer = setInterval(() => this.#purgeSlice(), PURGE_EVERY_MS).unref();
  }

  /** False while this process counts by itself. */
  get here(): boolean {
    return this.#awayUntil === null;
  }

  take(name: string, request: TakeRequest): Taken {
    const { amount, limit, windowSeconds, whole } = request;
    if (whole && amount > limit) return this.look(name, request);
    const work = (): Taken => {
      const now = this.#now().getTime();
      const row = this.#take.get(name, amount, limit, now, windowSeconds * 1000, whole ? 1 : 0);
      return taken(row as unknown as Row, now, limit);
    };
    return this.#attempt(work) ?? this.#share.take(name, request);
  }

  giveBack(name: string, amount: number, window: Window): Taken {
    const work = (): Taken => {
      this.#giveBack.get(name, amount, this.#now().getTime());
      return this.#standing(name, window);
    };
    return this.#attempt(work) ?? this.#share.giveBack(name, amount, window);
  }

  look(name: string, window: Window): Taken {
    return this.#attempt(() => this.#standing(name, window)) ?? this.#share.look(name, window);
  }

  #standing(name: string, { limit, windowSeconds }: Window): Taken {
    const now = this.#now().getTime();
    const row = this.#look.get(name) as Row | undefined;
    if (row === undefined || row.ends <= now) return { granted: 0, remaining: limit, resetSeconds: windowSeconds };
    return taken({ ...row, granted: 0, ends: Math.min(row.ends, now + windowSeconds * 1000) }, now, limit);
  }

  /** Null where the file cannot be used; it is tried again a second later. */
  #attempt(work: () => Taken): Taken | null {
    if (this.#awayUntil !== null && performance.now() < this.#awayUntil) return null;
    try {
      const result = work();
      if (this.#awayUntil !== null) this.#onProblem(new Error('the counters can be written again'));
      this.#awayUntil = null;
      return result;
    } catch (error) {
      if (this.#awayUntil === null) {
        this.#onProblem(
          new Error('the counters in the data folder cannot be written; going on without', { cause: error }),
        );
      }
      this.#awayUntil = performance.now() + AWAY_MS;
      return null;
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#db.close();
  }

  /** Forgets windows that have ended, a slice of the table at a time so that nobody waits for it. */
  #purgeSlice(): void {
    try {
      const end = (this.#sliceEnd.get(this.#purgedTo) as { name: string } | undefined)?.name;
      this.#purge.run(this.#purgedTo, end ?? '\u{10ffff}', this.#now().getTime());
      this.#purgedTo = end ?? '';
    } catch {
      // What keeps it from writing is met, and told, by the next take.
    }
  }
}

function taken({ granted, used, ends }: Row, now: number, limit: number): Taken {
  return { granted, remaining: Math.max(0, limit - used), resetSeconds: Math.max(1, Math.ceil((ends - now) / 1000)) };
}
