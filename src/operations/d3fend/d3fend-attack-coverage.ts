import { z } from 'zod';
import type { CatalogView } from '../../catalog/catalog-view.ts';
import type { Defense } from '../../feeds/d3fend/d3fend-entries.ts';
import { requireFeedData } from '../../engine/not-found-error.ts';
import { lookupOutputSchema, type NextCall, defineOperation } from '../../engine/operation.ts';
import { ForeignText } from '../../engine/foreign-text.ts';
import { AttackTechniqueId } from '../../engine/input/mitre-ids.ts';
import { Countermeasure, InheritedMappingField, D3FEND_TACTICS } from './lib/schemas.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import { parentTechniqueId } from './lib/find-defense.ts';
import { attackTechniqueIds, presentCountermeasure } from './lib/present-defense.ts';

const MAX_TECHNIQUES = 500;
const TechniqueListField = z.array(AttackTechniqueId).max(MAX_TECHNIQUES).optional();

export const d3fendAttackCoverage = defineOperation({
  id: 'd3fend_attack_coverage',
  area: 'd3fend',
  title: 'Defense coverage of ATT&CK techniques',
  description:
    'The D3FEND defenses mapped to each of up to 500 ATT&CK techniques, how many defenses there are by tactic, and the techniques without any. A sub-technique that nothing is mapped to counts with its parent, and says so.',
  route: 'POST /v1/d3fend/coverage',
  input: z
    .strictObject({
      attack_techniques: TechniqueListField.meta({
        description: `ATT&CK techniques (T#### or T####.###), at most ${MAX_TECHNIQUES}; duplicates count once.`,
        examples: [['T1566.001', 'T1059']],
      }),
      attack_technique_ids: TechniqueListField.meta({ description: 'Another name of attack_techniques.' }),
    })
    .refine((given) => (given.attack_techniques === undefined) !== (given.attack_technique_ids === undefined), {
      path: ['attack_techniques'],
      message: 'a list of ATT&CK techniques is required, under one name',
    }),
  output: lookupOutputSchema('D3fendCoverage', {
    total: z.number().int().meta({ description: 'Techniques asked for, each once.' }),
    queried_techniques: z.array(z.string()).meta({ description: 'The techniques of total.' }),
    defended: z.number().int().meta({ description: 'Of these, techniques with at least one defense.' }),
    total_defenses: z.number().int().meta({ description: 'Defenses in all, each once.' }),
    count_by_tactic: z.record(ForeignText, z.number().int()).meta({ description: 'The same by tactic of D3FEND.' }),
    undefended: z
      .array(z.string())
      .meta({ description: 'Techniques that no defense is mapped to, nor to their parent.' }),
    coverage: z.array(
      z.object({
        attack_technique_id: z.string(),
        inherited_from: InheritedMappingField,
        defense_count: z.number().int(),
        defenses: z.array(Countermeasure),
      }),
    ),
  }),
  cost: 1,
  examples: [{ title: 'A phishing chain', input: { attack_techniques: ['T1566.001', 'T1059.001', 'T1486'] } }],
  tool: {
    description:
      'Map up to 500 ATT&CK techniques to D3FEND defenses at once: defenses of each, counts by tactic, undefended ones. For one technique use d3fend_defense_for_attack.',
    openWorld: false,
  },
  falsifiableFields: ['count_by_tactic', 'undefended', 'coverage[].defense_count'],
  answer({ attack_techniques, attack_technique_ids }, { catalog }) {
    requireFeedData(catalog, 'd3fend');
    const asked = [...new Set(attack_techniques ?? attack_technique_ids ?? [])];
    const mapped = defensesByTechnique(catalog, asked);
    const used = new Set<Defense>();
    const coverage = asked.map((id) => {
      const parent = parentTechniqueId(id);
      const inherited_from = !mapped.has(id) && parent !== null && mapped.has(parent) ? parent : null;
      const from = inherited_from ?? id;
      const defenses = mapped.get(from) ?? [];
      for (const defense of defenses) used.add(defense);
      return {
        attack_technique_id: id,
        inherited_from,
        defense_count: defenses.length,
        defenses: defenses.map((defense) => presentCountermeasure(defense, from)),
      };
    });
    const undefended = coverage
      .filter(({ defense_count }) => defense_count === 0)
      .map((row) => row.attack_technique_id);
    return {
      total: asked.length,
      queried_techniques: asked,
      defended: asked.length - undefended.length,
      total_defenses: used.size,
      count_by_tactic: countByTactic(used),
      undefended,
      coverage,
      summary: summaryOf(coverage, undefended, used.size),
    };
  },
  nextCalls({ coverage }): NextCall[] {
    const [best] = rankDefensesByCoverage(coverage);
    if (best === undefined) return [];
    const [input, of] = best;
    return [{ tool: 'd3fend_defense_lookup', input, reason: `It counters ${of} of these techniques.` }];
  },
});

function summaryOf(
  coverage: { inherited_from: string | null }[],
  undefended: readonly string[],
  defenses: number,
): string {
  const inherited = coverage.filter(({ inherited_from }) => inherited_from !== null).length;
  const through = inherited === 0 ? '' : ` (${inherited} through the parent technique)`;
  const more = undefended.length > 10 ? ', ...' : '';
  return joinSummary(
    `${coverage.length - undefended.length} of ${formatCount(coverage.length, 'technique')} have D3FEND defenses${through}, ${defenses} in all.`,
    undefended.length > 0 && `None mapped to ${undefended.slice(0, 10).join(', ')}${more}.`,
  );
}

/** Defenses by ATT&CK technique id, for the requested techniques and their parents. */
function defensesByTechnique(catalog: CatalogView, asked: readonly string[]): Map<string, Defense[]> {
  const wanted = new Set(asked.flatMap((id) => [id, parentTechniqueId(id) ?? id]));
  const links = [{ kind: 'attack_technique', values: [...wanted] }];
  const all = { words: null, links, limit: Number.MAX_SAFE_INTEGER, offset: 0 };
  const mapped = new Map<string, Defense[]>();
  for (const defense of catalog.searchDocuments<Defense>('d3fend_defense', all).bodies) {
    for (const id of attackTechniqueIds(defense).filter((id) => wanted.has(id))) {
      const known = mapped.get(id);
      if (known === undefined) mapped.set(id, [defense]);
      else known.push(defense);
    }
  }
  return mapped;
}

/** Count by tactic, each defense once; tactics without a defense have 0. */
function countByTactic(defenses: Iterable<Defense>): Record<string, number> {
  const counts: Record<string, number> = Object.fromEntries(D3FEND_TACTICS.map((tactic) => [tactic, 0]));
  for (const { tactic } of defenses) if (tactic !== null) counts[tactic] = (counts[tactic] ?? 0) + 1;
  return counts;
}

/** Defense ids with the number of techniques that each counters, highest first. */
function rankDefensesByCoverage(coverage: { defenses: { defense_id: string }[] }[]): [string, number][] {
  const ids = coverage.flatMap(({ defenses }) => defenses.map(({ defense_id }) => defense_id));
  const counts = [...Map.groupBy(ids, (id) => id)].map(([id, occurrences]): [string, number] => [
    id,
    occurrences.length,
  ]);
  return counts.sort((a, b) => b[1] - a[1]);
}
