import { z } from 'zod';
import { CleanedText } from '../fields.ts';

/** The fields that are read of `ATLAS.yaml`, release 5 (its schema: `dist/schemas/atlas_output_schema.json`). */

const TechniqueId = z.string().regex(/^AML\.T\d{4}(?:\.\d{3})?$/, 'not an ATLAS technique id');
const AttackReference = z.object({ id: z.string(), url: z.string() });

export const AtlasDocument = z.object({
  version: z.coerce.string(),
  matrices: z
    .array(
      z.object({
        tactics: z.array(z.unknown()),
        techniques: z.array(z.unknown()),
        mitigations: z.array(z.unknown()).nullish(),
      }),
    )
    .min(1),
  'case-studies': z.array(z.unknown()),
});

export const TacticRecord = z.object({ id: z.string(), name: CleanedText });
export type TacticRecord = z.output<typeof TacticRecord>;

export const TechniqueRecord = z.object({
  id: TechniqueId,
  name: CleanedText,
  description: CleanedText,
  tactics: z.array(z.string()).nullish(),
  'subtechnique-of': TechniqueId.nullish(),
  maturity: z.string().nullish(),
  'ATT&CK-reference': AttackReference.nullish(),
  created_date: z.iso.date().nullish(),
  modified_date: z.iso.date().nullish(),
});
export type TechniqueRecord = z.output<typeof TechniqueRecord>;

export const MitigationRecord = z.object({
  id: z.string(),
  name: CleanedText,
  techniques: z.array(z.object({ id: z.string(), use: CleanedText.nullish() })).nullish(),
});
export type MitigationRecord = z.output<typeof MitigationRecord>;

export const CaseStudyRecord = z.object({
  id: z.string().regex(/^AML\.CS\d{4}$/, 'not an ATLAS case study id'),
  name: CleanedText,
  summary: CleanedText,
  'incident-date': z.iso.date().nullish(),
  'incident-date-granularity': z.string().nullish(),
  procedure: z.array(z.object({ tactic: z.string().nullish(), technique: z.string(), description: CleanedText })),
  target: CleanedText.nullish(),
  actor: CleanedText.nullish(),
  reporter: CleanedText.nullish(),
  'case-study-type': z.string().nullish(),
  references: z.array(z.object({ title: CleanedText.nullish(), url: z.string().nullish() })).nullish(),
});
export type CaseStudyRecord = z.output<typeof CaseStudyRecord>;
