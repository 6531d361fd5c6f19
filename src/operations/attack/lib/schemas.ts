import { z } from 'zod';
import { ForeignText } from '../../../engine/foreign-text.ts';

/** What a technique may lack: sources that would let you see or stop it. */
export const Missing = z.enum(['detection_strategy', 'sigma', 'd3fend']);
export type Missing = z.output<typeof Missing>;

export const AttackTechniqueRef = z
  .object({ technique_id: z.string(), name: ForeignText })
  .meta({ id: 'AttackTechniqueRef' });

export const attackTechniqueRowFields = {
  technique_id: z.string(),
  name: ForeignText,
  tactics: z.array(ForeignText),
  platforms: z.array(ForeignText),
  subtechnique_of: z.string().nullable(),
  revoked_by: z.string().nullable().meta({ description: 'The technique that took the place of this one.' }),
};

export const AttackTechniqueRow = z.object(attackTechniqueRowFields).meta({ id: 'AttackTechniqueRow' });
