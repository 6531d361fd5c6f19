import { z } from 'zod';
import type { SiteSnapshot } from '../../sources/site/site.ts';
import type { Context } from '../../engine/context.ts';
import { lookupOutputSchema, defineOperation, SummaryField } from '../../engine/operation.ts';
import { ForeignText } from '../../engine/foreign-text.ts';
import { Domain } from '../../engine/input/identifiers.ts';
import { headerReportFields } from '../web/lib/schemas.ts';
import { lookUpSiteTechnologies, presentTechnologies, TechnologyRow } from '../web/lib/detect-site-technologies.ts';
import { gradeSiteHeaders } from '../web/lib/grade-site-headers.ts';
import { addSiteGaps, fetchSite } from '../web/lib/fetch-site.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import { describeDomainRisk } from './lib/describe-risk.ts';
import { reportFields, buildDomainReport } from './lib/build-domain-report.ts';

const DEADLINE_MS = 15_000;

const Technologies = z.object({
  technologies: z.array(TechnologyRow),
  categories: z.array(z.string()),
  count: z.number().int(),
  summary: SummaryField,
});
const LiveHeaders = z.object({ url: ForeignText, status_code: z.number().int(), ...headerReportFields });

export const auditDomain = defineOperation({
  id: 'audit_domain',
  area: 'domain',
  title: 'Domain audit',
  description:
    'The full domain report together with the technologies of its web site and the grade of its live response headers. Where the site did not answer, or its robots.txt disallows this service, those two are null.',
  route: 'GET /v1/audit/:domain',
  input: z.strictObject({
    domain: Domain,
    include_all_txt: z.boolean().default(false).meta({ description: 'Also TXT records that are not about mail.' }),
  }),
  output: lookupOutputSchema('Audit', {
    domain: z.string(),
    report: z.object(reportFields),
    technologies: Technologies.nullable(),
    live_headers: LiveHeaders.nullable(),
  }),
  cost: 6,
  deadlineMs: DEADLINE_MS,
  examples: [{ title: 'A domain', input: { domain: 'example.com' } }],
  tool: {
    description:
      'Everything about a domain in one call: domain_report, technologies and live headers (cost 6). For web findings with fixes use contrast_scan; for vulnerabilities of the technologies tech_stack_cve_audit.',
    openWorld: true,
    longRunning: true,
  },
  falsifiableFields: ['report.dns', 'technologies', 'live_headers'],
  async answer({ domain, include_all_txt }, context) {
    const site = fetchSite(context, domain).then((result) => (result.status === 'ok' ? result.found : null));
    const graded = site.then((snapshot) => (snapshot === null ? null : gradeSiteHeaders(snapshot)));
    const [{ report, tls }, snapshot, headers] = await Promise.all([
      buildDomainReport(context, domain, { lite: false, allTxt: include_all_txt, headers: graded }),
      site,
      graded,
    ]);
    if (snapshot !== null) addSiteGaps(context, snapshot);
    const technologies = snapshot === null ? null : await presentSiteTechnologies(context, domain, snapshot);
    return {
      domain,
      report,
      technologies,
      live_headers: headers,
      summary: joinSummary(
        `${domain}: ${describeDomainRisk(report.risk)}, ${tls}, mail ${report.email_security?.grade ?? 'unknown'}.`,
        headers === null ? 'Its web site could not be read.' : `Headers ${headers.grade}.`,
        technologies?.summary ?? null,
      ),
    };
  },
  nextCalls: ({ domain, technologies }) => [
    { tool: 'contrast_scan', input: domain, reason: 'Each web finding with its fix.' },
    ...(technologies !== null && technologies.count > 0
      ? [{ tool: 'tech_stack_cve_audit', input: domain, reason: 'Known vulnerabilities of its technologies.' }]
      : []),
  ],
});

async function presentSiteTechnologies(
  context: Context,
  domain: string,
  snapshot: SiteSnapshot,
): Promise<z.output<typeof Technologies>> {
  const found = presentTechnologies(await lookUpSiteTechnologies(context, domain, snapshot), context);
  const names = found.technologies.slice(0, 6).map(({ name }) => name);
  return {
    ...found,
    summary: joinSummary(
      `${formatCount(found.count, 'technology')}${names.length > 0 ? `: ${names.join(', ')}` : ''}.`,
    ),
  };
}
