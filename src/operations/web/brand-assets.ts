import { z } from 'zod';
import { extractBrand } from '../../analysis/page/site-brand.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { Domain } from '../../engine/input/identifiers.ts';
import { brandFields } from './lib/schemas.ts';
import { joinSummary } from '../../engine/summary.ts';
import { requireSite, requireHtmlPage } from './lib/fetch-site.ts';

export const brandAssets = defineOperation({
  id: 'brand_assets',
  area: 'web',
  title: 'Brand assets',
  description:
    'How a site presents itself: icon, share image, theme colour, name and logo of its home page. Addresses are absolute; all texts are the target’s own. 403 where its robots.txt disallows this service.',
  route: 'GET /v1/brand/:domain',
  input: z.strictObject({ domain: Domain }),
  output: lookupOutputSchema('Brand', brandFields),
  cost: 1,
  examples: [{ title: 'A site', input: { domain: 'example.com' } }],
  tool: {
    description:
      'Icon, share image, colour, name and logo of a site, for link previews and look-alike checks. For how well its page is made use seo_audit.',
    openWorld: true,
  },
  falsifiableFields: ['favicon_url_untrusted', 'og_image_url_untrusted'],
  async answer({ domain }, context) {
    const snapshot = await requireSite(context, domain);
    const brand = extractBrand(requireHtmlPage(snapshot, domain));
    const foundCount = Object.values(brand).filter((value) => value !== null).length;
    return {
      domain,
      fetched_url: snapshot.url,
      status_code: snapshot.status,
      ...brand,
      cache_respected: snapshot.private,
      summary: joinSummary(
        `${domain}: ${foundCount} of ${Object.keys(brand).length} brand assets found on its home page.`,
      ),
    };
  },
  nextCalls: ({ domain }) => [{ tool: 'seo_audit', input: domain, reason: 'How search engines see the same page.' }],
});
