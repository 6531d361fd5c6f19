import { ApiError } from '../errors.ts';
import { capitalize, formatCount } from '../engine/summary.ts';
import { cveFacets } from '../operations/cve/cve-facets.ts';
import { cvesKev } from '../operations/cve/cves-kev.ts';
import { html, type Html } from './html.ts';
import { link } from './links.ts';
import { definePage, type PageContent, type PageContext, type PageRequest } from './page.ts';
import { csvLabel, listFile } from './parts/cve-export.ts';
import { ADDED_COLUMN, dueColumn, RANSOMWARE_COLUMN } from './parts/cve-overview.ts';
import { cveTable } from './parts/cve-table.ts';
import { activeFilters, facetList, pager } from './parts/facets.ts';
import { kevAddedChart } from './parts/search-charts.ts';
import { formField } from './parts/search-form.ts';
import { stateNote } from './parts/states.ts';
import { hasEmptyFields, readSearchValues, stateAddress, toInput, type SearchValues } from './search-query.ts';

const PATH = '/kev';
const PAGE_ROWS = 25;
const FILTERS = ['vendor', 'product', 'added_since'];

type KevAnswer = Awaited<ReturnType<typeof askKev>>;

/** `/kev`: the known-exploited catalog, newest addition first, with the days that it sets. */
export const kev = definePage({
  path: PATH,
  question: ({ query }) => ({ operation: cvesKev, input: { ...toInput(readValues(query)), limit: PAGE_ROWS } }),
  render(request, context) {
    const values = readValues(request.query);
    const format = request.query.get('format');
    if (format !== null && format !== '') return renderFile(format, values, request, context);
    if (hasEmptyFields(request.query)) return { redirectTo: stateAddress(PATH, values) };
    return renderPage(values, context);
  },
});

async function renderPage(values: SearchValues, context: PageContext): Promise<PageContent> {
  let answer: KevAnswer;
  try {
    answer = await askKev(values, context, PAGE_ROWS);
  } catch (error) {
    if (error instanceof ApiError && error.issues !== null) return faultyPage(values, error);
    throw error;
  }
  const { facets } = await context.askCatalog(cveFacets, { kev: true });
  const filtered = describe(values);
  if (facets.known_exploited.some(({ value }) => value === 'unknown')) return unknownPage(answer.summary);
  const heading = `${formatCount(answer.total, 'CVE')} known to be exploited${filtered === '' ? '' : `: ${filtered}`}`;
  return {
    title: heading,
    description: answer.summary,
    feed: stateAddress(PATH, values, { format: 'atom' }),
    main: html`<h1>${heading}</h1>
${verdict(answer)}
${form(values)}
${activeFilters(
  Object.keys(values)
    .filter((name) => FILTERS.includes(name))
    .map((name) => ({
      text: describe({ [name]: values[name]! }),
      without: stateAddress(PATH, values, { [name]: null }),
    })),
  PATH,
)}
${results(values, answer, context.now)}
<section id="charts"><h2>What was added, and for whom it matters</h2><div class="columns">
${kevAddedChart('by-month', facets.kev_added_month)}
<div>${facetList(
      'Vendors with most of them',
      facets.vendor.map(({ value, count }) => ({
        label: value.replaceAll('_', ' '),
        count,
        href: stateAddress(PATH, {}, { vendor: value }),
      })),
    )}</div></div></section>
<section id="removals"><h2>Removals are not known</h2><p>CISA takes an entry out now and then. The catalog holds what is listed now, and keeps no removals yet.</p></section>`,
  };
}

function unknownPage(summary: string): PageContent {
  const heading = 'Which CVEs are exploited is not known';
  return {
    title: heading,
    description: summary,
    main: html`<h1>${heading}</h1>${stateNote('partial', 'There is no list yet', [summary, ' ', link('/status', 'The state of the sources')])}`,
  };
}

