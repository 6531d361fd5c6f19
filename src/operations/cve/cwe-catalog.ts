import { z } from 'zod';
import { requireFeedData } from '../../engine/not-found-error.ts';
import { defineOperation } from '../../engine/operation.ts';
import { ForeignText } from '../../engine/foreign-text.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import { wholeCatalogAnswer, wholeCatalogOutputSchema } from '../../engine/whole-catalog.ts';

export const cweCatalog = defineOperation({
  id: 'cwe_catalog',
  area: 'cve',
  title: 'CWE catalog',
  description: "Weaknesses of MITRE's CWE list (research view 1000), by id and name.",
  route: null,
  input: z.strictObject({}),
  output: wholeCatalogOutputSchema('CweCatalog', {
    weaknesses: z.object({ cwe_id: z.string(), name: ForeignText, abstraction: ForeignText }),
  }),
  cost: 0,
  cacheable: true,
  examples: [{ title: 'All weaknesses', input: {} }],
  falsifiableFields: ['weaknesses[].name'],
  answer(_input, { catalog }) {
    requireFeedData(catalog, 'cwe');
    const weaknesses = catalog.researchViewWeaknesses();
    return {
      ...wholeCatalogAnswer({ weaknesses }),
      summary: joinSummary(`MITRE CWE, research view: ${formatCount(weaknesses.length, 'weakness')}.`),
    };
  },
});
