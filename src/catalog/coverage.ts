import type { DatabaseSync } from 'node:sqlite';
import { COVERAGE_FIELDS, type CoverageField, type MonthCoverage } from '../analysis/cve/coverage.ts';
import { TOKEN_KINDS } from './product-tokens.ts';
import type { HeadFacts } from './record-codec.ts';

/** A line of `encodeTokens` for a vulnerable CPE row. */
const CPE_TOKEN = new RegExp(`^${TOKEN_KINDS.affected}\t`, 'm');

/** The fields that one record has, from its head and its stored tokens. */
export function coverageFieldsOf(
  { total_products, names_versions, metrics, weaknesses }: HeadFacts,
  tokens: string,
): CoverageField[] {
  const has: Record<CoverageField, boolean> = {
    products: total_products > 0,
    cpe: CPE_TOKEN.test(tokens),
    versions: names_versions,
    cvss: metrics.length > 0,
    cwe: weaknesses.length > 0,
  };
  return COVERAGE_FIELDS.filter((field) => has[field]);
}

export function saveCoverage(db: DatabaseSync, months: readonly MonthCoverage[]): void {
  db.exec('DELETE FROM coverage');
  const insert = db.prepare('INSERT INTO coverage (month, entry) VALUES (?, ?)');
  for (const month of months) insert.run(month.month, JSON.stringify(month));
}

/** Oldest month first. */
export function loadCoverage(db: Pick<DatabaseSync, 'prepare'>): MonthCoverage[] {
  const rows = db.prepare('SELECT entry FROM coverage ORDER BY month').all() as { entry: string }[];
  return rows.map(({ entry }) => JSON.parse(entry));
}
