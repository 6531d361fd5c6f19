import { SAME_PRODUCTS, TYPED_NAMES } from './known-identities.ts';
import { areVendorsRelated, nameKey, purlName, purlOwner, purlPackage, purlType } from './names.ts';
import { haveOneVendor, namesakesIn, type Namesakes, NameWords, succeedingVendors, twoOf } from './namesakes.ts';
import { PairGroups } from './pair-groups.ts';
import { productKeys, productOf, type ProductPair, vendorOf } from './product-pair.ts';

export interface IdentitySources {
  /** All pairs that CVEs name, with the number of those CVEs. */
  pairs: ReadonlyMap<ProductPair, number>;
  /** Those of `pairs` that no CPE name has, only plain names of CVE records. */
  plainPairs: ReadonlySet<ProductPair>;
  /** What pairs extend or are written for, by the target software of most of their CVEs: `wordpress`, `node.js`. */
  hosts: ReadonlyMap<ProductPair, string>;
  /** Package URLs of pairs. */
  purls: readonly { purl: string; pair: ProductPair }[];
  /** Names and pairs that one publisher holds for one product. */
  products: readonly { names: readonly string[]; pairs: readonly ProductPair[] }[];
  /** Pairs of one product name that occur in one CVE, and the number of those CVEs. */
  together: readonly { a: ProductPair; b: ProductPair; count: number }[];
}

export interface ProductIdentities {
  /** Only pairs that are not alone; the value is the pair of the group with most CVEs. */
  identityOf: Map<ProductPair, ProductPair>;
  /** What people type and registries say, as `nameKey`, to identities; names of pairs themselves are left out. */
  aliases: Map<string, Set<ProductPair>>;
}

/** Ecosystems whose advisories name packages without a vendor. */
const ADVISORY_TYPES = new Set(['npm', 'pypi', 'maven', 'golang', 'cargo', 'gem', 'composer', 'nuget']);
/** Product names that many vendors give to products of their own. */
const GENERIC_NAMES = new Set(
  'linux os firmware office browser client server agent gateway manager portal cms forum blog gallery calendar shop chat wiki guestbook mail webmail download search poll news file_manager project desktop framework core console connect router connector backup antivirus security unix kernel'
    .split(' ')
    .map(nameKey),
);
const MIN_NAME_LENGTH = 3;
/** Two vendors of one name in one CVE are one product if that is so in this part of the CVEs of the rarer one. */
const MIN_TOGETHER_SHARE = 0.5;
/** What one name may have more than the other, for one vendor and package. */
const NAME_SUFFIX = /^(?:cache|cms|engine|project|forum|software|opensource)$/;
const MAX_PAIRS_OF_PURL = 8;

/** A version at the end of a product name, with a dot or a year: `bind_9.1`, `outlook_2016`, `salt_2015`. */
const VERSION_AT_END = /_?v?(?:\d+(?:\.\d+)+(?:\.x)?|(?:199|20[0-3])\d)$/;
/** Names with a version are one product with the name without it if none has more than this part of its CVEs. */
const MAX_VERSION_SHARE = 0.2;

/**
 * Which CPE names denote one product. Pairs are joined where several sources agree: one product name and a common package, related
 * vendors, one publisher's list of identifiers, or the same CVEs; a name that only these two vendors use; and by a small table of
 * facts. A common name alone does not join two products.
 */
export function identifyProducts(sources: IdentitySources): ProductIdentities {
  const { pairs, hosts } = sources;
  const groups = new PairGroups();
  for (const known of SAME_PRODUCTS) groups.joinAll(known.pairs);
  for (const { pairs: ofProduct } of sources.products) groups.joinAll(ofProduct.filter((pair) => pairs.has(pair)));
  joinByPackage(sources, groups);
  const namesakes = namesakesIn(pairs.keys(), false);
  const words = new NameWords(pairs.keys());
  const succeeding = succeedingVendors(namesakes, pairs.keys(), words, (a, b) => hosts.get(a) === hosts.get(b));
  joinByVendor(sources, namesakesIn(pairs.keys(), true), succeeding, groups);
  joinByVendorInName(sources, groups);
  joinByOwner(sources.purls, namesakes, groups);
  joinByCve(sources, groups);
  joinWithoutVendor(sources, groups);
  joinVersions(pairs, groups);
  joinByOwnName(sources, namesakes, words, groups);
  const identityOf = groups.identities(pairs);
  return { identityOf, aliases: aliasesOf(sources, identityOf) };
}

