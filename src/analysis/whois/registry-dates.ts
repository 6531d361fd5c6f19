/**
 * First letters of the months, without accents: in English, and in other languages of registries where they differ. Longer ones first,
 * where the first three letters do not decide (`juin`, `juillet`).
 */
const MONTHS = [
  ['jan', 'ene', 'gen', 'oca', 'янв'],
  ['feb', 'fev', 'sub', 'фев'],
  ['mar', 'mrz', 'maa', 'mrt', 'мар'],
  ['apr', 'abr', 'avr', 'nis', 'апр'],
  ['may', 'mai', 'mei', 'mag', 'maj', 'мая', 'маи'],
  ['juin', 'jun', 'giu', 'haz', 'июн'],
  ['juil', 'jul', 'lug', 'tem', 'июл'],
  ['aug', 'ago', 'aou', 'авг'],
  ['sep', 'set', 'eyl', 'сен'],
  ['oct', 'out', 'okt', 'ott', 'eki', 'окт'],
  ['nov', 'kas', 'ноя'],
  ['dec', 'dic', 'dez', 'des', 'ara', 'дек'],
];

/** Zones by their hours ahead of UTC. */
const ZONES_BY_OFFSET: readonly (readonly [hours: number, ...names: string[]])[] = [
  [-8, 'pst'],
  [-7, 'mst', 'pdt'],
  [-6, 'cst', 'mdt'],
  [-5, 'est', 'cdt'],
  [-4, 'clt', 'edt'],
  [-3, 'brt', 'clst'],
  [-2, 'brst'],
  [0, 'z', 'utc', 'gmt', 'wet'],
  [1, 'west', 'bst', 'cet'],
  [2, 'cest', 'eet', 'sast'],
  [3, 'eest', 'msk', 'eat', 'trt'],
  [8, 'hkt', 'sgt'],
  [9, 'jst', 'kst'],
  [12, 'nzst'],
  [13, 'nzdt'],
];

export type DateOrder = 'day-first' | 'month-first';

const TIME_PATTERN = /(?:^|[\sT#])(\d{1,2}):(\d{2})(?::(\d{2}))?(?:[.,]\d+)?/;
const OFFSET_PATTERN = /(?:^|[\s(])(?:UTC|GMT)?([+-])(\d{1,2}):?(\d{2})?(?=$|[\s)])/i;

const MAX_DATE_LENGTH = 120;
/** `20021204130000`, `20021204T130000` */
const COMPACT_TIME = /\b((?:19|20)\d\d)(\d\d)(\d\d)T?(\d\d)(\d\d)(\d\d)(?!\d)/;
const CJK_DATE = /(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]/;
/** Who did it, before the date: `UANIC-REG 20130716`, `hostmaster AT nic.example 20130716`, `until 2013-07-16`. */
const PREFIX_BEFORE_DATE =
  /^(?:\S+(?:@| AT )\S+|[A-Z0-9]{1,20}-[A-Z0-9-]{1,20}|[a-z]+(?:\.[a-z]+)+|\p{L}+(?: \p{L}+){0,2})\s+(?=(?:19|20)\d\d[-./]?\d\d)/iu;

/** How the dates of a text are ordered, where one of them decides it: a number above 12 is no month. Null: none does. */
export function dateOrderOf(values: readonly string[]): DateOrder | null {
  for (const value of values) {
    const [, first = '', second = ''] = /^\s*(\d{1,2})[-./](\d{1,2})[-./]\d{2,4}\b/.exec(value) ?? [];
    if (Number(first) > 12) return 'day-first';
    if (Number(second) > 12) return 'month-first';
  }
  return null;
}

/**
 * A date of a registry in ISO 8601: `2001-04-02`, with a time `2001-04-02T10:00:00Z`; null: not a date with day, month and year. A time
 * without zone is taken as UTC, a time in an unknown zone is left out. `order` decides how `04/06/2003` is read.
 */
export function parseRegistryDate(value: string, order: DateOrder): string | null {
  const text = value
    .slice(0, MAX_DATE_LENGTH)
    .replace(COMPACT_TIME, '$1-$2-$3 $4:$5:$6')
    .replace(CJK_DATE, '$1-$2-$3')
    .replace(PREFIX_BEFORE_DATE, '')
    .trim();
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

/** Hours ahead of UTC, from the text after a time; null: an unknown zone. */
function parseOffsetHours(afterTime: string): number | null {
  const numeric = OFFSET_PATTERN.exec(afterTime);
  if (numeric !== null) {
    const hours = Number(numeric[2]) + Number(numeric[3] ?? 0) / 60;
    return hours > 14 ? null : numeric[1] === '-' ? -hours : hours;
  }
  const name = /^[\s(]*([A-Z]{1,5})\b/i.exec(afterTime)?.[1]?.toLowerCase();
  return name === undefined ? 0 : (ZONES_BY_OFFSET.find((zone) => zone.includes(name))?.[0] ?? null);
}

/** Start of the day in UTC, milliseconds since 1970. */
function parseDayMs(text: string, order: DateOrder): number | null {
  const compact = /^(\d{4})(\d{2})(\d{2})(?!\d)/.exec(text);
  if (compact !== null) return startOfDayMs(Number(compact[1]), Number(compact[2]), Number(compact[3]));
  const words = text.match(/\p{L}+|\d+/gu)?.slice(0, 10) ?? [];
  const month = words.map(monthNumber).find((number) => number > 0);
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

/** 1 to 12; 0: not the name of a month. */
function monthNumber(word: string): number {
  const start = word
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  return 1 + MONTHS.findIndex((names) => names.some((name) => start.startsWith(name)));
}

function dayWithMonthName([first = '', second = '']: readonly string[], month: number): number | null {
  const yearFirst = first.length === 4;
  const year = yearFirst ? first : second;
  const date = yearFirst ? second : first;
  return year === '' || date === '' ? null : startOfDayMs(toFullYear(year), month, Number(date));
}

/** Two digits mean 1985 to 2084: no registration is older than the DNS. */
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
