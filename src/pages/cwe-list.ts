import { formatNumber } from '../engine/summary.ts';
import { cweCatalog } from '../operations/cve/cwe-catalog.ts';
import { html } from './html.ts';
import { link, paths } from './links.ts';
import { listRequest } from './list-request.ts';
import { definePage } from './page.ts';
import { namedLink } from './parts/attack-tables.ts';
import { stateNote } from './parts/states.ts';

/** `/cwe`: all weaknesses, or those with the words in their names. */
export const cweList = definePage({
  path: '/cwe',
  question: () => ({ operation: cweCatalog, input: {} }),
  async render(request, context) {
    const { words } = listRequest(request);
    const { weaknesses } = await context.ask(cweCatalog, {});
    const wanted = words.toLowerCase().split(/\s+/);
    const rows = weaknesses.filter(({ cwe_id, name }) =>
      wanted.every((word) => `${cwe_id} ${name}`.toLowerCase().includes(word)),
    );
    const heading = `${formatNumber(rows.length)} ${rows.length === 1 ? 'weakness' : 'weaknesses'} of CWE${words === '' ? '' : ` with “${words}” in the name`}`;
    return {
      title: heading,
      description: 'Kinds of faults that CVEs come from, each with its CVEs, attack patterns and techniques.',
      main: html`<h1>${heading}</h1>
<form class="form" action="/cwe"><label>Words of the name <input name="q" value="${words}" maxlength="200" placeholder="path traversal"></label><button>Search</button></form>
${rows.length === 0 && stateNote('empty', 'No weakness has these words in its name', 'Look for other words: names are those of MITRE.')}
<ul class="plain two-columns">${rows.map(
        ({ cwe_id, name }) => html`<li>${namedLink(paths.cwe(cwe_id), cwe_id, name)}</li>
`,
      )}</ul>
<p>${link('/attack', 'All of attack and defense')}</p>`,
    };
  },
});
