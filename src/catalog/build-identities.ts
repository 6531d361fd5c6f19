import type { DatabaseSync } from 'node:sqlite';
import { identifyProducts, type IdentitySources } from '../analysis/identity/identify-products.ts';
import { nameKey } from '../analysis/identity/names.ts';
import { namesakesIn, twoOf } from '../analysis/identity/namesakes.ts';
import { type ProductPair, vendorOf } from '../analysis/identity/product-pair.ts';
import type { SupportedProduct } from '../analysis/support/find-support.ts';
import { AFFECTED_KINDS, POSTING_KINDS, union } from './postings.ts';

/** A CVE of more vendors of one product name is about a standard that each of them implements. */
const VENDORS_TOGETHER = 2;
/** Targets whose extensions and packages are products of their own. The others are systems that one product is built for several of. */
const HOSTS: ReadonlySet<string> = new Set(
  'wordpress drupal joomla! joomla typo3 prestashop mediawiki moodle mybb opencart craft_cms jira confluence jenkins visual_studio_code pivotal_cloud_foundry node.js ruby rust python pypi go perl java .net'.split(
    ' ',
  ),
);

interface Target {
  name: string;
  cves: Uint32Array;
}

interface Postings {
  /** Ordinals of the CVEs of each pair. */
  affected: ReadonlyMap<ProductPair, Uint32Array>;
  /** By vendor. */
  targets: ReadonlyMap<string, readonly Target[]>;
  plainPairs: ReadonlySet<ProductPair>;
}

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
  const postings = readPostings(db);
  return {
    pairs: new Map(Array.from(postings.affected, ([pair, cves]) => [pair, cves.length])),
    plainPairs: postings.plainPairs,
    purls: [...rows<{ purl: string; pair: string }>("SELECT purl, vendor || ':' || product AS pair FROM product_purl")],
    products: Array.from(
      rows<{ entry: string }>("SELECT entry FROM document WHERE catalog = 'endoflife_product'"),
      ({ entry }) => {
        const { product, label, aliases, cpes } = JSON.parse(entry) as SupportedProduct;
        return { names: [product, label, ...aliases], pairs: sameNameOnly(cpes) };
      },
    ),
    hosts: readHosts(postings),
    together: readTogether(postings),
  };
}

function readPostings(db: DatabaseSync): Postings {
  const affected = new Map<ProductPair, Uint32Array>();
  const targets = new Map<string, Target[]>();
  const plainPairs = new Set<ProductPair>();
  const kinds = [...AFFECTED_KINDS, POSTING_KINDS.targetSoftware];
  const rows = db
    .prepare(`SELECT kind, vendor, product, cves FROM posting WHERE kind IN (${kinds.join(', ')}) ORDER BY kind DESC`)
    .iterate() as Iterable<unknown> as Iterable<{ kind: number; vendor: string; product: string; cves: Uint8Array }>;
  for (const { kind, vendor, product, cves: bytes } of rows) {
    // Numbers of CVEs, in whatever order.
    const cves = new Uint32Array(new Uint8Array(bytes).buffer);
    if (kind === POSTING_KINDS.targetSoftware) {
      targets.set(vendor, [...(targets.get(vendor) ?? []), { name: product, cves }]);
      continue;
    }
    const pair = `${vendor}:${product}`;
    const others = affected.get(pair);
    affected.set(pair, others === undefined ? cves : union([others, cves]));
    if (kind === POSTING_KINDS.plainName) plainPairs.add(pair);
    else plainPairs.delete(pair);
  }
  return { affected, targets, plainPairs };
}

/** Of identifiers of one product those of the first name: some publishers list the parts of a product, too. */
function sameNameOnly(cpes: readonly string[]): string[] {
  const keyOf = (pair: string): string => nameKey(pair.slice(pair.indexOf(':') + 1));
  return cpes.filter((pair) => keyOf(pair) === keyOf(cpes[0]!));
}

/** Pairs of one product name that one CVE has, unless more vendors have the name there. */
function readTogether({ affected }: Postings): IdentitySources['together'] {
  const counts = new Map<string, number>();
  for (const same of namesakesIn(affected.keys(), false).values()) {
    const ofCve = new Map<number, ProductPair[]>();
    for (const pair of same) {
      for (const cve of affected.get(pair)!) ofCve.set(cve, [...(ofCve.get(cve) ?? []), pair]);
    }
    for (const pairs of ofCve.values()) {
      const vendors = new Set(pairs.map(vendorOf).filter((vendor) => vendor !== ''));
      if (pairs.length < 2 || vendors.size > VENDORS_TOGETHER) continue;
      for (const two of twoOf(pairs.sort())) counts.set(two.join('\t'), (counts.get(two.join('\t')) ?? 0) + 1);
    }
  }
  return [...counts].map(([key, count]) => {
    const [a = '', b = ''] = key.split('\t');
    return { a, b, count };
  });
}

function readHosts(postings: Postings): IdentitySources['hosts'] {
  const hosts = new Map<ProductPair, string>();
  for (const pair of postings.affected.keys()) {
    const host = hostOf(pair, postings);
    if (host !== null) hosts.set(pair, host);
  }
  return hosts;
}

/** The host that more than half of the CVEs name as target software of the vendor's products. */
function hostOf(pair: ProductPair, { affected, targets }: Postings): string | null {
  const vendor = vendorOf(pair);
  // Its plugins are called as the products that they connect to, and not all rows name their target.
  if (vendor === 'jenkins') return pair === 'jenkins:jenkins' ? null : vendor;
  const ofVendor = (targets.get(vendor) ?? []).filter(({ name }) => HOSTS.has(name));
  if (ofVendor.length === 0) return null;
  const cves = new Set(affected.get(pair));
  const host = ofVendor.find(({ cves: ofTarget }) => ofTarget.filter((cve) => cves.has(cve)).length * 2 > cves.size);
  return host?.name ?? null;
}
