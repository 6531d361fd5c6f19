import { atlasCaseStudySearch } from '../operations/atlas/atlas-case-study-search.ts';
import { atlasTechniqueSearch } from '../operations/atlas/atlas-technique-search.ts';
import { html } from './html.ts';
import { link, paths } from './links.ts';
import { listRequest } from './list-request.ts';
import { definePage, type PageRequest } from './page.ts';
import { namedLink } from './parts/attack-tables.ts';
import { errorNote, known, stateNote } from './parts/states.ts';

const LIMIT = 200;

function inputOf(request: PageRequest) {
  const { words } = listRequest(request);
  return { ...(words !== '' && { keyword: words }), limit: LIMIT };
}

/** `/atlas`: attacks on AI systems: techniques and cases by words. */
export const atlas = definePage({
  path: '/atlas',
  question: (request) => ({ operation: atlasTechniqueSearch, input: inputOf(request) }),
  async render(request, context) {
    const { words } = listRequest(request);
    const techniques = await context.ask(atlasTechniqueSearch, inputOf(request));
    const studies = await context.tryAskCatalog(atlasCaseStudySearch, inputOf(request));
    const heading = `${techniques.total} ${techniques.total === 1 ? 'technique' : 'techniques'} against AI systems${words === '' ? '' : ` for “${words}”`}`;
    return {
      title: heading,
      description: techniques.summary,
      main: html`<h1>${heading}</h1>
<form class="form" action="/atlas"><label>Words <input name="q" value="${words}" maxlength="200" placeholder="prompt injection"></label><button>Search</button></form>
<p class="note">MITRE ATLAS. Maturity: feasible in research, demonstrated against a real system, or realized in an attack.</p>
${
  techniques.results.length === 0
    ? stateNote('empty', 'No technique matches', 'Look for other words.')
    : html`<div class="scroll" tabindex="0" role="region" aria-label="Techniques of ATLAS"><table data-rows><thead><tr><th scope="col">Technique</th><th scope="col">Tactics</th><th scope="col">Maturity</th><th scope="col">In ATT&amp;CK</th></tr></thead>
<tbody>${techniques.results.map(
        ({ technique_id, name, tactics, maturity, attack_reference_id }) =>
          html`<tr><th scope="row">${namedLink(paths.atlas(technique_id), technique_id, name)}</th><td>${tactics.map((tactic) => tactic.name).join(', ')}</td><td>${known(maturity)}</td><td>${attack_reference_id === null ? 'none' : link(paths.technique(attack_reference_id), attack_reference_id)}</td></tr>
`,
      )}</tbody></table></div>`
}
${
  studies.error !== null
    ? errorNote(studies.error, 'Case studies')
    : studies.answer.total > 0 &&
      html`<h2 id="cases">${studies.answer.total} real ${studies.answer.total === 1 ? 'case' : 'cases'}</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Case studies"><table data-rows><thead><tr><th scope="col">Case</th><th scope="col">Kind</th><th scope="col">Target</th><th scope="col">Date</th></tr></thead>
<tbody>${studies.answer.results.map(
        ({ case_study_id, name, case_study_type, target, incident_date }) =>
          html`<tr><th scope="row">${link(paths.atlas(case_study_id), name)}</th><td>${known(case_study_type)}</td><td>${known(target)}</td><td class="day">${known(incident_date)}</td></tr>
`,
      )}</tbody></table></div>`
}
<p>${link('/attack', 'All of attack and defense')}</p>`,
    };
  },
});
