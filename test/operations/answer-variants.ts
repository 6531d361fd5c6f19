import type { Operation } from '../../src/engine/operation.ts';
import { IDS } from './fixture-facts.ts';

/** Of the address that the lab's sources know. */
const LAB_HOST = '5.57.163.122';

/** Corners of the shapes that the examples do not show, by operation. */
const VARIANTS: Record<string, { title: string; input: Record<string, unknown> }[]> = {
  cve_lookup: [
    ...[
      IDS.v2Only,
      IDS.v4Only,
      IDS.cnaOnly,
      IDS.rejected,
      IDS.kevOnly,
      IDS.epssOnly,
      IDS.withdrawnAdvisory,
      IDS.noScore,
      IDS.wordy,
    ].map((cve_id) => ({ title: cve_id, input: { cve_id } })),
    {
      title: 'with its references',
      input: { cve_id: IDS.log4shell, include_reference_tags: true, include_severity_breakdown: true },
    },
  ],
  calculate_risk_score: [IDS.kevOnly, IDS.epssOnly, IDS.rejected].map((cve_id) => ({
    title: cve_id,
    input: { cve_id },
  })),
  kev_detail: [{ title: IDS.kevOnly, input: { cve_id: IDS.kevOnly } }],
  exploit_lookup: [{ title: IDS.exploitOnly, input: { cve_id: IDS.exploitOnly } }],
  bulk_cve_lookup: [
    { title: 'nothing', input: { cve_ids: [] } },
    { title: 'good and bad', input: { cve_ids: [IDS.wordy, IDS.unknown, 'x'] } },
  ],
  cve_search: [
    { title: 'everything in full', input: { include: 'full', include_rejected: true, limit: 200 } },
    { title: 'nothing', input: { product: 'nothing' } },
  ],
  cve_leading: [{ title: 'in full', input: { include: 'full' } }],
  cves_recent: [{ title: 'in full', input: { include: 'full', hours: 720 } }],
  cves_kev: [{ title: 'in full', input: { include: 'full' } }],
  check_headers: [
    {
      title: 'a long value',
      input: { headers: { 'content-security-policy': `default-src ${'https://a.example '.repeat(400)}` } },
    },
  ],
  bulk_sigma_rule_lookup: [{ title: 'a bad one', input: { rule_ids: ['x'] } }],
  bulk_atlas_technique_lookup: [{ title: 'a bad one', input: { technique_ids: ['x'] } }],
  bulk_ioc_lookup: [{ title: 'a bad one', input: { indicators: ['x y'] } }],
  domains_bulk: [{ title: 'good and bad', input: { domains: ['kept.lab', 'x'] } }],
  watch_create: [
    { title: 'a domain', input: { subject: { domain: 'example.com' } } },
    { title: 'an indicator', input: { subject: { indicator: LAB_HOST } } },
    { title: 'a search, by mail', input: { subject: { filters: { kev: true } }, channels: [{ to: 'a@example.com' }] } },
    {
      title: 'a CVE, signed',
      input: { subject: { cve_id: IDS.log4shell }, channels: [{ url: 'https://example.com/x' }] },
    },
  ],
  sigma_search: [{ title: 'with counts', input: { facets: true } }],
  ip_lookup: [{ title: 'a host with services', input: { ip: LAB_HOST } }],
  threat_report: [{ title: 'a host with services', input: { ip: LAB_HOST } }],
  ioc_lookup: ['malware.lab', 'http://malware.lab/bin/loader.exe'].map((indicator) => ({
    title: indicator,
    input: { indicator },
  })),
  threat_intel: [{ title: 'that spreads malware', input: { domain: 'malware.lab' } }],
  email_verify: [{ title: 'a mailbox', input: { email: 'someone@kept.lab' } }],
  epss_risers: [{ title: 'of a quarter', input: { days: 90, min_score: 0 } }],
  product_lookup: [{ title: 'by what it is called', input: { vendor: 'acme', product: 'siren' } }],
};

/** Domains of the lab: one well kept, one poor, one with known software. */
const DOMAINS = ['kept.lab', 'poor.lab', 'wordpress.lab'];
const BY_DOMAIN = new Set([
  'dns_lookup',
  'domain_report',
  'audit_domain',
  'tech_fingerprint',
  'domain_vulns',
  'email_mx',
  'email_security_posture',
  'threat_intel',
  'contrast_scan',
  'scan_headers',
]);

interface Variant {
  title: string;
  input: Record<string, unknown>;
}

/** Inputs of an operation beside its examples: its corners, each verbose form, and other domains of the lab. */
export function variantsOf({ id, input: { shape }, examples }: Operation): Variant[] {
  const verbose = Object.keys(shape).filter((name) => name.startsWith('include'));
  return [
    ...(VARIANTS[id] ?? []),
    ...examples.flatMap(({ title, input }) =>
      verbose.map((name) => ({
        title: `${title}, ${name}`,
        input: { ...input, [name]: name === 'include' ? 'full' : true },
      })),
    ),
    ...(BY_DOMAIN.has(id) ? DOMAINS.map((domain) => ({ title: domain, input: { domain } })) : []),
  ];
}
