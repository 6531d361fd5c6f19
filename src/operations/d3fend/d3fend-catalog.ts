import { z } from 'zod';
import type { Defense } from '../../feeds/d3fend/d3fend-entries.ts';
import { requireFeedData } from '../../engine/not-found-error.ts';
import { defineOperation } from '../../engine/operation.ts';
import { ForeignText } from '../../engine/foreign-text.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import { wholeCatalogAnswer, wholeCatalogOutputSchema } from '../../engine/whole-catalog.ts';

export const d3fendCatalog = defineOperation({
  id: 'd3fend_catalog',
  area: 'd3fend',
  title: 'D3FEND catalog',
  description: 'Defensive techniques of MITRE D3FEND with their tactic and artifact.',
  route: null,
  input: z.strictObject({}),
  output: wholeCatalogOutputSchema('D3fendCatalog', {
    defenses: z.object({
      defense_id: z.string(),
      label: ForeignText,
      tactic: ForeignText.nullable(),
      artifact: ForeignText.nullable().meta({ description: 'The first digital artifact that it protects.' }),
      parent_label: ForeignText.nullable(),
    }),
  }),
  cost: 0,
  cacheable: true,
  examples: [{ title: 'All defenses', input: {} }],
  falsifiableFields: ['defenses[].label', 'defenses[].tactic'],
  answer(_input, { catalog }) {
    requireFeedData(catalog, 'd3fend');
    const defenses = catalog
      .allDocuments<Defense>('d3fend_defense')
      .map(({ defense_id, label, tactic, artifacts, parent }) => ({
        defense_id,
        label,
        tactic,
        artifact: artifacts[0] ?? null,
        parent_label: parent?.label ?? null,
      }));
    return {
      ...wholeCatalogAnswer({ defenses }),
      summary: joinSummary(`MITRE D3FEND: ${formatCount(defenses.length, 'defensive technique')}.`),
    };
  },
});
