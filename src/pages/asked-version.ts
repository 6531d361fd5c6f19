import { paths, withQuery } from './links.ts';

/** The version that a visitor asks about, kept from page to page: of a product (`vendor:product`), or a package URL. */
export interface AskedVersion {
  readonly product: string | null;
  readonly version: string | null;
  readonly purl: string | null;
}

const MAX_CHARACTERS = 512;

/** Reads `?product=openssl:openssl&version=3.0.6` or `?purl=…`; a version without a product is about the one that is given here. */
export function readAskedVersion(query: URLSearchParams, product: string | null = null): AskedVersion {
  const read = (name: string): string | null => {
    const value = query.get(name)?.trim() ?? '';
    return value === '' || value.length > MAX_CHARACTERS ? null : value;
  };
  return { product: product ?? read('product'), version: read('version'), purl: read('purl') };
}

/** The page of a CVE, with the question whether it affects the asked version where there is one. */
export function pageOfCve(id: string, asked: AskedVersion | null): string {
  const page = paths.cve(id);
  if (asked === null) return page;
  const { product, version, purl } = asked;
  if (purl !== null) return `${withQuery(page, { purl, version })}#affected`;
  return product === null || version === null ? page : `${withQuery(page, { product, version })}#affected`;
}

/** The page of a product, for the asked version where it is of this product. */
export function pageOfProduct(vendor: string, product: string, asked: AskedVersion | null): string {
  const page = paths.product(vendor, product);
  const isAsked = asked !== null && (asked.product === `${vendor}:${product}` || asked.product === product);
  return isAsked ? withQuery(page, { version: asked.version }) : page;
}
