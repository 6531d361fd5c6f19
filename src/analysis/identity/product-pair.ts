import { nameKey } from './names.ts';

/** `vendor:product` as in CPE names, each in the form of `normalizeCpeToken`; package advisories have no vendor. */
export type ProductPair = string;

const MIN_KEY_LENGTH = 3;
/** What distinguishes no product from another of its vendor. */
const PRODUCT_SUFFIX = /[_\s-](?:software|operating_system)$/;

export function vendorOf(pair: ProductPair): string {
  return pair.slice(0, pair.indexOf(':'));
}

export function productOf(pair: ProductPair): string {
  return pair.slice(pair.indexOf(':') + 1);
}

/**
 * The keys under which a product is compared with others. The first is that of its name, of a package without its namespace. The
 * second, where there is one, is without the vendor at the start (`adobe:adobe_air_sdk` is `adobe:air_sdk`) and without a closing
 * `software`; it says nothing across vendors.
 */
export function productKeys(pair: ProductPair): [name: string, bare?: string] {
  const [vendor, product] = [vendorOf(pair), productOf(pair)];
  if (vendor === '') return packageKeys(product);
  const name = keyOf(product);
  const first = [vendor, vendor.split(/[_.]/, 1)[0]!].find((one) => /^[_\s-]/.test(restAfter(product, one)));
  const bare = keyOf((first === undefined ? product : product.slice(first.length)).replace(PRODUCT_SUFFIX, ''));
  return bare === name || bare.length < MIN_KEY_LENGTH ? [name] : [name, bare];
}

/** The product's words, which decide how much of its name is its own; `firmware` does not count. */
export function wordsOf(pair: ProductPair): string[] {
  return productOf(pair)
    .split(/[^a-z0-9+]+/)
    .filter((word) => word !== '' && word !== 'firmware');
}

function keyOf(product: string): string {
  return nameKey(product.replaceAll('&', '_and_'));
}

function restAfter(text: string, start: string): string {
  return start !== '' && text.startsWith(start) ? text.slice(start.length) : '';
}

/** `kubernetes` of `k8s.io/kubernetes`, without the `/v2` of Go modules; `log4j-core` and `log4j` of `org.apache...:log4j-core`. */
function packageKeys(name: string): [name: string, bare?: string] {
  const path = name.replace(/\/v\d+$/, '');
  const base = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf(':')) + 1);
  const bare = nameKey(base.replace(/[-_]core$/, ''));
  return bare === nameKey(base) || bare.length < MIN_KEY_LENGTH ? [nameKey(base)] : [nameKey(base), bare];
}
