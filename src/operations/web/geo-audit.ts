import { z } from 'zod';
import { scoreGeo } from '../../analysis/page/geo-report.ts';
import { robotsTxt } from '../../sources/site/robots-txt.ts';
import type { SiteFile, SiteSnapshot } from '../../sources/site/site.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { Domain } from '../../engine/input/identifiers.ts';
import { geoFields } from './lib/schemas.ts';
import { joinSummary } from '../../engine/summary.ts';
import { requireTargetAnswer } from '../../engine/require-answer.ts';
import { detectSiteTechnologies } from './lib/detect-site-technologies.ts';
import { requireSite, requireHtmlPage } from './lib/fetch-site.ts';

export const geoAudit = defineOperation({
  id: 'geo_audit',
  area: 'web',
  title: 'GEO audit',
  description:
    'How well generative engines can read a site, by structure alone: llms.txt, access of AI crawlers, schema.org types, server-side rendering, headings. No model is asked. 403 where its robots.txt disallows this service.',
  route: 'GET /v1/geo/:domain',
  input: z.strictObject({ domain: Domain }),
  output: lookupOutputSchema('Geo', geoFields),
  cost: 1,
  examples: [{ title: 'A site', input: { domain: 'example.com' } }],
  tool: {
    description:
      'How readable a site is for AI crawlers and generative engines, with a score. For search engines use seo_audit.',
    openWorld: true,
  },
  falsifiableFields: ['llms_txt_present', 'ai_crawlers_blocked', 'schema_types', 'score'],
  async answer({ domain }, context) {
    const snapshot = await requireSite(context, domain);
    const robots = await context.ask(robotsTxt, { origin: new URL(snapshot.url).origin });
    const llmsTxt = isPlainTextFile(snapshot.files['/llms.txt'] ?? null);
    if (llmsTxt === null) context.evidence.addGap('whether there is an llms.txt is not known');
    const page = requireHtmlPage(snapshot, domain);
    const { robots: rules } = requireTargetAnswer(robots, domain, 'did not answer for its robots.txt');
    const geo = scoreGeo(page, { llmsTxt, robots: rules });
    const { missing_signals } = geo;
    return {
      domain,
      fetched_url: snapshot.url,
      status_code: snapshot.status,
      ...geo,
      // Some frameworks show only in script URLs, which the technology fingerprints recognise.
      render_framework: geo.render_framework ?? jsFrameworkOf(snapshot),
      cache_respected: snapshot.private,
      summary: joinSummary(
        `${domain}: GEO score ${geo.score} of 100, ${geo.ai_crawlers_allowed.length} of ${geo.ai_crawlers_total} AI crawlers allowed.`,
        missing_signals.length === 0 ? 'Every rule gave points.' : `Missing: ${missing_signals.join(', ')}.`,
      ),
    };
  },
  nextCalls: ({ domain }) => [{ tool: 'seo_audit', input: domain, reason: 'The same page for search engines.' }],
});

/** The most certain JavaScript framework that the technology fingerprints find. */
function jsFrameworkOf(snapshot: SiteSnapshot): string | null {
  return (
    detectSiteTechnologies(snapshot, null).find(({ category }) => category === 'JavaScript framework')?.name ?? null
  );
}

/** Whether the file exists as text; an HTML page is taken for an error page. Null: not fetched. */
function isPlainTextFile(file: SiteFile | null): boolean | null {
  if (file === null) return null;
  return file.status === 200 && file.excerpt.trim() !== '' && !/^\s*<(!doctype|html|head|body)/i.test(file.excerpt);
}