/** A common package and one name; or a common package, related vendors, and a name with one more general word. */
function joinByPackage({ purls }: IdentitySources, groups: PairGroups): void {
  for (const rows of Map.groupBy(purls, ({ purl }) => purl).values()) {
    for (const [{ pair: a }, { pair: b }] of twoOf(rows)) {
      const [[keyA], [keyB]] = [productKeys(a), productKeys(b)];
      const isSuffix =
        rows.length <= MAX_PAIRS_OF_PURL &&
        (NAME_SUFFIX.test(restOf(keyA, keyB)) || restOf(keyA, keyB) === nameKey(vendorOf(a))) &&
        areVendorsRelated(vendorOf(a), vendorOf(b));
      if (keyA === keyB || isSuffix) groups.join(a, b);
    }
  }
}

/** What the longer of two names has before or after the shorter; empty if it does not contain it there. */
function restOf(a: string, b: string): string {
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
  if (shorter === '') return '';
  if (longer.startsWith(shorter)) return longer.slice(shorter.length);
  return longer.endsWith(shorter) ? longer.slice(0, -shorter.length) : '';
}

/** One name and related vendors: `phpbb_group:phpbb` and `phpbb:phpbb`; also one vendor's name with and without the vendor. */
function joinByVendor(
  sources: IdentitySources,
  namesakes: Namesakes,
  succeeding: ReadonlySet<string>,
  groups: PairGroups,
): void {
  for (const [key, same] of namesakes) {
    for (const [a, b] of twoOf(same)) {
      const isOne = GENERIC_NAMES.has(key)
        ? areVendorsRelated(vendorOf(a), vendorOf(b))
        : haveOneVendor(a, b, succeeding);
      if (isOne && !areForDifferentHosts(a, b, sources)) groups.join(a, b);
    }
  }
}

/** A name that begins with another vendor's, who has the rest: `ibm:lotus_domino` and `lotus:domino`, `broadcom:vmware_vcenter_server`. */
function joinByVendorInName({ pairs, hosts }: IdentitySources, groups: PairGroups): void {
  const keyOf = (vendor: string, product: string): string => `${nameKey(vendor)}:${nameKey(product)}`;
  const byKey = new Map(Array.from(pairs.keys(), (pair) => [keyOf(vendorOf(pair), productOf(pair)), pair]));
  for (const pair of pairs.keys()) {
    const words = vendorOf(pair) === '' ? [] : productOf(pair).split('_');
    for (let count = 1; count < words.length; count++) {
      const product = words.slice(count).join('_');
      const other = byKey.get(keyOf(words.slice(0, count).join('_'), product));
      if (other === undefined || product.length < MIN_NAME_LENGTH || GENERIC_NAMES.has(nameKey(product))) continue;
      if (vendorOf(other) !== '' && hosts.get(pair) === hosts.get(other)) groups.join(pair, other);
    }
  }
}

/** `vim_project:vim` extends Visual Studio Code, `vim:vim` nothing. A vendor that CPE made up, `..._project`, tells nothing against that. */
function areForDifferentHosts(a: ProductPair, b: ProductPair, { hosts, plainPairs }: IdentitySources): boolean {
  const [hostA, hostB] = [hosts.get(a), hosts.get(b)];
  const isOneVendor = nameKey(vendorOf(a)) === nameKey(vendorOf(b));
  if (isOneVendor || hostA === hostB || plainPairs.has(a) || plainPairs.has(b)) return false;
  const isMadeUp = [a, b].some((pair) => vendorOf(pair).endsWith('_project'));
  return isMadeUp || (hostA !== undefined && hostB !== undefined);
}

/** One name, and one's vendor is the owner of the other's repository: `wildfly:wildfly` and `redhat:wildfly`. */
function joinByOwner(purls: IdentitySources['purls'], namesakes: Namesakes, groups: PairGroups): void {
  for (const { purl, pair } of purls) {
    const owner = purlOwner(purl);
    const key = nameKey(productOf(pair));
    if (owner === null || nameKey(purlName(purl)) !== key) continue;
    for (const other of namesakes.get(key) ?? [])
      if (nameKey(vendorOf(other)) === nameKey(owner)) groups.join(pair, other);
  }
}

