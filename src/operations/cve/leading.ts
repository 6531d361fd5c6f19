import { z } from 'zod';
import type { CveDossier } from '../../catalog/catalog.ts';
import { operation } from '../operation.ts';
import { CveListItem } from '../schemas/cve.ts';
import { include, listOutput, page, paging } from '../schemas/lists.ts';
import { counted, summarise } from '../summary.ts';
import { LIST_FALSIFIABLE, presentCveItem } from './present.ts';

export const cveLeading = operation({
  id: 'cve_leading',
  area: 'cve',
  title: 'CVEs ahead of the NVD',
  description:
    'CVEs that upstream advisory sources have and the NVD does not have, or has not analysed; newest first. `source` names who has it first.',
  route: 'GET /v1/cve/leading',
  input: z.strictObject({ ...include, ...paging }),
  output: listOutput('LeadingList', CveListItem),
  cost: 1,
  examples: [{ title: 'The newest five', input: { limit: 5 } }],
  tool: {
    description:
      'List CVEs that advisory feeds published before the NVD analysed them: early warning. For everything by filter use cve_search.',
    openWorld: false,
    defaults: { limit: 20 },
  },
  falsifiable: LIST_FALSIFIABLE,
  answer(query, { catalog, evidence }) {
    const { limit, offset } = query;
    const { total, cves } = catalog.search({ leading: true, sort: 'published_desc', limit, offset });
    const rows = cves.map((cve) => ({
      ...presentCveItem(cve, query.include === 'full', evidence),
      source: advisorySource(cve),
    }));
    return {
      ...page(rows, total, query),
      summary: summarise(
        `${counted(total, 'CVE')} that the NVD does not have or has not analysed.`,
        cves.length > 0 &&
          `Newest: ${cves
            .slice(0, 3)
            .map(({ cve_id }) => cve_id)
            .join(', ')}.`,
      ),
    };
  },
});

/** The advisory source that published first. */
function advisorySource({ record }: CveDossier): string {
  const first = record?.first_seen?.source;
  if (first !== undefined && first !== 'nvd') return first;
  return record?.sources.find((source) => source !== 'nvd') ?? 'kev';
}
