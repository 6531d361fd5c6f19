/** The value of a day; `date` is YYYY-MM-DD. */
export interface DayValue {
  readonly date: string;
  readonly value: number;
}

const DAY_MS = 86_400_000;

/**
 * Days without a gap between them, as lists of their own: a line is not drawn through days whose values are not known, nor from a value
 * to one that cannot be compared with it, which begin at the days `switches`.
 */
export function splitAtGaps(points: readonly DayValue[], switches: readonly string[] = []): DayValue[][] {
  const runs: DayValue[][] = [];
  for (const point of points) {
    const run = runs.at(-1);
    if (run !== undefined && !switches.includes(point.date) && daysBetween(run.at(-1)!.date, point.date) <= 1)
      run.push(point);
    else runs.push([point]);
  }
  return runs;
}

/** Days since 1970, to place a day on an axis. */
export function dayNumber(date: string): number {
  return Date.parse(date) / DAY_MS;
}

function daysBetween(one: string, other: string): number {
  return dayNumber(other) - dayNumber(one);
}
