export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Whole days from `now` to an ISO 8601 time; negative if that is past. */
export function daysUntil(time: string, now: Date): number {
  return Math.floor((Date.parse(time) - now.getTime()) / DAY_MS);
}
