import type { DatabaseSync } from 'node:sqlite';
import { createEventLoopYielder } from '../event-loop-yielder.ts';
import type { DatedEpssScore, EpssScore } from './cve-dossier.ts';
import { type CveColumns, EPSS_SCALE, NO_EPSS, orderHighestFirst } from './cve-columns.ts';
import { blockOf, CVES_PER_BLOCK, NONE, readChanges } from './epss-changes.ts';
import { EpssScoreReader } from './epss-scores.ts';

export const DAY_MS = 86_400_000;
/** Windows of which the rises are kept in memory. */
const MAX_KEPT_WINDOWS = 4;
const CVES_PER_SLICE = 20_000;
/** No change in the window. */
const UNCHANGED = -2;

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
  readonly #changesBack;
  readonly #current;
  readonly #nextBlock;
  readonly #changesWithin;
  readonly #risesByWindow = new Map<number, Promise<readonly EpssRise[]>>();

  constructor(db: Pick<DatabaseSync, 'prepare'>) {
    const days = db.prepare('SELECT day, model, current FROM epss_day ORDER BY day').all() as {
      day: number;
      model: string | null;
      current: number;
    }[];
    this.#days = days.map((row) => ({ ...row, date: dateOfDay(row.day) }));
    this.#changesOf = db.prepare('SELECT day, changes FROM epss_change WHERE block = ? ORDER BY day');
    this.#changesBack = db.prepare(
      'SELECT day, changes FROM epss_change WHERE block = ? AND day <= ? ORDER BY day DESC',
    );
    this.#current = new EpssScoreReader(db);
    // To ask for the distinct blocks reads the whole table.
    this.#nextBlock = db.prepare('SELECT min(block) AS block FROM epss_change WHERE block > ?');
    this.#changesWithin = db.prepare(
      'SELECT changes FROM epss_change WHERE block = ? AND day > ? AND day <= ? ORDER BY day',
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
    const current = this.#current.find(key);
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
   * models cannot be compared: the comparison begins with the first day of the newest model. Yields to the event loop.
   */
  async rises(days: number): Promise<EpssRises> {
    const newest = this.#days.at(-1);
    if (newest === undefined) return { window: null, rises: [] };
    const ofModel = this.#days.slice(this.#days.findLastIndex(({ model }) => model !== newest.model) + 1);
    const before = ofModel.findLast(({ day }) => day <= newest.day - days) ?? ofModel[0]!;
    if (before === newest) return { window: null, rises: [] };
    return {
      window: { before: before.date, after: newest.date },
      rises: await this.#risesBetween(before.day, newest.day),
    };
  }

  #changes(key: number): { day: number; score: number; percentile: number }[] {
    const block = blockOf(key);
    const wanted = key - block * CVES_PER_BLOCK;
    const found: { day: number; score: number; percentile: number }[] = [];
    for (const { day, changes } of this.#changesOf.all(block) as unknown as { day: number; changes: Uint8Array }[])
      readChanges(changes, (number, score, _before, percentile) => {
        if (number === wanted) found.push({ day, score, percentile });
      });
    return found;
  }

  #risesBetween(from: number, to: number): Promise<readonly EpssRise[]> {
    const known = this.#risesByWindow.get(from);
    if (known !== undefined) return known;
    if (this.#risesByWindow.size >= MAX_KEPT_WINDOWS) this.#risesByWindow.clear();
    const found = this.#findRises(from, to);
    this.#risesByWindow.set(from, found);
    found.catch(() => this.#risesByWindow.delete(from));
    return found;
  }

  async #findRises(from: number, to: number): Promise<readonly EpssRise[]> {
    const found: EpssRise[] = [];
    const units: number[] = [];
    for await (const { block, first, last } of this.#blocksWithin(from, to)) {
      for (let number = 0; number < CVES_PER_BLOCK; number++) {
        const [before, after] = [first[number]!, last[number]!];
        if (before < 0 || after <= before) continue;
        units.push(after - before);
        found.push({
          key: block * CVES_PER_BLOCK + number,
          before: before / EPSS_SCALE,
          after: after / EPSS_SCALE,
        });
      }
    }
    // Blocks come by key: of equal rises the lower key is first.
    return Array.from(orderHighestFirst(units, EPSS_SCALE, NONE), (at) => found[at]!);
  }

  /**
   * Of each block with changes after the day `from`, up to `to`: the scores before the first and after the last change of each CVE, `NONE`
   * where it had none, `UNCHANGED` where nothing changed. The arrays are used again for the next block. Yields to the event loop.
   */
  async *#blocksWithin(
    from: number,
    to: number,
  ): AsyncIterable<{ block: number; first: Int32Array; last: Int32Array }> {
    const pause = createEventLoopYielder();
    const [first, last] = [new Int32Array(CVES_PER_BLOCK), new Int32Array(CVES_PER_BLOCK)];
    for (let block = -1; ; ) {
      const next = (this.#nextBlock.get(block) as { block: number | null }).block;
      if (next === null) return;
      block = next;
      const rows = this.#changesWithin.all(block, from, to) as unknown as { changes: Uint8Array }[];
      if (rows.length > 0) {
        first.fill(UNCHANGED);
        last.fill(UNCHANGED);
        for (const { changes } of rows)
          readChanges(changes, (number, after, before) => {
            if (first[number] === UNCHANGED) first[number] = before;
            last[number] = after;
          });
        yield { block, first, last };
      }
      await pause();
    }
  }

  /** The newest loaded day that is not after this one (days since 1970); null: scores begin later. */
  dayUntil(day: number): EpssDay | null {
    return this.#days.findLast((loaded) => loaded.day <= day) ?? null;
  }

  /** The score of a CVE on the newest loaded day that is not after this one (days since 1970). */
  scoreUntil(key: number, day: number): DatedEpssScore | null {
    const loaded = this.#days.findLast((other) => other.day <= day);
    if (loaded === undefined) return null;
    const block = blockOf(key);
    let found: DatedEpssScore | null | undefined;
    for (const row of this.#changesBack.iterate(block, day) as Iterable<unknown>) {
      const { day: changedDay, changes } = row as { day: number; changes: Uint8Array };
      readChanges(changes, (number, score, _before, percentile) => {
        if (number !== key - block * CVES_PER_BLOCK) return;
        const isKnown = changedDay === loaded.day && percentile !== NONE;
        found =
          score === NONE ? null : { score: score / EPSS_SCALE, percentile: isKnown ? percentile / EPSS_SCALE : null };
      });
      if (found !== undefined) break;
    }
    const current = loaded.current === 1 ? this.#current.find(key) : null;
    if (found == null) return null;
    return current === null ? found : { ...found, percentile: current.percentile / EPSS_SCALE };
  }

  /** The column `epss` as it was on the newest loaded day that is not after this one (days since 1970). Yields to the event loop. */
  async columnUntil(day: number, { key, epss }: Pick<CveColumns, 'key' | 'epss'>): Promise<Uint32Array> {
    const current = this.#days.find((loaded) => loaded.current === 1)?.day;
    // The column is of the current day: from there it goes back, or on. Where there is none it begins without scores.
    const column = current === undefined ? new Uint32Array(epss.length).fill(NO_EPSS) : epss.slice();
    const isBack = current !== undefined && day < current;
    const [from, to] = isBack ? [day, current] : [current ?? Number.NEGATIVE_INFINITY, day];
    const changed = new Map<number, Int32Array>();
    for await (const { block, first, last } of this.#blocksWithin(from, to))
      changed.set(block, (isBack ? first : last).slice());
    const pause = createEventLoopYielder();
    for (let ordinal = 0; ordinal < key.length; ordinal++) {
      if (ordinal % CVES_PER_SLICE === 0) await pause();
      const block = blockOf(key[ordinal]!);
      const score = changed.get(block)?.[key[ordinal]! - block * CVES_PER_BLOCK] ?? UNCHANGED;
      if (score !== UNCHANGED) column[ordinal] = score === NONE ? NO_EPSS : score;
    }
    return column;
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
