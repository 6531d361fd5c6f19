import { z } from 'zod';
import type { CatalogView } from '../../catalog/catalog-view.ts';
import { AttackTechniqueId } from '../../engine/input/mitre-ids.ts';
import { notFoundError } from '../../engine/not-found-error.ts';
import { defineOperation, lookupOutputSchema, type NextCall } from '../../engine/operation.ts';
import { ForeignText } from '../../engine/foreign-text.ts';
import { operationHintOf } from '../../engine/route.ts';
import { joinSummary } from '../../engine/summary.ts';
import type { AtlasTechnique } from '../../feeds/atlas/atlas-entries.ts';
import type { AttackTechnique, CveTechniqueMapping } from '../../feeds/attack/attack-entries.ts';
import { RuleRow, StrategyRow } from '../cve/lib/detection-schemas.ts';
import { findPatternsOfTechnique } from '../cve/lib/find-attack-patterns.ts';
import { presentStrategies } from '../cve/lib/present-strategies.ts';
import { Countermeasure, InheritedMappingField } from '../d3fend/lib/schemas.ts';
import { presentCountermeasure } from '../d3fend/lib/present-defense.ts';
import { attackTechniqueSearch } from './attack-technique-search.ts';
import { AttackTechniqueRef, attackTechniqueRowFields, Missing } from './lib/schemas.ts';
import { coverageSentence, findTechniqueCoverage } from './lib/technique-coverage.ts';

const MAX_RULES = 10;
const MAX_CVES = 20;
const MAX_SUBTECHNIQUES = 100;

export const attackTechniqueLookup = defineOperation({
  id: 'attack_technique_lookup',
  area: 'attack',
  title: 'ATT&CK technique',
  description:
    'One technique of MITRE ATT&CK Enterprise: what it is, what sees it (detection strategies, Sigma rules), what stops it (mitigations, D3FEND), the weaknesses that lead to it and the known-exploited CVEs that analysts mapped to it.',
  route: 'GET /v1/attack/:technique_id',
  input: z.strictObject({ technique_id: AttackTechniqueId }),
  output: lookupOutputSchema('AttackTechnique', {
    ...attackTechniqueRowFields,
    description: ForeignText.nullable().meta({ description: 'Markdown, as the source has it.' }),
    subtechniques: z.array(AttackTechniqueRef),
    mitigations: z.array(z.object({ mitigation_id: z.string(), name: ForeignText })),
    detection_strategies: z.array(StrategyRow),
    sigma_rules: z
      .array(RuleRow)
      .nullable()
      .meta({
        description: `The ${MAX_RULES} of the highest levels; a technique has the rules of its sub-techniques, too. Null: not synced.`,
      }),
    total_sigma_rules: z.number().int().nullable(),
    defenses: z.array(Countermeasure).nullable().meta({ description: 'Of D3FEND; null: not synced.' }),
    inherited_from: InheritedMappingField,
    coverage: z.string().meta({ description: 'What sees it and what stops it, in a sentence.' }),
    missing: z.array(Missing).meta({ description: 'Sources that have nothing against it.' }),
    weaknesses: z.array(z.string()).meta({ description: 'CWE ids that the attack patterns use.' }),
    attack_patterns: z
      .array(z.object({ capec_id: z.string(), name: ForeignText, cwe_ids: z.array(z.string()) }))
      .meta({ description: 'Of CAPEC, that correspond to it.' }),
    atlas_techniques: z.array(AttackTechniqueRef).meta({ description: 'Counterparts in ATLAS.' }),
    exploited_cves: z
      .array(z.object({ cve_id: z.string(), role: ForeignText.nullable() }))
      .meta({ description: `Known-exploited CVEs that were mapped to it, newest first, at most ${MAX_CVES}.` }),
    total_exploited_cves: z.number().int(),
  }),
  cost: 1,
  cacheable: true,
  examples: [
    { title: 'Exploit public-facing application', input: { technique_id: 'T1190' } },
    { title: 'A sub-technique', input: { technique_id: 'T1059.007' } },
  ],
  tool: {
    description:
      'Explain one ATT&CK technique (T####): detection strategies, Sigma rules, D3FEND, mitigations, weaknesses, exploited CVEs. For many at once use attack_coverage.',
    openWorld: false,
  },
  falsifiableFields: ['name', 'tactics', 'total_sigma_rules', 'mitigations'],
  answer({ technique_id }, { catalog }) {
    const found = findTechniqueCoverage(catalog, technique_id, MAX_RULES);
    const { technique, strategies, rules, defenses } = found;
    if (technique === null) {
      throw notFoundError(
        catalog,
        ['attack'],
        `${technique_id} is no technique of ATT&CK Enterprise synced here.`,
        operationHintOf(attackTechniqueSearch, 'finds them by words'),
      );
    }
    const coverage = technique.revoked_by === null ? coverageSentence(found) : `Revoked: see ${technique.revoked_by}.`;
    const patterns = findPatternsOfTechnique(technique_id, catalog);
    const cves = findExploitedCves(catalog, technique_id);
    const { detection_strategies: _, ...rest } = technique;
    return {
      ...rest,
      subtechniques: findSubtechniques(catalog, technique_id),
      detection_strategies: presentStrategies(strategies),
      sigma_rules: rules?.rows.map(({ rule_id, title, level, status }) => ({ rule_id, title, level, status })) ?? null,
      total_sigma_rules: rules?.total ?? null,
      defenses: defenses?.rows.map((defense) => presentCountermeasure(defense, defenses.from)) ?? null,
      inherited_from:
        defenses !== null && defenses.rows.length > 0 && defenses.from !== technique_id ? defenses.from : null,
      coverage,
      missing: found.missing,
      weaknesses: [...new Set(patterns.flatMap(({ cwe_ids }) => cwe_ids))],
      attack_patterns: patterns.map(({ capec_id, name, cwe_ids }) => ({ capec_id, name, cwe_ids })),
      atlas_techniques: findAtlasCounterparts(catalog, technique_id),
      exploited_cves: cves.slice(0, MAX_CVES),
      total_exploited_cves: cves.length,
      summary: joinSummary(`${technique_id}: ${technique.name} (${technique.tactics.join(', ')}).`, coverage),
    };
  },
  nextCalls({ technique_id, revoked_by, sigma_rules, total_sigma_rules }): NextCall[] {
    if (revoked_by !== null)
      return [{ tool: 'attack_technique_lookup', input: revoked_by, reason: 'It took the place of this one.' }];
    const calls: NextCall[] = [];
    if ((total_sigma_rules ?? 0) > (sigma_rules?.length ?? 0)) {
      const params = { technique: technique_id };
      calls.push({ tool: 'sigma_search', input: technique_id, reason: 'All rules that see it.', params });
    }
    calls.push({ tool: 'd3fend_defense_for_attack', input: technique_id, reason: 'The defenses, page by page.' });
    return calls;
  },
});

