import type { DatabaseSync } from 'node:sqlite';
import type { CveSeverity } from '../analysis/severity.ts';

/**
 * The columns that searches filter and sort by, one row for each CVE. Rows are sorted by publication, newest first: a row's
 * number (its ordinal) is its rank in the default order, and a range of dates is a range of ordinals.
 * They are read completely when the catalog is opened: nine megabytes for 240,000 CVEs.
 */
export interface CveColumns {
  readonly size: number;
  /** `cveKey()` of the CVE. */
  readonly key: Float64Array;
  /** Seconds since 1970; 0 if unknown (such rows come last). */
  readonly published: Uint32Array;
  /** A value of `SEVERITY_CODES`; 0 if unknown. */
  readonly severity: Uint8Array;
  /** CVSS v3 base score times 10, or NO_CVSS. */
  readonly cvss: Uint8Array;
  /** EPSS probability times EPSS_SCALE, or NO_EPSS. */
  readonly epss: Uint32Array;
  /** A combination of `FLAGS`. */
  readonly flags: Uint8Array;
  /** Ordinals sorted by EPSS and by CVSS, highest first, unknown last; equal ones by publication. */
  readonly byEpss: Uint32Array;
  readonly byCvss: Uint32Array;
}

export const NO_CVSS = 255;
export const NO_EPSS = 0xffffffff;
export const EPSS_SCALE = 100_000;
export const FLAGS = { kev: 1, rejected: 2, leading: 4 } as const;
export const SEVERITY_CODES: Record<CveSeverity, number> = { LOW: 1, MEDIUM: 2, HIGH: 3, CRITICAL: 4 };

const COLUMNS = {
  key: Float64Array,
  published: Uint32Array,
  severity: Uint8Array,
  cvss: Uint8Array,
  epss: Uint32Array,
  flags: Uint8Array,
  byEpss: Uint32Array,
  byCvss: Uint32Array,
} as const;

/** Columns of this many rows, filled with 0. */
export function allocateCveColumns(size: number): CveColumns {
  const columns = Object.entries(COLUMNS).map(([name, Column]) => [name, new Column(size)]);
  return { size, ...Object.fromEntries(columns) };
}

export function saveCveColumns(db: DatabaseSync, columns: CveColumns): void {
  const insert = db.prepare('INSERT OR REPLACE INTO facet (name, data) VALUES (?, ?)');
  for (const name of Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]) {
    const { buffer, byteOffset, byteLength } = columns[name];
    insert.run(name, new Uint8Array(buffer, byteOffset, byteLength));
  }
}

export function loadCveColumns(db: DatabaseSync): CveColumns {
  const rows = db.prepare('SELECT name, data FROM facet').all() as { name: string; data: Uint8Array }[];
  const data = new Map(rows.map((row) => [row.name, row.data]));
  const columns = Object.entries(COLUMNS).map(([name, Column]) => {
    const bytes = data.get(name) ?? new Uint8Array();
    // A copy, because the column's element size requires an aligned start.
    return [name, new Column(new Uint8Array(bytes).buffer)] as const;
  });
  const named = Object.fromEntries(columns) as unknown as Omit<CveColumns, 'size'>;
  return { size: named.key.length, ...named };
}
