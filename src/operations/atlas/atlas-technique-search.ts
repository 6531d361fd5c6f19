import { z } from 'zod';
import { normalizeLabel } from '../../analysis/label-words.ts';
import type { CatalogView } from '../../catalog/catalog-view.ts';
import type { AtlasTechnique } from '../../feeds/atlas/atlas-entries.ts';
import { queryAliasField, searchPage, unknownTacticHint, withQueryAlias } from '../../engine/search-page.ts';
import { requireFeedData } from '../../engine/not-found-error.ts';
import { defineOperation } from '../../engine/operation.ts';
import { AtlasTechniqueRow, AtlasMaturity } from './lib/schemas.ts';
import { AtlasTechniqueId, excludedIdsSchema } from '../../engine/input/mitre-ids.ts';
import { Keyword, Label } from '../../engine/input/keyword.ts';
import { includeField, listOutputSchema, pagingFields } from '../../engine/paged-list.ts';

export const atlasTechniqueSearch = defineOperation({
  id: 'atlas_technique_search',
  area: 'atlas',
  title: 'ATLAS technique search',
  description:
    'Techniques of MITRE ATLAS by words, tactic and maturity; sub-techniques count under the tactics of their parent. All filters must hold. Words find what has all of them, or, if nothing does, what has any. Without words they are sorted by id.',
  route: 'GET /v1/atlas/techniques',
  input: z.strictObject({
    keyword: Keyword,
    tactic: Label.meta({ description: 'Id or name of a tactic.', examples: ['Exfiltration'] }),
    maturity: AtlasMaturity.optional().meta({ description: 'feasible, demonstrated or realized.' }),
    exclude_id: excludedIdsSchema(AtlasTechniqueId),
    ...includeField,
    ...pagingFields,
  }),
  output: listOutputSchema('AtlasTechniqueList', AtlasTechniqueRow, queryAliasField),
  cost: 1,
  cacheable: true,
  examples: [
    { title: 'By words', input: { keyword: 'prompt injection', limit: 5 } },
    { title: 'Seen in attacks, by tactic', input: { tactic: 'Initial Access', maturity: 'realized', limit: 5 } },
  ],
  tool: {
    description:
      'Find attack techniques against AI and ML systems by words, tactic or maturity; slim rows, paged. For one known id use atlas_technique_lookup; for real incidents use atlas_case_study_search.',
    openWorld: false,
  },
  falsifiableFields: ['results[].name', 'results[].tactics', 'results[].maturity'],
  answer(query, { catalog }) {
    requireFeedData(catalog, 'atlas');
    const { keyword, tactic, maturity, exclude_id, limit, offset } = query;
    const { total, bodies } = catalog.searchDocuments<AtlasTechnique>('atlas_technique', {
      words: keyword ?? null,
      links: [
        ...(tactic === undefined ? [] : [{ kind: 'tactic', values: [normalizeLabel(tactic)] }]),
        ...(maturity === undefined ? [] : [{ kind: 'maturity', values: [maturity] }]),
      ],
      excludeIds: exclude_id ?? [],
      limit,
      offset,
    });
    const results = bodies.map((technique) => toTechniqueRow(technique, query.include === 'full'));
    const hint = total === 0 && tactic !== undefined && tacticHint(catalog, tactic);
    const labelOf = ({ technique_id, name }: (typeof results)[number]): string => `${technique_id} ${name}`;
    return withQueryAlias(searchPage(results, total, query, ['technique', 'techniques'], labelOf, hint));
  },
});

function toTechniqueRow(technique: AtlasTechnique, full: boolean): z.output<typeof AtlasTechniqueRow> {
  const {
    subtechniques: _,
    mitigations: __,
    description,
    attack_reference_url,
    created_date,
    modified_date,
    ...row
  } = technique;
  return full ? { ...row, description, attack_reference_url, created_date, modified_date } : row;
}

function tacticHint(catalog: CatalogView, asked: string): string | null {
  const tactics = catalog.allDocuments<AtlasTechnique>('atlas_technique').flatMap((technique) => technique.tactics);
  const ids = tactics.map(({ tactic_id }) => tactic_id);
  return ids.map(normalizeLabel).includes(normalizeLabel(asked))
    ? null
    : unknownTacticHint(asked, new Set(tactics.map(({ name }) => name)));
}
