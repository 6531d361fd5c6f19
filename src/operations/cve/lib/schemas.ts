import { z } from 'zod';
import { Verdict } from '../../../engine/evidence.ts';
import { lookupOutputSchema, SummaryField } from '../../../engine/operation.ts';
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
    scorer: z.string(),
  })
  .meta({ id: 'CvssBreakdown', description: 'The assessment behind `severity`, its metrics by name.' });

export const AffectedProduct = z
  .object({
    vendor: z.string().nullable(),
    product: z.string().nullable(),
    part: z.enum(['a', 'o', 'h']).nullable().meta({ description: 'Application, operating system or hardware.' }),
    version: z.string().nullable().meta({ description: 'One version; null where the bounds (or all versions) apply.' }),
    update: z.string().nullable(),
    version_start_including: z.string().nullable(),
    version_start_excluding: z.string().nullable(),
    version_end_including: z.string().nullable(),
    version_end_excluding: z.string().nullable(),
    vulnerable: z.boolean().meta({ description: 'False for a platform that the vulnerable product runs on.' }),
    ecosystem: z.string().nullable(),
    cpe: z.string().nullable(),
    sources: z.array(z.string()).meta({ description: 'Who names it.' }),
  })
  .meta({ id: 'AffectedProduct' });

const SupportedProductRow = AffectedProduct.extend({ support: SupportField }).meta({
  id: 'AffectedProductWithSupport',
});

export const SeveritySource = z
  .object({
    scorer: z.string().meta({ description: 'Who scored.' }),
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

const Fix = z
  .object({
    kind: z.enum(['commit', 'release', 'advisory', 'none_known']),
    url: z.string().nullable(),
    versions: z
      .array(z.string())
      .meta({ description: 'First versions without the flaw, of the first vulnerable product.' }),
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
  required_action: z.string().nullable().meta({ description: 'What CISA demands, where it is known exploited.' }),
  known_ransomware_use: RansomwareUse,
  description: z.string().nullable(),
  title: z.string().nullable(),
  status: z.string().nullable().meta({ description: "In the leading source's words, such as Analyzed or Rejected." }),
  vulnerability_status: z.string().nullable().meta({ description: 'As status.' }),
  rejected: z.boolean(),
  tags: z.array(z.string()),
  cve_tags: z.array(z.string()).meta({ description: 'As tags.' }),
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
  references: z.array(z.string()),
  total_references: z.number().int(),
  patch_url: z.string().nullable(),
  patch_available: z
    .boolean()
    .nullable()
    .meta({ description: 'False where a source says that there is no fix; null: not known.' }),
  fix: Fix,
  vex: VexCounts.nullable().meta({
    description: 'Products that VEX statements name, by status; null if none is loaded.',
  }),
  fact_sources: z
    .record(z.string(), z.string().nullable())
    .meta({ description: 'Which source each single-valued fact was taken from.' }),
  references_full: z
    .array(z.object({ url: z.string(), tags: z.array(z.string()), source: z.string().nullable() }))
    .optional(),
  severity_sources: z.array(SeveritySource).optional(),
  severity_consensus: Severity.nullable().optional(),
  severity_disagreement: z.boolean().optional(),
});

export const CveListItem = z
  .object({
    ...coreCveFields,
    summary: SummaryField,
    total_products: z.number().int(),
    verdict: Verdict,
    source: z.string().optional().meta({ description: 'On the leading feed: the source that has it first.' }),
    title: z.string().nullable().optional(),
    main_product: z.object({ vendor: z.string().nullable(), product: z.string() }).nullable().optional().meta({
      description:
        'The first vulnerable product with a vendor, else the first package, in the form of CPE; as CISA calls it where no record names one.',
    }),
    required_action: z.string().nullable().optional(),
    known_ransomware_use: RansomwareUse.optional(),
    description: z.string().nullable().optional(),
    cvss_breakdown: CvssBreakdown.nullable().optional(),
    affected_products: z.array(AffectedProduct).optional(),
    references: z.array(z.string()).optional(),
    first_seen_source: z.string().nullable().optional(),
    first_seen_at: NullableTimestamp.optional(),
  })
  .meta({ id: 'CveListItem' });
