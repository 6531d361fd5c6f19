import { z } from 'zod';
import type { ThreatAssessment } from '../../../analysis/indicators/threat-level.ts';
import { type Warning, WARNING_CATEGORIES } from '../../../analysis/indicators/warning-list.ts';
import { ForeignText } from '../../../engine/foreign-text.ts';

/** How sure a threat level is, and what that was made from: the formula of docs/threat-levels.md. */
export const ThreatConfidence = z
  .object({
    value: z.number().int().meta({ description: '0 to 100.' }),
    sources: z.array(
      z.object({
        source: z.string(),
        weight: z.number(),
        age_days: z.number().int().nullable(),
        age_factor: z.number(),
        warning_factor: z.number(),
        points: z.number(),
      }),
    ),
    agreement: z.number().int().nullable().meta({ description: 'null: not all sources answered.' }),
  })
  .meta({ id: 'ThreatConfidence', description: 'The most points of a source, plus those for agreement, at most 100.' })
  .nullable();

export function toConfidence({ score, parts }: ThreatAssessment): z.output<typeof ThreatConfidence> {
  return score === null || parts === null ? null : { value: score, ...parts };
}

export const WarningLists = z
  .array(
    z.object({
      name: ForeignText,
      category: z.enum(WARNING_CATEGORIES),
      description: ForeignText,
      as_of: z.string().nullable(),
      matched: ForeignText,
    }),
  )
  .nullable()
  .meta({
    description:
      'Lists of what is well known: entries about it are often mistakes (`false_positive`) or about another who shares it (`known`), and count less. null: not synced.',
  });

export function toWarningLists(warnings: readonly Warning[] | null): z.output<typeof WarningLists> {
  return (
    warnings?.map(({ name, category, description, as_of, value }) => ({
      name,
      category,
      description,
      as_of,
      matched: value,
    })) ?? null
  );
}
