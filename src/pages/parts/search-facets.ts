import { html, type Html } from '../html.ts';
import { publishedWithin } from '../search-query.ts';
import { facetList } from './facets.ts';
import { productName } from '../../analysis/cve/product-name.ts';
import type { AddressOf, Count } from './search-charts.ts';
import { SEVERITIES, severityBadge } from './severity.ts';

/** What the counts of a search are by. */
export interface SearchFacets {
  readonly severity: readonly Count[];
  readonly known_exploited: readonly Count[];
  readonly year: readonly Count[];
  readonly weakness: readonly Count[];
  readonly vendor: readonly Count[];
  readonly product: readonly { vendor: string; product: string; count: number }[];
}

/** The facets of a search: each value leads to the search that has it too. */
export function searchFacets(facets: SearchFacets, change: AddressOf): Html {
  const severities = SEVERITIES.flatMap((name) => facets.severity.find(({ value }) => value === name) ?? []);
  const filtered = (counts: readonly Count[], field: string) =>
    counts.map(({ value, count }) => ({ label: value.replaceAll('_', ' '), count, href: change({ [field]: value }) }));
  return html`<h2>Narrow</h2>
${facetList(
  'Severity',
  severities
    .filter(({ value }) => value !== 'UNKNOWN')
    .map(({ value, count }) => ({ label: severityBadge(value), count, href: change({ severity: value }) })),
)}
${facetList(
  'Exploited',
  facets.known_exploited
    .filter(({ value, count }) => value === 'true' && count > 0)
    .map(({ count }) => ({ label: 'known exploited', count, href: change({ kev: 'true' }) })),
)}
${facetList(
  'Year',
  facets.year.toReversed().map(({ value, count }) => ({ label: value, count, href: change(publishedWithin(value)) })),
)}
${facetList('Weakness', filtered(facets.weakness, 'cwe_id'))}
${facetList('Vendor', filtered(facets.vendor, 'vendor'))}
${facetList(
  'Product',
  facets.product.map(({ vendor, product, count }) => ({
    label: productName({ vendor, product }),
    count,
    href: change({ vendor, product }),
  })),
)}`;
}
