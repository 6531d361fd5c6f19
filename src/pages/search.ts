import { productName } from '../analysis/cve/product-name.ts';
import { readProductWords } from '../analysis/product-words.ts';
import { recognizeText } from '../analysis/recognize-text.ts';
import { ApiError } from '../errors.ts';
import { formatCount, formatNumber } from '../engine/summary.ts';
import { cveFacets } from '../operations/cve/cve-facets.ts';
import { cveSearch } from '../operations/cve/cve-search.ts';
import { productLookup } from '../operations/cve/product-lookup.ts';
import type { AskedVersion } from './asked-version.ts';
import { html, join, type Html, type HtmlValue } from './html.ts';
import { link, paths, withQuery } from './links.ts';
import { definePage, type PageContent, type PageContext, type PageRequest } from './page.ts';
import { csvLabel, listFile } from './parts/cve-export.ts';
import { cveTable } from './parts/cve-table.ts';
import { activeFilters, pager } from './parts/facets.ts';
import { likelihoodChart, publishedChart, severityChart } from './parts/search-charts.ts';
import { searchFacets } from './parts/search-facets.ts';
import { describeFilters, searchForm } from './parts/search-form.ts';
import { stateNote } from './parts/states.ts';
import { watchLink } from './parts/watch-link.ts';
import {
  filtersOf,
  hasEmptyFields,
  publishedWithin,
  readSearchValues,
  stateAddress,
  toInput,
  type SearchValues,
} from './search-query.ts';

const PATH = '/search';
const PAGE_ROWS = 25;
/** Words of an empty search that are offered one by one. */
const MAX_WORDS = 5;
/** An input field of operations holds no longer name. */
const MAX_NAME_LENGTH = 100;
const SORTS = [
  ['relevance', 'Best match'],
  ['published_desc', 'Newest'],
  ['epss_desc', 'Likeliest exploited'],
  ['cvss_desc', 'Highest CVSS'],
] as const;

type SearchAnswer = Awaited<ReturnType<typeof askSearch>>;
type Counts = Awaited<ReturnType<typeof askFacets>>;

/** `/search`: CVEs by words and filters, with counts, charts, CSV and a feed of the same result. */
export const search = definePage({
  path: PATH,
  question: ({ query }) => ({ operation: cveSearch, input: { ...toInput(readSearchValues(query)), limit: PAGE_ROWS } }),
  render(request, context) {
    const values = readSearchValues(request.query);
    const format = request.query.get('format');
    if (format !== null && format !== '') return renderFile(format, values, request, context);
    if (hasEmptyFields(request.query)) return { redirectTo: stateAddress(PATH, values) };
    return renderPage(values, context);
  },
});

async function renderPage(values: SearchValues, context: PageContext): Promise<PageContent> {
  let answer: SearchAnswer;
  try {
    answer = await askSearch(values, context, PAGE_ROWS);
  } catch (error) {
    if (error instanceof ApiError && error.issues !== null) return faultyPage(values, error);
    throw error;
  }
  const asked = describeFilters(filtersOf(values));
  const heading = `${formatCount(answer.total, 'CVE')}${asked === '' ? '' : `: ${asked}`}`;
  if (answer.total === 0 && asksWordsAlone(values)) return unrecognizedPage(values, answer, context);
  const facets = answer.total === 0 ? null : await askFacets(values, context);
  return {
    title: heading,
    description: answer.summary,
    feed: stateAddress(PATH, values, { format: 'atom' }),
    main: html`<h1>${heading}</h1>
${searchForm(values)}
${activeFilters(filterLinks(values), PATH)}
${facets === null ? emptyNote(values, answer) : resultsWithSide(values, answer, facets)}`,
  };
}

function asksWordsAlone(values: SearchValues): boolean {
  const words = values['q'];
  return (
    words !== undefined &&
    recognizeText(words).kind === 'words' &&
    Object.keys(filtersOf(values)).every((name) => name === 'q')
  );
}

