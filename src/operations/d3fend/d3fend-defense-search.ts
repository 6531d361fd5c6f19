import { z } from 'zod';
import { normalizeLabel, splitLabelWords } from '../../analysis/label-words.ts';
import type { DocumentQuery } from '../../catalog/documents.ts';
import type { CatalogView } from '../../catalog/catalog-view.ts';
import type { Defense } from '../../feeds/d3fend/d3fend-entries.ts';
import { defenseNameKey, parseOntologyName } from '../../feeds/d3fend/ontology-name.ts';
import { queryAliasField, searchPage, unknownTacticHint, withQueryAlias } from '../../engine/search-page.ts';
import { requireFeedData } from '../../engine/not-found-error.ts';
import { defineOperation } from '../../engine/operation.ts';
import { DefenseName, excludedIdsSchema } from '../../engine/input/mitre-ids.ts';
import { DefenseRow, D3FEND_TACTICS } from './lib/schemas.ts';
import { Keyword, Label } from '../../engine/input/keyword.ts';
import { includeField, listOutputSchema, pagingFields } from '../../engine/paged-list.ts';
import { resolveDefenseIds, findDefense } from './lib/find-defense.ts';
import { presentDefenseRow } from './lib/present-defense.ts';

const Query = z.strictObject({
  keyword: Keyword,
  tactic: Label.meta({ description: `One of ${D3FEND_TACTICS.join(', ')}.`, examples: ['Detect'] }),
  artifact: Label.meta({
    description: 'Words in the digital artifact that it works on.',
    examples: ['network traffic'],
  }),
  include_unmapped: z.boolean().optional().meta({
    description: 'Also defenses without a mapped ATT&CK technique. Default: only with keyword.',
  }),
  exclude_id: excludedIdsSchema(DefenseName),
  ...includeField,
  ...pagingFields,
});
type Query = z.output<typeof Query>;

export const d3fendDefenseSearch = defineOperation({
  id: 'd3fend_defense_search',
  area: 'd3fend',
  title: 'D3FEND defense search',
  description:
    'Defensive techniques of MITRE D3FEND by words, tactic and artifact. All filters must hold. Without words: those that ATT&CK techniques are mapped to, by name; the others too with include_unmapped.',
  route: 'GET /v1/d3fend/defenses',
  input: Query,
  output: listOutputSchema('D3fendDefenseList', DefenseRow, queryAliasField),
  cost: 1,
  cacheable: true,
  examples: [
    { title: 'By words', input: { keyword: 'file analysis', limit: 5 } },
    { title: 'Detection in network traffic', input: { tactic: 'detect', artifact: 'network traffic', limit: 5 } },
  ],
  tool: {
    description:
      'Find D3FEND defenses by words, tactic or artifact; slim rows, paged. To start from an ATT&CK technique use d3fend_defense_for_attack.',
    openWorld: false,
  },
  falsifiableFields: ['results[].label', 'results[].tactic', 'results[].artifact'],
  answer(query, { catalog }) {
    requireFeedData(catalog, 'd3fend');
    const named = findDefenseIdByKeyword(catalog, query.keyword);
    const excluded = resolveDefenseIds(catalog, query.exclude_id ?? []);
    const { total, bodies } = catalog.searchDocuments<Defense>(
      'd3fend_defense',
      toDocumentQuery(query, named, excluded),
    );
    const results = bodies.map((defense) => presentDefenseRow(defense, query.include === 'full'));
    return withQueryAlias(
      searchPage(
        results,
        total,
        query,
        ['defense', 'defenses'],
        ({ label }) => label,
        !includesUnmapped(query) && unmappedHint(catalog, query, named, excluded),
        total === 0 && query.tactic !== undefined && unknownTacticHint(query.tactic, D3FEND_TACTICS),
      ),
    );
  },
});

function toDocumentQuery(query: Query, named: string | null, excludeIds: string[]): DocumentQuery {
  const { keyword, tactic, artifact, limit, offset } = query;
  return {
    words: named === null ? (keyword ?? null) : null,
    links: [
      ...(named === null ? [] : [{ kind: 'name', values: [defenseNameKey(named)] }]),
      ...(tactic === undefined ? [] : [{ kind: 'tactic', values: [normalizeLabel(tactic)] }]),
      ...splitLabelWords(artifact ?? '').map((word) => ({ kind: 'artifact_word', values: [word] })),
      { kind: 'mapped', values: includesUnmapped(query) ? ['yes', 'no'] : ['yes'] },
    ],
    excludeIds,
    limit,
    offset,
  };
}

/** An ontology name (`FileHashing`), as opposed to search words. */
const DEFENSE_ID_PATTERN = /^[\w.-]+[A-Z][\w.-]*$/;

/** The defense id where the keyword is an id (`D3-FH`) or ontology name; null where it is words. */
function findDefenseIdByKeyword(catalog: CatalogView, keyword: string | undefined): string | null {
  const given = keyword?.trim() ?? '';
  return parseOntologyName(given) !== null || DEFENSE_ID_PATTERN.test(given) || /^D3-/i.test(given)
    ? (findDefense(catalog, given)?.defense_id ?? null)
    : null;
}

/** By default a keyword search includes unmapped defenses; a plain list does not. */
function includesUnmapped({ include_unmapped, keyword }: Query): boolean {
  return include_unmapped ?? keyword !== undefined;
}

/** A hint how many unmapped defenses were left out; null for none. */
function unmappedHint(catalog: CatalogView, query: Query, named: string | null, excluded: string[]): string | null {
  const all = toDocumentQuery({ ...query, include_unmapped: true, limit: 0, offset: 0 }, named, excluded);
  const links = [...all.links, { kind: 'mapped', values: ['no'] }];
  const { total } = catalog.searchDocuments('d3fend_defense', { ...all, links });
  return total === 0 ? null : `${total} more without a mapped ATT&CK technique: include_unmapped=true.`;
}
