import { z } from 'zod';
import type { DetectedTechnology } from '../../analysis/tech/detect-technologies.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { ForeignText } from '../../engine/foreign-text.ts';
import { Domain } from '../../engine/input/identifiers.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import { lookUpSiteTechnologies, presentTechnologies, TechnologyRow } from './lib/detect-site-technologies.ts';
import { requireSite } from './lib/fetch-site.ts';

export const techFingerprint = defineOperation({
  id: 'tech_fingerprint',
  area: 'web',
  title: 'Technologies of a site',
  description:
    'What a site is made with, by its headers, cookies, home page and DNS: servers, CDNs and WAFs, frameworks, CMS, libraries, services; with versions where they show. No script is run. 403 where its robots.txt disallows this service.',
  route: 'GET /v1/tech/:domain',
  input: z.strictObject({ domain: Domain }),
  output: lookupOutputSchema('Technologies', {
    domain: z.string(),
    fetched_url: ForeignText,
    status_code: z.number().int(),
    technologies: z.array(TechnologyRow).meta({ description: 'Most certain first.' }),
    categories: z.array(z.string()),
    count: z.number().int(),
    cache_respected: z.boolean(),
  }),
  cost: 1,
  examples: [{ title: 'A site', input: { domain: 'example.com' } }],
  tool: {
    description:
      'What a web site is made with: server, CDN, WAF, CMS, frameworks, libraries, services, versions. For their vulnerabilities use tech_stack_cve_audit.',
    openWorld: true,
  },
  falsifiableFields: ['technologies[].name', 'technologies[].version'],
  async answer({ domain }, context) {
    const snapshot = await requireSite(context, domain);
    const found = await lookUpSiteTechnologies(context, domain, snapshot);
    return {
      domain,
      fetched_url: snapshot.url,
      status_code: snapshot.status,
      ...presentTechnologies(found, context),
      cache_respected: snapshot.private,
      summary: joinSummary(`${domain}: ${formatCount(found.length, 'technology')}.`, listTechnologies(found)),
    };
  },
  nextCalls: ({ domain, technologies }) => [
    ...(technologies.some(({ cpe }) => cpe !== null)
      ? [{ tool: 'tech_stack_cve_audit', input: domain, reason: 'Known vulnerabilities of what was found.' }]
      : []),
    { tool: 'scan_headers', input: domain, reason: 'How its security headers are set.' },
  ],
});

/** The first eight as a phrase for the summary. */
function listTechnologies(found: readonly DetectedTechnology[]): string | false {
  const names = found.slice(0, 8).map(({ name, version }) => (version === null ? name : `${name} ${version}`));
  return names.length > 0 && `${names.join(', ')}${found.length > names.length ? ', ...' : '.'}`;
}
