import { z } from 'zod';
import type { Defense } from '../../feeds/d3fend/d3fend-entries.ts';
import { notFoundError } from '../../engine/not-found-error.ts';
import { lookupOutputSchema, type NextCall, defineOperation } from '../../engine/operation.ts';
import { operationHintOf } from '../../engine/route.ts';
import { DefenseName } from '../../engine/input/mitre-ids.ts';
import { defenseFields as shape } from './lib/schemas.ts';
import { quoteInput } from '../../engine/input/identifiers.ts';
import { includeField } from '../../engine/paged-list.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import { d3fendDefenseSearch } from './d3fend-defense-search.ts';
import { findDefense } from './lib/find-defense.ts';
import { attackTechniqueIds } from './lib/present-defense.ts';

export const d3fendDefenseLookup = defineOperation({
  id: 'd3fend_defense_lookup',
  area: 'd3fend',
  title: 'D3FEND defense',
  description:
    'One defensive technique of MITRE D3FEND: what it is, tactic, artifact, and the ATT&CK techniques that it counters. One that nothing is mapped to has those of the more general defense, and says so.',
  route: 'GET /v1/d3fend/:defense_id',
  subject: { kind: 'd3fend', field: 'defense_id' },
  input: z.strictObject({ defense_id: DefenseName, ...includeField }),
  output: lookupOutputSchema('D3fendDefense', shape),
  cost: 1,
  cacheable: true,
  examples: [
    { title: 'By its name', input: { defense_id: 'FileAnalysis' } },
    { title: 'By its D3FEND id', input: { defense_id: 'D3-FH' } },
  ],
  tool: {
    description:
      'Explain one D3FEND defense (FileAnalysis, D3-FA or its label) and list the ATT&CK techniques it counters. To find one by words use d3fend_defense_search; to start from an attack use d3fend_defense_for_attack.',
    openWorld: false,
  },
  falsifiableFields: ['label', 'description', 'tactic', 'attack_techniques'],
  answer({ defense_id, include }, { catalog }) {
    const defense = findDefense(catalog, defense_id);
    if (defense === null) {
      throw notFoundError(
        catalog,
        ['d3fend'],
        `${quoteInput(defense_id)} is no defense of the D3FEND catalog synced here.`,
        operationHintOf(d3fendDefenseSearch, 'finds them by words'),
      );
    }
    const { mappings: _, parent, inherits_from, artifacts: __, ...own } = defense;
    const general = inherits_from === null ? null : findDefense(catalog, inherits_from.defense_id);
    const mapped = general ?? defense;
    return {
      ...own,
      parent_label: parent?.label ?? null,
      parent_id: parent?.defense_id ?? null,
      artifact: mapped.artifacts[0] ?? null,
      artifacts: mapped.artifacts,
      inherited_from: general?.defense_id ?? null,
      attack_techniques: attackTechniqueIds(mapped),
      total_attack_techniques: mapped.mappings.length,
      ...(include === 'full' ? { attack_mappings: mapped.mappings } : {}),
      summary: summaryOf(defense, general),
    };
  },
  nextCalls({ defense_id, attack_techniques, children }) {
    const calls: NextCall[] = attack_techniques.slice(0, 1).map((id) => ({
      tool: 'd3fend_defense_for_attack',
      input: id,
      reason: `What else counters ${id}.`,
      params: { attack_technique_id: id, exclude_id: defense_id },
    }));
    const more = children
      .slice(0, 2)
      .map(({ defense_id: id }) => ({ tool: 'd3fend_defense_lookup', input: id, reason: 'A special form of it.' }));
    return [...calls, ...more];
  },
});

function summaryOf(defense: Defense, general: Defense | null): string {
  const { label, d3fend_id, tactic, description, children } = defense;
  const facts = [d3fend_id, tactic].filter((fact) => fact !== null).join(', ');
  const count = formatCount((general ?? defense).mappings.length, 'ATT&CK technique');
  const counters =
    general !== null
      ? `counters ${count} as a kind of ${general.label}`
      : defense.mappings.length > 0
        ? `counters ${count}`
        : `has no ATT&CK technique mapped to it${children.length > 0 ? `; see its ${formatCount(children.length, 'special form')}` : ''}`;
  return joinSummary(`${label}${facts === '' ? '' : ` (${facts})`} ${counters}.`, description);
}