/** Words that no CVE has: products that are spelled like them, or that they may mean. */
async function unrecognizedPage(
  values: SearchValues,
  answer: SearchAnswer,
  context: PageContext,
): Promise<PageContent> {
  const words = values['q']!;
  const [reading] = readProductWords(words).readings;
  const { name, version } = reading ?? { name: words, version: null };
  const [vendor = '', ...rest] = name.slice(0, MAX_NAME_LENGTH).trim().split(/\s+/);
  const { answer: product } = await context.tryAskCatalog(productLookup, { vendor, product: rest.join(' ') || vendor });
  const candidates = product?.candidates.filter((one) => one.vendor !== null) ?? [];
  const near = [
    ...candidates.map((one) => ({
      text: productName(one),
      page: withQuery(paths.product(one.vendor!, one.product), { version }),
    })),
    ...(product?.nearest ?? []).map((one) => ({
      text: one.replaceAll('_', ' '),
      page: stateAddress('/', {}, { q: [one.replaceAll('_', ' '), version].filter(Boolean).join(' ') }),
    })),
  ];
  const heading = `Not recognised: ${words}`;
  return {
    title: heading,
    description: answer.summary,
    main: html`<h1>${heading}</h1>
${searchForm(values)}
<p>This names no product, package or CVE that the catalog knows. That is no sign of safety: it says nothing of what you meant.</p>
${near.length > 0 && html`<p>Did you mean:</p><ul>${near.map(({ text, page }) => html`<li>${link(page, text)}</li>`)}</ul>`}
${emptyNote(values, answer)}`,
  };
}

function askSearch(values: SearchValues, context: PageContext, limit: number) {
  return context.ask(cveSearch, { ...toInput(values), include: 'full', limit });
}

function askFacets(values: SearchValues, context: PageContext) {
  return context.askCatalog(cveFacets, toInput(filtersOf(values)));
}

function resultsWithSide(values: SearchValues, answer: SearchAnswer, { facets, plot }: Counts): Html {
  const change = (changes: Readonly<Record<string, string | null>>): string => stateAddress(PATH, values, changes);
  return html`<div class="with-side"><div>
${results(values, answer)}
<section id="charts"><h2>The same as pictures</h2><div class="columns">
${publishedChart('by-time', facets, (period) => change(publishedWithin(period)))}
${severityChart('by-severity', facets.severity, change)}
${likelihoodChart('by-likelihood', plot, change)}
</div></section>
</div>
<aside class="side" id="narrow" aria-label="Narrow the search">${searchFacets(facets, change)}</aside></div>`;
}

function results(values: SearchValues, answer: SearchAnswer): Html {
  const { results: rows, total, offset } = answer;
  const sort = values['sort'] ?? (values['q'] === undefined ? 'published_desc' : 'relevance');
  const sorts = SORTS.filter(([name]) => name !== 'relevance' || values['q'] !== undefined);
  return html`<section id="results">${hintNote(values, answer)}
<nav aria-label="Order and forms of the result"><ul class="tabs">${sorts.map(
    ([name, text]) =>
      html`<li><a href="${stateAddress(PATH, values, { sort: name })}"${name === sort && html` aria-current="true"`}>${text}</a></li>`,
  )}<li>${link(stateAddress(PATH, values, { format: 'csv' }), csvLabel(total))}</li><li>${link(stateAddress(PATH, values, { format: 'atom' }), 'Feed')}</li><li>${link('#charts', 'Charts')}</li><li>${link('#narrow', 'Narrow')}</li>${Object.keys(filtersOf(values)).length > 0 && html`<li>${watchLink({ filters: new URLSearchParams(filtersOf(values)).toString() })}</li>`}</ul></nav>
${
  rows.length === 0
    ? stateNote('empty', `The list ends before row ${formatNumber(offset + 1)}`, [
        link(stateAddress(PATH, values, { offset: null }), 'From the first row'),
      ])
    : cveTable('CVEs that match', rows, { asked: askedOf(values) })
}
${pager(answer, PAGE_ROWS, (at) => stateAddress(PATH, values, { offset: at === 0 ? null : String(at) }))}</section>`;
}

