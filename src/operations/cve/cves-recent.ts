import { z } from 'zod';
import { defineOperation } from '../../engine/operation.ts';
import { exposedField } from './lib/assess-priority.ts';
import { CveListItem } from './lib/schemas.ts';
import { includeField, listOutputSchema, pagingFields } from '../../engine/paged-list.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import { addWindowGap } from './lib/add-window-gap.ts';
import { CVE_LIST_FALSIFIABLE_FIELDS, presentCvePage } from './lib/present-cve.ts';

export const cvesRecent = defineOperation({
  id: 'cves_recent',
  area: 'cve',
  title: 'Recent CVEs',
  description: 'CVEs published within the last hours, newest first.',
  route: 'GET /v1/cves/recent',
  input: z.strictObject({
    hours: z.number().int().min(1).max(720).default(24).meta({ description: 'How far back, 1-720.' }),
    ...exposedField,
    ...includeField,
    ...pagingFields,
  }),
  output: listOutputSchema('RecentList', CveListItem),
  cost: 1,
  examples: [{ title: 'Of the last week', input: { hours: 168, limit: 5 } }],
  falsifiableFields: CVE_LIST_FALSIFIABLE_FIELDS,
  answer(query, context) {
    const { catalog, now } = context;
    const { limit, offset, hours } = query;
    const publishedFrom = Math.floor(now.getTime() / 1000) - hours * 3600;
    const { total, cves } = catalog.search({ publishedFrom, sort: 'published_desc', limit, offset });
    const beyondData = addWindowGap(context, publishedFrom, undefined);
    return {
      ...presentCvePage({ total, cves }, query, context),
      summary: joinSummary(
        total === 0 && beyondData,
        `${formatCount(total, 'CVE')} published within ${formatCount(hours, 'hour')}.`,
      ),
    };
  },
});
