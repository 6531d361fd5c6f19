import { productName } from '../../analysis/cve/product-name.ts';
import { displayLine, displayLineOrNull, summarizeList } from '../../analysis/display-text.ts';
import { formatNumber } from '../../engine/summary.ts';
import type { cveVex } from '../../operations/cve/cve-vex.ts';
import type { productLookup } from '../../operations/cve/product-lookup.ts';
import { yesNo } from './cve-parts.ts';
import { defineView, table } from './view.ts';

const MAX_NAME_CHARS = 80;

const productView = defineView<typeof productLookup>('product_lookup', ({ names, called, support }) => ({
  facts: { 'also called': summarizeList(called.map(productName)) },
  sections: [
    table('names in CVEs', names, [
      { title: 'vendor', cell: ({ vendor }) => vendor },
      { title: 'product', cell: ({ product }) => product },
      { title: 'CVEs', cell: ({ cves }) => formatNumber(cves), align: 'right' },
    ]),
    ...support.map(({ label, cycles }) =>
      table(`releases of ${displayLine(label, MAX_NAME_CHARS)}`, cycles, [
        { title: 'release', cell: ({ name }) => name },
        { title: 'gets fixes', cell: ({ is_supported }) => yesNo(is_supported) },
        { title: 'until', cell: ({ ends_at }) => ends_at },
        { title: 'latest', cell: ({ latest }) => latest },
        { title: 'released', cell: ({ released }) => released },
      ]),
    ),
  ],
}));

const vexView = defineView<typeof cveVex>('cve_vex', ({ results }) => ({
  sections: [
    table(
      null,
      results,
      [
        {
          title: 'product',
          cell: ({ product }) => (product === null ? 'not named' : displayLine(product, MAX_NAME_CHARS)),
        },
        { title: 'versions', cell: ({ versions }) => displayLineOrNull(versions, MAX_NAME_CHARS) ?? 'all', rank: 3 },
        { title: 'is', cell: ({ status }) => status.replaceAll('_', ' '), rank: 1, min: Infinity },
        { title: 'because', cell: ({ justification, note }) => note ?? justification?.replaceAll('_', ' '), rank: 2 },
        { title: 'says', cell: ({ author }) => author, rank: 4 },
        { title: 'on', cell: ({ said_on }) => said_on, rank: 5 },
      ],
      { limit: results.length },
    ),
  ],
}));

/** A product: its names and releases, and what its maker says of a CVE. */
export const PRODUCT_VIEWS = [productView, vexView];
