import type { CveFacts, CvssAssessment, CveProduct, CveReference } from '../../src/analysis/cve/cve-facts.ts';
import type { AdvisoryEntry, EpssEntry, ExploitEntry, KevEntry, WeaknessEntry } from '../../src/feeds/entries.ts';

/** The moment at which the fixture is asked, and an hour before, when it was "synced". */
export const NOW = new Date('2026-01-15T12:00:00Z');
export const SYNCED_AT = '2026-01-15T11:00:00.000Z';

/** One CVE for each corner of the contract. Numbers from 90001 on are ours; the famous ones are what examples ask for. */
export const IDS = {
  log4shell: 'CVE-2021-44228',
  heartbleed: 'CVE-2014-0160',
  eternalBlue: 'CVE-2017-0144',
  v2Only: 'CVE-2005-90001',
  v4Only: 'CVE-2025-90002',
  cnaOnly: 'CVE-2025-90003',
  rejected: 'CVE-2023-90004',
  kevOnly: 'CVE-2022-90005',
  epssOnly: 'CVE-2025-90006',
  withdrawnAdvisory: 'CVE-2023-90007',
  awaitingAnalysis: 'CVE-2026-90008',
  noScore: 'CVE-2024-90009',
  plugin: 'CVE-2024-90010',
  twoVendors: 'CVE-2024-90011',
  exploitOnly: 'CVE-2019-90012',
  dayEdges: ['CVE-2024-90013', 'CVE-2024-90014', 'CVE-2024-90015'],
  wordy: 'CVE-2024-90016',
  unknown: 'CVE-2024-99999',
} as const;

const CRITICAL = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H';

export function metric(of: Partial<CvssAssessment> & Pick<CvssAssessment, 'vector' | 'base_score'>): CvssAssessment {
  return { version: '3.1', base_severity: null, scorer: 'nvd@nist.gov', primary: true, ...of };
}

export function product(cpe: string, of: Partial<CveProduct> = {}): CveProduct {
  const range = { start_including: null, start_excluding: null, end_including: null, end_excluding: null };
  return { cpe, vendor: null, product: null, version: null, ecosystem: null, vulnerable: true, ...range, ...of };
}

export function references(count: number, at: string, of: Partial<CveReference> = {}): CveReference[] {
  return Array.from({ length: count }, (_, index) => ({ url: `${at}/${index + 1}`, tags: [], source: null, ...of }));
}

export function facts(of: Partial<CveFacts> & Pick<CveFacts, 'cve_id'>): CveFacts {
  return {
    source: 'nvd',
    status: 'Analyzed',
    rejected: false,
    published: '2024-03-01T10:00:00.000Z',
    modified: '2024-03-02T10:00:00.000Z',
    title: null,
    description: `A flaw of our own making, known as ${of.cve_id}.`,
    assigner: null,
    tags: [],
    metrics: [],
    ssvc: null,
    weaknesses: [],
    references: [],
    products: [],
    configurations: [],
    ...of,
  };
}

const cpe = (vendor: string, name: string, rest = '*:*:*:*:*:*:*:*', part = 'a') =>
  `cpe:2.3:${part}:${vendor}:${name}:${rest}`;

