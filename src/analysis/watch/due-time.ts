import type { WatchSchedule } from './watch.ts';

/** Pauses after failed tries: 30 s, 2 min, 10 min, 1 h, 4 h, 12 h, 24 h. */
const RETRY_DELAYS_MS = [30, 120, 600, 3600, 14_400, 43_200, 86_400].map((seconds) => seconds * 1000);
/** Each pause is longer or shorter by up to this part of it, so that what failed together does not come together. */
const RETRY_JITTER = 0.2;
/** The longest pause that a receiver can ask for. */
const MAX_RETRY_AFTER_MS = 86_400_000;
/** Tries of one delivery, the first included. */
export const MAX_ATTEMPTS = RETRY_DELAYS_MS.length + 1;

/**
 * When something that is seen now is sent: at once, or with the next digest; in quiet hours at their end. Milliseconds since 1970. Times that a
 * change of the clock leaves out are later by as much, those that occur twice are the earlier one (RFC 5545, 3.3.5).
 */
export function dueTime(schedule: WatchSchedule, nowMs: number): number {
  const now = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(schedule.time_zone);
  return afterQuietHours(schedule, schedule.when === 'at_once' ? now : nextDigest(schedule, now)).epochMilliseconds;
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

function nextDigest({ when, at, weekday }: WatchSchedule, now: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  const daysAhead = when === 'weekly' ? (weekday - now.dayOfWeek + 7) % 7 : 0;
  const next = atTime(now.toPlainDate().add({ days: daysAhead }), at, now.timeZoneId);
  if (Temporal.ZonedDateTime.compare(next, now) > 0) return next;
  return atTime(next.toPlainDate().add({ days: when === 'weekly' ? 7 : 1 }), at, now.timeZoneId);
}

function afterQuietHours({ quiet }: WatchSchedule, time: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  if (quiet === null) return time;
  // Those of the day before may last over midnight.
  for (const days of [-1, 0]) {
    const day = time.toPlainDate().add({ days });
    const from = atTime(day, quiet.from, time.timeZoneId);
    const to = atTime(quiet.from < quiet.to ? day : day.add({ days: 1 }), quiet.to, time.timeZoneId);
    if (Temporal.ZonedDateTime.compare(from, time) <= 0 && Temporal.ZonedDateTime.compare(time, to) < 0) return to;
  }
  return time;
}

/** `time`: `HH:MM`. */
function atTime(day: Temporal.PlainDate, time: string, timeZone: string): Temporal.ZonedDateTime {
  return day.toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from(time) });
}
