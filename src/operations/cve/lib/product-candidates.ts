import { z } from 'zod';
import { normalizeCpeToken } from '../../../analysis/cve/cpe.ts';
import { productName } from '../../../analysis/cve/product-name.ts';
import { ecosystemOfWord, findEcosystem } from '../../../analysis/packages/ecosystems.ts';
import { packageLabel } from '../../../analysis/packages/package-ref.ts';
import type { CatalogView } from '../../../catalog/catalog-view.ts';
import type { ProductName } from '../../../catalog/identities.ts';
import { editDistance } from '../../../engine/input/did-you-mean.ts';
import { ForeignText } from '../../../engine/foreign-text.ts';
import { formatCount } from '../../../engine/summary.ts';

/** What words may name: a product as CVEs name it, or a package of a registry. */
export interface ProductCandidate {
  /** Null: of a package. */
  vendor: string | null;
  product: string;
  /** Of a package, by its name in OSV; null for others. */
  ecosystem: string | null;
  /** CVEs that name the product under any of its names; advisories of a package. */
  cves: number;
  known_exploited: number;
}

/** All that words may name, and which of it they mean. */
export interface ProductMeaning {
  /** Likeliest first. */
  candidates: ProductCandidate[];
  /** The candidate that is named far more than the others; null: none is, so it is a choice. */
  meant: ProductCandidate | null;
}

/** A candidate as it is in answers. */
export const CandidateField = z.object({
  vendor: ForeignText.nullable().meta({ description: 'CPE vendor; null: it is a package.' }),
  product: ForeignText,
  ecosystem: ForeignText.nullable().meta({ description: 'Registry of a package, by its name in OSV.' }),
  cves: z.number().int().meta({ description: 'CVEs that name it; of a package its advisories.' }),
  known_exploited: z.number().int(),
});

/** `nodejs node.js`, `npm express` */
export function candidateName({ vendor, product, ecosystem }: ProductCandidate): string {
  return vendor === null ? `${ecosystem} ${product}` : productName({ vendor, product });
}

/** `nodejs node.js (126 CVEs), ovirt node (4 CVEs)` */
export function describeCandidates(candidates: readonly ProductCandidate[]): string {
  return candidates
    .slice(0, MAX_DESCRIBED)
    .map((one) => `${candidateName(one)} (${formatCount(one.cves, one.vendor === null ? 'advisory' : 'CVE')})`)
    .join(', ');
}

const MAX_DESCRIBED = 5;
const MAX_CANDIDATES = 8;
/** Names of each way to find some that are counted. */
const MAX_COUNTED = 6;
/** So many times more must the first be named than the second. */
const DOMINANCE = 3;
/** A known-exploited CVE says as much for a product as ten others. */
const EXPLOITED_WEIGHT = 10;
/** How near the words are to a name: vendor and product, the product's whole name or another name of it, its beginning, or its vendor. */
const NEARNESS = { vendorAndProduct: 5, name: 3, vendor: 1, beginning: 0.5 } as const;
/** Products of one vendor that are counted. */
const MAX_OF_VENDOR = 200;
const MIN_NAME_LENGTH = 2;

type Catalog = Pick<
  CatalogView,
  | 'packagesNamed'
  | 'productNamesStartingWith'
  | 'productsCalled'
  | 'productsNamed'
  | 'productsOfPurl'
  | 'productsOfVendor'
  | 'sameProduct'
  | 'search'
  | 'supportedProducts'
>;

/**
 * What words without a version may name, ranked by how much the catalog names it: CVEs, known-exploited ones, and how near the words are to
 * its name. A rare namesake (`ovirt node`) goes after what endoflife.date and other names call so (`nodejs node.js`).
 */
