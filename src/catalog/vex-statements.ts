import type { DatabaseSync } from 'node:sqlite';
import { type VexStatement, type VexStatus, vexProductKey } from '../analysis/affected/vex-statement.ts';
import { cveKey } from '../analysis/cve/cve-id.ts';
import type { FeedFileLoader } from './loaders/feed-file-loader.ts';
import type { CatalogDatabase } from './catalog-database.ts';

/** Most statements that are read about one product: images of one vendor may have thousands. */
const MAX_STATEMENTS = 5000;

/** Counts of a CVE without statements. */
export const NO_VEX_STATEMENTS: Readonly<Record<VexStatus, number>> = {
  affected: 0,
  not_affected: 0,
  fixed: 0,
  under_investigation: 0,
};

/** Stores the statements of VEX feeds. The first entry of a source deletes its old ones. */
export function createVexLoader(db: DatabaseSync): FeedFileLoader<'vex'> {
  const insert = db.prepare('INSERT INTO vex_statement (cve, product, source, entry) VALUES (?, ?, ?, ?)');
  const clear = db.prepare('DELETE FROM vex_statement WHERE source = ?');
  const cleared = new Set<string>();
  return {
    put(entries) {
      for (const statement of entries) {
        const key = cveKey(statement.cve_id);
        if (key === null) continue;
        if (!cleared.has(statement.source)) clear.run(statement.source);
        cleared.add(statement.source);
        insert.run(key, vexProductKey(statement), statement.source, JSON.stringify(statement));
      }
    },
    finish: () => {},
  };
}

/** Which statements on a CVE: all, or those of one status; rows to skip and to return. */
export interface VexQuery {
  readonly status?: VexStatus | undefined;
  readonly limit: number;
  readonly offset: number;
}

const OF_CVE = "FROM vex_statement WHERE cve = ?1 AND (?2 IS NULL OR entry ->> 'status' = ?2)";

/** Reads VEX statements. */
export class VexReader {
  readonly #statusesOfCve;
  readonly #countOfCve;
  readonly #ofCve;
  readonly #byProduct;

  constructor(db: CatalogDatabase) {
    this.#statusesOfCve = db.prepare(
      "SELECT entry ->> 'status' AS status, count(DISTINCT product) AS count FROM vex_statement WHERE cve = ? GROUP BY 1",
    );
    this.#countOfCve = db.prepare(`SELECT count(*) AS total ${OF_CVE}`);
    this.#ofCve = db.prepare(
      `SELECT entry ${OF_CVE} ORDER BY CASE entry ->> 'status'
         WHEN 'affected' THEN 0 WHEN 'under_investigation' THEN 1 WHEN 'fixed' THEN 2 ELSE 3 END, product, id LIMIT ?3 OFFSET ?4`,
    );
    this.#byProduct = db.prepare('SELECT entry FROM vex_statement WHERE product = ? LIMIT ?');
  }

  /** Number of products for each status that statements give the CVE. */
  countByStatus(cveId: string): Record<VexStatus, number> {
    const counts = { ...NO_VEX_STATEMENTS };
    const key = cveKey(cveId);
    const rows = key === null ? [] : this.#statusesOfCve.all(key);
    for (const { status, count } of rows as { status: VexStatus; count: number }[]) counts[status] = count;
    return counts;
  }

  /** Statements on a CVE, those that say it is affected first, then by product. `total`: of all pages. */
  pageOfCve(cveId: string, { status, limit, offset }: VexQuery): { total: number; statements: VexStatement[] } {
    const key = cveKey(cveId);
    if (key === null) return { total: 0, statements: [] };
    const only = status ?? null;
    const { total } = this.#countOfCve.get(key, only) as { total: number };
    const rows = total === 0 ? [] : this.#ofCve.all(key, only, limit, offset);
    return { total, statements: (rows as { entry: string }[]).map(toStatement) };
  }

  /** All statements about a product. `product`: its key by `vexProductKey`. */
  listByProduct(product: string): VexStatement[] {
    const rows = this.#byProduct.all(product, MAX_STATEMENTS) as { entry: string }[];
    return rows.map(toStatement);
  }
}

/** Statements that were stored before days were read have none. */
function toStatement({ entry }: { entry: string }): VexStatement {
  const statement = JSON.parse(entry) as VexStatement;
  return { ...statement, said_on: statement.said_on ?? null };
}
