const DAY_MS = 86_400_000;
/** Answers name the same few thousand days again and again. */
const MAX_KNOWN_DAYS = 10_000;
const textByDay = new Map<number, string>();

/** The day (UTC) of a time in milliseconds since 1970, YYYY-MM-DD. Throws `RangeError` for a time that no `Date` has. */
export function isoDay(timeMs: number): string {
  const day = Math.floor(timeMs / DAY_MS);
  let text = textByDay.get(day);
  if (text === undefined) {
    if (textByDay.size >= MAX_KNOWN_DAYS) textByDay.clear();
    text = new Date(day * DAY_MS).toISOString().slice(0, 10);
    textByDay.set(day, text);
  }
  return text;
}
