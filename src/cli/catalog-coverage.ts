import { formatNumber } from '../engine/summary.ts';
import { COVERAGE_FIELDS, type CoverageCounts, coverageShares, type MonthCoverage } from '../analysis/cve/coverage.ts';
import { Catalog } from '../catalog/catalog.ts';
import { readCurrentGeneration } from '../catalog/generation.ts';
import { catalogFolderOf } from '../server/runner-deps.ts';
import { CliError } from '../exit-codes.ts';
import { NO_CATALOG_MESSAGE } from './catalog-info.ts';
import { loadConfig } from './load-config.ts';
import { printOutput } from './output.ts';
import { renderTable } from './table.ts';

/** The table shows the newest months; `--json` has all. */
const SHOWN_MONTHS = 24;

/** `sextant catalog info --coverage`. */
export function printCoverage(json: boolean): void {
  const folder = catalogFolderOf(loadConfig());
  const generation = readCurrentGeneration(folder);
  if (generation === null) throw new CliError('not_found', NO_CATALOG_MESSAGE);
  const catalog = new Catalog(folder, generation);
  try {
    const months = catalog.coverage();
    const coverage = months.map(({ month, all, sources }) => ({
      month,
      all: coverageShares(all),
      sources: Object.fromEntries(Object.entries(sources).map(([source, counts]) => [source, coverageShares(counts)])),
    }));
    printOutput(json, { coverage }, (width) => coverageLines(months.slice(-SHOWN_MONTHS), width));
  } finally {
    catalog.close();
  }
}

/** One row a month, then one for each source. */
function coverageLines(months: readonly MonthCoverage[], width: number): string[] {
  const columns = [
    { title: 'month' },
    { title: 'source' },
    { title: 'CVEs', align: 'right' as const },
    ...COVERAGE_FIELDS.map((title) => ({ title, align: 'right' as const })),
  ];
  const rows = months.flatMap(({ month, all, sources }) => [
    [month, 'all', ...cells(all)],
    ...Object.entries(sources).map(([source, counts]) => ['', source, ...cells(counts)]),
  ]);
  return renderTable(columns, rows, width);
}

function cells(counts: CoverageCounts): string[] {
  const shares = coverageShares(counts);
  return [formatNumber(counts.cves), ...COVERAGE_FIELDS.map((field) => `${(shares[field] * 100).toFixed(1)} %`)];
}
