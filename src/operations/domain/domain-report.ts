import { z } from 'zod';
import { isPublicIp } from '../../analysis/ip-address.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { Domain } from '../../engine/input/identifiers.ts';
import { capitalize, formatCount, joinSummary } from '../../engine/summary.ts';
import { describeDomainRisk } from './lib/describe-risk.ts';
import { reportFields, type Report, buildDomainReport } from './lib/build-domain-report.ts';

const DEADLINE_MS = 12_000;

export const domainReport = defineOperation({
  id: 'domain_report',
  area: 'domain',
  title: 'Domain report',
  description:
    'All that is known of a domain, collected in parallel under one deadline: DNS, registration, TLS, mail, subdomains, certificates, threats, and a risk score with its factors. `lite` asks only the DNS and the TLS server. What did not answer in time is null, and the verdict says so.',
  route: 'GET /v1/domain/:domain',
  subject: { kind: 'domain', field: 'domain' },
  input: z.strictObject({
    domain: Domain,
    lite: z
      .boolean()
      .default(false)
      .meta({ description: 'About a quarter of a second: no registration, subdomains, logs, threats, reputation.' }),
    include_all_txt: z.boolean().default(false).meta({ description: 'Also TXT records that are not about mail.' }),
  }),
  output: lookupOutputSchema('DomainReport', reportFields),
  cost: 1,
  deadlineMs: DEADLINE_MS,
  examples: [{ title: 'A domain', input: { domain: 'example.com' } }],
  tool: {
    description:
      'First look at a domain: DNS, registration, TLS, mail, subdomains, threats, and a risk score. One aspect alone is faster: dns_lookup, whois_lookup, ssl_check. With technologies: audit_domain.',
    openWorld: true,
    longRunning: true,
  },
  falsifiableFields: ['dns', 'whois', 'ssl', 'certificates'],
  async answer({ domain, lite, include_all_txt }, context) {
    const { report, tls } = await buildDomainReport(context, domain, { lite, allTxt: include_all_txt });
    return { ...report, summary: summaryOf(report, tls) };
  },
  nextCalls: ({ domain, risk, email_security, dns }) => [
    { tool: 'contrast_scan', input: domain, reason: 'What its web server shows, with findings to fix.' },
    ...(risk.grade === 'D' || risk.grade === 'F'
      ? [{ tool: 'ioc_lookup', input: domain, reason: 'What threat lists say of it.' }]
      : []),
    ...(email_security?.grade === 'F' || email_security?.grade === 'D'
      ? [{ tool: 'email_security_posture', input: domain, reason: 'Each mail finding with its fix.' }]
      : []),
    ...(dns.a ?? [])
      .filter(isPublicIp)
      .slice(0, 1)
      .map((ip) => ({ tool: 'threat_report', input: ip, reason: 'Who else is at its address.' })),
  ],
});

function summaryOf({ domain, risk, email_security, whois, threat, lite }: Report, tls: string): string {
  const [worst] = risk.factors;
  return joinSummary(
    `${domain}: ${describeDomainRisk(risk)}${worst === undefined ? '' : `, above all: ${worst.reason}`}`,
    `${capitalize(tls)}.`,
    email_security !== null && `Mail posture ${email_security.grade ?? 'unknown'}.`,
    whois?.creation_date != null && `Registered since ${whois.creation_date.slice(0, 10)}.`,
    threat?.url_count != null && threat.url_count > 0 && `${formatCount(threat.url_count, 'malware address')} listed.`,
    lite && 'A lite report.',
    !lite && risk.not_assessed.length > 0 && `Not assessed: ${risk.not_assessed.join(', ')}.`,
  );
}
