import type { DatabaseSync } from 'node:sqlite';
import { type VexStatement, vexProductKey } from '../analysis/affected/vex-statement.ts';
import { cveKey } from '../analysis/cve/cve-id.ts';
import type { FeedFileLoader } from './loaders/feed-file-loader.ts';
import type { CatalogDatabase } from './catalog-database.ts';

/** Most statements that are read about one CVE or one product: images of one vendor may have thousands. */
const MAX_STATEMENTS = 5000;

/** Stores the statements of VEX feeds. The first entry of a source deletes its old ones. */
export function vexLoader(db: DatabaseSync): FeedFileLoader<'vex'> {
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

/** Reads what makers of products say of CVEs in them. */
export class VexReader {
  readonly #byCve;
  readonly #byProduct;

  constructor(db: CatalogDatabase) {
    this.#byCve = db.prepare('SELECT entry FROM vex_statement WHERE cve = ? LIMIT ?');
    this.#byProduct = db.prepare('SELECT entry FROM vex_statement WHERE product = ? LIMIT ?');
  }

  ofCve(cveId: string): VexStatement[] {
    const key = cveKey(cveId);
    return key === null ? [] : parseRows(this.#byCve.all(key, MAX_STATEMENTS));
  }

  /** `product` as `vexProductKey` writes it. */
  ofProduct(product: string): VexStatement[] {
    return parseRows(this.#byProduct.all(product, MAX_STATEMENTS));
  }
}

function parseRows(rows: unknown[]): VexStatement[] {
  return (rows as { entry: string }[]).map(({ entry }) => JSON.parse(entry) as VexStatement);
}
