import { displayLine, summarizeList } from '../../analysis/display-text.ts';
import { formatCount, formatNumber } from '../../engine/summary.ts';
import type { hashLookup } from '../../operations/indicators/hash-lookup.ts';
import type { iocLookup } from '../../operations/indicators/ioc-lookup.ts';
import type { phishingCheck } from '../../operations/indicators/phishing-check.ts';
import type { usernameLookup } from '../../operations/indicators/username-lookup.ts';
import type { ipLookup } from '../../operations/ip/ip-lookup.ts';
import type { threatReport } from '../../operations/ip/threat-report.ts';
import { type AnswerOf, defineBulkView, defineView, table } from './view.ts';

const MAX_REASON_CHARS = 300;

type Ioc = AnswerOf<typeof iocLookup>;

const LIST_WORDS: Readonly<Record<string, string>> = {
  listed: 'listed',
  not_listed: 'not listed',
  not_applicable: 'does not list such things',
  not_configured: 'not asked: it needs a key',
  unavailable: 'did not answer',
};

/** Lists in the order in which they matter: who names it, who could not be asked, who does not. */
function sourcesTable(sources: Ioc['sources']) {
  const rows = Object.entries(sources)
    .filter(([, { status }]) => status !== 'not_applicable')
    .map(([source, { status, count, listings }]) => ({ source, status, count, listings }))
    .toSorted((one, other) => Number(other.status === 'listed') - Number(one.status === 'listed'));
  return table('threat lists', rows, [
    { title: 'list', cell: ({ source }) => source },
    { title: 'says', cell: ({ status }) => LIST_WORDS[status] ?? status.replaceAll('_', ' ') },
    { title: 'entries', cell: ({ count }) => count || null, align: 'right' },
    {
      title: 'what',
      cell: ({ listings }) => {
        const [first] = listings ?? [];
        return first === undefined
          ? null
          : displayLine(
              Object.values(first)
                .filter((value) => typeof value === 'string')
                .join(', '),
              MAX_REASON_CHARS,
            );
      },
    },
  ]);
}

function threatStatement(level: string | null): string {
  if (level === null || level === 'unknown') return 'threat level not known';
  return level === 'none' ? 'no list names it' : `threat level ${level.toUpperCase()}`;
}

const iocView = defineView<typeof iocLookup>('ioc_lookup', (ioc) => ({
  title: ioc.indicator,
  verdict: [threatStatement(ioc.threat_level), ioc.known_benign === null ? null : `known as ${ioc.known_benign.name}`],
  facts: { why: (ioc.threat_reasons ?? []).map((reason) => displayLine(reason, MAX_REASON_CHARS)) },
  sections: [sourcesTable(ioc.sources)],
}));

const bulkIocView = defineBulkView<typeof iocLookup>(
  'bulk_ioc_lookup',
  ['indicator', 'ioc'],
  [
    { title: 'threat', cell: ({ threat_level }) => threat_level ?? 'not known' },
    { title: 'kind', cell: ({ type }) => type, rank: 3 },
    {
      title: 'verdict',
      cell: ({ summary }) => summary.slice(summary.indexOf(': ') + 1).trim() || null,
      rank: 2,
      wrap: true,
    },
  ],
);

const hashView = defineView<typeof hashLookup>('hash_lookup', (hash) => ({
  facts: {
    family: hash.malware_family,
    file: hash.file_name,
    type: hash.file_type,
    size: hash.file_size === null ? null : `${formatNumber(hash.file_size)} bytes`,
    'first seen': hash.first_seen,
    tags: summarizeList(hash.tags ?? []),
    'SHA-256': hash.sha256,
  },
}));

const phishingView = defineView<typeof phishingCheck>('phishing_check', (check) => ({
  facts: {
    'this URL': LIST_WORDS[check.urlhaus_url.status] ?? check.urlhaus_url.status,
    'its host': LIST_WORDS[check.urlhaus_host.status] ?? check.urlhaus_host.status,
    threat: check.urlhaus_url.threat,
    why: check.threat_reasons,
  },
}));

