import { type CpeName, normalizeCpeToken, parseCpe } from './cpe.ts';
import type { CveProduct, RecordSource } from './cve-facts.ts';

/** One product with one span of versions, and all sources that name it. */
export interface MergedProduct extends CveProduct {
  sources: RecordSource[];
}

/** What two rows are compared by. */
interface ComparedRow {
  vendor: string | null;
  cpe: CpeName | null;
  ecosystem: string | null;
}

/**
 * The rows of several sources, each product with one span of versions once. The rows of the first source stay unchanged and in their
 * places: configurations point at them by index. A row that names a CPE takes the place of a plain name of the same product.
 */
export function mergeProducts(
  groups: readonly { source: RecordSource; products: readonly CveProduct[] }[],
): MergedProduct[] {
  const [first, ...others] = groups;
  if (first === undefined) return [];
  if (others.length === 0) return first.products.map((product) => withSources(product, [first.source]));
  const rows = new ProductRows();
  const sources: RecordSource[][] = [];
  for (const product of first.products) sources[rows.append(product)] = [first.source];
  for (const { source, products } of others) {
    for (const product of products) {
      const named = (sources[rows.add(product)] ??= []);
      if (!named.includes(source)) named.push(source);
    }
  }
  return rows.list.map((product, index) => withSources(product, sources[index]!));
}

function withSources(product: CveProduct, sources: RecordSource[]): MergedProduct {
  return {
    vulnerable: product.vulnerable,
    cpe: product.cpe,
    start_including: product.start_including,
    start_excluding: product.start_excluding,
    end_including: product.end_including,
    end_excluding: product.end_excluding,
    vendor: product.vendor,
    product: product.product,
    version: product.version,
    ecosystem: product.ecosystem,
    sources,
  };
}

/** The rows of one source without plain names that repeat a CPE, or another name, of the same versions; the first `fixed` stay. */
export function withoutRepeatedProducts(products: readonly CveProduct[], fixed = 0): CveProduct[] {
  if (products.length < 2) return [...products];
  const rows = new ProductRows({ keepsNames: true });
  products.forEach((product, index) => (index < fixed ? rows.append(product) : rows.add(product)));
  return rows.list;
}

class ProductRows {
  readonly list: CveProduct[] = [];
  /** Whether a CPE row takes over the plain names of the rows that it replaces: searches find them by these. */
  readonly #keepsNames: boolean;
  readonly #compared: ComparedRow[] = [];
  readonly #indexesByKey = new Map<string, number[]>();

  constructor({ keepsNames = false } = {}) {
    this.#keepsNames = keepsNames;
  }

  /** Returns the index of the new row. */
  append(product: CveProduct): number {
    const cpe = product.cpe === null ? null : parseCpe(product.cpe);
    return this.#push(product, cpe, keyOf(product, cpe));
  }

