import { formatCount } from '../engine/summary.ts';
import { productLookup } from '../operations/cve/product-lookup.ts';
import { readAskedVersion } from './asked-version.ts';
import { html, type Html, type HtmlValue } from './html.ts';
import { foreignLink, link, paths, withQuery } from './links.ts';
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
import { productName } from '../analysis/cve/product-name.ts';
import { known, stateNote } from './parts/states.ts';
import { watchLink } from './parts/watch-link.ts';
import { versionCheck } from './parts/version-check.ts';

type Product = Awaited<ReturnType<NonNullable<typeof productLookup.answer>>>;

/** `/product/:vendor/:product`: whether a version is affected, what is exploited, and which releases still get fixes. */
export const product = definePage({
  path: '/product/:vendor/:product',
  question: ({ params }) => ({ operation: productLookup, input: { ...params } }),
  async render({ params, query }, context) {
    const found = await context.ask(productLookup, { vendor: params['vendor']!, product: params['product']! });
    const { vendor, product: name, cves, names, support, summary } = found;
    if (cves === 0) return unknownProduct(found);
    const filters = { vendor, product: name, all_names: 'true' };
    const asked = readAskedVersion(query, `${vendor}:${name}`);
    const page = paths.product(vendor, name);
    const [overview, check] = await Promise.all([
      askOverview(filters, context, asked),
      versionCheck({ page, vendor, product: name, query }, context),
    ]);
    const label = productName({ vendor, product: name });
    const heading = overviewHeading(label, overview);
    const title = check.title === null ? heading : `${label} ${check.title}`;
    const verdict = html`<ul class="verdict">${overviewVerdict(overview)}<li>${supportVerdict(found)}</li>${names.length > 1 && html`<li>${link('#names', `under its ${names.length} names`)}</li>`}</ul>`;
    return {
      title,
      description: check.title === null ? summary : check.description,
      feed: withQuery('/search', { format: 'atom', ...filters }),
      main: html`<h1>${title}</h1>
${check.title === null && verdict}
${check.main}
${check.title === null ? overviewAdvice(overview) : html`<section id="all"><h2>All versions: ${heading}</h2><p class="note">What follows is about the product in all its versions, not about yours.</p>${verdict}</section>`}
${overviewLinks(overview, [link(withQuery(paths.vendor(vendor), asked.version === null ? {} : { product: asked.product, version: asked.version }), `All of ${vendor.replaceAll('_', ' ')}`), link('#support', 'Support'), link('#charts', 'Charts'), link('#names', 'Other names'), watchLink({ vendor, product: name, version: asked.version })])}
${overviewSections(overview, context.now)}
${supportSection(support)}
${overviewCounts(overview, false)}
${namesSection(names)}
<p class="note">Which of these are not fixed is known only where a source names a fix: ask for your version above.</p>`,
    };
  },
});

function supportVerdict({ support }: Product): HtmlValue {
  const cycles = support.flatMap(({ cycles }) => cycles);
  if (cycles.length === 0) return known(null, 'endoflife.date does not list its releases');
  const supported = cycles.filter(({ is_supported }) => is_supported === true).map(({ name }) => name);
  return supported.length === 0
    ? link('#support', 'end of life: no release is known to get fixes')
    : html`${link('#support', 'releases with security fixes')}: ${supported.slice(0, 4).join(', ')}${supported.length > 4 && ' and others'}`;
}

function supportSection(support: Product['support']): Html {
  if (support.length === 0) {
    return html`<section id="support"><h2>End of life is not known</h2><p>endoflife.date does not list this product under this name.</p></section>`;
  }
  return html`<section id="support"><h2>Releases and their security fixes</h2>${support.map(
    ({ label, url, cycles }) => html`<h3>${url === null ? label : foreignLink(url, label)}</h3>
<div class="scroll" tabindex="0" role="region" aria-label="Releases of ${label}"><table><thead><tr><th scope="col">Release</th><th scope="col">Security fixes</th><th scope="col">Until</th><th scope="col">Latest</th><th scope="col">Released</th></tr></thead><tbody>${cycles.map(
      ({ name, is_supported, ends_at, latest, released }) =>
        html`<tr><th scope="row">${name}</th><td>${is_supported === null ? known(null, 'the publisher does not say') : is_supported ? 'yes' : html`<strong>no, end of life</strong>`}</td><td>${known(ends_at)}</td><td>${known(latest)}</td><td>${known(released)}</td></tr>`,
    )}</tbody></table></div>`,
  )}</section>`;
}

function namesSection(names: Product['names']): Html {
  return html`<section id="names"><h2>${names.length === 1 ? 'No other name is known' : 'The same product under other names'}</h2><ul>${names.map(
    (name) =>
      html`<li>${link(paths.product(name.vendor, name.product), html`<code>${name.vendor}:${name.product}</code>`)} ${formatCount(name.cves, 'CVE')}</li>`,
  )}</ul></section>`;
}

function unknownProduct({ vendor, product: name, called, summary }: Product): PageContent {
  const label = productName({ vendor, product: name });
  const heading = `No CVE names a product “${label}”`;
  return {
    status: 404,
    title: heading,
    description: summary,
    main: html`<h1>${heading}</h1>
${stateNote('empty', 'The catalog was asked for this vendor and product', summary)}
<ul>${called.map((one) => html`<li>Called so: ${link(paths.product(one.vendor, one.product), productName(one))}</li>`)}
<li>${link(withQuery('/search', { product: name }), `Products called “${name.replaceAll('_', ' ')}” of any vendor`)}</li>
<li>${link(withQuery('/search', { q: label }), `“${label}” as words`)}</li>
<li>${link(paths.vendor(vendor), `All of the vendor ${vendor.replaceAll('_', ' ')}`)}</li></ul>`,
  };
}
