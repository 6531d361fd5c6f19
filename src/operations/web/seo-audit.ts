import { z } from 'zod';
import { scoreSeo } from '../../analysis/page/seo-report.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { Domain } from '../../engine/input/identifiers.ts';
import { seoFields } from './lib/schemas.ts';
import { joinSummary } from '../../engine/summary.ts';
import { requireSite, requireHtmlPage } from './lib/fetch-site.ts';

export const seoAudit = defineOperation({
  id: 'seo_audit',
  area: 'web',
  title: 'SEO audit',
  description:
    'The home page as search engines see it, and its score: ten rules of ten points; `missing_signals` names those that gave no points. 403 where its robots.txt disallows this service.',
  route: 'GET /v1/seo/:domain',
  input: z.strictObject({ domain: Domain }),
  output: lookupOutputSchema('Seo', seoFields),
  cost: 1,
  examples: [{ title: 'A site', input: { domain: 'example.com' } }],
  tool: {
    description:
      'Title, description, headings, links and score of a home page for search engines. For generative engines use geo_audit.',
    openWorld: true,
  },
  falsifiableFields: ['title_untrusted', 'h1_count', 'canonical_url', 'score'],
  async answer({ domain }, context) {
    const snapshot = await requireSite(context, domain);
    const seo = scoreSeo(requireHtmlPage(snapshot, domain));
    const { missing_signals } = seo;
    return {
      domain,
      fetched_url: snapshot.url,
      status_code: snapshot.status,
      ...seo,
      cache_respected: snapshot.private,
      summary: joinSummary(
        `${domain}: SEO score ${seo.score} of 100.`,
        missing_signals.length === 0 ? 'Every rule gave points.' : `Missing: ${missing_signals.join(', ')}.`,
      ),
    };
  },
  nextCalls: ({ domain }) => [
    { tool: 'geo_audit', input: domain, reason: 'The same for generative engines.' },
    { tool: 'robots_txt', input: domain, reason: 'What crawlers may fetch.' },
  ],
});