  /** Returns the index of the row that stands for the product: a known one, else a new one. */
  add(product: CveProduct): number {
    const cpe = product.cpe === null ? null : parseCpe(product.cpe);
    const key = keyOf(product, cpe);
    const row = comparedRow(product, cpe);
    const index = this.#indexesByKey
      .get(key)
      ?.find(
        (at) =>
          isSameProduct(this.#compared[at]!, row) && !(this.#keepsNames && areNamesDifferent(this.list[at]!, product)),
      );
    if (index === undefined) return this.#push(product, cpe, key);
    const known = this.list[index]!;
    const takesPlace = known.cpe === null && cpe !== null;
    const [kept, repeated] = takesPlace ? [product, known] : [known, product];
    this.list[index] = { ...kept, ...(this.#keepsNames ? plainNames(kept, repeated) : {}) };
    if (takesPlace) this.#compared[index] = row;
    return index;
  }

  #push(product: CveProduct, cpe: CpeName | null, key: string): number {
    const indexes = this.#indexesByKey.get(key);
    if (indexes === undefined) this.#indexesByKey.set(key, [this.list.length]);
    else indexes.push(this.list.length);
    this.#compared.push(comparedRow(product, cpe));
    return this.list.push(product) - 1;
  }
}

/** Whether both have plain names, and by them they would be searched for differently. */
function areNamesDifferent(a: CveProduct, b: CveProduct): boolean {
  if (a.product === null || b.product === null) return false;
  const nameOf = ({ vendor, product }: CveProduct): string => normalizeCpeToken(`${vendor ?? ''} ${product}`);
  return nameOf(a) !== nameOf(b);
}

/** A CPE row keeps the plain names of a row that it replaces: CNAs and CPE names spell vendors differently. */
function plainNames(kept: CveProduct, repeated: CveProduct): Pick<CveProduct, 'vendor' | 'product'> {
  const { vendor, product } = kept.product === null ? repeated : kept;
  return { vendor, product };
}

function comparedRow({ vendor, ecosystem }: CveProduct, cpe: CpeName | null): ComparedRow {
  return { vendor: cpe?.vendor ?? vendor, cpe, ecosystem };
}

/** Name of the product, its role, and its versions. */
function keyOf(product: CveProduct, cpe: CpeName | null): string {
  const name = comparableName(cpe?.product ?? product.product ?? '', cpe?.vendor ?? product.vendor);
  const version = cpe === null ? product.version : [cpe.version, cpe.update].filter((part) => part !== null).join(' ');
  return [
    product.vulnerable,
    name,
    version?.toLowerCase() || '',
    product.start_including === '0' ? '' : (product.start_including ?? ''),
    product.start_excluding ?? '',
    product.end_including ?? '',
    product.end_excluding ?? '',
  ].join('\n');
}

/** Without the vendor in front and remarks in parentheses: `Cisco Adaptive Security Appliance (ASA) Software`. */
function comparableName(product: string, vendor: string | null): string {
  const name = normalizeCpeToken(product);
  const vendorName = normalizeCpeToken(vendor ?? '');
  const prefixes = [vendorName, firstWord(vendorName)].filter((prefix) => prefix !== '').map((prefix) => `${prefix}_`);
  const prefix = prefixes.find((text) => name.startsWith(text)) ?? '';
  const bare = squash(name.slice(prefix.length).replace(/\([^)]*\)/g, ''));
  return bare === '' ? squash(name) : bare;
}

/** For rows of one key. A row of a package registry is one with rows of the same registry only. */
function isSameProduct(known: ComparedRow, row: ComparedRow): boolean {
  if (known.ecosystem !== row.ecosystem) return false;
  if (known.cpe === null || row.cpe === null) return areVendorsCompatible(known.vendor, row.vendor);
  const [a, b] = [known.cpe, row.cpe];
  return (
    a.vendor === b.vendor &&
    a.product === b.product &&
    a.part === b.part &&
    a.edition === b.edition &&
    a.sw_edition === b.sw_edition &&
    a.target_hw === b.target_hw &&
    // CISA leaves out what the NVD says: `wordpress` for a plugin.
    (a.target_sw === b.target_sw || a.target_sw === null || b.target_sw === null)
  );
}

/** `Red Hat` and `redhat`, `Apache Software Foundation` and `apache`; a vendor that is not known fits all. */
function areVendorsCompatible(a: string | null, b: string | null): boolean {
  if (a === null || b === null) return true;
  const [left, right] = [normalizeCpeToken(a), normalizeCpeToken(b)];
  const [leftText, rightText] = [squash(left), squash(right)];
  return leftText.includes(rightText) || rightText.includes(leftText) || firstWord(left) === firstWord(right);
}

function firstWord(name: string): string {
  return /^[a-z0-9]+/.exec(name)?.[0] ?? '';
}

function squash(name: string): string {
  return name.replace(/[^\p{L}\p{N}]/gu, '');
}
