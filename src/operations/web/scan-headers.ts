import { z } from 'zod';
import { gradeSiteHeaders, headerSummary } from './lib/grade-site-headers.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { ForeignText } from '../../engine/foreign-text.ts';
import { Domain } from '../../engine/input/identifiers.ts';
import { includeField } from '../../engine/paged-list.ts';
import { headerReportFields } from './lib/schemas.ts';
import { joinSummary } from '../../engine/summary.ts';
import { requireSite } from './lib/fetch-site.ts';

export const scanHeaders = defineOperation({
  id: 'scan_headers',
  area: 'web',
  title: 'Response headers of a site',
  description:
    'Fetches the home page over HTTPS and judges its response headers, as check_headers does with given ones; over HTTP if no server answers over HTTPS. 403 where its robots.txt disallows this service.',
  route: 'GET /v1/scan/headers/:domain',
  input: z.strictObject({ domain: Domain, ...includeField }),
  output: lookupOutputSchema('HeaderScan', {
    domain: z.string(),
    status_code: z.number().int(),
    url: ForeignText,
    ...headerReportFields,
  }),
  cost: 1,
  examples: [{ title: 'A site', input: { domain: 'example.com' } }],
  tool: {
    description:
      'Judge the response headers of a live site: CSP, HSTS, cookies and more. For all of its security contrast_scan; for headers that you already have check_headers.',
    openWorld: true,
  },
  falsifiableFields: ['headers_present', 'headers_missing', 'findings'],
  async answer({ domain, include }, context) {
    const snapshot = await requireSite(context, domain);
    const report = gradeSiteHeaders(snapshot, include === 'full');
    const isPlainHttp = !snapshot.url.startsWith('https:');
    return {
      domain,
      ...report,
      summary: joinSummary(isPlainHttp && 'Not served over HTTPS.', headerSummary(report)),
    };
  },
  nextCalls: ({ domain }) => [
    { tool: 'contrast_scan', input: domain, reason: 'TLS, DNS, cookies, CORS and markup of the same site.' },
    { tool: 'tech_fingerprint', input: domain, reason: 'What the site is made with.' },
  ],
});
