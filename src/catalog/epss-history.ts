import type { DatabaseSync } from 'node:sqlite';
import type { EpssScore } from './cve-dossier.ts';
import { EPSS_SCALE } from './cve-columns.ts';

const HISTORY_DAYS = 400;
const DAY_MS = 86_400_000;
/** Windows of which the rises are kept in memory. */
const MAX_KEPT_WINDOWS = 4;

/** A day whose scores were loaded. `model` null: not known. */
export interface EpssDay {
  /** YYYY-MM-DD */
  date: string;
  model: string | null;
}

/** The score of a CVE on one day. `percentile` null: not stored, because the score was that of the day before. */
export interface EpssPoint extends EpssDay {
  score: number;
  percentile: number | null;
}

/** A CVE whose score is higher than before. */
export interface EpssRise {
  /** `cveKey()` */
  key: number;
  before: number;
  after: number;
}

export interface EpssRises {
  /** The days that are compared; null: there are no two days of one model. */
  window: { before: string; after: string } | null;
  /** Highest rise first. */
  rises: readonly EpssRise[];
}

/**
 * Adds the scores in `temp.arriving` that differ from those in `epss` to the history, under their day. A score that is gone is a row
 * with null. A day before the newest one is not added: what changed after it was worked out without it.
 */
export function recordEpssDay(db: DatabaseSync, date: string, model: string | null): void {
  const day = dayNumber(date);
  if ((newestDay(db) ?? day) > day) return;
  db.prepare('INSERT OR REPLACE INTO epss_day (day, model) VALUES (?, ?)').run(day, model);
  // Of two files of one day the second one corrects the first: `before` stays the score of the day before.
  db.prepare(
    `INSERT INTO epss_history (day, cve, score, percentile, before)
     SELECT ?, a.cve, a.score, a.percentile, e.score FROM temp.arriving a LEFT JOIN epss e ON e.cve = a.cve
     WHERE e.score IS NOT a.score ORDER BY a.cve
     ON CONFLICT (day, cve) DO UPDATE SET score = excluded.score, percentile = excluded.percentile`,
  ).run(day);
  db.prepare(
    `INSERT INTO epss_history (day, cve, score, percentile, before)
     SELECT ?, cve, NULL, NULL, score FROM epss WHERE cve NOT IN (SELECT cve FROM temp.arriving)
     ON CONFLICT (day, cve) DO UPDATE SET score = NULL, percentile = NULL`,
  ).run(day);
  for (const table of ['epss_history', 'epss_day'])
    db.prepare(`DELETE FROM ${table} WHERE day < ?`).run(day - HISTORY_DAYS);
}

/** Reads how scores changed, from the rows of the days on which they did. */
export class EpssHistoryReader {
  readonly #days: readonly (EpssDay & { day: number })[];
  readonly #changesOf;
  readonly #current;
  readonly #rises;
  readonly #risesByWindow = new Map<number, readonly EpssRise[]>();

  constructor(db: DatabaseSync) {
    const days = db.prepare('SELECT day, model FROM epss_day ORDER BY day').all() as {
      day: number;
      model: string | null;
    }[];
    this.#days = days.map(({ day, model }) => ({ day, model, date: dateOf(day) }));
    // Days first: the rows of one day stand side by side, so that what changed since a day is one range.
    this.#changesOf = db.prepare(
      `SELECT d.day, h.score, h.percentile, h.before FROM epss_day d CROSS JOIN epss_history h
       WHERE h.day = d.day AND h.cve = ? ORDER BY d.day`,
    );
    this.#current = db.prepare('SELECT score, percentile FROM epss WHERE cve = ?');
    this.#rises = db.prepare(
      `SELECT h.cve, h.before, e.score, min(h.day) FROM epss_history h JOIN epss e ON e.cve = h.cve
       WHERE h.day > ? GROUP BY h.cve HAVING e.score > h.before`,
    );
    this.#rises.setReturnArrays(true);
  }

  /** The days whose scores were loaded, oldest first. */
  get days(): readonly EpssDay[] {
    return this.#days;
  }

  /** The scores of the days on which the score changed, newest first. */
  changes(key: number, limit: number): ({ date: string } & EpssScore)[] {
    return this.#changes(key)
      .filter(({ score }) => score !== null)
      .slice(-limit)
      .toReversed()
      .map(({ day, score, percentile }) => ({
        date: dateOf(day),
        score: score! / EPSS_SCALE,
        percentile: percentile! / EPSS_SCALE,
      }));
  }

  /** The score of each loaded day that has one, oldest first. */
  series(key: number): EpssPoint[] {
    const changes = this.#changes(key);
    const current = this.#current.get(key) as { score: number; percentile: number } | undefined;
    const byDay = new Map(changes.map((change) => [change.day, change]));
    let score = changes.length > 0 ? changes[0]!.before : (current?.score ?? null);
    return this.#days.flatMap(({ day, date, model }, at) => {
      const change = byDay.get(day);
      if (change !== undefined) score = change.score;
      if (score === null) return [];
      const units = change?.percentile ?? (at === this.#days.length - 1 ? (current?.percentile ?? null) : null);
      return [{ date, model, score: score / EPSS_SCALE, percentile: units === null ? null : units / EPSS_SCALE }];
    });
  }

  /**
   * What rose from the newest loaded day that is at least `days` days old (else from the oldest one) to the newest day. Scores of two
   * models cannot be compared: the comparison begins with the first day of the newest model.
   */
  rises(days: number): EpssRises {
    const newest = this.#days.at(-1);
    if (newest === undefined) return { window: null, rises: [] };
    const ofModel = this.#days.slice(this.#days.findLastIndex(({ model }) => model !== newest.model) + 1);
    const before = ofModel.findLast(({ day }) => day <= newest.day - days) ?? ofModel[0]!;
    if (before === newest) return { window: null, rises: [] };
    return { window: { before: before.date, after: newest.date }, rises: this.#risesSince(before.day) };
  }

  #changes(key: number) {
    return this.#changesOf.all(key) as {
      day: number;
      score: number | null;
      percentile: number | null;
      before: number | null;
    }[];
  }

  #risesSince(day: number): readonly EpssRise[] {
    const known = this.#risesByWindow.get(day);
    if (known !== undefined) return known;
    const rows = this.#rises.all(day) as unknown as [key: number, before: number, after: number, day: number][];
    const rises = rows
      .sort((a, b) => b[2] - b[1] - (a[2] - a[1]) || a[0] - b[0])
      .map(([key, before, after]) => ({ key, before: before / EPSS_SCALE, after: after / EPSS_SCALE }));
    if (this.#risesByWindow.size >= MAX_KEPT_WINDOWS) this.#risesByWindow.clear();
    this.#risesByWindow.set(day, rises);
    return rises;
  }
}

function newestDay(db: DatabaseSync): number | null {
  return (db.prepare('SELECT max(day) AS day FROM epss_day').get() as { day: number | null }).day;
}

/** Days since 1970. */
function dayNumber(date: string): number {
  return Math.floor(Date.parse(`${date}T00:00:00Z`) / DAY_MS);
}

function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
