import { z } from 'zod';
import { lookupOutputSchema } from '../../../engine/operation.ts';
import { ForeignText } from '../../../engine/foreign-text.ts';

export const RuleRow = z.object({
  rule_id: z.string(),
  title: ForeignText,
  level: ForeignText.nullable(),
  status: ForeignText.nullable(),
});

export const StrategyRow = z.object({
  strategy_id: z.string(),
  name: ForeignText,
  analytics: z.array(
    z.object({
      analytic_id: z.string(),
      platforms: z.array(ForeignText),
      description: ForeignText.nullable(),
      log_sources: z.array(
        z.object({ name: ForeignText, channel: ForeignText.nullable(), data_component: ForeignText.nullable() }),
      ),
    }),
  ),
});

export const TechniqueRow = z.object({
  technique_id: z.string(),
  name: ForeignText.nullable(),
  tactics: z.array(ForeignText),
  basis: z.enum(['direct', 'inferred']),
  evidence: z.array(
    z.object({
      source: z.enum(['kev_mapping', 'attack_to_cve', 'sigma', 'kev_peers', 'capec']),
      role: ForeignText.nullable(),
      via: ForeignText,
    }),
  ),
  detection_strategies: z.array(StrategyRow),
  sigma_rules: z.array(RuleRow).nullable(),
  total_sigma_rules: z.number().int().nullable(),
  d3fend_detections: z.array(z.object({ defense_id: z.string(), label: ForeignText })).nullable(),
});

export const CveDetection = lookupOutputSchema('CveDetection', {
  cve_id: z.string(),
  basis: z
    .enum(['direct', 'inferred'])
    .nullable()
    .meta({ description: 'direct: about this CVE; inferred: about its weakness; null: nothing leads to a technique.' }),
  weaknesses: z.array(z.string()),
  attack_patterns: z.array(
    z.object({ capec_id: z.string(), name: ForeignText, cwe_id: z.string(), likelihood: ForeignText.nullable() }),
  ),
  sigma_rules: z.array(RuleRow).nullable().meta({ description: 'Rules that name this CVE; null: not synced.' }),
  total_sigma_rules: z.number().int().nullable(),
  techniques: z.array(TechniqueRow).meta({ description: 'Direct ones first.' }),
  total_techniques: z.number().int(),
  not_covered: z
    .array(
      z.object({ id: z.string(), name: ForeignText.nullable(), missing: z.array(z.string()), reason: ForeignText }),
    )
    .meta({ description: 'What none of these sources would let you see.' }),
});
