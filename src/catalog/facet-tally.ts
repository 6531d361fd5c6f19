export interface Count<Value = string> {
  value: Value;
  count: number;
}

/** Vendors, products and weaknesses that are named. */
const MAX_NAMES = 20;

/** The lists with the highest counts, most first; of equal ones the lower number. `counts`: by list. */
export function mostCounted(
  counts: Uint32Array,
  isWanted: (list: number) => boolean,
): { list: number; count: number }[] {
  const most: { list: number; count: number }[] = [];
  let least = 1;
  for (let list = nextWith(counts, 0, least); list < counts.length; list = nextWith(counts, list + 1, least)) {
    if (!isWanted(list)) continue;
    const count = counts[list]!;
    const place = most.findIndex((other) => other.count < count);
    most.splice(place === -1 ? most.length : place, 0, { list, count });
    if (most.length > MAX_NAMES) most.pop();
    if (most.length === MAX_NAMES) least = most[MAX_NAMES - 1]!.count + 1;
  }
  return most;
}

/** The first list from this one on with at least so many; a loop of its own, which is compiled soon. */
function nextWith(counts: Uint32Array, from: number, least: number): number {
  let list = from;
  while (list < counts.length && counts[list]! < least) list++;
  return list;
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
