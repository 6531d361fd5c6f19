import { memoize } from './memoize.ts';

const DAY_MS = 86_400_000;
/** Answers name the same few thousand days again and again. */
const MAX_KNOWN_DAYS = 10_000;

/** The day (UTC) of a time in milliseconds since 1970, YYYY-MM-DD. Throws `RangeError` for a time that no `Date` has. */
export function isoDay(timeMs: number): string {
  return textOfDay(Math.floor(timeMs / DAY_MS));
}

const textOfDay = memoize((day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10), MAX_KNOWN_DAYS);

/** Year 10000: from then on, and before 1970, the form is another one. */
const END_OF_SHORT_YEARS_MS = 253_402_300_800_000;
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/** As `Date.prototype.toISOString` writes it, in a third of the time. Throws `RangeError` for a time that no `Date` has. */
export function isoTime(timeMs: number): string {
  if (!(timeMs >= 0 && timeMs < END_OF_SHORT_YEARS_MS) || !Number.isInteger(timeMs))
    return new Date(timeMs).toISOString();
  const ofDay = timeMs % DAY_MS;
  const seconds = Math.floor(ofDay / 1000);
  const hour = TWO_DIGITS[Math.floor(seconds / 3600)]!;
  const minute = TWO_DIGITS[Math.floor(seconds / 60) % 60]!;
  const second = TWO_DIGITS[seconds % 60]!;
  const milliseconds = ofDay % 1000;
  const fraction = milliseconds === 0 ? '000' : String(milliseconds).padStart(3, '0');
  return `${isoDay(timeMs)}T${hour}:${minute}:${second}.${fraction}Z`;
}
