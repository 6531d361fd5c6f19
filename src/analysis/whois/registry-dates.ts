/** Months by the first three letters of their names in English, and of those in Spanish, Portuguese and French that differ. */
const MONTHS: Readonly<Record<string, number>> = {
  jan: 1,
  feb: 2,
  mar: 3,
  apr: 4,
  may: 5,
  jun: 6,
  jul: 7,
  aug: 8,
  sep: 9,
  oct: 10,
  nov: 11,
  dec: 12,
  ene: 1,
  fev: 2,
  abr: 4,
  avr: 4,
  mai: 5,
  ago: 8,
  set: 9,
  out: 10,
  dic: 12,
  dez: 12,
};

/** Hours ahead of UTC. */
const ZONE_OFFSET_HOURS: Readonly<Record<string, number>> = {
  z: 0,
  utc: 0,
  gmt: 0,
  wet: 0,
  west: 1,
  bst: 1,
  cet: 1,
  cest: 2,
  eet: 2,
  eest: 3,
  sast: 2,
  msk: 3,
  eat: 3,
  trt: 3,
  hkt: 8,
  sgt: 8,
  jst: 9,
  kst: 9,
  nzst: 12,
  nzdt: 13,
  brt: -3,
  brst: -2,
  clt: -4,
  clst: -3,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
};

export type DateOrder = 'day-first' | 'month-first';

const TIME_PATTERN = /(?:^|[\sT#])(\d{1,2}):(\d{2})(?::(\d{2}))?(?:[.,]\d+)?/;
const OFFSET_PATTERN = /(?:^|[\s(])(?:UTC|GMT)?([+-])(\d{1,2}):?(\d{2})?(?=$|[\s)])/i;

/**
 * A date as registries write it, as ISO 8601: `2001-04-02`, or with a time `2001-04-02T10:00:00Z`; null where it is none, or not
 * a whole one. A time without zone is taken as UTC; one in a zone that is not known is left out. `order` decides `04/06/2003`.
 */
export function parseRegistryDate(given: string, order: DateOrder): string | null {
  const text = given.slice(0, 80).trim();
  const time = TIME_PATTERN.exec(text);
  const day = parseDayMs(
    time === null ? text : `${text.slice(0, time.index)} ${text.slice(time.index + time[0].length)}`,
    order,
  );
  if (day === null) return null;
  const date = new Date(day).toISOString().slice(0, 10);
  if (time === null) return date;
  const [hours, minutes, seconds] = [Number(time[1]), Number(time[2]), Number(time[3] ?? 0)];
  const offset = parseOffsetHours(text.slice(time.index + time[0].length));
  if (hours > 23 || minutes > 59 || seconds > 59 || offset === null) return date;
  const moment = day + ((hours - offset) * 3600 + minutes * 60 + seconds) * 1000;
  return `${new Date(moment).toISOString().slice(0, 19)}Z`;
}

/** Hours ahead of UTC, by what follows a time; null: a zone that is not known. */
function parseOffsetHours(rest: string): number | null {
  const numeric = OFFSET_PATTERN.exec(rest);
  if (numeric !== null) {
    const hours = Number(numeric[2]) + Number(numeric[3] ?? 0) / 60;
    return hours > 14 ? null : numeric[1] === '-' ? -hours : hours;
  }
  const name = /^[\s(]*([A-Z]{1,5})\b/i.exec(rest)?.[1]?.toLowerCase();
  return name === undefined ? 0 : (ZONE_OFFSET_HOURS[name] ?? null);
}

/** Milliseconds since 1970 of the day's beginning in UTC. */
function parseDayMs(text: string, order: DateOrder): number | null {
  const compact = /^(\d{4})(\d{2})(\d{2})(?!\d)/.exec(text);
  if (compact !== null) return startOfDayMs(Number(compact[1]), Number(compact[2]), Number(compact[3]));
  const words = text.match(/\p{L}+|\d+/gu)?.slice(0, 10) ?? [];
  const month = words.map((word) => MONTHS[word.toLowerCase().slice(0, 3)]).find((known) => known !== undefined);
  const numbers = words.filter((word) => /^\d{1,4}$/.test(word)).slice(0, month === undefined ? 3 : 2);
  if (month !== undefined) return dayWithMonthName(numbers, month);
  const [first = '', second = '', third = ''] = numbers;
  if (numbers.length < 3 || !/^\D*\d+\s?[-./]\s?\d+\s?[-./]\s?\d+/.test(text)) return null;
  if (first.length === 4) return startOfDayMs(Number(first), Number(second), Number(third));
  const [a, b] = [Number(first), Number(second)];
  return (order === 'month-first' && a <= 12) || b > 12
    ? startOfDayMs(toFullYear(third), a, b)
    : startOfDayMs(toFullYear(third), b, a);
}

function dayWithMonthName([first = '', second = '']: readonly string[], month: number): number | null {
  const yearFirst = first.length === 4;
  const year = yearFirst ? first : second;
  const date = yearFirst ? second : first;
  return year === '' || date === '' ? null : startOfDayMs(toFullYear(year), month, Number(date));
}

/** Two digits: no registration is older than the DNS (1985), and none ends after 2084. */
function toFullYear(text: string): number {
  if (text.length === 4) return Number(text);
  if (text.length !== 2) return Number.NaN;
  return Number(text) < 85 ? 2000 + Number(text) : 1900 + Number(text);
}

function startOfDayMs(year: number, month: number, date: number): number | null {
  if (!(year >= 1970 && year <= 9999 && month >= 1 && month <= 12 && date >= 1)) return null;
  const start = Date.UTC(year, month - 1, date);
  return new Date(start).getUTCMonth() === month - 1 ? start : null;
}
