import type { z } from 'zod';
import { parseEmailAddress } from '../../../analysis/email/address/parse-email-address.ts';
import type { WatchConditions, WatchSchedule } from '../../../analysis/watch/watch.ts';
import { validationError } from '../../../engine/input/parse-input.ts';
import { quoteInput } from '../../../engine/input/identifiers.ts';
import type { GivenChannel, Watch } from '../../../engine/watch-book.ts';
import type { ApiError } from '../../../errors.ts';
import type { ChannelsField, ConditionsField, ScheduleField } from './watch-fields.ts';

const DEFAULT_CONDITIONS: WatchConditions = {
  kinds: null,
  severity_min: null,
  kev_only: false,
  epss_move_min: null,
  affected: 'possible',
};
const DEFAULT_SCHEDULE: WatchSchedule = { when: 'at_once', at: '08:00', weekday: 1, time_zone: 'UTC', quiet: null };

/** Conditions as they are given, over those that hold: of a watch, or by default. */
export function readConditions(
  given: z.output<typeof ConditionsField> | undefined,
  base: WatchConditions = DEFAULT_CONDITIONS,
): WatchConditions {
  return { ...base, ...withoutUndefined(given) };
}

/** The same for a schedule. Throws `ApiError` 422 for a time zone that there is not, and for quiet hours without an end. */
export function readSchedule(
  given: z.output<typeof ScheduleField> | undefined,
  base: WatchSchedule = DEFAULT_SCHEDULE,
): WatchSchedule {
  const schedule: WatchSchedule = { ...base, ...withoutUndefined(given) };
  if (!isTimeZone(schedule.time_zone))
    throw fieldError(
      ['schedule', 'time_zone'],
      `${quoteInput(schedule.time_zone)} is no IANA time zone, for example Europe/Berlin`,
    );
  if (schedule.quiet !== null && schedule.quiet.from === schedule.quiet.to)
    throw fieldError(['schedule', 'quiet'], 'from and to are the same: leave quiet out, or pause the watch');
  return schedule;
}

/**
 * Channels as they are given; those of `watch` whose id is given stay. Without a watch, ids are ignored, so that what was exported can be
 * imported. Throws `ApiError` 422.
 */
export function readChannels(given: z.output<typeof ChannelsField>, watch: Watch | null): GivenChannel[] {
  return given.map((channel, at) => readChannel(channel, ['channels', at], watch));
}

function readChannel(
  { id, kind, url, format, to }: z.output<typeof ChannelsField>[number],
  path: (string | number)[],
  watch: Watch | null,
): GivenChannel {
  if (watch !== null && id !== undefined) return keptChannel({ id, url, format, to }, path, watch);
  if ((url === undefined) === (to === undefined))
    throw fieldError(path, 'give url, of a webhook, or to, a mail address');
  if (kind !== undefined && (kind === 'webhook') !== (url !== undefined))
    throw fieldError(
      [...path, 'kind'],
      `it is a channel of kind ${url === undefined ? 'email' : 'webhook'}: leave kind out`,
    );
  if (url === undefined) {
    if (format !== undefined) throw fieldError([...path, 'format'], 'it goes with url alone');
    const address = parseEmailAddress(to!.trim());
    if (address.form !== 'plain')
      throw fieldError([...path, 'to'], `${quoteInput(to!)} is no mail address such as name@example.com`);
    return { kind: 'email', to: to!.trim() };
  }
  const parsed = URL.parse(url.trim());
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    throw fieldError([...path, 'url'], `${quoteInput(url)} is no https URL`);
  if (parsed.username !== '' || parsed.password !== '')
    throw fieldError([...path, 'url'], 'a URL with a user name or a password: receivers verify the signature instead');
  parsed.hash = '';
  return { kind: 'webhook', url: parsed.href, format: format ?? 'standard' };
}

function keptChannel(
  { id, ...given }: { id: string; url: string | undefined; format: string | undefined; to: string | undefined },
  path: (string | number)[],
  { channels }: Watch,
): GivenChannel {
  const kept = channels.find((channel) => channel.id === id);
  if (kept === undefined) throw fieldError([...path, 'id'], 'the watch has no channel with this id');
  const differs = Object.entries(given).some(
    ([name, value]) => value !== undefined && value !== (kept as unknown as Record<string, unknown>)[name],
  );
  if (differs) throw fieldError(path, 'a channel that is kept stays as it is: leave the id out for a new one');
  return { id };
}

/** Places such as Europe/Berlin, not offsets, which know no summer time. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}

function withoutUndefined<T extends object>(given: T | undefined): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== undefined)) as never;
}

function fieldError(path: (string | number)[], msg: string): ApiError {
  return validationError([{ loc: ['body', ...path], msg, type: 'value_error' }]);
}
