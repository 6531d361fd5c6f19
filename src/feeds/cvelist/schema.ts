/** The fields that are read of a CVE record (CVE Record Format 5.0 to 5.2); other fields are ignored. */

import { z } from 'zod';
import { CanonicalCveId, CleanedText } from '../fields.ts';

/** The longest version that the format allows. */
const VersionText = z.string().max(1024);

const VersionRow = z.object({
  version: VersionText,
  status: z.string(),
  versionType: z.string().optional(),
  lessThan: VersionText.optional(),
  lessThanOrEqual: VersionText.optional(),
  changes: z.array(z.object({ at: VersionText, status: z.string() })).optional(),
});

export const AffectedEntry = z.object({
  vendor: CleanedText.optional(),
  product: CleanedText.optional(),
  packageName: CleanedText.optional(),
  cpes: z.array(z.string()).optional(),
  defaultStatus: z.string().optional(),
  versions: z.array(VersionRow).optional(),
});

const Cvss = z.object({
  vectorString: z.string(),
  baseScore: z.number().min(0).max(10).optional(),
  baseSeverity: z.string().optional(),
});

/** `content` has these fields where `type` is `ssvc`. */
const OtherMetric = z.object({
  type: z.string(),
  content: z.object({ timestamp: z.string().optional(), options: z.unknown() }),
});

const Container = z.object({
  title: CleanedText.optional(),
  providerMetadata: z.object({ shortName: z.string().optional() }).optional(),
  tags: z.array(z.string()).optional(),
  descriptions: z.array(z.object({ lang: z.string(), value: CleanedText })).optional(),
  rejectedReasons: z.array(z.object({ lang: z.string(), value: CleanedText })).optional(),
  metrics: z
    .array(
      z.object({
        cvssV2_0: Cvss.optional(),
        cvssV3_0: Cvss.optional(),
        cvssV3_1: Cvss.optional(),
        cvssV4_0: Cvss.optional(),
        other: OtherMetric.optional().catch(undefined),
      }),
    )
    .optional(),
  problemTypes: z
    .array(
      z.object({
        descriptions: z.array(z.object({ cweId: z.string().optional(), description: z.string().optional() })),
      }),
    )
    .optional(),
  references: z.array(z.object({ url: z.string(), tags: z.array(z.string()).optional() })).optional(),
  affected: z.array(AffectedEntry).optional(),
});

export const CveRecord = z.object({
  dataType: z.literal('CVE_RECORD'),
  cveMetadata: z.object({
    cveId: CanonicalCveId,
    state: z.string(),
    assignerOrgId: z.string().optional(),
    assignerShortName: z.string().optional(),
    datePublished: z.string().optional(),
    dateUpdated: z.string().optional(),
  }),
  containers: z.object({ cna: Container, adp: z.array(Container).optional() }),
});

export type VersionRow = z.infer<typeof VersionRow>;
export type AffectedEntry = z.infer<typeof AffectedEntry>;
export type Container = z.infer<typeof Container>;
export type CveRecord = z.infer<typeof CveRecord>;