const ipView = defineView<typeof ipLookup>('ip_lookup', (ip) => ({
  title: [ip.ip, ip.ptr].filter(Boolean).join(': '),
  verdict: [
    ip.severity_label === null ? 'risk not known' : `risk ${ip.severity_label}, ${ip.risk_score ?? 0} of 100`,
    ip.tor_exit === true ? 'a Tor exit' : null,
    ip.total_vulns === 0 || ip.total_vulns === null ? null : `${formatCount(ip.total_vulns, 'vulnerability')} shown`,
  ],
  facts: {
    why: (ip.risk_factors ?? []).map((factor) => (typeof factor === 'string' ? factor : factor.reason)),
    network: [ip.asn === null ? null : `AS${ip.asn}`, ip.asn_name, ip.prefix, ip.country].filter(Boolean).join(', '),
    cloud: [ip.cloud_provider, ip.cloud_service, ip.cloud_region].filter(Boolean).join(', '),
    'open ports': ip.ports?.join(', '),
    names: summarizeList(ip.hostnames ?? []),
    software: summarizeList(ip.cpes ?? []),
    lists: reputationTexts(ip.reputation),
  },
  sections: [vulnerabilitiesTable(ip.vulns)],
}));

function reputationTexts(reputation: AnswerOf<typeof ipLookup>['reputation']): string[] {
  return Object.entries(reputation).map(
    ([source, found]) => `${source}: ${LIST_WORDS[found?.status ?? ''] ?? scoreText(found) ?? 'not known'}`,
  );
}

function scoreText(found: unknown): string | null {
  const { score, org } = (found ?? {}) as { score?: number; org?: string | null };
  return score === undefined ? (org ?? null) : `abuse confidence ${score} %`;
}

function vulnerabilitiesTable(vulns: AnswerOf<typeof ipLookup>['vulns']) {
  return table('vulnerabilities that its services show', vulns, [
    { title: 'CVE', cell: ({ cve_id }) => cve_id },
    { title: 'severity', cell: ({ severity }) => severity },
    { title: 'CVSS', cell: ({ cvss_v3 }) => cvss_v3?.toFixed(1), align: 'right' },
  ]);
}

const threatReportView = defineView<typeof threatReport>('threat_report', (report) => ({
  title: report.ip,
  verdict: [
    threatStatement(report.threat_level),
    report.known_benign === null ? null : `known as ${report.known_benign.name}`,
  ],
  facts: {
    why: (report.threat_reasons ?? []).map((reason) => displayLine(reason, MAX_REASON_CHARS)),
    network:
      report.asn === null
        ? null
        : [`AS${report.asn.asn}`, report.asn.name, report.asn.prefix].filter(Boolean).join(', '),
    'open ports': report.enrichment?.ports?.join(', '),
    names: summarizeList(report.enrichment?.hostnames ?? []),
    AbuseIPDB: LIST_WORDS[report.abuseipdb?.status ?? ''] ?? scoreText(report.abuseipdb),
  },
  sections: [sourcesTable(report.sources), vulnerabilitiesTable(report.enrichment?.vulns ?? [])],
}));

const usernameView = defineView<typeof usernameLookup>('username_lookup', ({ results }) => ({
  sections: [
    table(
      null,
      results.toSorted((one, other) => order(one.status) - order(other.status)),
      [
        { title: 'platform', cell: ({ platform }) => platform },
        {
          title: 'name is',
          cell: ({ status }) => ({ found: 'taken', not_found: 'free', unknown: 'not known' })[status],
        },
        { title: 'address', cell: ({ url, status }) => (status === 'found' ? url : null) },
        { title: 'because', cell: ({ reason }) => reason },
      ],
    ),
  ],
}));

function order(status: 'found' | 'not_found' | 'unknown'): number {
  return ['found', 'not_found', 'unknown'].indexOf(status);
}

export const INDICATOR_VIEWS = [iocView, bulkIocView, hashView, phishingView, ipView, threatReportView, usernameView];
