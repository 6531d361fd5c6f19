import { normalizeCpeToken } from '../analysis/cve/cpe.ts';
import { cveSearch } from '../operations/cve/cve-search.ts';
import { readAskedVersion } from './asked-version.ts';
import { html } from './html.ts';
import { link, withQuery } from './links.ts';
import { definePage, type PageContent } from './page.ts';
import {
  askOverview,
  overviewAdvice,
  overviewCounts,
  overviewHeading,
  overviewLinks,
  overviewSections,
  overviewVerdict,
} from './parts/cve-overview.ts';
import { stateNote } from './parts/states.ts';
import { watchLink } from './parts/watch-link.ts';

/** `/vendor/:vendor`: what is exploited, new and likely among all CVEs of a vendor, and its products. */
export const vendor = definePage({
  path: '/vendor/:vendor',
  question: ({ params }) => ({ operation: cveSearch, input: { vendor: params['vendor']! } }),
  async render({ params, query }, context) {
    const name = normalizeCpeToken(params['vendor']!);
    const filters = { vendor: name };
    const { total, summary } = await context.ask(cveSearch, { ...filters, limit: 1 });
    if (total === 0) return unknownVendor(name, summary);
    const overview = await askOverview(filters, context, readAskedVersion(query));
    const label = name.replaceAll('_', ' ');
    const heading = overviewHeading(label, overview);
    return {
      title: heading,
      description: `${heading}. ${summary}`,
      feed: withQuery('/search', { format: 'atom', vendor: name }),
      main: html`<h1>${heading}</h1>
<ul class="verdict">${overviewVerdict(overview)}</ul>
${overviewAdvice(overview)}
${overviewLinks(overview, [link('#counts', 'Products'), link('#charts', 'Charts'), link('#likeliest', 'Likeliest'), link('#newest', 'Newest'), watchLink({ vendor: name })])}
${overviewSections(overview, context.now)}
${overviewCounts(overview, true)}
<p class="note">A CVE counts where its record names ${label} as the vendor of a vulnerable product. Whether it is fixed, and what is installed at your place, the counts do not say: see the page of a product.</p>`,
    };
  },
});

function unknownVendor(name: string, summary: string): PageContent {
  const heading = `No CVE names a vendor “${name}”`;
  return {
    status: 404,
    title: heading,
    description: summary,
    main: html`<h1>${heading}</h1>
${stateNote('empty', 'The catalog was asked for vendors of this exact name', summary)}
<ul><li>${link(withQuery('/search', { product: name }), `A product called “${name}”`)}</li><li>${link(withQuery('/search', { q: name }), `“${name}” as words`)}</li></ul>`,
  };
}
