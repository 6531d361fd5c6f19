import type { DatabaseSync } from 'node:sqlite';
import type { FieldChange } from '../../analysis/cve/field-change.ts';
import { EPSS_SCALE } from '../cve-columns.ts';
import {
  applyChanges,
  type BlockScores,
  blockOf,
  changesBetween,
  copyBlock,
  CVES_PER_BLOCK,
  emptyBlock,
  joinChanges,
  NONE,
  readChanges,
} from '../epss-changes.ts';
import { dateOfDay, dayNumber } from '../epss-history.ts';
import type { ChangeRecorder } from './change-recorder.ts';

/** Every day is kept for two years, of older months the last day that was loaded. */
const ALL_DAYS_KEPT = 731;
/** A change of weight: ten percentage points. */
const MOVE = 0.1 * EPSS_SCALE;

/** Scores and percentiles of CVEs, in units of `EPSS_SCALE`. */
export type DayScores = Iterable<readonly [key: number, score: number, percentile: number]>;

interface EpssDayRow {
  day: number;
  model: string | null;
}

/**
 * Adds the scores of a day (YYYY-MM-DD) to the history, in whatever order days come; those of a day that is there are replaced.
 * Moves of weight go to `changes`: a CVE's score that is ten percentage points or more from the one that was last recorded, else from
 * its first one of the same model; of a CVE that never had a score before, its first if it is at least as much. What changes on the first
 * day of a model, and because a CVE has no score any more, is not recorded: scores of two models cannot be compared.
 */
export function recordEpssDay(
  db: DatabaseSync,
  date: string,
  model: string | null,
  scores: DayScores,
  changes: ChangeRecorder | null,
): void {
  const day = dayNumber(date);
  db.exec(
    'DELETE FROM epss_change WHERE day IN (SELECT day FROM epss_day WHERE partial = 1); DELETE FROM epss_day WHERE partial = 1',
  );
  const others = db
    .prepare('SELECT day, model FROM epss_day WHERE day <> ? ORDER BY day')
    .all(day) as unknown as EpssDayRow[];
  db.prepare(
    'INSERT INTO epss_day (day, model) VALUES (?, ?) ON CONFLICT (day) DO UPDATE SET model = excluded.model',
  ).run(day, model);
  const days = [...others, { day, model }].sort((a, b) => a.day - b.day);
  const dropped = daysToDrop(days);
  const next = others.find((other) => other.day > day)?.day ?? null;
  const modelStart = firstDayOfModel(days, day);
  const arriving = groupByBlock(scores);
  const known = db.prepare('SELECT DISTINCT block FROM epss_change').all() as { block: number }[];
  const select = db.prepare('SELECT day, changes FROM epss_change WHERE block = ? ORDER BY day');
  const insert = db.prepare('INSERT OR REPLACE INTO epss_change (block, day, changes) VALUES (?, ?, ?)');
  const remove = db.prepare('DELETE FROM epss_change WHERE block = ? AND day = ?');
  const store = (block: number, at: number, bytes: Uint8Array | null): void => {
    if (bytes === null) remove.run(block, at);
    else insert.run(block, at, bytes);
  };
  for (const block of new Set([...known.map((row) => row.block), ...arriving.keys()])) {
    const rows = new Map(
      (select.all(block) as unknown as { day: number; changes: Uint8Array }[]).map((row) => [row.day, row.changes]),
    );
    const before = emptyBlock();
    const moves = changes?.isComparing && modelStart < day ? new MoveFinder(before) : null;
    for (const [at, bytes] of rows) {
      if (at >= day) break;
      moves?.follow(bytes, at > modelStart);
      applyChanges(before, bytes);
    }
    const now = arriving.get(block) ?? emptyBlock();
    const added = changesBetween(before, now);
    if (moves !== null && added !== null)
      moves.follow(added, true, (number, from, to) =>
        changes!.record(block * CVES_PER_BLOCK + number, moveOf(date, from, to)),
      );
    if (next !== null) {
      const after = copyBlock(before);
      for (const at of [day, next]) if (rows.has(at)) applyChanges(after, rows.get(at)!);
      set(next, changesBetween(now, after));
    }
    set(day, added);
    for (const [from, to] of dropped) {
      const bytes = rows.get(from);
      if (bytes === undefined) continue;
      set(to, joinChanges(bytes, rows.get(to) ?? null));
      set(from, null);
    }

    function set(at: number, bytes: Uint8Array | null): void {
      store(block, at, bytes);
      if (bytes === null) rows.delete(at);
      else rows.set(at, bytes);
    }
  }
  for (const [from] of dropped) db.prepare('DELETE FROM epss_day WHERE day = ?').run(from);
}

/** Finds moves of weight in one block, whose days it is to be told in order. */
class MoveFinder {
  /** The scores that the next ones are compared with; those of the first day of the model to begin with. */
  #last: Int32Array | null = null;
  readonly #hadScore = new Uint8Array(CVES_PER_BLOCK);
  readonly #block: BlockScores;

  /** `block` has the scores of the day before the one that is told. */
  constructor(block: BlockScores) {
    this.#block = block;
  }

  /** `isOfModel`: the day is one after the first day of the model. */
  follow(bytes: Uint8Array, isOfModel: boolean, report?: (number: number, from: number, to: number) => void): void {
    if (isOfModel) this.#last ??= this.#block.scores.slice();
    const last = this.#last;
    readChanges(bytes, (number, score) => {
      if (score === NONE) return;
      const from = last?.[number] ?? NONE;
      const isMove = from === NONE ? this.#hadScore[number] === 0 && score >= MOVE : Math.abs(score - from) >= MOVE;
      if (isMove && last !== null) report?.(number, from, score);
      if (last !== null && (isMove || from === NONE)) last[number] = score;
      this.#hadScore[number] = 1;
    });
  }
}

function moveOf(date: string, from: number, to: number): FieldChange {
  return {
    kind: 'epss',
    change: from === NONE ? 'added' : 'changed',
    at: date,
    field: 'score',
    before: from === NONE ? null : from / EPSS_SCALE,
    after: to / EPSS_SCALE,
  };
}

function groupByBlock(scores: DayScores): Map<number, BlockScores> {
  const blocks = new Map<number, BlockScores>();
  for (const [key, score, percentile] of scores) {
    const number = blockOf(key);
    let block = blocks.get(number);
    if (block === undefined) blocks.set(number, (block = emptyBlock()));
    block.scores[key - number * CVES_PER_BLOCK] = score;
    block.percentiles[key - number * CVES_PER_BLOCK] = percentile;
  }
  return blocks;
}

/** The first day of the days without a change of model that end with this one. */
function firstDayOfModel(days: readonly EpssDayRow[], day: number): number {
  const until = days.filter((row) => row.day <= day);
  return until[until.findLastIndex(({ model }) => model !== until.at(-1)!.model) + 1]!.day;
}

/** Days that are older than two years and not the last of their month, each with the day after it. */
function daysToDrop(days: readonly EpssDayRow[]): [from: number, to: number][] {
  const kept = days.at(-1)!.day - ALL_DAYS_KEPT;
  return days.flatMap(({ day }, at): [number, number][] => {
    const next = days[at + 1];
    const isLastOfMonth = next === undefined || monthOf(next.day) !== monthOf(day);
    return day >= kept || isLastOfMonth ? [] : [[day, next.day]];
  });
}

function monthOf(day: number): string {
  return dateOfDay(day).slice(0, 7);
}
