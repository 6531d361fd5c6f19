import { formatNumber } from '../../engine/summary.ts';
import { html, type Html, type HtmlValue } from '../html.ts';
import { link } from '../links.ts';

/** One value of a facet: how many have it, and the page of those alone. */
export interface FacetRow {
  readonly label: HtmlValue;
  readonly count: number;
  readonly href: string;
}

/** A filter that is active, and the page without it. */
export interface ActiveFilter {
  readonly text: string;
  readonly without: string;
}

const SHOWN_ROWS = 8;

/** A facet as links with counts; long ones are folded. Values that nothing has are left out. */
export function facetList(heading: string, all: readonly FacetRow[]): HtmlValue {
  const rows = all.filter(({ count }) => count > 0);
  if (rows.length === 0) return null;
  const [shown, folded] = [rows.slice(0, SHOWN_ROWS), rows.slice(SHOWN_ROWS)];
  return html`<h3>${heading}</h3>${facetRows(shown)}${folded.length > 0 && html`<details><summary>${folded.length} more</summary>${facetRows(folded)}</details>`}`;
}

/** The active filters, each with a link that removes it. */
export function activeFilters(filters: readonly ActiveFilter[], all: string): HtmlValue {
  if (filters.length === 0) return null;
  return html`<ul class="filters" aria-label="Active filters">${filters.map(
    ({ text, without }) =>
      html`<li class="tag">${text} <a href="${without}">remove<span class="hidden"> the filter ${text}</span></a></li>`,
  )}${filters.length > 1 && html`<li>${link(all, 'remove all')}</li>`}</ul>`;
}

/** Links to the page before and after, and what is shown of how many. */
export function pager(
  { offset, count, total, next_offset }: { offset: number; count: number; total: number; next_offset: number | null },
  limit: number,
  addressAt: (offset: number) => string,
): HtmlValue {
  if (offset === 0 && next_offset === null) return null;
  const end = offset + count;
  const isCut = next_offset === null && end < total;
  return html`<nav class="pager" aria-label="Pages"><ul>${offset > 0 && html`<li>${link(addressAt(Math.max(0, offset - limit)), 'Previous')}</li>`}<li>${formatNumber(offset + 1)} to ${formatNumber(end)} of ${formatNumber(total)}</li>${next_offset !== null && html`<li>${link(addressAt(next_offset), 'Next')}</li>`}</ul>${isCut && html`<p class="note">Pages end here: narrow the search to see the others.</p>`}</nav>`;
}

function facetRows(rows: readonly FacetRow[]): Html {
  return html`<ul class="facet">${rows.map(
    ({ label, count, href }) => html`<li>${link(href, label)} <span class="count">${formatNumber(count)}</span></li>`,
  )}</ul>`;
}
