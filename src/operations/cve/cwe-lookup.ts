import { z } from 'zod';
import type { CatalogView } from '../../catalog/catalog-view.ts';
import { ApiError } from '../../errors.ts';
import { isFeedMissing, notFoundError } from '../../engine/not-found-error.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { ForeignText } from '../../engine/foreign-text.ts';
import { CweId } from '../../engine/input/identifiers.ts';
import { includeField } from '../../engine/paged-list.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import { findPatternsOfWeakness } from './lib/find-attack-patterns.ts';

const MAX_SHOWN_ITEMS = 3;
const WeaknessRelative = z.object({ cwe_id: z.string(), name: ForeignText, abstraction: ForeignText });

export const cweLookup = defineOperation({
  id: 'cwe_lookup',
  area: 'cve',
  title: 'Weakness',
  description:
    "A weakness of MITRE's CWE list (view 1000): what it is, mitigations, examples, its line of parents up to the pillar and its direct children.",
  route: 'GET /v1/cwe/:cwe_id',
  subject: { kind: 'cwe', field: 'cwe_id' },
  input: z.strictObject({ cwe_id: CweId, ...includeField }),
  output: lookupOutputSchema('Weakness', {
    cwe_id: z.string(),
    name: ForeignText,
    abstraction: ForeignText,
    status: ForeignText,
    description: ForeignText,
    extended_description: ForeignText.nullable().optional(),
    mitigations: z.array(
      z.object({
        phase: ForeignText.nullable(),
        strategy: ForeignText.nullable(),
        description: ForeignText,
        effectiveness: ForeignText.nullable(),
      }),
    ),
    examples: z.array(z.object({ reference: ForeignText, description: ForeignText, link: ForeignText.nullable() })),
    total_mitigations: z.number().int(),
    total_examples: z.number().int(),
    parent_chain: z
      .array(WeaknessRelative)
      .meta({ description: 'From the direct parents up to the pillar, nearest first.' }),
    child_chain: z.array(WeaknessRelative).meta({ description: 'Direct children.' }),
    attack_patterns: z
      .array(
        z.object({
          capec_id: z.string(),
          name: ForeignText,
          likelihood: ForeignText.nullable(),
          technique_ids: z.array(z.string()),
        }),
      )
      .nullable()
      .meta({ description: 'Of CAPEC, that use this weakness, those with ATT&CK techniques first; null: not synced.' }),
    related_cves_count: z.number().int().meta({ description: 'CVEs here that name this weakness.' }),
  }),
  cost: 1,
  cacheable: true,
  examples: [
    { title: 'Cross-site scripting', input: { cwe_id: 'CWE-79' } },
    { title: 'In full', input: { cwe_id: '89', include: 'full' } },
  ],
  tool: {
    description:
      'Explain a weakness class (CWE): description, mitigations, parents and children. For CVEs of it use cve_search with cwe_id.',
    openWorld: false,
  },
  falsifiableFields: ['name', 'abstraction', 'parent_chain'],
  answer({ cwe_id, include }, { catalog }) {
    const number = Number(cwe_id.slice('CWE-'.length));
    const entry = catalog.weakness(number);
    if (entry === null) throw notFoundError(catalog, ['cwe'], `${cwe_id} is no weakness of the CWE list synced here.`);
    if (!entry.in_view_1000) {
      throw new ApiError(
        'not_found',
        `${cwe_id} (${entry.name}) is outside the research view 1000 (status: ${entry.status}).`,
      );
    }
    const full = include === 'full';
    const related = catalog.countCvesOfWeakness(cwe_id);
    const mitigations = entry.mitigations;
    return {
      cwe_id,
      name: entry.name,
      abstraction: entry.abstraction,
      status: entry.status,
      description: entry.description,
      ...(full ? { extended_description: entry.extended_description } : {}),
      mitigations: full ? mitigations : mitigations.slice(0, MAX_SHOWN_ITEMS),
      examples: full ? entry.examples : entry.examples.slice(0, MAX_SHOWN_ITEMS),
      total_mitigations: mitigations.length,
      total_examples: entry.examples.length,
      parent_chain: listAncestors(catalog, number),
      child_chain: catalog.relatedWeaknesses(number, 'children').flatMap((id) => loadRelative(catalog, id)),
      attack_patterns: listAttackPatterns(catalog, cwe_id),
      related_cves_count: related,
      summary: joinSummary(
        `${cwe_id}: ${entry.name} (${entry.abstraction}). ${formatCount(related, 'CVE')} here, ${formatCount(mitigations.length, 'mitigation')}.`,
        entry.description,
      ),
    };
  },
  nextCalls: ({ cwe_id }) => [
    {
      tool: 'cve_search',
      input: cwe_id,
      reason: 'CVEs of this weakness, most likely exploited first.',
      params: { cwe_id, sort: 'epss_desc' },
    },
  ],
});

function listAttackPatterns(catalog: CatalogView, cwe_id: string) {
  const patterns = findPatternsOfWeakness(cwe_id, catalog);
  if (isFeedMissing(catalog, 'attack')) return null;
  return patterns.map(({ capec_id, name, likelihood, technique_ids }) => ({
    capec_id,
    name,
    likelihood,
    technique_ids,
  }));
}

type WeaknessRelative = z.output<typeof WeaknessRelative>;

/** Breadth first: a weakness may have several parents, and lines of parents meet again. */
function listAncestors(catalog: CatalogView, start: number): WeaknessRelative[] {
  const seen = new Set([start]);
  const chain: WeaknessRelative[] = [];
  let level = [start];
  while (level.length > 0) {
    const next = [...new Set(level.flatMap((id) => catalog.relatedWeaknesses(id, 'parents')))].filter(
      (id) => !seen.has(id),
    );
    for (const id of next) seen.add(id);
    chain.push(...next.flatMap((id) => loadRelative(catalog, id)));
    level = next;
  }
  return chain;
}

function loadRelative(catalog: CatalogView, id: number): WeaknessRelative[] {
  const entry = catalog.weakness(id);
  return entry === null ? [] : [{ cwe_id: entry.cwe_id, name: entry.name, abstraction: entry.abstraction }];
}
