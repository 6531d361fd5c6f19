import { costText } from '../engine/describe-operation.ts';
import { AREAS, type Operation } from '../engine/operation.ts';
import { routeTemplate } from '../engine/route.ts';
import { html, type Html } from './html.ts';
import { link } from './links.ts';
import { definePage } from './page.ts';

/** `/docs`: all operations by area, each with a page of its own. */
export const docs = definePage({
  path: '/docs',
  render(_request, { operations }) {
    const areas = Object.entries(AREAS).map(
      ([area, about]) => [area, about, operations.filter((operation) => operation.area === area)] as const,
    );
    return {
      title: 'API reference',
      description: `${operations.length} questions over REST, MCP and the command line, each with its fields, its price and a form to try it.`,
      scripts: ['docs'],
      main: html`<h1>${operations.length} questions over REST, MCP and the command line</h1>
<p>No key is needed, unless who runs this service answers only those who have one; a key raises the quota. Each answer to a look-up says which sources it rests on, how old they are, and what is missing.</p>
<p>${link('/docs/mcp', 'For AI agents (MCP)')} · ${link('/docs/errors', 'Errors')} · ${link('/openapi.json', 'OpenAPI document')} · ${link('/privacy', 'What is stored')}</p>
<form class="form needs-scripts" action="/docs"><label>Show only <input type="search" data-filter placeholder="mail, CVE, POST, tls" autocomplete="off"></label><output class="note" data-filter-count></output></form>
${areas.filter(([, , of]) => of.length > 0).map(([area, about, of]) => areaSection(area, about, of))}`,
    };
  },
});

function areaSection(area: string, about: string, operations: readonly Operation[]): Html {
  return html`<section data-filter-group aria-labelledby="${area}"><h2 id="${area}">${area}</h2><p class="note">${about}</p>
<ul class="operations">${operations.map(
    (operation) =>
      html`<li data-filter-row>${link(`/docs/${operation.id}`, operation.title)} <code>${operation.route === null ? `sextant ${operation.id.replaceAll('_', '-')}` : routeTemplate(operation.route)}</code> <span class="note">${costText(operation)}</span></li>
`,
  )}</ul></section>
`;
}
