import { z } from 'zod';
import type { SubjectKind } from '../../../analysis/watch/watch.ts';
import { CHANGE_KINDS } from '../../../analysis/cve/field-change.ts';
import { CveId, Domain, identifierSchema } from '../../../engine/input/identifiers.ts';
import { cveFilterFields } from '../../cve/lib/cve-filters.ts';

/** Input of operations about watches. Every field that an answer shows is taken again in the same form. */

const MAX_CHANNELS = 10;
export const MAX_DOCUMENT_CHARACTERS = 1_000_000;

export const SUBJECT_KINDS = [
  'cve',
  'product',
  'package',
  'vendor',
  'search',
  'components',
  'domain',
  'indicator',
] as const satisfies readonly SubjectKind[];
export const AFFECTED_CHOICES = ['affected', 'possible', 'all'] as const;
export const WHEN_CHOICES = ['at_once', 'daily', 'weekly'] as const;
export const WEBHOOK_FORMATS = ['standard', 'slack', 'teams'] as const;

/** Of documentation: no watch has it. */
export const EXAMPLE_ID = 'wat_abcdefghijklmnopqrst';

export const WatchId = identifierSchema({
  read: (text) => (/^wat_[a-z2-7]{20}$/.test(text) ? text : null),
  name: 'watch id',
  accepted: 'wat_ and 20 characters of a-z and 2-7',
  example: EXAMPLE_ID,
});
export const watchIdField = { id: WatchId.meta({ description: 'Id of the watch.' }) };

const Name = z.string().trim().min(1).max(256);
const DayTime = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, { error: 'a time of day as HH:MM, from 00:00 to 23:59' })
  .meta({ examples: ['08:00'] });

export const SubjectField = z
  .strictObject({
    kind: z.enum(SUBJECT_KINDS).optional().meta({ description: 'Follows from the other fields; need not be given.' }),
    cve_id: CveId.optional(),
    purl: z.string().max(512).optional().meta({ description: 'Package URL, with a version or without.' }),
    cpe: z.string().max(512).optional().meta({ description: 'CPE name of a product.' }),
    vendor: Name.nullish().meta({ description: 'CPE vendor of the product; alone: all products of the vendor.' }),
    product: Name.optional().meta({ description: 'CPE product.' }),
    version: Name.nullish().meta({ description: 'Of purl, cpe or product; without it all versions are watched.' }),
    filters: z
      .strictObject(cveFilterFields)
      .optional()
      .meta({ description: 'A search, with the filters of cve_search.' }),
    components: z
      .array(z.string().min(1).max(512))
      .min(1)
      .optional()
      .meta({ description: 'Package URLs and CPE names with their versions.' }),
    document: z.string().min(1).max(MAX_DOCUMENT_CHARACTERS).optional().meta({
      description: 'Text of a lockfile or an SBOM; names and versions of its packages are kept, and nothing else.',
    }),
    filename: z
      .string()
      .max(200)
      .optional()
      .meta({ description: 'Of the document, where its text does not say its format.' }),
    domain: Domain.optional(),
    indicator: z
      .string()
      .max(2048)
      .optional()
      .meta({ description: 'IP address, domain, URL or hash; defanged or not.' }),
  })
  .meta({
    description:
      'What is watched: one of cve_id, purl, cpe, product (with vendor and version), vendor, filters, components, document, domain, indicator.',
  });
export type SubjectInput = z.output<typeof SubjectField>;

export const ConditionsField = z
  .strictObject({
    kinds: z.array(z.enum(CHANGE_KINDS)).min(1).nullish().meta({
      description: 'Null: all but weakness and reference, and product only where it changes the status of the version.',
    }),
    severity_min: cveFilterFields.severity.nullable().meta({ description: 'CVEs of unknown severity are told, too.' }),
    kev_only: z.boolean().optional().meta({ description: 'Only known-exploited CVEs.' }),
    epss_move_min: z.number().min(0).max(1).nullish().meta({ description: 'Null: 0.1, as changes are recorded.' }),
    affected: z.enum(AFFECTED_CHOICES).optional().meta({
      description: 'Of a version: only what affects it, also what cannot be told (default), or also what does not.',
    }),
  })
  .meta({ description: 'Which changes are told; all must hold.' });

export const ChannelsField = z
  .array(
    z.strictObject({
      id: z.string().max(64).optional().meta({ description: 'In an update: of a channel that stays as it is.' }),
      kind: z.enum(['webhook', 'email']).optional().meta({ description: 'Follows from url or to.' }),
      url: z.string().max(2048).optional().meta({ description: 'Of a webhook: https.' }),
      format: z
        .enum(WEBHOOK_FORMATS)
        .optional()
        .meta({ description: 'standard: Standard Webhooks, signed (default).' }),
      to: z.string().max(320).optional().meta({ description: 'Mail address.' }),
    }),
  )
  .max(MAX_CHANNELS)
  .meta({ description: 'Where it is delivered. Empty: it is only read.' });

export const ScheduleField = z
  .strictObject({
    when: z.enum(WHEN_CHOICES).optional(),
    at: DayTime.optional().meta({ description: 'Of digests.' }),
    weekday: z.number().int().min(1).max(7).optional().meta({ description: 'Of weekly digests; 1 is Monday.' }),
    time_zone: z
      .string()
      .max(64)
      .optional()
      .meta({ description: 'IANA name.', examples: ['Europe/Berlin'] }),
    quiet: z
      .strictObject({ from: DayTime, to: DayTime })
      .nullish()
      .meta({ description: 'What would be told in these hours is told at their end.' }),
  })
  .meta({ description: 'When it is told. Default: at once.' });

export const NameField = z
  .string()
  .trim()
  .min(1)
  .max(120)
  .nullish()
  .meta({ description: 'For you; shown in messages.' });