export const CVES: readonly CveFacts[] = [
  facts({
    cve_id: IDS.log4shell,
    published: '2021-12-10T10:15:09.143Z',
    description: 'A logging library looks up names that a message tells it to, and runs what it gets.',
    metrics: [
      metric({ vector: CRITICAL, base_score: 10, base_severity: 'CRITICAL' }),
      metric({ version: '2.0', vector: 'AV:N/AC:M/Au:N/C:C/I:C/A:C', base_score: 9.3, base_severity: 'HIGH' }),
    ],
    weaknesses: [
      { cwe_id: 'CWE-79', source: 'nvd@nist.gov' },
      { cwe_id: 'CWE-89', source: 'nvd@nist.gov' },
    ],
    references: [
      ...references(24, 'https://advice.example/log4shell'),
      { url: 'https://vendor.example/fixed', tags: ['Patch', 'Vendor Advisory'], source: 'nvd@nist.gov' },
      { url: 'https://poc.example/shell', tags: ['Exploit'], source: 'nvd@nist.gov' },
      ...references(4, 'https://late.example/log4shell'),
    ],
    products: [
      product(cpe('apache', 'log4j'), { start_including: '2.0', end_excluding: '2.15.0' }),
      ...Array.from({ length: 24 }, (_, index) => product(cpe('cisco', `appliance_${index + 1}`))),
    ],
  }),
  facts({
    cve_id: IDS.log4shell,
    source: 'cvelist',
    status: 'PUBLISHED',
    published: '2021-12-10T00:00:00.000Z',
    title: 'Names in messages are looked up',
    metrics: [metric({ vector: CRITICAL, base_score: 10, scorer: 'apache', primary: true })],
    references: references(2, 'https://cna.example/log4shell'),
  }),
  facts({
    cve_id: IDS.heartbleed,
    published: '2014-04-07T22:55:03.893Z',
    metrics: [
      metric({ vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N', base_score: 7.5, base_severity: 'HIGH' }),
      metric({
        vector: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N',
        base_score: 3.7,
        base_severity: 'LOW',
        scorer: 'CISA-ADP',
        primary: false,
      }),
    ],
    weaknesses: [{ cwe_id: 'CWE-79', source: 'nvd@nist.gov' }],
    products: [product(cpe('openssl', 'openssl', '1.0.1:*:*:*:*:*:*:*'))],
  }),
  facts({
    cve_id: IDS.eternalBlue,
    published: '2017-03-17T00:59:00.000Z',
    metrics: [
      metric({ vector: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H', base_score: 8.8, base_severity: 'HIGH' }),
    ],
    products: [product(cpe('microsoft', 'windows_10', '*:*:*:*:*:*:*:*', 'o'))],
  }),
  facts({
    cve_id: IDS.v2Only,
    published: '2005-05-02T04:00:00.000Z',
    metrics: [metric({ version: '2.0', vector: 'AV:N/AC:L/Au:N/C:P/I:P/A:P', base_score: 7.5, base_severity: 'HIGH' })],
  }),
  facts({
    cve_id: IDS.v4Only,
    published: '2025-06-01T08:00:00.000Z',
    metrics: [
      metric({
        version: '4.0',
        vector: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
        base_score: 9.3,
        base_severity: 'CRITICAL',
        scorer: 'vendor@acme.example',
      }),
    ],
  }),
  facts({
    cve_id: IDS.cnaOnly,
    source: 'cvelist',
    status: 'PUBLISHED',
    published: '2025-12-30T08:00:00.000Z',
    metrics: [
      metric({
        vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
        base_score: 6.1,
        base_severity: 'MEDIUM',
        scorer: 'acme',
      }),
    ],
    weaknesses: [{ cwe_id: 'CWE-79', source: 'acme' }],
    products: [{ ...product(''), cpe: null, vendor: 'Acme', product: 'Anvil Server' }],
  }),
  facts({ cve_id: IDS.rejected, status: 'Rejected', rejected: true, description: 'Rejected reason: not a flaw.' }),
  facts({
    cve_id: IDS.awaitingAnalysis,
    status: 'Awaiting Analysis',
    published: '2026-01-13T09:00:00.000Z',
    modified: '2026-01-13T09:00:00.000Z',
    products: [],
  }),
  facts({ cve_id: IDS.noScore, products: [product(cpe('acme', 'anvil'))] }),
  facts({
    cve_id: IDS.plugin,
    metrics: [metric({ vector: CRITICAL, base_score: 10, base_severity: 'CRITICAL' })],
    products: [
      product(cpe('acme', 'gallery', '*:*:*:*:*:wordpress:*:*')),
      product(cpe('linux', 'linux_kernel', '-:*:*:*:*:*:*:*', 'o'), { vulnerable: false }),
    ],
  }),
  facts({ cve_id: IDS.twoVendors, products: [product(cpe('acme', 'rocket')), product(cpe('bolt', 'anvil'))] }),
  ...(['2024-05-01T00:00:00.000Z', '2024-05-01T23:59:59.900Z', '2024-05-02T00:00:00.000Z'] as const).map(
    (published, index) =>
      facts({ cve_id: IDS.dayEdges[index]!, published, products: [product(cpe('acme', 'calendar'))] }),
  ),
  facts({
    cve_id: IDS.wordy,
    description: 'Long and winding. '.repeat(400),
    metrics: [
      metric({
        vector: CRITICAL,
        base_score: 10,
        base_severity: 'CRITICAL',
        scorer: `${'long-name-'.repeat(30)}@acme.example`,
      }),
    ],
  }),
];

const advisoryEntry = (ghsa_id: string, cve_id: string, of: Partial<CveFacts>): AdvisoryEntry => ({
  ghsa_id,
  cve_id,
  summary: 'A package of ours',
  severity: 'high',
  published: '2026-01-12T09:00:00.000Z',
  updated: '2026-01-12T09:00:00.000Z',
  withdrawn: of.rejected === true ? '2026-01-12T09:00:00.000Z' : null,
  url: `https://github.com/advisories/${ghsa_id}`,
  packages: [],
  facts: facts({ cve_id, source: 'ghsa', status: 'reviewed', published: '2026-01-12T09:00:00.000Z', ...of }),
});

export const ADVISORIES: readonly AdvisoryEntry[] = [
  advisoryEntry('GHSA-2222-3333-4444', IDS.awaitingAnalysis, {
    metrics: [
      metric({
        vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
        base_score: 9.8,
        scorer: 'github',
        primary: false,
      }),
    ],
    products: [{ ...product(''), cpe: null, product: 'left-anvil', ecosystem: 'npm' }],
  }),
  // Its CVE is known from other sources alone: it adds no record.
  {
    ...advisoryEntry('GHSA-jfh8-c2jp-5v3q', IDS.log4shell, {}),
    summary: 'Remote code injection in Log4j',
    severity: 'critical',
    packages: [
      {
        ecosystem: 'maven',
        name: 'org.apache.logging.log4j:log4j-core',
        vulnerable_range: '>= 2.13.0, < 2.15.0',
        first_patched: '2.15.0',
      },
    ],
    facts: null,
  },
  advisoryEntry('GHSA-5555-6666-7777', IDS.withdrawnAdvisory, { status: 'withdrawn', rejected: true }),
];

const kevEntry = (cve_id: string, of: Partial<KevEntry> = {}): KevEntry => ({
  cve_id,
  vendor_project: 'Acme',
  product: 'Anvil',
  vulnerability_name: 'Acme Anvil falls',
  date_added: '2022-05-04',
  due_date: '2022-05-25',
  required_action: 'Apply the update, or stop using the product.',
  short_description: 'The anvil falls when it is looked at.',
  known_ransomware_use: false,
  notes: null,
  cwes: [],
  ...of,
});

export const KEV: readonly KevEntry[] = [
  kevEntry(IDS.log4shell, {
    date_added: '2021-12-10',
    due_date: '2021-12-24',
    known_ransomware_use: true,
    required_action: 'Do all of it. '.repeat(60),
    cwes: ['CWE-79'],
  }),
  kevEntry(IDS.eternalBlue, { date_added: '2026-01-14', due_date: '2026-01-20' }),
  kevEntry(IDS.kevOnly, { cwes: ['CWE-89'], due_date: null }),
];

export const EPSS: readonly EpssEntry[] = [
  { cve_id: IDS.log4shell, score: 0.94358, percentile: 0.99957 },
  { cve_id: IDS.eternalBlue, score: 0.5, percentile: 0.98 },
  { cve_id: IDS.heartbleed, score: 0.00001, percentile: 0.01 },
  { cve_id: IDS.epssOnly, score: 0.25, percentile: 0.9 },
];
export const EPSS_DATE = '2026-01-15';
export const EPSS_MODEL = 'v2025.03.14';

const exploit = (edb_id: number, cve_ids: string[]): ExploitEntry => ({
  edb_id,
  cve_ids,
  title: `Anvil drop ${edb_id}`,
  date_published: '2021-12-14',
  author: 'somebody',
  type: 'remote',
  platform: 'java',
  verified: true,
});

export const EXPLOITS: readonly ExploitEntry[] = [
  exploit(50592, [IDS.log4shell]),
  exploit(50590, [IDS.log4shell, IDS.plugin]),
  exploit(42315, [IDS.eternalBlue]),
  exploit(40000, [IDS.exploitOnly]),
];

const weakness = (
  number: number,
  abstraction: string,
  parents: number[],
  of: Partial<WeaknessEntry> = {},
): WeaknessEntry => ({
  cwe_id: `CWE-${number}`,
  name: `Weakness number ${number}`,
  abstraction,
  status: 'Stable',
  description: `What goes wrong in number ${number}. ${'And on. '.repeat(80)}`,
  extended_description: 'The longer story.',
  mitigations: Array.from({ length: 5 }, (_, index) => ({
    phase: 'Implementation',
    strategy: null,
    description: `Do thing ${index + 1}.`,
    effectiveness: null,
  })),
  examples: Array.from({ length: 4 }, (_, index) => ({
    reference: `CVE-2020-${1000 + index}`,
    description: 'It did.',
    link: null,
  })),
  parents: parents.map((parent) => `CWE-${parent}`),
  in_view_1000: true,
  ...of,
});

/** 79 has two parents whose lines meet again at 707. */
export const WEAKNESSES: readonly WeaknessEntry[] = [
  weakness(707, 'Pillar', []),
  weakness(74, 'Class', [707]),
  weakness(116, 'Class', [707]),
  weakness(79, 'Base', [74, 116]),
  weakness(80, 'Variant', [79]),
  weakness(89, 'Base', [74], { extended_description: null }),
  weakness(16, 'Category', [], { in_view_1000: false, status: 'Obsolete' }),
];
