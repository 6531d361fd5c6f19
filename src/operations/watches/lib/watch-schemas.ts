import { z } from 'zod';
import { CHANGE_KINDS } from '../../../analysis/cve/field-change.ts';
import { ForeignText } from '../../../engine/foreign-text.ts';
import { Change } from '../../cve/lib/change-schemas.ts';
import { Severity } from '../../cve/lib/schemas.ts';
import { AFFECTED_CHOICES, SUBJECT_KINDS, WEBHOOK_FORMATS, WHEN_CHOICES } from './watch-fields.ts';

const Time = z.string().meta({ description: 'ISO 8601 UTC.' });

export const WatchedSubject = z
  .object({
    kind: z.enum(SUBJECT_KINDS),
    cve_id: z.string().optional(),
    purl: z.string().optional(),
    vendor: z.string().nullable().optional(),
    product: z.string().optional(),
    version: z.string().nullable().optional(),
    filters: z.record(z.string(), z.unknown()).optional(),
    components: z
      .array(z.string())
      .optional()
      .meta({ description: 'In answers about one watch, and in lists with include=full.' }),
    component_count: z.number().int().optional().meta({ description: 'Where the components are left out.' }),
    domain: z.string().optional(),
    indicator: z.string().optional(),
  })
  .meta({ id: 'WatchedSubject', description: 'As it was given, normalized; the fields are those of its kind.' });

export const WatchField = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    label: z.string().meta({ description: 'The name, or what it is about in a few words.' }),
    subject: WatchedSubject,
    conditions: z.object({
      kinds: z.array(z.enum(CHANGE_KINDS)).nullable(),
      severity_min: Severity.nullable(),
      kev_only: z.boolean(),
      epss_move_min: z.number().nullable(),
      affected: z.enum(AFFECTED_CHOICES),
    }),
    channels: z.array(
      z.object({
        id: z.string(),
        kind: z.enum(['webhook', 'email']),
        url: z.string().optional(),
        format: z.enum(WEBHOOK_FORMATS).optional(),
        to: z.string().optional(),
      }),
    ),
    schedule: z.object({
      when: z.enum(WHEN_CHOICES),
      at: z.string(),
      weekday: z.number().int(),
      time_zone: z.string(),
      quiet: z.object({ from: z.string(), to: z.string() }).nullable(),
    }),
    state: z.enum(['active', 'muted', 'paused']).meta({
      description: 'Muted: events are kept and not delivered. Paused: changes are not matched; a replay brings them.',
    }),
    mute: z.object({ until: Time, reason: z.string() }).nullable(),
    created_at: Time,
    updated_at: Time,
    next_examination_at: Time.nullable().meta({ description: 'Of domains and indicators.' }),
    last_event_at: Time.nullable(),
    dead_deliveries: z.number().int().meta({ description: 'Deliveries that were given up, of those that are kept.' }),
  })
  .meta({ id: 'Watch' });

export const SecretsField = z
  .array(z.object({ channel_id: z.string(), secret: z.string().meta({ description: '`whsec_` and base64.' }) }))
  .meta({ description: 'Of new signed webhooks, and of those that got a new one: told this one time.' });

export const WatchEventField = z
  .object({
    id: z.string().meta({ description: 'The same however often the same changes are matched.' }),
    watch_id: z.string(),
    seen_at: Time,
    about: z.object({
      kind: z.enum(['cve', 'domain', 'indicator']),
      cve_id: z.string().optional(),
      domain: z.string().optional(),
      indicator: z.string().optional(),
    }),
    why: ForeignText.meta({ description: 'Why it concerns the owner.' }),
    what: ForeignText.meta({ description: 'What changed.' }),
    status: z.enum(['affected', 'not_affected', 'unknown']).nullable().meta({
      description: 'Of the version that is watched; null where there is none.',
    }),
    components: z.array(
      z.object({
        name: ForeignText,
        version: ForeignText.nullable(),
        status: z.string(),
        fixed_in: ForeignText.nullable(),
      }),
    ),
    changes: z.array(Change.omit({ cve_id: true })),
    current: z
      .object({
        severity: Severity.nullable(),
        cvss: z.number().nullable(),
        kev: z.boolean().nullable(),
        kev_due: z.string().nullable(),
        epss: z.number().nullable(),
        fixed_in: ForeignText.nullable(),
        urgency: z.string().nullable(),
      })
      .nullable()
      .meta({ description: 'State of the CVE when it was seen; null each where it is not known.' }),
  })
  .meta({ id: 'WatchEvent' });

export const WatchDeliveryField = z
  .object({
    id: z.string().meta({ description: 'The webhook-id: the same at each try and replay.' }),
    channel_id: z.string(),
    is_test: z.boolean(),
    state: z.enum(['pending', 'delivered', 'dead', 'muted']),
    created_at: Time,
    due_at: Time.meta({ description: 'When it is sent first, or tried next.' }),
    attempts: z.number().int(),
    last_error: ForeignText.nullable().meta({ description: 'Why the last try failed.' }),
    delivered_at: Time.nullable(),
    event_ids: z.array(z.string()),
  })
  .meta({ id: 'WatchDelivery' });

const WatchOfMessage = z.object({
  id: z.string(),
  name: z.string().nullable(),
  subject: z.record(z.string(), z.unknown()),
});

/** What a receiver gets of a watch. */
export const WatchChangedMessage = z
  .object({
    type: z.literal('watch.changed'),
    timestamp: Time,
    data: z.object({
      watch: WatchOfMessage,
      events: z.array(WatchEventField),
    }),
  })
  .meta({ id: 'WatchChangedMessage', description: 'What changed about the subject of a watch' });

/** What it gets when the watch is tested. */
export const WatchTestMessage = z
  .object({ type: z.literal('watch.test'), timestamp: Time, data: z.object({ watch: WatchOfMessage }) })
  .meta({ id: 'WatchTestMessage', description: 'A test of the channels of a watch' });
