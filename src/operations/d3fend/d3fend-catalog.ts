import { z } from 'zod';
import type { Defense } from '../../feeds/d3fend/entry.ts';
import { requireData } from '../../engine/not-known.ts';
import { operation } from '../../engine/operation.ts';
import { counted, summarise } from '../../engine/summary.ts';
import { wholeCatalog, wholeCatalogOutput } from '../../engine/whole-catalog.ts';

export const d3fendCatalog = operation({
  id: 'd3fend_catalog',
  area: 'd3fend',
  title: 'D3FEND catalog',
  description: 'Defensive techniques of MITRE D3FEND with their tactic and artifact.',
  route: null,
  input: z.strictObject({}),
  output: wholeCatalogOutput('D3fendCatalog', {
    defenses: z.object({
      defense_id: z.string(),
      label: z.string(),
      tactic: z.string().nullable(),
      artifact: z.string().nullable().meta({ description: 'The first digital artifact that it protects.' }),
      parent_label: z.string().nullable(),
    }),
  }),
  cost: 0,
  timeless: true,
  examples: [{ title: 'All defenses', input: {} }],
  falsifiable: ['defenses[].label', 'defenses[].tactic'],
  answer(_input, { catalog }) {
    requireData(catalog, 'd3fend');
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
      ...wholeCatalog({ defenses }),
      summary: summarise(`MITRE D3FEND: ${counted(defenses.length, 'defensive technique')}.`),
    };
  },
});
