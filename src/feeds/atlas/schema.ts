import { z } from 'zod';
import { HumanText } from '../fields.ts';

/** `ATLAS.yaml` as release 5 has it (its own `dist/schemas/atlas_output_schema.json`), no stricter than what is read of it. */

const TechniqueId = z.string().regex(/^AML\.T\d{4}(?:\.\d{3})?$/, 'not an ATLAS technique id');
const AttackReference = z.object({ id: z.string(), url: z.string() });

export const Document = z.object({
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

export const Tactic = z.object({ id: z.string(), name: HumanText });
export type Tactic = z.output<typeof Tactic>;

export const Technique = z.object({
  id: TechniqueId,
  name: HumanText,
  description: HumanText,
  tactics: z.array(z.string()).nullish(),
  'subtechnique-of': TechniqueId.nullish(),
  maturity: z.string().nullish(),
  'ATT&CK-reference': AttackReference.nullish(),
  created_date: z.iso.date().nullish(),
  modified_date: z.iso.date().nullish(),
});
export type Technique = z.output<typeof Technique>;

export const Mitigation = z.object({
  id: z.string(),
  name: HumanText,
  techniques: z.array(z.object({ id: z.string(), use: HumanText.nullish() })).nullish(),
});
export type Mitigation = z.output<typeof Mitigation>;

export const CaseStudy = z.object({
  id: z.string().regex(/^AML\.CS\d{4}$/, 'not an ATLAS case study id'),
  name: HumanText,
  summary: HumanText,
  'incident-date': z.iso.date().nullish(),
  'incident-date-granularity': z.string().nullish(),
  procedure: z.array(z.object({ tactic: z.string().nullish(), technique: z.string(), description: HumanText })),
  target: HumanText.nullish(),
  actor: HumanText.nullish(),
  reporter: HumanText.nullish(),
  'case-study-type': z.string().nullish(),
  references: z.array(z.object({ title: HumanText.nullish(), url: z.string().nullish() })).nullish(),
});
export type CaseStudy = z.output<typeof CaseStudy>;
