import type { DatabaseSync } from 'node:sqlite';
import type { MonthCoverage } from '../analysis/cve/coverage.ts';

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