export function findMeaning(words: string, catalog: Catalog): ProductMeaning {
  const scored = new Map<string, ProductCandidate & { score: number }>();
  const add = (candidate: ProductCandidate, nearness: number): void => {
    const score = (candidate.cves + EXPLOITED_WEIGHT * candidate.known_exploited) * nearness;
    const key = keyOf(candidate, catalog);
    if (score > (scored.get(key)?.score ?? 0)) scored.set(key, { ...candidate, score });
  };
  for (const [name, nearness] of namesOf(words, catalog)) {
    const counted = countProduct(name, catalog);
    if (counted !== null) add(counted, nearness);
  }
  for (const one of packagesOf(words, catalog)) add(one, NEARNESS.name);
  const ranked = [...scored.values()].sort((a, b) => b.score - a.score);
  const [first, second] = ranked;
  const isClear = first !== undefined && (second === undefined || first.score >= DOMINANCE * second.score);
  const candidates = ranked.slice(0, MAX_CANDIDATES).map(({ score: _, ...candidate }) => candidate);
  return { candidates, meant: isClear ? candidates[0]! : null };
}

/** The same for all names of one product. */
function keyOf({ vendor, product, ecosystem }: ProductCandidate, catalog: Catalog): string {
  if (vendor === null) return `${ecosystem} ${product}`;
  const names = catalog.sameProduct({ vendor, product }).map((one) => `${one.vendor}:${one.product}`);
  return names.reduce((a, b) => (a < b ? a : b));
}

/** Main names of products that the words may name, each with how near they are to it; one may come several times. */
function namesOf(words: string, catalog: Catalog): [ProductName, number][] {
  const token = normalizeCpeToken(words);
  if (token.length < MIN_NAME_LENGTH) return [];
  const spellings = [...new Set([token, token.replaceAll('-', '_'), token.replaceAll('_', '-')])];
  const found: [ProductName, number][] = [];
  const add = (names: readonly ProductName[], nearness: number): void => {
    for (const name of names) found.push([name, nearness]);
  };
  // The name that endoflife.date gives a product is the one that is shown.
  add(
    spellings.flatMap((one) => catalog.supportedProducts('name', one).flatMap(({ cpes }) => cpes.map(readPair))),
    NEARNESS.name,
  );
  add(
    spellings.flatMap((one) => catalog.productsNamed(one)),
    NEARNESS.name,
  );
  add(catalog.productsCalled(words), NEARNESS.name);
  for (const [vendor, product] of splits(token)) {
    const ofVendor = catalog.productsOfVendor(vendor);
    add(
      ofVendor.filter((name) => catalog.sameProduct(name).some((one) => one.product === product)),
      NEARNESS.vendorAndProduct,
    );
    add(
      ofVendor.filter((name) => isBeginningOf(product, name.product)),
      NEARNESS.beginning,
    );
  }
  add(largest(catalog.productsOfVendor(token), catalog), NEARNESS.vendor);
  const continuing = catalog
    .productNamesStartingWith(token)
    .filter(({ product }) => product !== token && isBeginningOf(token, product))
    .sort((a, b) => b.cves - a.cves)
    .slice(0, MAX_COUNTED);
  add(
    continuing.flatMap(({ product }) => catalog.productsNamed(product)),
    NEARNESS.beginning,
  );
  return found;
}

/** The products of a vendor with most CVEs. */
function largest(names: readonly ProductName[], catalog: Catalog): ProductName[] {
  return names
    .slice(0, MAX_OF_VENDOR)
    .map((name) => ({ name, cves: countCves([name], catalog) }))
    .sort((a, b) => b.cves - a.cves)
    .slice(0, MAX_COUNTED)
    .map(({ name }) => name);
}

/** `citrix_netscaler`: the vendor citrix, and netscaler. */
function splits(token: string): [vendor: string, product: string][] {
  const words = token.split('_');
  return words.slice(1).map((_, at) => [words.slice(0, at + 1).join('_'), words.slice(at + 1).join('_')]);
}

function isBeginningOf(start: string, name: string): boolean {
  return name.length > start.length && name.startsWith(start) && /[_.-]/.test(name.charAt(start.length));
}

