import type { DatabaseSync } from 'node:sqlite';
import type { FeedFileLoader } from './feed-file-loader.ts';

/** Replaces the package URLs of all CPE products. */
export function createProductPurlsLoader(db: DatabaseSync): FeedFileLoader<'product_purls'> {
  db.exec('DELETE FROM product_purl');
  const insert = db.prepare('INSERT OR IGNORE INTO product_purl (purl, vendor, product) VALUES (?, ?, ?)');
  return {
    put(entries) {
      for (const { vendor, product, purls } of entries) for (const purl of purls) insert.run(purl, vendor, product);
    },
    finish: () => {},
  };
}