function verdict({ verdict: { gaps } }: KevAnswer): Html {
  const ofCatalog = gaps.filter((gap) => /\bkev\b/.test(gap));
  return html`${ofCatalog.length > 0 && stateNote('stale', 'This list is not whole, or not of today', ofCatalog.join('; '))}
<div class="do"><p><strong>Do:</strong> mend what you run of these before anything else. <strong>By:</strong> the due day is CISA’s rule for US federal agencies (BOD 22-01); for everybody else it is a measure of how urgent it is.</p></div>`;
}

function form(values: SearchValues, faults: ReadonlyMap<string, string> = new Map()): Html {
  return html`<form action="${PATH}" method="get" class="form" role="search" aria-label="Known-exploited CVEs">
${formField('vendor', 'Vendor', values, faults, html` size="16"`)}${formField('product', 'Product', values, faults, html` size="16"`)}${formField('added_since', 'Added since', values, faults, html` placeholder="YYYY-MM-DD" size="11" maxlength="10"`)}${values['sort'] !== undefined && html`<input type="hidden" name="sort" value="${values['sort']}">`}<button>Show</button></form>`;
}

function results(values: SearchValues, answer: KevAnswer, now: Date): Html {
  const { results: rows, total } = answer;
  if (total === 0) {
    return html`<section id="results">${stateNote('empty', 'None of the catalog matches', [answer.summary, ' ', link(PATH, 'The whole catalog')])}</section>`;
  }
  const sorts = [
    ['added_desc', 'Newest addition'],
    ['due_desc', 'Latest due day'],
    ['due_asc', 'Earliest due day'],
  ] as const;
  const sort = values['sort'] ?? 'added_desc';
  return html`<section id="results"><nav aria-label="Order and forms of the list"><ul class="tabs">${sorts.map(
    ([name, text]) =>
      html`<li><a href="${stateAddress(PATH, values, { sort: name === 'added_desc' ? null : name })}"${name === sort && html` aria-current="true"`}>${text}</a></li>`,
  )}<li>${link(stateAddress(PATH, values, { format: 'csv' }), csvLabel(total))}</li><li>${link(stateAddress(PATH, values, { format: 'atom' }), 'Feed')}</li><li>${link('#charts', 'Charts')}</li></ul></nav>
${cveTable('Known-exploited CVEs', rows, {
  more: [ADDED_COLUMN, dueColumn(now), RANSOMWARE_COLUMN],
  without: ['Exploited', 'Published'],
})}
${pager(answer, PAGE_ROWS, (at) => stateAddress(PATH, values, { offset: at === 0 ? null : String(at) }))}</section>`;
}

function faultyPage(values: SearchValues, error: ApiError): PageContent {
  const faults = new Map(error.issues!.map(({ loc, msg }) => [String(loc.at(-1)), msg]));
  const heading = 'This list cannot be shown';
  return {
    status: error.status,
    title: heading,
    description: error.message,
    main: html`<h1>${heading}</h1><p>${capitalize(error.message)}</p>${form(values, faults)}<p>${link(PATH, 'The whole catalog')}</p>`,
  };
}

function renderFile(
  format: string,
  values: SearchValues,
  { origin }: PageRequest,
  context: PageContext,
): Promise<PageContent> {
  const filtered = describe(values);
  const list = {
    name: 'known-exploited',
    title: `Known-exploited CVEs${filtered === '' ? '' : `: ${filtered}`}`,
    path: PATH,
    values,
    newestFirst: {},
    ask: (asked: SearchValues, limit: number) => askKev(asked, context, limit),
  };
  return listFile(format, list, origin);
}

function askKev(values: SearchValues, context: PageContext, limit: number) {
  return context.ask(cvesKev, { ...toInput(values), include: 'full', limit });
}

function readValues(query: URLSearchParams): SearchValues {
  return readSearchValues(query, [...FILTERS, 'sort', 'offset']);
}

function describe({ vendor, product, added_since }: SearchValues): string {
  return [vendor, product, added_since === undefined ? undefined : `added since ${added_since}`]
    .flatMap((text) => text?.replaceAll('_', ' ') ?? [])
    .join(', ');
}
