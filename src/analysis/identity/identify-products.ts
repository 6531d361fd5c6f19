import { DIFFERENT_PRODUCTS, SAME_PRODUCTS, TYPED_NAMES } from './known-identities.ts';
import { areVendorsRelated, nameKey, purlName, purlOwner, purlType } from './names.ts';

/** `vendor:product` as in CPE names, each in the form of `normalizeCpeToken`; package advisories have no vendor. */
export type ProductPair = string;

export interface IdentitySources {
  /** All pairs that CVEs name, with the number of those CVEs. */
  pairs: ReadonlyMap<ProductPair, number>;
  /** Those of `pairs` that no CPE name has, only plain names of CVE records. */
  plainPairs: ReadonlySet<ProductPair>;
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

/**
 * Which CPE names denote one product. Pairs are joined where several sources agree: one product name and a common package, related
 * vendors, one publisher's list of identifiers, or the same CVEs; and by a small table of facts. A name alone joins nothing.
 */
export function identifyProducts(sources: IdentitySources): ProductIdentities {
  const groups = new PairGroups();
  for (const { pairs } of SAME_PRODUCTS) groups.joinAll(pairs);
  for (const { pairs } of sources.products) groups.joinAll(pairs.filter((pair) => sources.pairs.has(pair)));
  joinByPackage(sources, groups);
  const namesakes = namesakesIn(sources.pairs);
  joinByVendor(namesakes, groups);
  joinByOwner(sources.purls, namesakes, groups);
  joinByCve(sources, groups);
  joinWithoutVendor(sources, groups);
  const identityOf = groups.identities(sources.pairs);
  return { identityOf, aliases: aliasesOf(sources, identityOf) };
}

function productOf(pair: ProductPair): string {
  return pair.slice(pair.indexOf(':') + 1);
}

function vendorOf(pair: ProductPair): string {
  return pair.slice(0, pair.indexOf(':'));
}

/** A common package and one name; or a common package, related vendors, and a name with one more general word. */
function joinByPackage({ purls }: IdentitySources, groups: PairGroups): void {
  for (const rows of Map.groupBy(purls, ({ purl }) => purl).values()) {
    for (const [at, { pair: a }] of rows.entries()) {
      for (const { pair: b } of rows.slice(at + 1)) {
        const [keyA, keyB] = [nameKey(productOf(a)), nameKey(productOf(b))];
        const isSuffix =
          rows.length <= MAX_PAIRS_OF_PURL &&
          (NAME_SUFFIX.test(restOf(keyA, keyB)) || restOf(keyA, keyB) === nameKey(vendorOf(a))) &&
          areVendorsRelated(vendorOf(a), vendorOf(b));
        if (keyA === keyB || isSuffix) groups.join(a, b);
      }
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

/** Pairs by the key of their product name. */
type Namesakes = ReadonlyMap<string, readonly ProductPair[]>;

/** Only names that several pairs have: few of all. */
function namesakesIn(pairs: IdentitySources['pairs']): Namesakes {
  const first = new Map<string, ProductPair>();
  const namesakes = new Map<string, ProductPair[]>();
  for (const pair of pairs.keys()) {
    const key = nameKey(productOf(pair));
    const known = first.get(key);
    if (known === undefined) first.set(key, pair);
    else namesakes.set(key, [...(namesakes.get(key) ?? [known]), pair]);
  }
  return namesakes;
}

/** One name and related vendors: `phpbb_group:phpbb` and `phpbb:phpbb`. */
function joinByVendor(namesakes: Namesakes, groups: PairGroups): void {
  for (const same of namesakes.values()) {
    for (const [at, a] of same.entries()) {
      for (const b of same.slice(at + 1)) if (areVendorsRelated(vendorOf(a), vendorOf(b))) groups.join(a, b);
    }
  }
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
    if (vendorOf(a) === '' || vendorOf(b) === '' || GENERIC_NAMES.has(nameKey(productOf(a)))) continue;
    const rarer = Math.min(pairs.get(a) ?? 0, pairs.get(b) ?? 0);
    if (rarer > 0 && count / rarer >= MIN_TOGETHER_SHARE) groups.join(a, b);
  }
}

/** Names of packages in advisories, which have no vendor, join the one product that has the package. */
function joinWithoutVendor({ purls, pairs }: IdentitySources, groups: PairGroups): void {
  const owners = new Map<string, Set<ProductPair>>();
  for (const { purl, pair } of purls) {
    const key = nameKey(purlName(purl));
    if (!ADVISORY_TYPES.has(purlType(purl)) || nameKey(productOf(pair)) !== key || !pairs.has(`:${purlName(purl)}`))
      continue;
    owners.set(purlName(purl), (owners.get(purlName(purl)) ?? new Set()).add(groups.rootOf(pair)));
  }
  for (const [name, roots] of owners) if (roots.size === 1) groups.join(`:${name}`, [...roots][0]!);
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

/** Disjoint sets of pairs. */
class PairGroups {
  readonly #parents = new Map<ProductPair, ProductPair>();
  readonly #members = new Map<ProductPair, ProductPair[]>();
  readonly #enemies = new Map<ProductPair, ReadonlySet<ProductPair>>();

  constructor() {
    for (const { pairs } of DIFFERENT_PRODUCTS) {
      const [first = '', ...others] = pairs;
      this.#enemies.set(first, new Set(others));
    }
  }

  rootOf(pair: ProductPair): ProductPair {
    let root = pair;
    for (let parent = this.#parents.get(root); parent !== undefined; parent = this.#parents.get(root)) root = parent;
    return root;
  }

  joinAll(pairs: readonly ProductPair[]): void {
    for (const other of pairs.slice(1)) this.join(pairs[0]!, other);
  }

  /** Does nothing where it would join two products that are known to be different. */
  join(a: ProductPair, b: ProductPair): void {
    const [rootA, rootB] = [this.rootOf(a), this.rootOf(b)];
    if (rootA === rootB) return;
    const [ofA, ofB] = [this.#members.get(rootA) ?? [rootA], this.#members.get(rootB) ?? [rootB]];
    if (this.#areDifferent(ofA, ofB) || this.#areDifferent(ofB, ofA)) return;
    this.#parents.set(rootB, rootA);
    this.#members.set(rootA, [...ofA, ...ofB]);
    this.#members.delete(rootB);
  }

  #areDifferent(some: readonly ProductPair[], others: readonly ProductPair[]): boolean {
    return some.some((pair) => {
      const enemies = this.#enemies.get(pair);
      return enemies !== undefined && others.some((other) => enemies.has(other));
    });
  }

  /** Of groups with more than one pair that CVEs name. */
  identities(pairs: ReadonlyMap<ProductPair, number>): Map<ProductPair, ProductPair> {
    const identityOf = new Map<ProductPair, ProductPair>();
    for (const members of this.#members.values()) {
      const known = members
        .filter((pair) => pairs.has(pair))
        .sort((a, b) => pairs.get(b)! - pairs.get(a)! || (a < b ? -1 : 1));
      // A pair without CVEs still leads to those that have some.
      if (known.length > 0) for (const pair of members) identityOf.set(pair, known[0]!);
    }
    return identityOf;
  }
}
