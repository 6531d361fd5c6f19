import { z } from 'zod';
import type { AtlasCaseStudy, AtlasTechnique } from '../../feeds/atlas/entry.ts';
import { requireData } from '../../engine/not-known.ts';
import { operation } from '../../engine/operation.ts';
import { counted, summarise } from '../../engine/summary.ts';
import { wholeCatalog, wholeCatalogOutput } from '../../engine/whole-catalog.ts';
import { AtlasTechniqueRow } from './lib/schemas.ts';

export const atlasCatalog = operation({
  id: 'atlas_catalog',
  area: 'atlas',
  title: 'ATLAS catalog',
  description: 'Techniques against AI systems and case studies of MITRE ATLAS, by id and name.',
  route: null,
  input: z.strictObject({}),
  output: wholeCatalogOutput('AtlasCatalog', {
    techniques: AtlasTechniqueRow.pick({ technique_id: true, name: true, tactics: true, subtechnique_of: true }),
    case_studies: z.object({ case_study_id: z.string(), name: z.string() }),
  }),
  cost: 0,
  timeless: true,
  examples: [{ title: 'All techniques and case studies', input: {} }],
  falsifiable: ['techniques[].name', 'case_studies[].name'],
  answer(_input, { catalog }) {
    requireData(catalog, 'atlas');
    const techniques = catalog
      .allDocuments<AtlasTechnique>('atlas_technique')
      .map(({ technique_id, name, tactics, subtechnique_of }) => ({ technique_id, name, tactics, subtechnique_of }));
    const case_studies = catalog
      .allDocuments<AtlasCaseStudy>('atlas_case_study')
      .map(({ case_study_id, name }) => ({ case_study_id, name }));
    return {
      ...wholeCatalog({ techniques, case_studies }),
      summary: summarise(
        `MITRE ATLAS: ${counted(techniques.length, 'technique')} and ${counted(case_studies.length, 'case study')}.`,
      ),
    };
  },
});
