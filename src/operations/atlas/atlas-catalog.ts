import { z } from 'zod';
import type { AtlasCaseStudy, AtlasTechnique } from '../../feeds/atlas/atlas-entries.ts';
import { requireFeedData } from '../../engine/not-found-error.ts';
import { defineOperation } from '../../engine/operation.ts';
import { ForeignText } from '../../engine/foreign-text.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import { wholeCatalogAnswer, wholeCatalogOutputSchema } from '../../engine/whole-catalog.ts';
import { AtlasTechniqueRow } from './lib/schemas.ts';

export const atlasCatalog = defineOperation({
  id: 'atlas_catalog',
  area: 'atlas',
  title: 'ATLAS catalog',
  description: 'Techniques against AI systems and case studies of MITRE ATLAS, by id and name.',
  route: null,
  input: z.strictObject({}),
  output: wholeCatalogOutputSchema('AtlasCatalog', {
    techniques: AtlasTechniqueRow.pick({ technique_id: true, name: true, tactics: true, subtechnique_of: true }),
    case_studies: z.object({ case_study_id: z.string(), name: ForeignText }),
  }),
  cost: 0,
  cacheable: true,
  examples: [{ title: 'All techniques and case studies', input: {} }],
  falsifiableFields: ['techniques[].name', 'case_studies[].name'],
  answer(_input, { catalog }) {
    requireFeedData(catalog, 'atlas');
    const techniques = catalog
      .allDocuments<AtlasTechnique>('atlas_technique')
      .map(({ technique_id, name, tactics, subtechnique_of }) => ({ technique_id, name, tactics, subtechnique_of }));
    const case_studies = catalog
      .allDocuments<AtlasCaseStudy>('atlas_case_study')
      .map(({ case_study_id, name }) => ({ case_study_id, name }));
    return {
      ...wholeCatalogAnswer({ techniques, case_studies }),
      summary: joinSummary(
        `MITRE ATLAS: ${formatCount(techniques.length, 'technique')} and ${formatCount(case_studies.length, 'case study')}.`,
      ),
    };
  },
});
