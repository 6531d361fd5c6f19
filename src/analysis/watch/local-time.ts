/** A day of a calendar: milliseconds since 1970 of its midnight in UTC, whatever the time zone. */
export type CalendarDay = number;

const DAY_MS = 86_400_000;
const MAX_FORMATS = 100;
const formats = new Map<string, Intl.DateTimeFormat>();

/** The day that it is in a time zone (IANA). `ms`: milliseconds since 1970, as in all functions here. */
export function localDay(zone: string, ms: number): CalendarDay {
  return Math.floor(localMs(zone, ms) / DAY_MS) * DAY_MS;
}

export function addDays(day: CalendarDay, days: number): CalendarDay {
  return day + days * DAY_MS;
}

/** 1 is Monday, 7 Sunday (ISO 8601). */
export function weekdayOf(day: CalendarDay): number {
  return new Date(day).getUTCDay() || 7;
}

/**
 * When it is `HH:MM` on a day in a time zone. A time that a change of the clock leaves out is later by as much as it leaves out, one that
 * occurs twice is the first (RFC 5545, 3.3.5).
 */
export function timeOfDay(zone: string, day: CalendarDay, time: string): number {
  const [hours, minutes] = time.split(':').map(Number) as [number, number];
  const wall = day + (hours * 60 + minutes) * 60_000;
  // The clock changes at most once in these two days.
  const [before, after] = [wall - DAY_MS, wall + DAY_MS].map((ms) => wall - offsetMs(zone, ms)) as [number, number];
  const [first, second] = before < after ? [before, after] : [after, before];
  if (localMs(zone, first) === wall) return first;
  return localMs(zone, second) === wall ? second : before;
}

/** What the clock shows, as milliseconds since 1970 of the same time in UTC; whole seconds. */
function localMs(zone: string, ms: number): number {
  const parts = formatOf(zone).formatToParts(ms);
  const [year, month, day, hour, minute, second] = ['year', 'month', 'day', 'hour', 'minute', 'second'].map((type) =>
    Number(parts.find((part) => part.type === type)?.value),
  ) as [number, number, number, number, number, number];
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

function offsetMs(zone: string, ms: number): number {
  return localMs(zone, ms) - Math.floor(ms / 1000) * 1000;
}

/** To make one costs a thousand times what using it does. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  if (formats.size === MAX_FORMATS) formats.clear();
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(zone, made);
  return made;
}