/** The version that the search was reached with, of the product that it is about. */
function askedOf(values: SearchValues): AskedVersion | null {
  const { product, vendor, version = null, purl = null } = values;
  if (version === null && purl === null) return null;
  const named = product === undefined ? null : vendor === undefined ? product : `${vendor}:${product}`;
  return { product: named, version, purl };
}

/** Whose names were taken, or what would find more. */
function hintNote(values: SearchValues, { hint }: SearchAnswer): HtmlValue {
  if (hint === null) return null;
  const asPlatform = stateAddress(PATH, values, { tagged: 'true' });
  return html`<p>${hint}${values['product'] !== undefined && values['tagged'] === undefined && html` ${link(asPlatform, 'Count it as a platform too')}`}</p>`;
}

/** What was looked for, and what is near. */
function emptyNote(values: SearchValues, { summary }: SearchAnswer): Html {
  const filters = filterLinks(values);
  const words = values['q'] ?? values['product'] ?? values['vendor'];
  const eachWord = [...new Set(values['q']?.split(/\s+/))].slice(0, MAX_WORDS);
  const nearest: HtmlValue[] = [
    filters.length > 1 &&
      html`<li>With one filter less: ${filters.map(({ text, without }) => html`${link(without, `without ${text}`)} `)}</li>`,
    values['product'] !== undefined &&
      html`<li>${link(stateAddress(PATH, {}, { q: values['product'] }), `“${values['product']}” as words of title, description or product`)}</li>`,
    eachWord.length > 1 &&
      html`<li>One word alone: ${join(
        eachWord.map((word) => link(stateAddress(PATH, values, { q: word }), word)),
        ', ',
      )}</li>`,
    values['q'] !== undefined &&
      html`<li>${link(stateAddress(PATH, {}, { product: values['q'] }), `“${values['q']}” as a product`)}</li>`,
    words !== undefined &&
      recognizeText(words).kind !== 'words' &&
      html`<li>Not a CVE? ${link(stateAddress('/', {}, { q: words }), 'Look it up as anything')}</li>`,
  ];
  return html`<section id="results">${stateNote('empty', 'No CVE of the catalog matches', summary)}<ul>${nearest}</ul></section>`;
}

function faultyPage(values: SearchValues, error: ApiError): PageContent {
  const faults = new Map(error.issues!.map(({ loc, msg }) => [String(loc.at(-1)), msg]));
  return {
    status: error.status,
    title: 'This search cannot be done',
    description: error.message,
    main: html`<h1>This search cannot be done</h1>
<p>${[...faults].map(([name, message]) => html`<a href="#f-${name}">${name}</a>: ${message}. `)}</p>
${searchForm(values, faults)}
${activeFilters(filterLinks(values), PATH)}`,
  };
}

function filterLinks(values: SearchValues): { text: string; without: string }[] {
  const filters = filtersOf(values);
  return Object.keys(filters).map((name) => ({
    text: describeFilters({ [name]: filters[name]! }),
    without: stateAddress(PATH, values, { [name]: null }),
  }));
}

function renderFile(
  format: string,
  values: SearchValues,
  { origin }: PageRequest,
  context: PageContext,
): Promise<PageContent> {
  const filtered = describeFilters(filtersOf(values));
  const list = {
    name: 'cves',
    title: `CVEs${filtered === '' ? '' : `: ${filtered}`}`,
    path: PATH,
    values,
    newestFirst: { sort: 'published_desc' },
    ask: (asked: SearchValues, limit: number) => askSearch(asked, context, limit),
  };
  return listFile(format, list, origin);
}
