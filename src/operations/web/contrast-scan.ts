import { z } from 'zod';
import { registrableDomain } from '../../analysis/domain-name.ts';
import { dnsFixGuide } from '../../analysis/scan/dns-fix-guide.ts';
import { MODULE_IDS } from '../../analysis/scan/modules.ts';
import { type ScanScore, scoreScan } from '../../analysis/scan/score-scan.ts';
import { FixGuideField, presentFixGuide } from '../../engine/fix-guide-field.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { ForeignText } from '../../engine/foreign-text.ts';
import { Domain } from '../../engine/input/identifiers.ts';
import { describeScore, formatCount, joinSummary } from '../../engine/summary.ts';
import { requireTargetAnswer } from '../../engine/require-answer.ts';
import { addSiteGaps } from './lib/fetch-site.ts';
import { runScan } from './lib/run-scan.ts';
import { SEVERITIES } from '../../analysis/severity.ts';
import { LETTER_GRADES } from '../../analysis/letter-grade.ts';

const ScanModule = z
  .object({
    score: z.number().nullable().meta({ description: 'null: it could not be looked at, and is not in the total.' }),
    max: z.number(),
    details: z.array(ForeignText),
  })
  .meta({ id: 'ScanModule' });

const ScanFinding = z
  .object({
    id: z.string(),
    module: z.string(),
    severity: z.enum(SEVERITIES),
    title: ForeignText,
    description: ForeignText,
    remediation: ForeignText,
    reference: z.string(),
    evidence: ForeignText.nullable(),
    how_to_fix: FixGuideField,
  })
  .meta({ id: 'ScanFinding' });

const CountField = z.number().int();

export const contrastScan = defineOperation({
  id: 'contrast_scan',
  area: 'web',
  title: 'Full scan of a site',
  description:
    'Looks at a site from outside, in a few requests: headers, TLS, DNS, redirect, disclosure, cookies, DNSSEC, methods, CORS, markup, CSP. Findings are in the order to fix them. 403 where its robots.txt disallows this service.',
  route: 'GET /v1/scan/:domain',
  input: z.strictObject({ domain: Domain }),
  output: lookupOutputSchema('Scan', {
    domain: z.string(),
    resolved_ip: z.string().nullable(),
    total_score: z.number().meta({ description: 'Of max_score, higher is better.' }),
    max_score: z.number().meta({ description: 'Of the modules that could be looked at; 100 with all of them.' }),
    grade: z.enum(LETTER_GRADES).nullable().meta({ description: 'null: too little could be looked at.' }),
    findings: z.array(ScanFinding),
    findings_count: z.object({ critical: CountField, high: CountField, medium: CountField, low: CountField }),
    headers: ScanModule,
    ssl: ScanModule,
    dns: ScanModule,
    redirect: ScanModule,
    disclosure: ScanModule,
    cookies: ScanModule,
    dnssec: ScanModule,
    methods: ScanModule,
    cors: ScanModule,
    html: ScanModule,
    csp_analysis: ScanModule,
  }),
  cost: 6,
  deadlineMs: 15_000,
  examples: [{ title: 'A site', input: { domain: 'example.com' } }],
  tool: {
    description:
      'Security of a live web site with findings in the order to fix them. One part alone: scan_headers, ssl_check. Registration and mail: domain_report.',
    openWorld: true,
    longRunning: true,
  },
  falsifiableFields: ['findings', 'headers', 'ssl', 'dns', 'redirect', 'dnssec', 'methods', 'cors'],
  async answer({ domain }, context) {
    const { results, address, issuer, snapshot, siteResult } = await runScan(context, domain);
    if (snapshot !== null) addSiteGaps(context, snapshot);
    const scan = scoreScan(results);
    const missingModules = MODULE_IDS.filter((id) => results[id] === null);
    if (missingModules.length === MODULE_IDS.length)
      requireTargetAnswer(siteResult, domain, 'did not answer over HTTPS or HTTP');
    if (missingModules.length > 0)
      context.evidence.addGap(`could not be looked at, and not part of the score: ${missingModules.join(', ')}`);
    const { modules, total, max, grade, findings, counts } = scan;
    const externalHostName = snapshot === null ? null : externalHost(domain, snapshot.url);
    return {
      domain,
      resolved_ip: address,
      total_score: total,
      max_score: max,
      grade,
      findings: findings.map((finding) => ({ ...finding, how_to_fix: guideOf(finding.id, domain, issuer) })),
      findings_count: { critical: counts.CRITICAL, high: counts.HIGH, medium: counts.MEDIUM, low: counts.LOW },
      ...modules,
      summary: joinSummary(
        describeScan(domain, scan),
        externalHostName !== null && `It leads to ${externalHostName}, whose pages were judged.`,
        missingModules.length > 0 &&
          `${formatCount(missingModules.length, 'module')} of ${MODULE_IDS.length} could not be looked at.`,
      ),
    };
  },
  nextCalls: ({ domain, findings }) => {
    const some = (test: RegExp): boolean => findings.some(({ id }) => test.test(id));
    return [
      { tool: 'tech_stack_cve_audit', input: domain, reason: 'What the site is made with, and the CVEs of that.' },
      ...(some(/^tls_/) ? [{ tool: 'ssl_check', input: domain, reason: 'Chain, versions and caps in full.' }] : []),
      ...(some(/^dns_(spf|dmarc)/)
        ? [{ tool: 'email_security_posture', input: domain, reason: 'How its mail is protected, with fixes.' }]
        : []),
    ];
  },
});

function guideOf(id: string, domain: string, issuer: string | null) {
  const guide = dnsFixGuide(id, { domain, zone: registrableDomain(domain) ?? domain, issuer });
  return guide && presentFixGuide(guide);
}

/** Grade, number of findings, and the first one with its remedy. */
function describeScan(domain: string, { grade, total, max, findings, counts }: ScanScore): string {
  const [first] = findings;
  const nonZeroCounts = Object.entries(counts)
    .filter(([, number]) => number > 0)
    .map(([severity, number]) => `${number} ${severity}`);
  const countsText = nonZeroCounts.length === 0 ? 'nothing found' : nonZeroCounts.join(', ');
  const advice = first === undefined ? '' : ` First: ${first.title}. ${first.remediation}`;
  return `${domain}: ${grade === null ? 'too little seen for a grade' : `grade ${grade}`} (${describeScore(total, 'higher', max)}), ${countsText}.${advice}`;
}

/** The host of the fetched page where it belongs to another registrable domain; else null. */
function externalHost(domain: string, url: string): string | null {
  const { hostname } = new URL(url);
  return (registrableDomain(hostname) ?? hostname) === (registrableDomain(domain) ?? domain) ? null : hostname;
}
