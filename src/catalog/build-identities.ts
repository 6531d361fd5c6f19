import type { DatabaseSync } from 'node:sqlite';
import { identifyProducts, type IdentitySources } from '../analysis/identity/identify-products.ts';
import { nameKey } from '../analysis/identity/names.ts';
import type { SupportedProduct } from '../analysis/support/find-support.ts';
import { AFFECTED_KINDS, POSTING_KINDS } from './postings.ts';
import { decodeTokens, TOKEN_KINDS } from './product-tokens.ts';

/** A CVE of more vendors of one product name is about a standard that each of them implements. */
const VENDORS_TOGETHER = 2;
/** Derives which CPE names denote one product, and the other names of products, at the end of a sync. */
export function buildIdentities(db: DatabaseSync): void {
  const { identityOf, aliases } = identifyProducts(readSources(db));
  db.exec('DELETE FROM product_identity; DELETE FROM product_alias');
  const insertPair = db.prepare('INSERT INTO product_identity (vendor, product, identity) VALUES (?, ?, ?)');
  for (const [pair, identity] of identityOf) {
    const colon = pair.indexOf(':');
    insertPair.run(pair.slice(0, colon), pair.slice(colon + 1), identity);
  }
  const insertAlias = db.prepare('INSERT INTO product_alias (alias, identity) VALUES (?, ?)');
  for (const [alias, identities] of aliases) for (const identity of identities) insertAlias.run(alias, identity);
}

function readSources(db: DatabaseSync): IdentitySources {
  const rows = <Row>(sql: string): Iterable<Row> => db.prepare(sql).iterate() as Iterable<unknown> as Iterable<Row>;
  const pairs = new Map<string, number>();
  const plainPairs = new Set<string>();
  for (const { pair, kind, count } of rows<{ pair: string; kind: number; count: number }>(
    `SELECT vendor || ':' || product AS pair, kind, length(cves) / 4 AS count FROM posting
     WHERE kind IN (${AFFECTED_KINDS.join(', ')}) ORDER BY kind DESC`,
  )) {
    pairs.set(pair, (pairs.get(pair) ?? 0) + count);
    if (kind === POSTING_KINDS.plainName) plainPairs.add(pair);
    else plainPairs.delete(pair);
  }
  return {
    pairs,
    plainPairs,
    purls: [...rows<{ purl: string; pair: string }>("SELECT purl, vendor || ':' || product AS pair FROM product_purl")],
    products: Array.from(
      rows<{ entry: string }>("SELECT entry FROM document WHERE catalog = 'endoflife_product'"),
      ({ entry }) => {
        const { product, label, aliases, cpes } = JSON.parse(entry) as SupportedProduct;
        return { names: [product, label, ...aliases], pairs: sameNameOnly(cpes) };
      },
    ),
    together: pairsTogether(db),
  };
}

/** Of identifiers of one product those of the first name: some publishers list the parts of a product, too. */
function sameNameOnly(cpes: readonly string[]): string[] {
  const keyOf = (pair: string): string => nameKey(pair.slice(pair.indexOf(':') + 1));
  return cpes.filter((pair) => keyOf(pair) === keyOf(cpes[0]!));
}

/** Pairs of vendors that the CPE names of one CVE have for one product name. Most rows have none: they are read without being taken apart. */
function pairsTogether(db: DatabaseSync): IdentitySources['together'] {
  const counts = new Map<string, number>();
  for (const row of db.prepare('SELECT tokens FROM record').iterate() as Iterable<unknown>) {
    const { tokens } = row as { tokens: string };
    if (!repeatsProduct(tokens)) continue;
    const affected = decodeTokens(tokens).filter(({ kind }) => kind === TOKEN_KINDS.affected);
    for (const same of Map.groupBy(affected, ({ product }) => product).values()) {
      if (same.length !== VENDORS_TOGETHER) continue;
      const pairs = same.map(({ vendor, product }) => `${vendor}:${product}`).sort();
      const key = pairs.join('\t');
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return [...counts].map(([key, count]) => {
    const [a = '', b = ''] = key.split('\t');
    return { a, b, count };
  });
}

/** Whether two lines of tokens end with one product. */
function repeatsProduct(tokens: string): boolean {
  const products = new Set<string>();
  for (let start = 0; start < tokens.length; ) {
    const newline = tokens.indexOf('\n', start);
    const end = newline === -1 ? tokens.length : newline;
    const product = tokens.slice(tokens.lastIndexOf('\t', end - 1) + 1, end);
    if (products.has(product)) return true;
    products.add(product);
    start = end + 1;
  }
  return false;
}
