import type { z } from 'zod';
import type { WatchConditions, WatchSchedule } from '../../../analysis/watch/watch.ts';
import { validationError } from '../../../engine/input/parse-input.ts';
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

/** The same for a schedule. */
export function readSchedule(
  given: z.output<typeof ScheduleField> | undefined,
  base: WatchSchedule = DEFAULT_SCHEDULE,
): WatchSchedule {
  return { ...base, ...withoutUndefined(given) };
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
  if (url !== undefined) return { kind: 'webhook', url: url.trim(), format: format ?? 'standard' };
  if (format !== undefined) throw fieldError([...path, 'format'], 'it goes with url alone');
  return { kind: 'email', to: to!.trim() };
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

function withoutUndefined<T extends object>(given: T | undefined): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== undefined)) as never;
}

function fieldError(path: (string | number)[], msg: string): ApiError {
  return validationError([{ loc: ['body', ...path], msg, type: 'value_error' }]);
}
