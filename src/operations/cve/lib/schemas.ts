import { z } from 'zod';
import { Verdict } from '../../../engine/evidence.ts';
import { lookupOutputSchema, SummaryField } from '../../../engine/operation.ts';
import { ForeignText } from '../../../engine/foreign-text.ts';
import { SupportField } from '../../../engine/product-support.ts';
import { SEVERITIES } from '../../../analysis/severity.ts';
import { priorityFields } from './assess-priority.ts';

export const Severity = z.enum(SEVERITIES).meta({ id: 'Severity' });

/** ISO 8601 UTC; a date alone where the source has no time. */
export const NullableTimestamp = z
  .string()
  .nullable()
  .meta({ examples: ['2021-12-10T10:15:09.143Z', '2021-12-10'] });

const NullableCvssScore = z.number().min(0).max(10).nullable();

export const Epss = z
  .object({
    score: z.number().nullable().meta({ description: 'Probability of exploitation within 30 days, 0-1.' }),
    percentile: z.number().nullable(),
  })
  .meta({ id: 'Epss' });

export const KevStatus = z
  .object({
    in_kev: z.boolean().nullable().meta({ description: 'Null when no known-exploited catalog is loaded.' }),
    date_added: z.string().nullable(),
    due_date: z.string().nullable(),
  })
  .meta({ id: 'KevStatus' });

export const RansomwareUse = z.boolean().nullable().meta({
  description: 'True: CISA says "Known". Null: CISA says "Unknown"; it never says that there is no such use.',
});

export const CvssBreakdown = z
  .looseObject({
    version: z.enum(['2.0', '3.0', '3.1', '4.0']),
    vector: z.string(),
    base_score: NullableCvssScore,
    base_severity: Severity.nullable(),
    scorer: ForeignText,
  })
  .meta({ id: 'CvssBreakdown', description: 'The assessment behind `severity`, its metrics by name.' });

export const AffectedProduct = z
  .object({
    vendor: ForeignText.nullable(),
    product: ForeignText.nullable(),
    part: z.enum(['a', 'o', 'h']).nullable().meta({ description: 'Application, operating system or hardware.' }),
    version: ForeignText.nullable().meta({
      description: 'One version; null where the bounds (or all versions) apply.',
    }),
    update: ForeignText.nullable(),
    version_start_including: ForeignText.nullable(),
    version_start_excluding: ForeignText.nullable(),
    version_end_including: ForeignText.nullable(),
    version_end_excluding: ForeignText.nullable(),
    vulnerable: z.boolean().meta({ description: 'False for a platform that the vulnerable product runs on.' }),
    ecosystem: ForeignText.nullable(),
    cpe: ForeignText.nullable(),
    sources: z.array(z.string()).meta({ description: 'Who names it.' }),
  })
  .meta({ id: 'AffectedProduct' });

const SupportedProductRow = AffectedProduct.extend({ support: SupportField }).meta({
  id: 'AffectedProductWithSupport',
});

export const SeveritySource = z
  .object({
    scorer: ForeignText.meta({ description: 'Who scored.' }),
    source: z.string().meta({ description: 'The feed that carried the assessment.' }),
    version: z.string(),
    vector: z.string(),
    base_score: NullableCvssScore,
    severity: Severity.nullable(),
    primary: z.boolean(),
  })
  .meta({ id: 'SeveritySource' });

const coreCveFields = {
  cve_id: z.string(),
  severity: Severity.nullable(),
  cvss_v3: NullableCvssScore,
  cwe_id: z.string().nullable().meta({ description: 'The first weakness; all of them in cwe_ids.' }),
  epss: Epss,
  kev: KevStatus,
  ...priorityFields,
  published: NullableTimestamp,
  modified: NullableTimestamp,
  sources: z.array(z.string()).meta({ description: 'Sources that know this CVE.' }),
};

export const FixSupport = z.object({
  version: ForeignText,
  cycle: ForeignText,
  is_supported: z.boolean(),
  ends_at: z.string().nullable(),
  latest: ForeignText.nullable().meta({ description: 'Latest release of the cycle.' }),
  is_released: z.boolean().nullable().meta({
    description: 'False: the cycle ended with an earlier release, so there is no such version; null: not known.',
  }),
  move_to: z.object({ cycle: ForeignText, ends_at: z.string().nullable() }).nullable().meta({
    description: 'Where support has ended or ends within 180 days: the newer cycle that is supported longest.',
  }),
});

