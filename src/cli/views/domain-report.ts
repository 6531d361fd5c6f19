import { displayLine, summarizeList } from '../../analysis/display-text.ts';
import { formatCount } from '../../engine/summary.ts';
import type { auditDomain } from '../../operations/domain/audit-domain.ts';
import type { domainReport } from '../../operations/domain/domain-report.ts';
import { describeDomainRisk, riskWord } from '../../operations/domain/lib/describe-risk.ts';
import { day } from './cve-parts.ts';
import { type AnswerOf, defineBulkView, defineView, type Fact, table, textLines, type View } from './view.ts';
import { headerFindings, TECHNOLOGY_COLUMNS } from './web.ts';

const MAX_RECORD_CHARS = 200;

/** What an SPF record does with senders that it does not name, as it is written. */
const SPF_ENDS: Readonly<Record<string, string>> = { pass: '+all', fail: '-all', softfail: '~all', neutral: '?all' };

type Report = AnswerOf<typeof domainReport>;
type ReportPart = Omit<Report, 'summary'>;

function reportVerdict({ risk, ssl, email_security, threat }: ReportPart): View['verdict'] {
  return [
    describeDomainRisk(risk),
    ssl === null ? 'TLS not known' : ssl.grade === null ? null : `TLS grade ${ssl.grade}`,
    email_security === null
      ? 'mail not known'
      : email_security.grade === null
        ? null
        : `mail grade ${email_security.grade}`,
    threat?.urlhaus_status === 'listed' ? 'on the malware list URLhaus' : null,
  ];
}

function reportFacts({ dns, whois, ssl, email_security, subdomains, certificates, reputation, risk, waf }: ReportPart) {
  const addresses = [...(dns.a ?? []), ...(dns.aaaa ?? [])];
  return {
    addresses: addresses.map((ip) => {
      const known = reputation?.find((row) => row.ip === ip);
      if (known === undefined) return ip;
      const { total = 0, exploited = 0 } = known.vulnerabilities ?? {};
      const shown =
        total === 0 ? '' : `, may have ${formatCount(total, 'vulnerability')}, ${exploited} known exploited`;
      return `${ip}: risk ${known.severity_label ?? 'not known'}${shown}`;
    }),
    'mail servers': summarizeList((dns.mx ?? []).map(({ exchange }) => exchange)),
    'name servers': summarizeList(dns.ns ?? []),
    registered: registrationFact(whois),
    certificate: ssl === null ? 'not known' : certificateFact(ssl),
    'mail policy':
      email_security === null
        ? 'not known'
        : `SPF ${SPF_ENDS[email_security.spf?.all_policy ?? ''] ?? 'none'}, DMARC ${email_security.dmarc?.effective_policy ?? 'none'}, DKIM ${email_security.dkim?.status ?? 'not known'}`,
    subdomains: subdomains === null ? null : summarizeList(subdomains.names?.map(({ name }) => name) ?? []),
    'certificates logged': certificates?.total_certificates,
    firewall: waf?.detected === true ? waf.name : null,
    'not assessed': risk.not_assessed.join(', '),
  } satisfies Record<string, Fact>;
}

function registrationFact(whois: ReportPart['whois']): string | null {
  if (whois === null) return 'not known';
  const { registrar, creation_date, expiry_date } = whois;
  return [
    creation_date === null ? null : `since ${day(creation_date)}`,
    registrar === null ? null : `with ${displayLine(registrar, MAX_RECORD_CHARS)}`,
    expiry_date === null ? null : `until ${day(expiry_date)}`,
  ]
    .filter((part) => part !== null)
    .join(', ');
}

function certificateFact({ valid, issuer, not_after, days_remaining }: NonNullable<ReportPart['ssl']>): string {
  const until = not_after === null ? '' : `, until ${day(not_after)} (${formatCount(days_remaining ?? 0, 'day')})`;
  return `${valid ? 'valid' : 'NOT valid'}, by ${displayLine(issuer ?? 'an unnamed issuer', MAX_RECORD_CHARS)}${until}`;
}

function reportSections({ risk, email_security }: ReportPart) {
  return [
    table('what raises the risk', risk.factors, [
      { title: 'points', cell: ({ points }) => points, align: 'right' },
      { title: 'why', cell: ({ reason }) => reason, wrap: true },
    ]),
    textLines(
      'mail',
      (email_security?.issues ?? []).map((issue) => displayLine(issue, MAX_RECORD_CHARS)),
    ),
  ];
}

const reportView = defineView<typeof domainReport>('domain_report', (report) => ({
  title: report.domain,
  verdict: reportVerdict(report),
  facts: reportFacts(report),
  sections: reportSections(report),
}));

const auditView = defineView<typeof auditDomain>('audit_domain', ({ domain, report, technologies, live_headers }) => ({
  title: domain,
  verdict: [
    ...(report === null ? ['the report is not known'] : (reportVerdict(report) ?? [])),
    live_headers === null ? 'headers not known' : `headers grade ${live_headers.grade}`,
  ],
  facts: report === null ? {} : reportFacts(report),
  sections: [
    ...(report === null ? [] : reportSections(report)),
    table('technologies', technologies?.technologies, TECHNOLOGY_COLUMNS),
    live_headers === null ? null : headerFindings('headers', live_headers.findings),
  ],
}));

const bulkReportView = defineBulkView<typeof domainReport>(
  'domains_bulk',
  ['domain', 'report'],
  [
    { title: 'risk (lower is better)', cell: ({ risk }) => `${riskWord(risk.grade)} ${risk.score}`, rank: 1 },
    { title: 'TLS', cell: ({ ssl }) => ssl?.grade, rank: 2 },
    { title: 'mail', cell: ({ email_security }) => email_security?.grade, rank: 2 },
    { title: 'registered', cell: ({ whois }) => day(whois?.creation_date ?? null), rank: 5 },
    { title: 'addresses', cell: ({ dns }) => summarizeList(dns.a ?? [], 2), rank: 4 },
    { title: 'above all', cell: ({ risk }) => risk.factors[0]?.reason, rank: 3 },
  ],
);

/** A domain as a whole, and several at once. */
export const DOMAIN_REPORT_VIEWS = [reportView, auditView, bulkReportView];
