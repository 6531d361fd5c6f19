import { formatNumber } from '../engine/summary.ts';
import { d3fendDefenseSearch } from '../operations/d3fend/d3fend-defense-search.ts';
import { html } from './html.ts';
import { link, paths, withQuery } from './links.ts';
import { listRequest } from './list-request.ts';
import { definePage, type PageRequest } from './page.ts';
import { pager } from './parts/facets.ts';
import { known, stateNote } from './parts/states.ts';

const LIMIT = 100;
/** The tactics of D3FEND in its own order. */
const TACTICS = ['Model', 'Harden', 'Detect', 'Isolate', 'Deceive', 'Evict', 'Restore'];

function inputOf(request: PageRequest) {
  const { words, offset } = listRequest(request);
  const tactic = request.query.get('tactic') ?? '';
  return {
    ...(words !== '' && { keyword: words }),
    ...(tactic !== '' && { tactic }),
    include_unmapped: true,
    limit: LIMIT,
    offset,
  };
}

/** `/d3fend`: defenses by words and tactic. */
export const d3fend = definePage({
  path: '/d3fend',
  question: (request) => ({ operation: d3fendDefenseSearch, input: inputOf(request) }),
  async render(request, context) {
    const { words } = listRequest(request);
    const tactic = request.query.get('tactic') ?? '';
    const found = await context.ask(d3fendDefenseSearch, inputOf(request));
    const heading = `${formatNumber(found.total)} ${found.total === 1 ? 'defense' : 'defenses'} of D3FEND${tactic === '' ? '' : `: ${tactic}`}${words === '' ? '' : ` for “${words}”`}`;
    return {
      title: heading,
      description: found.summary,
      main: html`<h1>${heading}</h1>
<form class="form" action="/d3fend"><label>Words <input name="q" value="${words}" maxlength="200" placeholder="file analysis"></label><label>Tactic <select name="tactic"><option value="">any</option>${TACTICS.map((name) => html`<option${name === tactic && html` selected`}>${name}</option>`)}</select></label><button>Search</button></form>
${
  found.results.length === 0
    ? stateNote('empty', 'No defense matches', 'Look for other words, or any tactic.')
    : html`<div class="scroll" tabindex="0" role="region" aria-label="Defenses"><table data-rows><thead><tr><th scope="col">Defense</th><th scope="col">Tactic</th><th scope="col">Works on</th><th scope="col" class="number">Counters</th></tr></thead>
<tbody>${found.results.map(
        ({ defense_id, d3fend_id, label, tactic, artifact, total_attack_techniques }) =>
          html`<tr><th scope="row">${link(paths.defense(defense_id), label)} <span class="note">${d3fend_id}</span></th><td>${known(tactic)}</td><td>${artifact ?? 'not mapped'}</td><td class="number">${total_attack_techniques === 0 ? 'not mapped' : `${total_attack_techniques} ${total_attack_techniques === 1 ? 'technique' : 'techniques'}`}</td></tr>
`,
      )}</tbody></table></div>`
}
${pager(found, LIMIT, (offset) => withQuery('/d3fend', { offset, q: words, tactic }))}
<p>${link('/attack', 'All of attack and defense')}</p>`,
    };
  },
});
