import { watchKeys } from '../../analysis/watch/watch-keys.ts';
import { isMailAllowed } from '../../analysis/watch/mail-recipients.ts';
import type { WatchDefinition } from '../../analysis/watch/watch.ts';
import { type GivenChannel, MAX_COMPONENTS } from '../../engine/watch-book.ts';
import { ApiError, type ValidationIssue } from '../../errors.ts';
import { AddressGuard } from '../../net/address-guard.ts';
import { hasCredentials, isBadPort, portOf } from '../../net/http-url.ts';
import { NetError } from '../../net/net-error.ts';
import { parseHost } from '../../net/host.ts';
import {
  MAX_CHANNELS,
  MAX_KEY,
  MAX_MAIL_ADDRESS,
  MAX_MUTE_REASON,
  MAX_NAME,
  MAX_SUBJECT_BYTES,
  MAX_URL,
} from './watch-limits.ts';

/** Which receivers this installation may send to. */
export interface ReceiverRules {
  /** CIDRs that may be reached although they are not public. */
  allowedPrivate: readonly string[];
  /** Addresses and domains that get mail, `*`: any; null: no mail server is configured. */
  mailTo: readonly string[] | null;
}

const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d$/;

type Checked = Partial<Omit<WatchDefinition, 'channels'>> & {
  channels?: readonly GivenChannel[];
  mute?: { until: Date; reason: string } | null;
};

/** Throws `ApiError` 422 for what cannot be kept or delivered, with all that is wrong. */
export function checkWatch(given: Checked, rules: ReceiverRules): void {
  const issues: ValidationIssue[] = [];
  const report = (loc: ValidationIssue['loc'], msg: string): void => {
    issues.push({ loc: ['body', ...loc], msg, type: 'value_error' });
  };
  const { name, subject, channels, schedule, mute } = given;
  if (name != null && name.length > MAX_NAME) report(['name'], `longer than ${MAX_NAME} characters`);
  if (mute != null && mute.reason.length > MAX_MUTE_REASON)
    report(['mute', 'reason'], `longer than ${MAX_MUTE_REASON} characters`);
  if (subject !== undefined && Buffer.byteLength(JSON.stringify(subject)) > MAX_SUBJECT_BYTES)
    report(['subject'], `larger than ${MAX_SUBJECT_BYTES} bytes`);
  if (subject !== undefined && watchKeys(subject).some((key) => key.length > MAX_KEY))
    report(['subject'], `a name in it is longer than ${MAX_KEY} characters`);
  if (subject?.kind === 'components' && subject.components.length > MAX_COMPONENTS)
    report(
      ['subject', 'components'],
      `${subject.components.length} components, at most ${MAX_COMPONENTS} are accepted`,
    );
  if (schedule !== undefined) checkSchedule(schedule, report);
  if (channels !== undefined && channels.length > MAX_CHANNELS)
    report(['channels'], `${channels.length} channels, at most ${MAX_CHANNELS} are accepted`);
  for (const [index, channel] of (channels ?? []).slice(0, MAX_CHANNELS).entries()) {
    const problem = 'id' in channel ? null : channelProblem(channel, rules);
    if (problem !== null) report(['channels', index], problem);
  }
  if (issues.length === 0) return;
  throw new ApiError('validation_error', `This watch cannot be kept: ${issues.map(({ msg }) => msg).join('; ')}.`, {
    issues,
  });
}

function checkSchedule(
  { at, weekday, time_zone, quiet }: WatchDefinition['schedule'],
  report: (loc: ValidationIssue['loc'], msg: string) => void,
): void {
  if (!isTimeZone(time_zone)) report(['schedule', 'time_zone'], 'not a time zone of IANA, for example Europe/Zurich');
  if (!(Number.isInteger(weekday) && weekday >= 1 && weekday <= 7))
    report(['schedule', 'weekday'], 'not a day of the week, 1 (Monday) to 7 (Sunday)');
  const times = { at, ...(quiet && { quiet_from: quiet.from, quiet_to: quiet.to }) };
  for (const [field, time] of Object.entries(times))
    if (!TIME_OF_DAY.test(time)) report(['schedule', field], 'not a time of day HH:MM, 00:00 to 23:59');
  if (quiet !== null && quiet.from === quiet.to) report(['schedule', 'quiet'], 'quiet hours that begin when they end');
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Why nothing can be sent there, in words; null: it can. The addresses of a name are checked at each delivery. */
function channelProblem(channel: Exclude<GivenChannel, { id: string }>, rules: ReceiverRules): string | null {
  if (channel.kind === 'email') {
    if (channel.to.length > MAX_MAIL_ADDRESS || !/^[^\s@<>(),;:"\\]+@[^\s@<>(),;:"\\]+$/.test(channel.to))
      return 'not a mail address, for example security@example.com';
    if (rules.mailTo === null) return 'this installation has no mail server (SEXTANT_SMTP_URL)';
    return isMailAllowed(channel.to, rules.mailTo)
      ? null
      : 'mail to this address is not allowed here: the operator lists addresses and domains (SEXTANT_MAIL_TO)';
  }
  const url = channel.url.length > MAX_URL ? null : URL.parse(channel.url);
  if (url === null) return `not a URL of at most ${MAX_URL} characters`;
  const isHttpAllowed = url.protocol === 'http:' && rules.allowedPrivate.length > 0;
  if (url.protocol !== 'https:' && !isHttpAllowed) return 'a webhook has an https: URL';
  if (hasCredentials(url)) return 'a webhook has a URL without user name and password';
  if (isBadPort(portOf(url))) return 'the port of the webhook belongs to another service';
  return hostProblem(url, new AddressGuard(rules.allowedPrivate));
}

function hostProblem(url: URL, guard: AddressGuard): string | null {
  const host = parseHost(url.hostname);
  if (host === null) return 'the webhook has no host';
  try {
    if (host.kind === 'ip') guard.vet(host.text, [host.text]);
    else guard.requireAllowedName(host.text);
    return null;
  } catch (error) {
    if (error instanceof NetError) return `the webhook cannot be reached from here: ${error.message}`;
    throw error;
  }
}
