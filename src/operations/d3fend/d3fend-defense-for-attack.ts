import { z } from 'zod';
import type { Defense } from '../../feeds/d3fend/d3fend-entries.ts';
import { requireFeedData } from '../../engine/not-found-error.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { ForeignText } from '../../engine/foreign-text.ts';
import { AttackTechniqueId, DefenseName, excludedIdsSchema } from '../../engine/input/mitre-ids.ts';
import { Countermeasure, InheritedMappingField } from './lib/schemas.ts';
import { includeField, pageResult, pagingFields } from '../../engine/paged-list.ts';
import { firstThree, formatCount, joinSummary } from '../../engine/summary.ts';
import { findDefensesAgainst, findMappedTechnique, resolveDefenseIds } from './lib/find-defense.ts';
import { presentCountermeasure } from './lib/present-defense.ts';

export const d3fendDefenseForAttack = defineOperation({
  id: 'd3fend_defense_for_attack',
  area: 'd3fend',
  title: 'Defenses against an ATT&CK technique',
  description:
    'The D3FEND defenses mapped to an ATT&CK technique, by name. A sub-technique that nothing is mapped to has those of its parent, and says so. A list that is empty means that no mapping exists, not that nothing helps.',
  route: 'GET /v1/d3fend/attack/:attack_technique_id',
  subject: { kind: 'attack_technique', field: 'attack_technique_id' },
  input: z.strictObject({
    attack_technique_id: AttackTechniqueId,
    exclude_id: excludedIdsSchema(DefenseName),
    ...includeField,
    ...pagingFields,
  }),
  output: lookupOutputSchema('D3fendDefensesForAttack', {
    attack_technique_id: z.string(),
    attack_technique_name: ForeignText.nullable(),
    inherited_from: InheritedMappingField,
    count: z.number().int().meta({ description: 'Defenses on this page.' }),
    total: z.number().int(),
    offset: z.number().int(),
    next_offset: z.number().int().nullable(),
    truncated: z.boolean(),
    defenses: z.array(Countermeasure),
  }),
  cost: 1,
  cacheable: true,
  examples: [
    { title: 'Spearphishing attachment', input: { attack_technique_id: 'T1566.001' } },
    { title: 'Inherited from the parent', input: { attack_technique_id: 'T1059.001' } },
  ],
  tool: {
    description:
      'List D3FEND defenses against one ATT&CK technique (T#### or T####.###). For several techniques at once, with gaps, use d3fend_attack_coverage; for detection rules see sigma_rule_lookup.',
    openWorld: false,
  },
  falsifiableFields: ['count', 'defenses[].defense_id', 'defenses[].tactic'],
  answer({ attack_technique_id, exclude_id, include, limit, offset }, { catalog }) {
    requireFeedData(catalog, 'd3fend');
    const from = findMappedTechnique(catalog, attack_technique_id);
    const excludeIds = resolveDefenseIds(catalog, exclude_id ?? []);
    const { total, bodies } = findDefensesAgainst(catalog, from ?? attack_technique_id, { excludeIds, limit, offset });
    const defenses = bodies.map((defense) =>
      presentCountermeasure(defense, from ?? attack_technique_id, include === 'full'),
    );
    const { query_echo: _, results, ...paged } = pageResult(defenses, total, { limit, offset });
    const inherited_from = from === attack_technique_id ? null : from;
    const name = inherited_from === null ? techniqueNameIn(bodies, attack_technique_id) : null;
    return {
      attack_technique_id,
      attack_technique_name: name,
      inherited_from,
      ...paged,
      defenses: results,
      summary: summaryOf(
        name === null ? attack_technique_id : `${attack_technique_id} (${name})`,
        inherited_from,
        total,
        defenses,
      ),
    };
  },
  nextCalls: ({ defenses }) =>
    defenses.slice(0, 3).map(({ defense_id, name }) => ({
      tool: 'd3fend_defense_lookup',
      input: defense_id,
      reason: `What ${name} is.`,
    })),
});

function techniqueNameIn(defenses: readonly Defense[], id: string): string | null {
  return defenses[0]?.mappings.find(({ attack_technique_id }) => attack_technique_id === id)?.name ?? null;
}

function summaryOf(
  technique: string,
  inheritedFrom: string | null,
  total: number,
  defenses: { name: string }[],
): string {
  if (total === 0)
    return joinSummary(`D3FEND maps no defense to ${technique}${technique.includes('.') ? ' or its parent' : ''}.`);
  const to =
    inheritedFrom === null ? technique : `${inheritedFrom}, the parent of ${technique}, which has none of its own`;
  return joinSummary(
    `${formatCount(total, 'defense')} of D3FEND mapped to ${to}.`,
    firstThree(
      'First',
      defenses.map(({ name }) => name),
    ),
  );
}
