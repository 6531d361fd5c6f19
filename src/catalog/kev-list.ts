import type { DatabaseSync } from 'node:sqlite';
import { normalizeCpeToken } from '../analysis/cve/cpe.ts';

export type KevSort = 'added_desc' | 'due_desc' | 'due_asc';

/** Vendor and product have the form of `normalizeCpeToken()`. */
export interface KevQuery {
  vendor?: string | undefined;
  product?: string | undefined;
  /** YYYY-MM-DD, inclusive. */
  addedSince?: string | undefined;
  sort: KevSort;
  limit: number;
  offset: number;
}

interface KevRow {
  key: number;
  added: string;
  due: string | null;
  vendor: string;
  product: string;
}

/** Lists the known-exploited catalog. */
export class KevReader {
  readonly #db: DatabaseSync;
  /** Newest addition first; read when it is first needed. */
  #rows: readonly KevRow[] | null = null;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** `cveKey()` of the page's rows. `named`: CVEs that name the vendor or product of the query, by their records. */
  page(query: KevQuery, named: ReadonlySet<number>): { total: number; keys: number[] } {
    this.#rows ??= readRows(this.#db);
    const rows = this.#rows.filter((row) => matches(row, query, named));
    if (query.sort !== 'added_desc') rows.sort((a, b) => compareDue(a.due, b.due, query.sort === 'due_asc' ? 1 : -1));
    return {
      total: rows.length,
      keys: rows.slice(query.offset, query.offset + query.limit).map(({ key }) => key),
    };
  }
}

function readRows(db: DatabaseSync): KevRow[] {
  const rows = db
    .prepare(
      `SELECT cve AS key, date_added AS added, entry ->> '$.due_date' AS due, entry ->> '$.vendor_project' AS vendor,
       entry ->> '$.product' AS product FROM kev ORDER BY date_added DESC, cve DESC`,
    )
    .all() as unknown as KevRow[];
  return rows.map((row) => ({
    ...row,
    vendor: normalizeCpeToken(row.vendor),
    product: normalizeCpeToken(row.product),
  }));
}

/** A product is meant by the name of the known-exploited catalog, or by one that a record of the CVE has. */
function matches(row: KevRow, { vendor, product, addedSince }: KevQuery, named: ReadonlySet<number>): boolean {
  if (addedSince !== undefined && row.added < addedSince) return false;
  if ((vendor === undefined || row.vendor === vendor) && (product === undefined || row.product === product))
    return true;
  return named.has(row.key);
}

/** Unknown dates come last. */
function compareDue(a: string | null, b: string | null, direction: 1 | -1): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a === b ? 0 : (a < b ? -1 : 1) * direction;
}
