import { displayText } from '../../../analysis/display-text.ts';
import type { WatchConditions, WatchDefinition, WatchSchedule, WebhookFormat } from '../../../analysis/watch/watch.ts';
import { subjectLabel } from '../../../analysis/watch/watched-names.ts';
import { capitalize, joinSummary } from '../../../engine/summary.ts';

/** A channel, whether it is kept already or not. */
type Place = { kind: 'webhook'; url: string; format: WebhookFormat } | { kind: 'email'; to: string };
type Described = Omit<WatchDefinition, 'channels'> & { channels: readonly Place[] };

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const MAX_LABEL_CHARACTERS = 80;

/** What is told, when and where, in a sentence or two. */
export function describeWatch(watch: Described): string {
  return joinSummary(
    `Told: ${[whatIsTold(watch), ...conditionsOf(watch)].join(', ')}.`,
    `${capitalize(whenIsTold(watch.schedule))}, ${placesOf(watch.channels)}.`,
  );
}

/** The name of a watch, or what it is about. */
export function watchLabel({ name, subject }: Pick<WatchDefinition, 'name' | 'subject'>): string {
  return displayText(name ?? subjectLabel(subject), MAX_LABEL_CHARACTERS);
}

function whatIsTold({ subject }: Pick<WatchDefinition, 'subject'>): string {
  const label = displayText(subjectLabel(subject), MAX_LABEL_CHARACTERS);
  if (subject.kind === 'domain' || subject.kind === 'indicator') return `what changes about ${label}, examined daily`;
  if (subject.kind === 'cve') return `what changes about ${label}`;
  return `what changes about ${subject.kind === 'search' ? label : `CVEs of ${label}`}`;
}

function conditionsOf({ subject, conditions }: Pick<WatchDefinition, 'subject' | 'conditions'>): string[] {
  const { kinds, severity_min, kev_only, affected }: WatchConditions = conditions;
  const hasVersion = subject.kind === 'components' || ('version' in subject && subject.version !== null);
  return [
    ...(hasVersion && affected === 'affected' ? ['only where they affect the version'] : []),
    ...(hasVersion && affected === 'possible' ? ['only where they affect the version or may'] : []),
    ...(severity_min === null ? [] : [`of severity ${severity_min} and up`]),
    ...(kev_only ? ['only known exploited ones'] : []),
    ...(kinds === null ? [] : [`only changes of ${kinds.join(', ')}`]),
  ];
}

export function whenIsTold({ when, at, weekday, time_zone, quiet }: WatchSchedule): string {
  const time =
    when === 'at_once'
      ? 'at once'
      : `${when === 'daily' ? 'daily' : `every ${WEEKDAYS[weekday - 1]}`} at ${at} (${time_zone})`;
  return quiet === null
    ? time
    : `${time}, not from ${quiet.from} to ${quiet.to}${when === 'at_once' ? ` (${time_zone})` : ''}`;
}

function placesOf(channels: Described['channels']): string {
  if (channels.length === 0) return 'only here: nothing is sent';
  return `to ${channels.map((channel) => displayText(placeOf(channel), MAX_LABEL_CHARACTERS)).join(', ')}`;
}

/** A channel without what may be a secret: the path of a webhook's URL is one at some receivers. */
export function placeOf(channel: Place): string {
  if (channel.kind === 'email') return channel.to;
  const host = URL.parse(channel.url)?.host ?? '';
  return channel.format === 'standard' ? host : `${host} (${channel.format})`;
}
