import { truncateAtWord } from '../../analysis/display-text.ts';
import { formatCount, formatNumber } from '../../engine/summary.ts';
import { describeVersions } from '../../operations/cve/lib/describe-versions.ts';
import { type AskedVersion, pageOfProduct } from '../asked-version.ts';
import { html, type Html, join } from '../html.ts';
import { link, paths, withQuery } from '../links.ts';
import { vulnerableProducts } from '../../operations/cve/lib/update-advice.ts';
import type { AffectedProduct, Cve } from './answers.ts';

const MAX_PRODUCTS = 20;
const MAX_VERSIONS = 8;
/** Records may have names and versions of thousands of characters. */
const MAX_NAME_CHARACTERS = 200;
/** Of the page that shows all products: its rows, and the versions of each. */
const PAGE_PRODUCTS = 200;
const PAGE_VERSIONS = 500;

/** Products with their affected versions, those named first by the sources first. */
export function productsSection(cve: Cve, asked: AskedVersion | null): Html {
  const products = vulnerableProducts(cve);
  const isCut = products.length > MAX_PRODUCTS || products.some(([, rows]) => rows.length > MAX_VERSIONS);
  const all = withQuery(paths.cve(cve.cve_id), { all: 'products' });
  return html`<section id="products"><h2>${productsHeading(cve, products.length)}</h2>
${products.length > 0 && table(products.slice(0, MAX_PRODUCTS), MAX_VERSIONS, cve.cve_id, asked)}
${isCut && html`<p>${link(all, `All ${formatCount(products.length, 'product')} with ${formatCount(cve.total_products, 'entry')}`)}</p>`}
${platforms(cve)}</section>`;
}

/** All products, a page at a time; `from` is the number of products before it. */
export function allProducts(cve: Cve, from: number): Html {
  const products = vulnerableProducts(cve);
  const shown = products.slice(from, from + PAGE_PRODUCTS);
  const next = from + PAGE_PRODUCTS;
  return html`<p>${formatCount(products.length, 'product')}${products.length > PAGE_PRODUCTS && `, from ${from + 1} to ${from + shown.length}`}. ${link(paths.cve(cve.cve_id), `Back to ${cve.cve_id}`)}</p>
${table(shown, PAGE_VERSIONS, cve.cve_id, null)}
${next < products.length && html`<p>${link(withQuery(paths.cve(cve.cve_id), { all: 'products', from: next }), 'Next products')}</p>`}
${platforms(cve)}`;
}

function productsHeading({ total_products, rejected }: Cve, count: number): string {
  if (count === 0)
    return total_products === 0 && !rejected
      ? 'Which products it affects is not known: no source names one'
      : 'No product is named as affected';
  return `Affects ${formatCount(count, 'product')}`;
}

function table(
  products: readonly (readonly [string, AffectedProduct[]])[],
  maxVersions: number,
  id: string,
  asked: AskedVersion | null,
): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Products affected by ${id}"><table data-rows><thead><tr><th scope="col">Product</th><th scope="col">Affected versions</th><th scope="col">Support</th><th scope="col">Says</th></tr></thead><tbody>
${products.map(([name, rows]) => html`<tr><th scope="row">${productLink(name, rows[0]!, asked)}</th><td>${versions(rows, maxVersions)}</td><td>${support(rows)}</td><td class="note">${[...new Set(rows.flatMap(({ sources }) => sources))].join(', ')}</td></tr>`)}
</tbody></table></div>`;
}

/** Names of CPE alone lead to a page: those of packages and of CVE records are written as each author likes. */
function productLink(
  name: string,
  { vendor, product, cpe }: AffectedProduct,
  asked: AskedVersion | null,
): Html | string {
  return cpe === null || vendor === null || product === null
    ? truncateAtWord(name, MAX_NAME_CHARACTERS)
    : link(pageOfProduct(vendor, product, asked), truncateAtWord(name, MAX_NAME_CHARACTERS));
}

function versions(rows: readonly AffectedProduct[], limit: number): Html {
  const texts = [...new Set(rows.map((row) => describeVersions(row)))].filter((text) => text !== '');
  if (texts.length === 0) return html`<span class="unknown">not named</span>`;
  const more = texts.length - limit;
  return html`${join(
    texts.slice(0, limit).map((text) => truncateAtWord(text, MAX_NAME_CHARACTERS)),
    '; ',
  )}${more > 0 && html` <span class="note">and ${formatNumber(more)} more</span>`}`;
}

function support(rows: readonly AffectedProduct[]): Html {
  const known = rows.flatMap(({ support: of }) => of ?? []);
  if (known.length === 0) return html`<span class="unknown">not known</span>`;
  const ended = [
    ...new Set(
      known
        .filter(({ is_supported }) => !is_supported)
        .map(({ cycle, ends_at }) => `${cycle}${ends_at === null ? '' : `, ${ends_at}`}`),
    ),
  ];
  return ended.length === 0
    ? html`supported`
    : html`ended: ${join(ended.slice(0, 3), '; ')}${ended.length > 3 && ` and ${ended.length - 3} more`}`;
}

function platforms({ affected_products }: Cve): Html | null {
  const names = [
    ...new Set(
      affected_products
        .filter(({ vulnerable }) => !vulnerable)
        .map(({ vendor, product }) => `${vendor} ${product}`.replaceAll('_', ' ')),
    ),
  ];
  if (names.length === 0) return null;
  const shown = names
    .slice(0, 10)
    .map((name) => truncateAtWord(name, MAX_NAME_CHARACTERS))
    .join(', ');
  return html`<p class="note">Where it depends on what they run on: ${shown}${names.length > 10 && ` and ${names.length - 10} more`}. The check above takes that into account.</p>`;
}
