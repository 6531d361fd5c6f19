import { ApiError } from '../errors.ts';
import { formatCount } from '../engine/summary.ts';
import { cveFacets } from '../operations/cve/cve-facets.ts';
import { cveSearch } from '../operations/cve/cve-search.ts';
import { html, type Html, type HtmlValue } from './html.ts';
import { link } from './links.ts';
import { definePage, type PageContent, type PageContext, type PageRequest } from './page.ts';
import {
  collectRows,
  cveCsv,
  cveFeed,
  FEED_ENTRIES,
  MAX_EXPORTED_ROWS,
  ROWS_OF_A_QUESTION,
} from './parts/cve-export.ts';
import { cveTable } from './parts/cve-table.ts';
import { activeFilters, pager } from './parts/facets.ts';
import { likelihoodChart, publishedChart, severityChart } from './parts/search-charts.ts';
import { searchFacets } from './parts/search-facets.ts';
import { describeFilters, searchForm } from './parts/search-form.ts';
import { stateNote } from './parts/states.ts';
import {
  filtersOf,
  publishedWithin,
  readSearchValues,
  stateAddress,
  toInput,
  type SearchValues,
} from './search-query.ts';

const PATH = '/search';
const PAGE_ROWS = 25;
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
    const address = stateAddress(PATH, values);
    // Forms send empty fields too: without them the address is the one to pass on.
    if ([...request.query].some(([name, value]) => value === '' && name !== 'format')) {
      return { title: '', description: '', main: html``, redirectTo: address };
    }
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

function askSearch(values: SearchValues, context: PageContext, limit: number) {
  return context.ask(cveSearch, { ...toInput(values), include: 'full', limit });
}

function askFacets(values: SearchValues, context: PageContext) {
  return context.askCatalog(cveFacets, toInput(filtersOf(values)));
}

function resultsWithSide(values: SearchValues, answer: SearchAnswer, { facets, plot }: Counts): Html {
  const change = (changes: Readonly<Record<string, string | null>>): string => stateAddress(PATH, values, changes);
  return html`<div class="with-side"><aside class="side" id="narrow" aria-label="Narrow the search">${searchFacets(facets, change)}</aside>
<div>
${results(values, answer)}
<section id="charts"><h2>The same as pictures</h2><div class="columns">
${publishedChart('by-time', facets, (period) => change(publishedWithin(period)))}
${severityChart('by-severity', facets.severity, change)}
${likelihoodChart('by-likelihood', plot, change)}
</div></section>
</div></div>`;
}

function results(values: SearchValues, answer: SearchAnswer): Html {
  const { results: rows, total, offset } = answer;
  const csv = total > MAX_EXPORTED_ROWS ? `CSV of the first ${MAX_EXPORTED_ROWS.toLocaleString('en')}` : 'CSV';
  const sort = values['sort'] ?? (values['q'] === undefined ? 'published_desc' : 'relevance');
  const sorts = SORTS.filter(([name]) => name !== 'relevance' || values['q'] !== undefined);
  return html`<section id="results">${hintNote(values, answer)}
<nav aria-label="Order and forms of the result"><ul class="tabs">${sorts.map(
    ([name, text]) =>
      html`<li><a href="${stateAddress(PATH, values, { sort: name })}"${name === sort && html` aria-current="true"`}>${text}</a></li>`,
  )}<li>${link(stateAddress(PATH, values, { format: 'csv' }), csv)}</li><li>${link(stateAddress(PATH, values, { format: 'atom' }), 'Feed')}</li><li>${link('#charts', 'Charts')}</li><li>${link('#narrow', 'Narrow')}</li></ul></nav>
${
  rows.length === 0
    ? stateNote('empty', `The list ends before row ${(offset + 1).toLocaleString('en')}`, [
        link(stateAddress(PATH, values, { offset: null }), 'From the first row'),
      ])
    : cveTable('CVEs that match', rows)
}
${pager(answer, PAGE_ROWS, (at) => stateAddress(PATH, values, { offset: at === 0 ? null : String(at) }))}</section>`;
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
  const nearest: HtmlValue[] = [
    filters.length > 1 &&
      html`<li>With one filter less: ${filters.map(({ text, without }) => html`${link(without, `without ${text}`)} `)}</li>`,
    values['product'] !== undefined &&
      html`<li>${link(stateAddress(PATH, {}, { q: values['product'] }), `“${values['product']}” as words of title, description or product`)}</li>`,
    words !== undefined &&
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

async function renderFile(
  format: string,
  values: SearchValues,
  { origin }: PageRequest,
  context: PageContext,
): Promise<PageContent> {
  if (format === 'csv') {
    const rows = await collectRows(Number(values['offset'] ?? 0), (offset) =>
      askSearch({ ...values, offset: String(offset) }, context, ROWS_OF_A_QUESTION),
    );
    return cveCsv('cves', rows);
  }
  if (format !== 'atom') throw new ApiError('invalid_argument', 'format: csv or atom, or nothing for the page.');
  const newest = { ...filtersOf(values), sort: 'published_desc' };
  const { results: rows } = await askSearch(newest, context, FEED_ENTRIES);
  const page = stateAddress(PATH, filtersOf(values));
  const title = `CVEs${Object.keys(values).length > 0 ? `: ${describeFilters(filtersOf(values))}` : ''}`;
  return cveFeed({ title, origin, self: stateAddress(PATH, filtersOf(values), { format: 'atom' }), page }, rows);
}
