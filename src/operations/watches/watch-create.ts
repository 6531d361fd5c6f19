import { z } from 'zod';
import { definePersonalOperation, SummaryField } from '../../engine/operation.ts';
import { ForeignText } from '../../engine/foreign-text.ts';
import { joinSummary } from '../../engine/summary.ts';
import { CandidateField } from '../cve/lib/product-candidates.ts';
import { describeWatch } from './lib/describe-watch.ts';
import { findUnnamed } from './lib/find-unnamed.ts';
import { presentSecrets, presentWatch } from './lib/present-watch.ts';
import { readChannels, readConditions, readSchedule } from './lib/read-definition.ts';
import { isSubjectQuick, prepareSubject, subjectOf } from './lib/read-subject.ts';
import { ChannelsField, ConditionsField, NameField, ScheduleField, SubjectField } from './lib/watch-fields.ts';
import { SecretsField, WatchField } from './lib/watch-schemas.ts';

export const watchCreate = definePersonalOperation({
  id: 'watch_create',
  area: 'watches',
  title: 'Watch something',
  description:
    'Watches a CVE, a product or package with its version, a vendor, a search, the packages of a lockfile or an SBOM, a domain or an indicator, and delivers what changes about it: by webhook, into a chat, by mail, or to be read here. The answer has the secrets of signed webhooks, this one time.',
  route: 'POST /v1/watches',
  personal: 'owner',
  input: z.strictObject({
    name: NameField,
    subject: SubjectField,
    conditions: ConditionsField.optional(),
    channels: ChannelsField.default([]),
    schedule: ScheduleField.optional(),
  }),
  output: z
    .object({
      watch: WatchField,
      secrets: SecretsField,
      gaps: z.array(ForeignText).meta({ description: 'What may not be told, and why.' }),
      candidates: z
        .array(CandidateField)
        .meta({ description: 'Where no source names the subject: what may be meant.' }),
      summary: SummaryField,
    })
    .meta({ id: 'WatchCreated' }),
  cost: 1,
  examples: [
    {
      title: 'A package, into a chat',
      input: {
        subject: { purl: 'pkg:npm/lodash@4.17.20' },
        conditions: { severity_min: 'HIGH' },
        channels: [{ url: 'https://hooks.example.com/services/T0/B0/x', format: 'slack' }],
      },
    },
    {
      title: 'A lockfile, once a day',
      input: {
        name: 'Shop, production',
        subject: { document: 'django==3.2.1\nrequests==2.31.0\n', filename: 'requirements.txt' },
        schedule: { when: 'daily', at: '08:00', time_zone: 'Europe/Berlin' },
      },
    },
    { title: 'A product, to be read here', input: { subject: { vendor: 'apache', product: 'log4j' } } },
  ],
  prepareInput: prepareSubject,
  isQuickToPrepare: isSubjectQuick,
  async answer({ name = null, conditions, channels, schedule, subject: given }, { catalog, now, self }) {
    const { subject, gaps } = await subjectOf(given);
    const definition = {
      name,
      subject,
      conditions: readConditions(conditions),
      channels: readChannels(channels, null),
      schedule: readSchedule(schedule),
    };
    const unnamed = findUnnamed(subject, catalog);
    const { watch, secrets } = await (await self.watches()).create(definition);
    return {
      watch: presentWatch(watch, now),
      secrets: presentSecrets(secrets),
      gaps: unnamed.gap === null ? gaps : [...gaps, unnamed.gap],
      candidates: unnamed.candidates,
      summary: joinSummary(unnamed.gap !== null && 'No source names it today: check its name.', describeWatch(watch)),
    };
  },
});
