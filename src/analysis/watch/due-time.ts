import { addDays, localDay, timeOfDay, weekdayOf } from './local-time.ts';
import type { WatchSchedule } from './watch.ts';

/** Pauses after failed tries: 30 s, 2 min, 10 min, 1 h, 4 h, 12 h, 24 h. */
const RETRY_DELAYS_MS = [30, 120, 600, 3600, 14_400, 43_200, 86_400].map((seconds) => seconds * 1000);
/** Each pause is longer or shorter by up to this part of it, so that what failed together does not come together. */
const RETRY_JITTER = 0.2;
/** The longest pause that a receiver can ask for. */
const MAX_RETRY_AFTER_MS = 86_400_000;

/**
 * When something that is seen now is sent: at once, or with the next digest; in quiet hours at their end. Milliseconds since 1970.
 */
export function dueTime(schedule: WatchSchedule, nowMs: number): number {
  return afterQuietHours(schedule, schedule.when === 'at_once' ? nowMs : nextDigest(schedule, nowMs));
}

/**
 * The pause after a failed try, in milliseconds; null: it was the last. `attempts`: tries so far, `random`: 0 to 1, `retryAfterSeconds`: what the
 * receiver asked for, heard up to a day.
 */
export function retryDelayMs(attempts: number, random: number, retryAfterSeconds: number | null): number | null {
  const delay = RETRY_DELAYS_MS[attempts - 1];
  if (delay === undefined) return null;
  const jittered = Math.round(delay * (1 + RETRY_JITTER * (2 * random - 1)));
  return Math.max(jittered, Math.min((retryAfterSeconds ?? 0) * 1000, MAX_RETRY_AFTER_MS));
}

function nextDigest({ when, at, weekday, time_zone: zone }: WatchSchedule, nowMs: number): number {
  const today = localDay(zone, nowMs);
  const daysAhead = when === 'weekly' ? (weekday - weekdayOf(today) + 7) % 7 : 0;
  const next = timeOfDay(zone, addDays(today, daysAhead), at);
  return next > nowMs ? next : timeOfDay(zone, addDays(today, daysAhead + (when === 'weekly' ? 7 : 1)), at);
}

function afterQuietHours({ quiet, time_zone: zone }: WatchSchedule, ms: number): number {
  if (quiet === null) return ms;
  const today = localDay(zone, ms);
  const days = quiet.from < quiet.to ? 0 : 1;
  // Those of the day before may last over midnight.
  for (const begin of [addDays(today, -1), today]) {
    const end = timeOfDay(zone, addDays(begin, days), quiet.to);
    if (timeOfDay(zone, begin, quiet.from) <= ms && ms < end) return end;
  }
  return ms;
}
