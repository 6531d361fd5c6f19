import { z } from 'zod';
import { normalizeCpeToken } from '../../analysis/cve/cpe.ts';
import { isFeedMissing } from '../../engine/not-found-error.ts';
import { defineOperation } from '../../engine/operation.ts';
import { exposedField } from './lib/assess-priority.ts';
import { cveFilterFields, DayField } from './lib/cve-filters.ts';
import { CveListItem } from './lib/schemas.ts';
import { includeField, listOutputSchema, pagingFields } from '../../engine/paged-list.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import { CVE_LIST_FALSIFIABLE_FIELDS, presentCvePage } from './lib/present-cve.ts';

export const cvesKev = defineOperation({
  id: 'cves_kev',
  area: 'cve',
  title: 'Known-exploited CVEs',
  description:
    "CISA's known-exploited catalog. A vendor or product is meant by its name there, or by a name in a record of the CVE.",
  route: 'GET /v1/cves/kev',
  input: z.strictObject({
    vendor: cveFilterFields.vendor,
    product: cveFilterFields.product,
    added_since: DayField.optional().meta({ description: 'Added on this day or later, YYYY-MM-DD.' }),
    sort: z
      .enum(['added_desc', 'due_desc', 'due_asc'])
      .default('added_desc')
      .meta({ description: 'Newest addition first, or latest or earliest due date first.' }),
    ...exposedField,
    ...includeField,
    ...pagingFields,
  }),
  output: listOutputSchema('KevList', CveListItem),
  cost: 1,
  examples: [
    { title: 'The newest five', input: { limit: 5 } },
    { title: 'Of a vendor, by due date', input: { vendor: 'microsoft', sort: 'due_desc', limit: 3 } },
  ],
  falsifiableFields: CVE_LIST_FALSIFIABLE_FIELDS,
  answer(query, context) {
    const { catalog } = context;
    const { vendor, product, added_since: addedSince, sort, limit, offset } = query;
    const names = { vendor: vendor && normalizeCpeToken(vendor), product: product && normalizeCpeToken(product) };
    const { total, cves } = catalog.kevPage({ ...names, addedSince, sort, limit, offset });
    const filtered = [vendor, product, addedSince].some((filter) => filter !== undefined);
    return {
      ...presentCvePage({ total, cves }, query, context),
      summary: joinSummary(
        isFeedMissing(catalog, 'kev')
          ? 'The known-exploited catalog has not been synced yet.'
          : `${formatCount(total, 'CVE')} in the known-exploited catalog${filtered ? ' with these filters' : ''}.`,
        sort === 'added_desc' &&
          offset === 0 &&
          cves[0]?.kev != null &&
          `Last added: ${cves[0].cve_id} on ${cves[0].kev.date_added}.`,
      ),
    };
  },
});
