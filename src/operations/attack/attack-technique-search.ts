import { z } from 'zod';
import { Keyword } from '../../engine/input/keyword.ts';
import { requireFeedData } from '../../engine/not-found-error.ts';
import { defineOperation } from '../../engine/operation.ts';
import { listOutputSchema, pagingFields } from '../../engine/paged-list.ts';
import { searchPage } from '../../engine/search-page.ts';
import type { AttackTechnique } from '../../feeds/attack/attack-entries.ts';
import { AttackTechniqueRow } from './lib/schemas.ts';

export const attackTechniqueSearch = defineOperation({
  id: 'attack_technique_search',
  area: 'attack',
  title: 'ATT&CK technique search',
  description:
    'Techniques of MITRE ATT&CK Enterprise by words of name, description, tactics and platforms. Those with all words, or, if none has all, those with any. Without words they are sorted by id.',
  route: 'GET /v1/attack/techniques',
  input: z.strictObject({ keyword: Keyword, ...pagingFields }),
  output: listOutputSchema('AttackTechniqueList', AttackTechniqueRow),
  cost: 1,
  cacheable: true,
  examples: [{ title: 'By words', input: { keyword: 'public-facing application', limit: 5 } }],
  tool: {
    description:
      'Find ATT&CK techniques by words, tactic or platform. For one known id use attack_technique_lookup; for AI systems atlas_technique_search.',
    openWorld: false,
  },
  falsifiableFields: ['results[].name', 'results[].tactics'],
  answer(query, { catalog }) {
    requireFeedData(catalog, 'attack');
    const { total, bodies } = catalog.searchDocuments<AttackTechnique>('attack_technique', {
      words: query.keyword ?? null,
      links: [],
      limit: query.limit,
      offset: query.offset,
    });
    const results = bodies.map(({ technique_id, name, tactics, platforms, subtechnique_of, revoked_by }) => ({
      technique_id,
      name,
      tactics,
      platforms,
      subtechnique_of,
      revoked_by,
    }));
    const labelOf = ({ technique_id, name }: (typeof results)[number]): string => `${technique_id} ${name}`;
    return searchPage(results, total, query, ['technique', 'techniques'], labelOf);
  },
});
