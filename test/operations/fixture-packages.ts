import type { VexStatement } from '../../src/analysis/affected/vex-statement.ts';
import { createAffectedRange } from '../../src/analysis/packages/affected-range.ts';
import type { PackageAdvisoryEntry, ProductPurlsEntry } from '../../src/feeds/entries.ts';
import { IDS } from './fixture-facts.ts';

/** Of our own making: one advisory for each corner of a check of packages. Only npm, PyPI, Maven and Go are "synced". */
export const PACKAGE_ADVISORIES: readonly PackageAdvisoryEntry[] = [
  entry('npm', 'lodash', 'OSV-2025-1', {
    aliases: ['CVE-2024-90011', 'GHSA-9999-9999-9999'],
    severity: 'LOW',
    spans: [createAffectedRange({ end_excluding: '4.17.21', fixed: '4.17.21' })],
  }),
  entry('npm', 'lodash', 'OSV-2025-2', {
    title: 'Known by another id too',
    aliases: ['CVE-2024-90011'],
    spans: [createAffectedRange({ end_excluding: '4.17.22', fixed: '4.17.22' })],
  }),
  entry('npm', 'evil-left-pad', 'MAL-2025-7', { spans: [createAffectedRange({})] }),
  entry('npm', 'two-branches', 'OSV-2025-3', {
    severity: 'HIGH',
    spans: [
      createAffectedRange({ start_including: '1.0.0', end_excluding: '1.4.2', fixed: '1.4.2' }),
      createAffectedRange({ start_including: '2.0.0', end_including: '2.3.0' }),
    ],
    versions: ['3.0.0-odd'],
  }),
  entry('PyPI', 'Jinja2', 'PYSEC-2025-4', {
    severity: 'MEDIUM',
    spans: [createAffectedRange({ end_excluding: '2.7.3', fixed: '2.7.3' })],
  }),
  entry('PyPI', 'lodash', 'PYSEC-2025-5', { spans: [createAffectedRange({ end_excluding: '99', fixed: '99' })] }),
  entry('Go', 'github.com/Masterminds/goutils', 'OSV-2025-9', {
    spans: [createAffectedRange({ end_excluding: '1.1.1', fixed: '1.1.1' })],
  }),
  entry('npm', 'two-branches', 'OSV-2025-10', {
    title: 'Withdrawn Advisory: not a flaw',
    spans: [createAffectedRange({})],
  }),
  entry('Maven', 'example:log4j-core', 'OSV-2025-8', { spans: [createAffectedRange({ start_including: '99' })] }),
  entry('Maven', 'org.apache.logging.log4j:log4j-core', 'OSV-2025-6', {
    aliases: [IDS.log4shell],
    spans: [createAffectedRange({ start_including: '2.0-beta9', end_excluding: '2.15.0', fixed: '2.15.0' })],
  }),
];

function entry(
  ecosystem: string,
  name: string,
  id: string,
  of: Partial<PackageAdvisoryEntry['advisory']>,
): PackageAdvisoryEntry {
  const advisory = {
    id,
    source: 'osv' as const,
    aliases: [],
    title: `A flaw of ${name}`,
    severity: null,
    cvss_v3: null,
    published: '2025-02-01T00:00:00.000Z',
    spans: [],
    versions: [],
    ...of,
  };
  return { ecosystem, name, advisory };
}

/** Package URLs of two CPE products that are one: the vendor was renamed. */
export const PRODUCT_PURLS: readonly ProductPurlsEntry[] = [
  { vendor: 'nginx', product: 'nginx', purls: ['pkg:github/nginx/nginx'] },
  { vendor: 'f5', product: 'nginx', purls: ['pkg:github/nginx/nginx'] },
  {
    vendor: 'apache',
    product: 'log4j',
    purls: ['pkg:deb/debian/apache-log4j2', 'pkg:github/apache/logging-log4j2'],
  },
];

/** What makers say of Log4Shell in their products: one is affected, one is fixed, and ten do not have it. */
export const VEX_STATEMENTS: readonly VexStatement[] = [
  ...Array.from({ length: 10 }, (_, at) =>
    vexStatement({
      status: 'not_affected',
      justification: 'component_not_present',
      note: 'It is written in another language.',
      purl: `pkg:golang/example.com/tool-${at}`,
    }),
  ),
  vexStatement({
    source: 'csaf',
    document: 'ICSA-1',
    author: 'Acme',
    status: 'fixed',
    vendor: 'Acme',
    product: 'Kiln',
  }),
  vexStatement({
    source: 'csaf',
    document: 'ICSA-1',
    author: 'Acme',
    status: 'affected',
    vendor: 'Acme',
    product: 'Siren',
    affected: { ...createAffectedRange({}), versions: ['1', '2', '3', '4', '5'] },
    said_on: null,
  }),
];

function vexStatement(of: Partial<VexStatement> & Pick<VexStatement, 'status'>): VexStatement {
  return {
    cve_id: IDS.log4shell,
    source: 'vex',
    document: 'https://vex.example/1',
    author: 'The tool team',
    justification: null,
    note: null,
    purl: null,
    vendor: null,
    product: null,
    affected: null,
    said_on: '2021-12-20',
    ...of,
  };
}
