import { formatNumber } from '../engine/summary.ts';
import { sigmaSearch } from '../operations/sigma/sigma-search.ts';
import { html, type HtmlValue } from './html.ts';
import { link, paths, withQuery } from './links.ts';
import { listRequest } from './list-request.ts';
import { definePage, type PageRequest } from './page.ts';
import { ruleTable } from './parts/attack-tables.ts';
import { activeFilters, facetList, pager } from './parts/facets.ts';
import { stateNote } from './parts/states.ts';

const LIMIT = 50;
/** Filters in the order of the address, with what people call them. */
const FILTERS = [
  ['cve_id', 'CVE'],
  ['level', 'Level'],
  ['logsource_category', 'Category'],
  ['logsource_product', 'Product'],
  ['status', 'Status'],
  ['technique', 'Technique'],
] as const;
const FACETS = ['level', 'logsource_product', 'logsource_category', 'status'] as const;

type Filters = Partial<Record<(typeof FILTERS)[number][0], string>>;

function filtersOf({ query }: PageRequest): Filters {
  return Object.fromEntries(
    FILTERS.flatMap(([name]) => {
      const value = query.get(name)?.trim() ?? '';
      return value === '' ? [] : [[name, value]];
    }),
  );
}

function inputOf(request: PageRequest) {
  const { words, offset } = listRequest(request);
  return { ...filtersOf(request), ...(words !== '' && { query: words }), facets: true, limit: LIMIT, offset };
}

/** `/sigma`: detection rules by words, technique, CVE, log source, level and status. */
export const sigma = definePage({
  path: '/sigma',
  question: (request) => ({ operation: sigmaSearch, input: inputOf(request) }),
  async render(request, context) {
    const { words } = listRequest(request);
    const filters = filtersOf(request);
    const found = await context.ask(sigmaSearch, inputOf(request));
    const address = (change: Filters, offset = 0): string => {
      const all = { ...filters, ...change };
      const sorted = Object.fromEntries(FILTERS.map(([name]) => [name, all[name]]));
      const { technique, ...rest } = sorted;
      return withQuery('/sigma', { ...rest, offset: offset || null, q: words, technique });
    };
    const about = filters.technique ?? filters.cve_id;
    const heading = `${formatNumber(found.total)} Sigma ${found.total === 1 ? 'rule' : 'rules'}${about === undefined ? '' : ` for ${about.toUpperCase()}`}${words === '' ? '' : ` with “${words}”`}`;
    return {
      title: heading,
      description: found.summary,
      main: html`<h1>${heading}</h1>
<form class="form" action="/sigma"><label>Words <input name="q" value="${words}" maxlength="200" placeholder="credential dumping"></label><label>ATT&amp;CK technique <input name="technique" value="${filters.technique ?? ''}" maxlength="20" placeholder="T1059.001" size="12"></label>${FILTERS.filter(([name]) => name !== 'technique' && filters[name] !== undefined).map(([name]) => html`<input type="hidden" name="${name}" value="${filters[name]}">`)}<button>Search</button></form>
${activeFilters(
  FILTERS.flatMap(([name, label]) => {
    const value = filters[name];
    return value === undefined ? [] : [{ text: `${label}: ${value}`, without: address({ [name]: undefined }) }];
  }),
  withQuery('/sigma', { q: words }),
)}
<p class="to-side">${link('#narrow', 'Narrow by level, product, category or status')}</p>
<div class="with-side"><div>${results(found.results, filters)}
${pager(found, LIMIT, (offset) => address({}, offset))}</div>
<div class="side" id="narrow"><h2>Narrow</h2>${FACETS.map((kind) => {
        const label = FILTERS.find(([name]) => name === kind)![1];
        const rows = filters[kind] === undefined ? (found.facets?.[kind] ?? []) : [];
        return facetList(
          label,
          rows.map(({ value, count }) => ({ label: value, count, href: address({ [kind]: value }) })),
        );
      })}</div></div>`,
    };
  },
});

function results(rows: Parameters<typeof ruleTable>[0], { technique }: Filters): HtmlValue {
  if (rows.length > 0) return ruleTable(rows, 'Sigma rules');
  return html`${stateNote('empty', 'No rule matches all of this', 'Remove a filter, or look for other words.')}${technique !== undefined && html`<p>${link(paths.technique(technique.toUpperCase()), `What else is known of ${technique.toUpperCase()}`)}</p>`}`;
}
