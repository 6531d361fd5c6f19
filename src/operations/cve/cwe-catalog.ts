import { z } from 'zod';
import { requireData } from '../../engine/not-known.ts';
import { operation } from '../../engine/operation.ts';
import { counted, summarise } from '../../engine/summary.ts';
import { wholeCatalog, wholeCatalogOutput } from '../../engine/whole-catalog.ts';

export const cweCatalog = operation({
  id: 'cwe_catalog',
  area: 'cve',
  title: 'CWE catalog',
  description: "Weaknesses of MITRE's CWE list (research view 1000), by id and name.",
  route: null,
  input: z.strictObject({}),
  output: wholeCatalogOutput('CweCatalog', {
    weaknesses: z.object({ cwe_id: z.string(), name: z.string(), abstraction: z.string() }),
  }),
  cost: 0,
  timeless: true,
  examples: [{ title: 'All weaknesses', input: {} }],
  falsifiable: ['weaknesses[].name'],
  answer(_input, { catalog }) {
    requireData(catalog, 'cwe');
    const weaknesses = catalog.weaknesses();
    return {
      ...wholeCatalog({ weaknesses }),
      summary: summarise(`MITRE CWE, research view: ${counted(weaknesses.length, 'weakness')}.`),
    };
  },
});
