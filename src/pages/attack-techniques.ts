import { formatNumber } from '../engine/summary.ts';
import { attackTechniqueSearch } from '../operations/attack/attack-technique-search.ts';
import { html } from './html.ts';
import { link, paths, withQuery } from './links.ts';
import { definePage, type PageRequest } from './page.ts';
import { pager } from './parts/facets.ts';
import { namedLink } from './parts/attack-tables.ts';
import { listRequest } from './list-request.ts';

const LIMIT = 100;

function inputOf(request: PageRequest) {
  const { words, offset } = listRequest(request);
  return { ...(words !== '' && { keyword: words }), limit: LIMIT, offset };
}

/** `/attack/techniques`: techniques of ATT&CK by words. */
export const attackTechniques = definePage({
  path: '/attack/techniques',
  question: (request) => ({ operation: attackTechniqueSearch, input: inputOf(request) }),
  async render(request, context) {
    const { words } = listRequest(request);
    const found = await context.ask(attackTechniqueSearch, inputOf(request));
    const heading = `${formatNumber(found.total)} ${found.total === 1 ? 'technique' : 'techniques'} of ATT&CK${words === '' ? '' : ` for “${words}”`}`;
    return {
      title: heading,
      description: found.summary,
      main: html`<h1>${heading}</h1>
<form class="form" action="/attack/techniques"><label>Words, tactic or platform <input name="q" value="${words}" maxlength="200"></label><button>Search</button></form>
<div class="scroll" tabindex="0" role="region" aria-label="Techniques"><table data-rows><thead><tr><th scope="col">Technique</th><th scope="col">Tactics</th><th scope="col">Platforms</th></tr></thead>
<tbody>${found.results.map(
        ({ technique_id, name, tactics, platforms, revoked_by }) =>
          html`<tr><th scope="row">${namedLink(paths.technique(technique_id), technique_id, name)}${revoked_by !== null && html` <span class="note">revoked, see ${revoked_by}</span>`}</th><td>${tactics.join(', ')}</td><td>${platforms.join(', ')}</td></tr>
`,
      )}</tbody></table></div>
${pager(found, LIMIT, (offset) => withQuery('/attack/techniques', { offset, q: words }))}
<p>${link('/attack', 'All of attack and defense')}</p>`,
    };
  },
});