function joinByCve({ together, pairs }: IdentitySources, groups: PairGroups): void {
  for (const { a, b, count } of together) {
    if (GENERIC_NAMES.has(productKeys(a)[0]) || (vendorOf(a) === '' && vendorOf(b) === '')) continue;
    const rarer = Math.min(pairs.get(a) ?? 0, pairs.get(b) ?? 0);
    if (rarer > 0 && count / rarer >= MIN_TOGETHER_SHARE) groups.join(a, b);
  }
}

/** Names of packages in advisories, which have no vendor, join the one product that has the package. */
function joinWithoutVendor({ purls, pairs }: IdentitySources, groups: PairGroups): void {
  const owners = new Map<string, Set<ProductPair>>();
  for (const { purl, pair } of purls) {
    const name = purlPackage(purl);
    if (!ADVISORY_TYPES.has(purlType(purl)) || !pairs.has(`:${name}`)) continue;
    if (!productKeys(`:${name}`).includes(productKeys(pair)[0])) continue;
    owners.set(name, (owners.get(name) ?? new Set()).add(groups.rootOf(pair)));
  }
  for (const [name, roots] of owners) if (roots.size === 1) groups.join(`:${name}`, [...roots][0]!);
}

/** Names of one vendor that have a version at the end, where no such name has CVEs like a product: not `windows_2000`. */
function joinVersions(pairs: IdentitySources['pairs'], groups: PairGroups): void {
  const versions = new Map<ProductPair, ProductPair[]>();
  for (const pair of pairs.keys()) {
    const product = pair.replace(VERSION_AT_END, '');
    if (product === pair || !pairs.has(product) || vendorOf(pair) === '') continue;
    versions.set(product, [...(versions.get(product) ?? []), pair]);
  }
  for (const [product, ofProduct] of versions) {
    const most = Math.max(...ofProduct.map((pair) => pairs.get(pair)!));
    if (most <= MAX_VERSION_SHARE * pairs.get(product)!) groups.joinAll([product, ...ofProduct]);
  }
}

/** A name that hardly another vendor uses a word of, for pairs made for one host that are few products as far as known. */
function joinByOwnName({ hosts }: IdentitySources, namesakes: Namesakes, words: NameWords, groups: PairGroups): void {
  for (const [key, all] of namesakes) {
    const same = all.filter((pair) => vendorOf(pair) !== '');
    const products = new Set(same.map((pair) => groups.rootOf(pair))).size;
    if (products < 2 || key.length < MIN_NAME_LENGTH || !same.every((pair) => hosts.get(pair) === hosts.get(same[0]!)))
      continue;
    if (words.areOwn(same, products, hosts.get(same[0]!))) groups.joinAll(same);
  }
}

function aliasesOf(
  { pairs, plainPairs, purls, products }: IdentitySources,
  identityOf: ReadonlyMap<ProductPair, ProductPair>,
) {
  // A plain name of one CVE record is how somebody wrote a product, not another product.
  const cpePairs = [...pairs.keys()].filter((pair) => !plainPairs.has(pair));
  const taken = new Set(cpePairs.map((pair) => nameKey(productOf(pair))));
  const aliases = new Map<string, Set<ProductPair>>();
  const add = (name: string, pair: ProductPair, isFact = false): void => {
    const key = nameKey(name);
    const identity = identityOf.get(pair) ?? pair;
    if (key.length < MIN_NAME_LENGTH || !pairs.has(identity) || (taken.has(key) && !isFact)) return;
    aliases.set(key, (aliases.get(key) ?? new Set()).add(identity));
  };
  for (const { purl, pair } of purls) {
    const name = purlName(purl);
    add(name, pair);
    const vendor = nameKey(vendorOf(pair));
    const key = nameKey(name);
    if (vendor.length >= MIN_NAME_LENGTH && key.startsWith(vendor)) add(key.slice(vendor.length), pair);
  }
  for (const { names, pairs: ofProduct } of products) {
    for (const name of names) for (const pair of ofProduct) add(name, pair);
  }
  for (const { name, pair } of TYPED_NAMES) {
    aliases.delete(nameKey(name));
    add(name, pair, true);
  }
  return aliases;
}
