import { z } from 'zod';
import { isFeedMissing } from '../../engine/not-found-error.ts';
import { defineOperation } from '../../engine/operation.ts';
import { exposedField } from './lib/assess-priority.ts';
import { CveListItem } from './lib/schemas.ts';
import { includeField, listOutputSchema, pagingFields } from '../../engine/paged-list.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import { CVE_LIST_FALSIFIABLE_FIELDS, presentCvePage } from './lib/present-cve.ts';

export const cvesKev = defineOperation({
  id: 'cves_kev',
  area: 'cve',
  title: 'Known-exploited CVEs',
  description: "CISA's known-exploited catalog, newest addition first.",
  route: 'GET /v1/cves/kev',
  input: z.strictObject({ ...exposedField, ...includeField, ...pagingFields }),
  output: listOutputSchema('KevList', CveListItem),
  cost: 1,
  examples: [{ title: 'The newest five', input: { limit: 5 } }],
  falsifiableFields: CVE_LIST_FALSIFIABLE_FIELDS,
  answer(query, context) {
    const { catalog } = context;
    const { total, cves } = catalog.kevPage(query.limit, query.offset);
    return {
      ...presentCvePage({ total, cves }, query, context),
      summary: joinSummary(
        isFeedMissing(catalog, 'kev')
          ? 'The known-exploited catalog has not been synced yet.'
          : `${formatCount(total, 'CVE')} in the known-exploited catalog.`,
        cves[0]?.kev != null && `Last added: ${cves[0].cve_id} on ${cves[0].kev.date_added}.`,
      ),
    };
  },
});
