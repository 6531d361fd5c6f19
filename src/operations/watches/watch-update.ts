import { z } from 'zod';
import { ForeignText } from '../../engine/foreign-text.ts';
import { validationError } from '../../engine/input/parse-input.ts';
import { definePersonalOperation, SummaryField } from '../../engine/operation.ts';
import { joinSummary } from '../../engine/summary.ts';
import type { WatchPatch } from '../../engine/watch-book.ts';
import { parseTime } from '../cve/lib/change-schemas.ts';
import { describeWatch } from './lib/describe-watch.ts';
import { presentSecrets, presentWatch } from './lib/present-watch.ts';
import { readChannels, readConditions, readSchedule } from './lib/read-definition.ts';
import { isSubjectQuick, prepareSubject, subjectOf } from './lib/read-subject.ts';
import {
  ChannelsField,
  ConditionsField,
  EXAMPLE_ID,
  NameField,
  ScheduleField,
  SubjectField,
  watchIdField,
} from './lib/watch-fields.ts';
import { SecretsField, WatchField } from './lib/watch-schemas.ts';

export const watchUpdate = definePersonalOperation({
  id: 'watch_update',
  area: 'watches',
  title: 'Change a watch',
  description:
    'Changes what is given and leaves the rest: pauses and resumes, mutes with a reason, gives a webhook a new secret (the old one signs, too, for 24 hours), changes what is told, when and where, or replaces the subject, for example by the lockfile of a new release.',
  route: 'PATCH /v1/watches/:id',
  personal: 'owner',
  input: z.strictObject({
    ...watchIdField,
    name: NameField,
    subject: SubjectField.optional(),
    conditions: ConditionsField.optional(),
    channels: ChannelsField.optional().meta({ description: 'All of them: one with an id stays, one without is new.' }),
    schedule: ScheduleField.optional(),
    paused: z.boolean().optional(),
    mute: z
      .strictObject({ until: z.string().max(40), reason: z.string().trim().min(1).max(300) })
      .nullish()
      .meta({ description: 'Until a day or a time (UTC); null: no longer.' }),
    rotate_secrets: z
      .array(z.string().max(64))
      .min(1)
      .max(10)
      .optional()
      .meta({ description: 'Ids of signed webhooks that get a new secret.' }),
  }),
  output: z
    .object({ watch: WatchField, secrets: SecretsField, gaps: z.array(ForeignText), summary: SummaryField })
    .meta({ id: 'WatchUpdated' }),
  cost: 1,
  examples: [
    { title: 'Pause', input: { id: EXAMPLE_ID, paused: true } },
    { title: 'Mute', input: { id: EXAMPLE_ID, mute: { until: '2026-12-01', reason: 'Update is planned' } } },
    { title: 'Tell less', input: { id: EXAMPLE_ID, conditions: { severity_min: 'CRITICAL', kev_only: true } } },
  ],
  prepareInput: prepareSubject,
  isQuickToPrepare: isSubjectQuick,
  async answer({ id, ...given }, { now, self }) {
    const book = await self.watches();
    const current = await book.get(id);
    const read = given.subject === undefined ? null : await subjectOf(given.subject);
    const patch: WatchPatch = {
      ...(given.name !== undefined && { name: given.name }),
      ...(read !== null && { subject: read.subject }),
      ...(given.conditions !== undefined && { conditions: readConditions(given.conditions, current.conditions) }),
      ...(given.channels !== undefined && { channels: readChannels(given.channels, current) }),
      ...(given.schedule !== undefined && { schedule: readSchedule(given.schedule, current.schedule) }),
      ...(given.paused !== undefined && { isPaused: given.paused }),
      ...(given.mute !== undefined && { mute: given.mute === null ? null : readMute(given.mute, now) }),
      ...(given.rotate_secrets !== undefined && { rotateSecrets: given.rotate_secrets }),
    };
    if (Object.keys(patch).length === 0)
      throw validationError([{ loc: ['body'], msg: 'there is nothing to change', type: 'missing' }]);
    const { watch, secrets } = await book.update(id, patch);
    const shown = presentWatch(watch, now);
    return {
      watch: shown,
      secrets: presentSecrets(secrets),
      gaps: read?.gaps ?? [],
      summary: joinSummary(
        shown.state === 'paused' && 'Paused: what changes meanwhile can be had by a replay.',
        shown.mute !== null && `Muted until ${shown.mute.until.slice(0, 16)}Z.`,
        describeWatch(watch),
      ),
    };
  },
});

function readMute({ until, reason }: { until: string; reason: string }, now: Date): { until: Date; reason: string } {
  const time = new Date(parseTime(until, ['body', 'mute', 'until']));
  if (time > now) return { until: time, reason };
  throw validationError([{ loc: ['body', 'mute', 'until'], msg: 'it is over: give a later time', type: 'too_small' }]);
}
