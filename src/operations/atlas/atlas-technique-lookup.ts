import { z } from 'zod';
import type { AtlasTechnique } from '../../feeds/atlas/atlas-entries.ts';
import { notFoundError } from '../../engine/not-found-error.ts';
import { lookupOutputSchema, type NextCall, defineOperation } from '../../engine/operation.ts';
import { atlasTechniqueFields } from './lib/schemas.ts';
import { AtlasTechniqueId } from '../../engine/input/mitre-ids.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';

export const atlasTechniqueLookup = defineOperation({
  id: 'atlas_technique_lookup',
  area: 'atlas',
  title: 'ATLAS technique',
  description:
    'One technique of MITRE ATLAS, the catalog of attacks on AI systems: what it is, tactics (a sub-technique has those of its parent), maturity, its counterpart in ATT&CK, mitigations.',
  route: 'GET /v1/atlas/:technique_id',
  subject: { kind: 'atlas_technique', field: 'technique_id' },
  input: z.strictObject({ technique_id: AtlasTechniqueId }),
  output: lookupOutputSchema('AtlasTechnique', atlasTechniqueFields),
  cost: 1,
  cacheable: true,
  examples: [
    { title: 'LLM prompt injection', input: { technique_id: 'AML.T0051' } },
    { title: 'A sub-technique', input: { technique_id: 'aml.t0051.000' } },
  ],
  tool: {
    description:
      'Explain one attack technique against AI systems (AML.T####): tactics, maturity, ATT&CK counterpart, mitigations. To find one by words use atlas_technique_search; for several use bulk_atlas_technique_lookup.',
    openWorld: false,
  },
  falsifiableFields: ['name', 'description', 'tactics', 'maturity'],
  answer({ technique_id }, { catalog }) {
    const technique = catalog.document<AtlasTechnique>('atlas_technique', technique_id);
    if (technique === null) {
      throw notFoundError(catalog, ['atlas'], `${technique_id} is no technique of the ATLAS catalog synced here.`);
    }
    return { ...technique, summary: summaryOf(technique) };
  },
  nextCalls({ technique_id, attack_reference_id, subtechnique_of }) {
    const calls: NextCall[] = [
      {
        tool: 'atlas_case_study_search',
        input: technique_id,
        reason: 'Where it was used.',
        params: { technique_id },
      },
    ];
    if (attack_reference_id !== null) {
      calls.push({
        tool: 'd3fend_defense_for_attack',
        input: attack_reference_id,
        reason: 'Defenses against its counterpart in ATT&CK.',
      });
    }
    if (subtechnique_of !== null) {
      calls.push({
        tool: 'atlas_technique_lookup',
        input: subtechnique_of,
        reason: 'The technique that it is a kind of.',
      });
    }
    return calls;
  },
});

function summaryOf({
  technique_id,
  name,
  tactics,
  maturity,
  subtechnique_of,
  mitigations,
  description,
}: AtlasTechnique): string {
  const facts = [
    tactics.map((tactic) => tactic.name).join(', '),
    maturity,
    subtechnique_of === null ? null : `sub-technique of ${subtechnique_of}`,
    mitigations.length === 0 ? 'no mitigation listed' : formatCount(mitigations.length, 'mitigation'),
  ];
  return joinSummary(`${technique_id}: ${name} (${facts.filter(Boolean).join('; ')}).`, description);
}