/** Sub-techniques name their id, which begins with that of the technique, in the text that is searched. */
function findSubtechniques(catalog: CatalogView, techniqueId: string): z.output<typeof AttackTechniqueRef>[] {
  const query = { words: techniqueId, links: [], limit: MAX_SUBTECHNIQUES, offset: 0 };
  return catalog
    .searchDocuments<AttackTechnique>('attack_technique', query)
    .bodies.filter(({ subtechnique_of, revoked_by }) => subtechnique_of === techniqueId && revoked_by === null)
    .map(({ technique_id, name }) => ({ technique_id, name }))
    .toSorted((a, b) => (a.technique_id < b.technique_id ? -1 : 1));
}

function findAtlasCounterparts(catalog: CatalogView, techniqueId: string): z.output<typeof AttackTechniqueRef>[] {
  const links = [{ kind: 'attack_technique', values: [techniqueId] }];
  const query = { words: null, links, limit: MAX_SUBTECHNIQUES, offset: 0 };
  return catalog
    .searchDocuments<AtlasTechnique>('atlas_technique', query)
    .bodies.map(({ technique_id, name }) => ({ technique_id, name }));
}

/** Newest number first. */
function findExploitedCves(catalog: CatalogView, techniqueId: string): { cve_id: string; role: string | null }[] {
  const links = [{ kind: 'technique', values: [techniqueId] }];
  const query = { words: null, links, limit: Number.MAX_SAFE_INTEGER, offset: 0 };
  const order = new Intl.Collator('en', { numeric: true });
  return catalog
    .searchDocuments<CveTechniqueMapping>('attack_kev', query)
    .bodies.map(({ cve_id, techniques }) => ({
      cve_id,
      role: techniques.find(({ technique_id }) => technique_id === techniqueId)?.role ?? null,
    }))
    .toSorted((a, b) => order.compare(b.cve_id, a.cve_id));
}
