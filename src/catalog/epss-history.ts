import type { DatabaseSync } from 'node:sqlite';
import type { EpssScore } from './cve-dossier.ts';
import { EPSS_SCALE } from './cve-columns.ts';
import { blockOf, CVES_PER_BLOCK, NONE, readChanges } from './epss-changes.ts';
import { EPSS_PERCENTILE } from './schema.ts';

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

/** Reads how scores changed, from the rows of the days on which they did. */
export class EpssHistoryReader {
  readonly #days: readonly (EpssDay & { day: number; current: number })[];
  readonly #changesOf;
  readonly #current;
  readonly #since;
  readonly #risesByWindow = new Map<number, readonly EpssRise[]>();

  constructor(db: Pick<DatabaseSync, 'prepare'>) {
    const days = db.prepare('SELECT day, model, current FROM epss_day ORDER BY day').all() as {
      day: number;
      model: string | null;
      current: number;
    }[];
    this.#days = days.map((row) => ({ ...row, date: dateOfDay(row.day) }));
    this.#changesOf = db.prepare('SELECT day, scores FROM epss_change WHERE block = ? ORDER BY day');
    this.#current = db.prepare(`SELECT ${EPSS_PERCENTILE} AS percentile FROM epss WHERE cve = ?`);
    // Blocks are few, and the days of each are one range.
    this.#since = db.prepare(
      `SELECT b.block, c.scores FROM (SELECT DISTINCT block FROM epss_change) b CROSS JOIN epss_change c
       WHERE c.block = b.block AND c.day > ? AND c.day <= ? ORDER BY c.block, c.day`,
    );
  }

  /** The days whose scores were loaded, oldest first. */
  get days(): readonly EpssDay[] {
    return this.#days;
  }

  /** The scores of the days on which the score changed, newest first. */
  changes(key: number, limit: number): ({ date: string } & EpssScore)[] {
    return this.#changes(key)
      .filter(({ score, percentile }) => score !== NONE && percentile !== NONE)
      .slice(-limit)
      .toReversed()
      .map(({ day, score, percentile }) => ({
        date: dateOfDay(day),
        score: score / EPSS_SCALE,
        percentile: percentile / EPSS_SCALE,
      }));
  }

  /** The score of each loaded day that has one, oldest first. */
  series(key: number): EpssPoint[] {
    const byDay = new Map(this.#changes(key).map((change) => [change.day, change]));
    const current = this.#current.get(key) as { percentile: number } | undefined;
    let score = NONE;
    return this.#days.flatMap(({ day, date, model, current: isCurrent }) => {
      const change = byDay.get(day);
      if (change !== undefined) score = change.score;
      if (score === NONE) return [];
      const units = isCurrent === 1 ? (current?.percentile ?? NONE) : (change?.percentile ?? NONE);
      return [{ date, model, score: score / EPSS_SCALE, percentile: units === NONE ? null : units / EPSS_SCALE }];
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
    return { window: { before: before.date, after: newest.date }, rises: this.#risesBetween(before.day, newest.day) };
  }

  #changes(key: number): { day: number; score: number; percentile: number }[] {
    const block = blockOf(key);
    const wanted = key - block * CVES_PER_BLOCK;
    const found: { day: number; score: number; percentile: number }[] = [];
    for (const { day, scores } of this.#changesOf.all(block) as unknown as { day: number; scores: Uint8Array }[])
      readChanges(scores, (number, score, _before, percentile) => {
        if (number === wanted) found.push({ day, score, percentile });
      });
    return found;
  }

  #risesBetween(from: number, to: number): readonly EpssRise[] {
    const known = this.#risesByWindow.get(from);
    if (known !== undefined) return known;
    const changed = new Map<number, EpssRise>();
    for (const { block, scores } of this.#since.iterate(from, to) as Iterable<unknown> as Iterable<{
      block: number;
      scores: Uint8Array;
    }>)
      readChanges(scores, (number, after, before) => {
        const key = block * CVES_PER_BLOCK + number;
        const rise = changed.get(key);
        if (rise === undefined) changed.set(key, { key, before, after });
        else rise.after = after;
      });
    const rises = [...changed.values()]
      .filter(({ before, after }) => before !== NONE && after > before)
      .sort((a, b) => b.after - b.before - (a.after - a.before) || a.key - b.key)
      .map(({ key, before, after }) => ({ key, before: before / EPSS_SCALE, after: after / EPSS_SCALE }));
    if (this.#risesByWindow.size >= MAX_KEPT_WINDOWS) this.#risesByWindow.clear();
    this.#risesByWindow.set(from, rises);
    return rises;
  }
}

/** Days since 1970. */
export function dayNumber(date: string): number {
  return Math.floor(Date.parse(`${date}T00:00:00Z`) / DAY_MS);
}

/** YYYY-MM-DD of a number of days since 1970. */
export function dateOfDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
