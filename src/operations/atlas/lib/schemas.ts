import { z } from 'zod';
import { ForeignText } from '../../../engine/foreign-text.ts';

export const AtlasTactic = z.object({ tactic_id: z.string(), name: ForeignText }).meta({ id: 'AtlasTactic' });
export const AtlasTechniqueRef = z
  .object({ technique_id: z.string(), name: ForeignText })
  .meta({ id: 'AtlasTechniqueRef' });

export const AtlasMaturity = z.preprocess(
  (value) => (typeof value === 'string' ? value.trim().toLowerCase() : value),
  z.enum(['feasible', 'demonstrated', 'realized']),
);

const techniqueRowFields = {
  technique_id: z.string(),
  name: ForeignText,
  tactics: z.array(AtlasTactic),
  inherited_tactics: z.boolean().meta({ description: 'The tactics are those of the parent technique.' }),
  maturity: ForeignText.nullable().meta({
    description: 'feasible (shown in research), demonstrated (against a real system) or realized (used in an attack).',
  }),
  attack_reference_id: ForeignText.nullable().meta({ description: 'The ATT&CK technique that it corresponds to.' }),
  subtechnique_of: z.string().nullable(),
};

const techniqueDetailFields = {
  description: ForeignText.meta({ description: 'Markdown, as the source has it.' }),
  attack_reference_url: ForeignText.nullable(),
  created_date: z.string().nullable(),
  modified_date: z.string().nullable(),
};

export const atlasTechniqueFields = {
  ...techniqueRowFields,
  ...techniqueDetailFields,
  subtechniques: z.array(AtlasTechniqueRef),
  mitigations: z.array(z.object({ mitigation_id: z.string(), name: ForeignText, use: ForeignText.nullable() })),
};

/** The verbose fields come with `include=full`. */
export const AtlasTechniqueRow = z
  .object({ ...techniqueRowFields, ...z.object(techniqueDetailFields).partial().shape })
  .meta({ id: 'AtlasTechniqueRow' });

const caseStudyRowFields = {
  case_study_id: z.string(),
  name: ForeignText,
  case_study_type: ForeignText.nullable().meta({ description: 'incident or exercise.' }),
  incident_date: z.string().nullable(),
  incident_date_granularity: ForeignText.nullable().meta({
    description: 'How much of the date is known: YEAR, MONTH or DATE.',
  }),
  target: ForeignText.nullable(),
  actor: ForeignText.nullable(),
};

const caseStudyDetailFields = {
  description: ForeignText.meta({ description: 'Markdown, as the source has it.' }),
  reporter: ForeignText.nullable(),
  techniques_used: z.array(AtlasTechniqueRef).meta({ description: 'In the order of the procedure, each once.' }),
  references: z.array(z.object({ title: ForeignText.nullable(), url: ForeignText.nullable() })),
};

export const atlasCaseStudyFields = {
  ...caseStudyRowFields,
  ...caseStudyDetailFields,
  total_steps: z.number().int(),
  procedure: z
    .array(z.object({ tactic: AtlasTactic.nullable(), technique: AtlasTechniqueRef, description: ForeignText }))
    .optional()
    .meta({ description: 'Step by step; with include=full.' }),
  pivot_hints: z
    .array(z.object({ type: z.enum(['cve', 'attack_technique']), value: ForeignText, reason: ForeignText }))
    .meta({ description: 'Identifiers in it that other catalogs know.' }),
};

/** The verbose fields come with `include=full`. */
export const AtlasCaseStudyRow = z
  .object({
    ...caseStudyRowFields,
    total_techniques: z.number().int(),
    ...z.object(caseStudyDetailFields).partial().shape,
  })
  .meta({ id: 'AtlasCaseStudyRow' });