const Fix = z
  .object({
    kind: z.enum(['commit', 'release', 'advisory', 'none_known']),
    url: ForeignText.nullable(),
    versions: z
      .array(ForeignText)
      .meta({ description: 'First versions without the flaw, of the first vulnerable product.' }),
    support: z.array(FixSupport).optional().meta({
      description: 'Security support of the cycles of `versions`, by endoflife.date; without those it does not know.',
    }),
  })
  .meta({ id: 'Fix', description: 'The fixing change or the vendor before third parties.' });

const VexCounts = z.object({
  affected: z.number().int(),
  not_affected: z.number().int(),
  fixed: z.number().int(),
  under_investigation: z.number().int(),
});

export const CveRecord = lookupOutputSchema('CveRecord', {
  ...coreCveFields,
  required_action: ForeignText.nullable().meta({ description: 'What CISA demands, where it is known exploited.' }),
  known_ransomware_use: RansomwareUse,
  description: ForeignText.nullable(),
  title: ForeignText.nullable(),
  status: ForeignText.nullable().meta({ description: "In the leading source's words, such as Analyzed or Rejected." }),
  vulnerability_status: ForeignText.nullable().meta({ description: 'As status.' }),
  rejected: z.boolean(),
  tags: z.array(ForeignText),
  cve_tags: z.array(ForeignText).meta({ description: 'As tags.' }),
  severity_source: SeveritySource.nullable().meta({ description: 'Whose assessment `severity` is.' }),
  cvss_breakdown: CvssBreakdown.nullable(),
  cvss_v2: NullableCvssScore,
  cvss_v2_vector: z.string().nullable(),
  cvss_v4: NullableCvssScore,
  cvss_v4_vector: z.string().nullable(),
  cwe_ids: z.array(z.string()),
  cwes: z.array(z.string()).meta({ description: 'As cwe_ids.' }),
  affected_products: z.array(SupportedProductRow),
  total_products: z.number().int(),
  references: z.array(ForeignText),
  total_references: z.number().int(),
  patch_url: ForeignText.nullable(),
  patch_available: z
    .boolean()
    .nullable()
    .meta({ description: 'False where a source says that there is no fix; null: not known.' }),
  fix: Fix,
  vex: VexCounts.nullable().meta({
    description: 'Products that VEX statements name, by status; null if none is loaded.',
  }),
  fact_sources: z
    .record(z.string(), ForeignText.nullable())
    .meta({ description: 'Which source each single-valued fact was taken from.' }),
  references_full: z
    .array(z.object({ url: ForeignText, tags: z.array(ForeignText), source: ForeignText.nullable() }))
    .optional(),
  severity_sources: z.array(SeveritySource).optional(),
  severity_consensus: Severity.nullable().optional(),
  severity_disagreement: z.boolean().optional(),
  severity_reason: ForeignText.optional().meta({ description: 'Whose score `severity` is, why, and what others say.' }),
});

export const CveListItem = z
  .object({
    ...coreCveFields,
    summary: SummaryField,
    total_products: z.number().int(),
    verdict: Verdict,
    source: z.string().optional().meta({ description: 'On the leading feed: the source that has it first.' }),
    title: ForeignText.nullable().optional(),
    main_product: z.object({ vendor: ForeignText.nullable(), product: ForeignText }).nullable().optional().meta({
      description:
        'The first vulnerable product with a vendor, else the first package, in the form of CPE; as CISA calls it where no record names one.',
    }),
    required_action: ForeignText.nullable().optional(),
    known_ransomware_use: RansomwareUse.optional(),
    description: ForeignText.nullable().optional(),
    cvss_breakdown: CvssBreakdown.nullable().optional(),
    affected_products: z.array(AffectedProduct).optional(),
    references: z.array(ForeignText).optional(),
    first_seen_source: z.string().nullable().optional(),
    first_seen_at: NullableTimestamp.optional(),
  })
  .meta({ id: 'CveListItem' });
