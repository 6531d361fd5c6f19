import { z } from 'zod';
import { splitLabelWords } from '../../analysis/label-words.ts';
import type { DocumentQuery } from '../../catalog/documents.ts';
import type { AtlasCaseStudy } from '../../feeds/atlas/atlas-entries.ts';
import { queryAliasField, searchPage, withQueryAlias } from '../../engine/search-page.ts';
import { requireFeedData } from '../../engine/not-found-error.ts';
import { defineOperation } from '../../engine/operation.ts';
import { AtlasCaseStudyRow } from './lib/schemas.ts';
import { AtlasTechniqueId } from '../../engine/input/mitre-ids.ts';
import { Keyword, Label } from '../../engine/input/keyword.ts';
import { includeField, listOutputSchema, pagingFields } from '../../engine/paged-list.ts';

const Query = z.strictObject({
  keyword: Keyword,
  technique_id: AtlasTechniqueId.optional(),
  include_subtechniques: z
    .boolean()
    .default(true)
    .meta({ description: 'A case study that uses a sub-technique of technique_id counts as using the technique.' }),
  target_type: Label.meta({ description: 'Words in the target.', examples: ['chatbot'] }),
  ...includeField,
  ...pagingFields,
});
type Query = z.output<typeof Query>;

export const atlasCaseStudySearch = defineOperation({
  id: 'atlas_case_study_search',
  area: 'atlas',
  title: 'ATLAS case study search',
  description:
    'Incidents and exercises of MITRE ATLAS by words, by a technique that they use, and by words of the target. All filters must hold. Without words they are sorted by id.',
  route: 'GET /v1/atlas/case-studies',
  input: Query,
  output: listOutputSchema('AtlasCaseStudyList', AtlasCaseStudyRow, queryAliasField),
  cost: 1,
  cacheable: true,
  examples: [
    { title: 'By words', input: { keyword: 'malware detection evasion', limit: 3 } },
    { title: 'That use a technique', input: { technique_id: 'AML.T0043', limit: 3 } },
  ],
  tool: {
    description:
      'Find real attacks on AI systems by words, technique used (AML.T####) or target; slim rows. For one known case study use atlas_case_study_lookup; for the techniques themselves atlas_technique_search.',
    openWorld: false,
  },
  falsifiableFields: ['results[].name', 'results[].target', 'results[].actor'],
  answer(query, { catalog }) {
    requireFeedData(catalog, 'atlas');
    const { total, bodies } = catalog.searchDocuments<AtlasCaseStudy>('atlas_case_study', toDocumentQuery(query));
    const results = bodies.map((study) => toCaseStudyRow(study, query.include === 'full'));
    const exact = catalog.searchDocuments(
      'atlas_case_study',
      toDocumentQuery({ ...query, include_subtechniques: false, limit: 0 }),
    ).total;
    const hint = total > exact && `${exact} with ${query.technique_id} itself, the others with its sub-techniques.`;
    const labelOf = ({ case_study_id, name }: (typeof results)[number]): string => `${case_study_id} ${name}`;
    return withQueryAlias(searchPage(results, total, query, ['case study', 'case studies'], labelOf, hint));
  },
});

function toDocumentQuery({
  keyword,
  technique_id,
  include_subtechniques,
  target_type,
  limit,
  offset,
}: Query): DocumentQuery {
  const kind = include_subtechniques ? 'technique_family' : 'technique';
  return {
    words: keyword ?? null,
    links: [
      ...(technique_id === undefined ? [] : [{ kind, values: [technique_id] }]),
      ...splitLabelWords(target_type ?? '').map((word) => ({ kind: 'target_word', values: [word] })),
    ],
    limit,
    offset,
  };
}

function toCaseStudyRow(study: AtlasCaseStudy, full: boolean): z.output<typeof AtlasCaseStudyRow> {
  const { procedure: _, cve_ids: __, attack_techniques: ___, ...rest } = study;
  const { description, reporter, techniques_used, references, ...row } = rest;
  const slim = { ...row, total_techniques: techniques_used.length };
  return full ? { ...slim, description, reporter, techniques_used, references } : slim;
}
