export interface Count<Value = string> {
  value: Value;
  count: number;
}

/** Vendors, products and weaknesses that are named. */
const MAX_NAMES = 20;

/** Counts by list. */
export class Tally {
  readonly #counts: Uint32Array;
  /** Lists with a count: of a small set they are few. */
  readonly #counted: number[] = [];

  constructor(lists: number) {
    this.#counts = new Uint32Array(lists);
  }

  add(list: number): void {
    if (this.#counts[list]!++ === 0) this.#counted.push(list);
  }

  /** The lists with the highest counts, most first; of equal ones the lower number. */
  most(isWanted: (list: number) => boolean = () => true): { list: number; count: number }[] {
    const most: { list: number; count: number }[] = [];
    let least = 0;
    for (const list of this.#counted) {
      const count = this.#counts[list]!;
      if (count < least || !isWanted(list)) continue;
      const place = most.findIndex((other) => other.count < count || (other.count === count && other.list > list));
      most.splice(place === -1 ? most.length : place, 0, { list, count });
      if (most.length > MAX_NAMES) most.pop();
      if (most.length === MAX_NAMES) least = most[MAX_NAMES - 1]!.count;
    }
    return most;
  }
}

/** The month of a time in seconds since 1970, and its first second. */
export function monthOf(time: number): { month: string; start: number } {
  const date = new Date(time * 1000);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { month: `${year}-${String(month + 1).padStart(2, '0')}`, start: Date.UTC(year, month) / 1000 };
}

/** All months from the first to the last one, oldest first. */
export function withEmptyMonths(counts: ReadonlyMap<string, number>): Count[] {
  const known = [...counts.keys()].sort();
  const months: Count[] = [];
  if (known.length === 0) return months;
  const last = known.at(-1)!;
  for (let value = known[0]!; value <= last; value = monthAfter(value))
    months.push({ value, count: counts.get(value) ?? 0 });
  return months;
}

function monthAfter(month: string): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return number === 12
    ? `${String(year + 1).padStart(4, '0')}-01`
    : `${month.slice(0, 5)}${String(number + 1).padStart(2, '0')}`;
}