/** The product by its name with a vendor and most CVEs; null where none has a vendor, or no CVE names it. */
function countProduct(name: ProductName, catalog: Catalog): ProductCandidate | null {
  const names = catalog.sameProduct(name);
  const cves = countCves(names, catalog);
  const withVendor = names.filter(({ vendor }) => vendor !== '');
  if (cves === 0 || withVendor.length === 0) return null;
  const shown =
    withVendor.length === 1 || name.vendor !== ''
      ? (withVendor.find((one) => one.vendor === name.vendor && one.product === name.product) ?? withVendor[0]!)
      : largest(withVendor, catalog)[0]!;
  const known_exploited = catalog.search({
    productNames: names,
    kev: true,
    sort: 'published_desc',
    limit: 0,
    offset: 0,
  });
  return { ...shown, ecosystem: null, cves, known_exploited: known_exploited.total };
}

function countCves(productNames: readonly ProductName[], catalog: Catalog): number {
  return catalog.search({ productNames: [...productNames], sort: 'published_desc', limit: 0, offset: 0 }).total;
}

/** Packages with advisories of this name, but for those that are one of the products of this name; `protobuf python` names the registry. */
function packagesOf(words: string, catalog: Catalog): ProductCandidate[] {
  const texts = words.trim().split(/\s+/);
  const [name, ecosystem] = splitEcosystem(texts);
  if (name === null) return [];
  const packages = catalog.packagesNamed(name).filter((one) => ecosystem === null || one.ecosystem === ecosystem);
  const isOfProduct = (one: { ecosystem: string; name: string }): boolean => {
    const purl = packageLabel({ name: one.name, version: '', ecosystem: one.ecosystem }).toLowerCase();
    const plain = { vendor: '', product: normalizeCpeToken(one.name) };
    return [...catalog.sameProduct(plain), ...catalog.productsOfPurl(purl)].some(({ vendor }) => vendor !== '');
  };
  return packages
    .filter((one) => ecosystem !== null || !isOfProduct(one))
    .map((one) => ({
      vendor: null,
      product: one.name,
      ecosystem: one.ecosystem,
      cves: one.advisories,
      known_exploited: 0,
    }));
}

/** One word, or two of which one is a registry or its language. */
function splitEcosystem(words: readonly string[]): [name: string | null, ecosystem: string | null] {
  const [first, second, ...others] = words;
  if (first === undefined || others.length > 0) return [null, null];
  if (second === undefined) return [first, null];
  for (const [word, name] of [
    [second, first],
    [first, second],
  ] as const) {
    const ecosystem = findEcosystem(word)?.name ?? ecosystemOfWord(word) ?? null;
    if (ecosystem !== null) return [name, ecosystem];
  }
  return [null, null];
}

const MAX_NEAREST = 5;
/** Typing errors in one name; an exchange of two letters counts as two. */
const MAX_DISTANCE = 2;
const MIN_SHARED = 4;
const MAX_COMPARED_LENGTH = 40;

/** Names of products that are spelled like one that no CVE has (`opensll`), the nearest first; else those with the longest same beginning. */
export function nearestProducts(words: string, catalog: Catalog): string[] {
  const token = normalizeCpeToken(words).slice(0, MAX_COMPARED_LENGTH);
  if (token.length <= MIN_NAME_LENGTH) return [];
  const reach = token.length < 5 ? 1 : MAX_DISTANCE;
  const near = catalog
    .productNamesStartingWith(token.charAt(0))
    .filter(({ product }) => Math.abs(product.length - token.length) <= reach)
    .map(({ product, cves }) => ({ product, cves, distance: editDistance(token, product) }))
    .filter(({ distance }) => distance > 0 && distance <= reach)
    .sort((a, b) => b.cves / 10 ** b.distance - a.cves / 10 ** a.distance);
  if (near.length > 0) return near.slice(0, MAX_NEAREST).map(({ product }) => product);
  const sharing = new Set<string>();
  for (let length = token.length - 1; length >= MIN_SHARED && sharing.size < MAX_NEAREST; length--) {
    const names = catalog.productNamesStartingWith(token.slice(0, length)).sort((a, b) => b.cves - a.cves);
    for (const { product } of names) if (!product.includes(':') && sharing.size < MAX_NEAREST) sharing.add(product);
  }
  return [...sharing];
}

function readPair(pair: string): ProductName {
  const colon = pair.indexOf(':');
  return { vendor: pair.slice(0, colon), product: pair.slice(colon + 1) };
}
