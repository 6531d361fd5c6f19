import { z } from 'zod';

export const AtlasTactic = z.object({ tactic_id: z.string(), name: z.string() }).meta({ id: 'AtlasTactic' });
export const AtlasTechniqueName = z
  .object({ technique_id: z.string(), name: z.string() })
  .meta({ id: 'AtlasTechniqueName' });

export const Maturity = z.preprocess(
  (value) => (typeof value === 'string' ? value.trim().toLowerCase() : value),
  z.enum(['feasible', 'demonstrated', 'realized']),
);

const row = {
  technique_id: z.string(),
  name: z.string(),
  tactics: z.array(AtlasTactic),
  inherited_tactics: z.boolean().meta({ description: 'The tactics are those of the parent technique.' }),
  maturity: z.string().nullable().meta({
    description: 'feasible (shown in research), demonstrated (against a real system) or realized (used in an attack).',
  }),
  attack_reference_id: z.string().nullable().meta({ description: 'The ATT&CK technique that it corresponds to.' }),
  subtechnique_of: z.string().nullable(),
};

const rest = {
  description: z.string().meta({ description: 'Markdown, as the source has it.' }),
  attack_reference_url: z.string().nullable(),
  created_date: z.string().nullable(),
  modified_date: z.string().nullable(),
};

export const atlasTechnique = {
  ...row,
  ...rest,
  subtechniques: z.array(AtlasTechniqueName),
  mitigations: z.array(z.object({ mitigation_id: z.string(), name: z.string(), use: z.string().nullable() })),
};

/** The verbose fields come with `include=full`. */
export const AtlasTechniqueRow = z
  .object({ ...row, ...z.object(rest).partial().shape })
  .meta({ id: 'AtlasTechniqueRow' });

const studyRow = {
  case_study_id: z.string(),
  name: z.string(),
  case_study_type: z.string().nullable().meta({ description: 'incident or exercise.' }),
  incident_date: z.string().nullable(),
  incident_date_granularity: z
    .string()
    .nullable()
    .meta({ description: 'How much of the date is known: YEAR, MONTH or DATE.' }),
  target: z.string().nullable(),
  actor: z.string().nullable(),
};

const studyRest = {
  description: z.string().meta({ description: 'Markdown, as the source has it.' }),
  reporter: z.string().nullable(),
  techniques_used: z.array(AtlasTechniqueName).meta({ description: 'In the order of the procedure, each once.' }),
  references: z.array(z.object({ title: z.string().nullable(), url: z.string().nullable() })),
};

export const atlasCaseStudy = {
  ...studyRow,
  ...studyRest,
  total_steps: z.number().int(),
  procedure: z
    .array(z.object({ tactic: AtlasTactic.nullable(), technique: AtlasTechniqueName, description: z.string() }))
    .optional()
    .meta({ description: 'Step by step; with include=full.' }),
  pivot_hints: z
    .array(z.object({ type: z.enum(['cve', 'attack_technique']), value: z.string(), reason: z.string() }))
    .meta({ description: 'Identifiers in it that other catalogs know.' }),
};

/** The verbose fields come with `include=full`. */
export const AtlasCaseStudyRow = z
  .object({ ...studyRow, total_techniques: z.number().int(), ...z.object(studyRest).partial().shape })
  .meta({ id: 'AtlasCaseStudyRow' });
