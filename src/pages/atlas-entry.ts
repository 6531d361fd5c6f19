import { atlasCaseStudyLookup } from '../operations/atlas/atlas-case-study-lookup.ts';
import { atlasCaseStudySearch } from '../operations/atlas/atlas-case-study-search.ts';
import { atlasTechniqueLookup } from '../operations/atlas/atlas-technique-lookup.ts';
import { html } from './html.ts';
import { foreignLink, link, paths } from './links.ts';
import { definePage, type PageContent, type PageContext, type Question } from './page.ts';
import { namedLink } from './parts/attack-tables.ts';
import { inline, prose } from './parts/prose.ts';
import { errorNote, known } from './parts/states.ts';

const MAX_CASES = 20;

function isCase(id: string): boolean {
  return /^AML\.CS/i.test(id);
}

/** `/atlas/:id`: one technique against AI systems, or one case. */
export const atlasEntry = definePage({
  path: '/atlas/:id',
  question({ params: { id = '' } }): Question {
    return isCase(id)
      ? { operation: atlasCaseStudyLookup, input: { case_study_id: id, include: 'full' } }
      : { operation: atlasTechniqueLookup, input: { technique_id: id } };
  },
  render: ({ params: { id = '' } }, context) => (isCase(id) ? renderCase(id, context) : renderTechnique(id, context)),
});

async function renderTechnique(id: string, context: PageContext): Promise<PageContent> {
  const technique = await context.ask(atlasTechniqueLookup, { technique_id: id });
  const { technique_id, name, maturity, mitigations, subtechniques, subtechnique_of, attack_reference_id } = technique;
  const cases = await context.tryAskCatalog(atlasCaseStudySearch, { technique_id, limit: MAX_CASES });
  const used =
    cases.answer === null
      ? 'In which cases it was used is not known'
      : `Used in ${cases.answer.total} known ${cases.answer.total === 1 ? 'case' : 'cases'}`;
  const verdict = `${used}; ${mitigations.length === 0 ? 'ATLAS lists no mitigation' : `ATLAS lists ${mitigations.length} ${mitigations.length === 1 ? 'mitigation' : 'mitigations'}`}.`;
  return {
    title: `${technique_id} ${name}`,
    description: verdict,
    main: html`<h1>${technique_id} ${name}</h1>
<p><strong>${verdict}</strong></p>
${mitigations[0] !== undefined && html`<div class="do"><p><b>Do:</b> ${mitigations[0].name}${mitigations[0].use !== null && html`. ${inline(mitigations[0].use)}`}</p></div>`}
<dl class="facts">
<dt>Tactics</dt><dd>${technique.tactics.map((tactic) => tactic.name).join(', ')}</dd>
<dt>Maturity</dt><dd>${known(maturity)}</dd>
<dt>In ATT&amp;CK</dt><dd>${attack_reference_id === null ? 'no counterpart' : link(paths.technique(attack_reference_id), attack_reference_id)}</dd>
${subtechnique_of !== null && html`<dt>Kind of</dt><dd>${link(paths.atlas(subtechnique_of), subtechnique_of)}</dd>`}
${subtechniques.length > 0 && html`<dt>Sub-techniques</dt><dd><ul class="plain">${subtechniques.map((one) => html`<li>${namedLink(paths.atlas(one.technique_id), one.technique_id, one.name)}</li>`)}</ul></dd>`}
</dl>
${mitigations.length > 1 && html`<h2 id="mitigations">What helps</h2><ul>${mitigations.map(({ mitigation_id, name, use }) => html`<li><b>${name}</b> <span class="note">${mitigation_id}</span>${use !== null && html`<br>${inline(use)}`}</li>`)}</ul>`}
<h2 id="what">What it is</h2>${prose(technique.description)}
<h2 id="cases">${used}</h2>
${cases.answer === null ? errorNote(cases.error, 'Case studies') : html`<ul>${cases.answer.results.map(({ case_study_id, name, target }) => html`<li>${link(paths.atlas(case_study_id), name)}${target !== null && html` <span class="note">target ${target}</span>`}</li>`)}</ul>`}
<p>${foreignLink(`https://atlas.mitre.org/techniques/${technique_id}`, 'This technique at MITRE')}</p>`,
  };
}

async function renderCase(id: string, context: PageContext): Promise<PageContent> {
  const study = await context.ask(atlasCaseStudyLookup, { case_study_id: id, include: 'full' });
  const { case_study_id, name, case_study_type, target, actor, incident_date, procedure = [], pivot_hints } = study;
  const cves = pivot_hints.filter(({ type }) => type === 'cve');
  const attack = pivot_hints.filter(({ type }) => type === 'attack_technique').map(({ value }) => value);
  return {
    title: `${name}: ATLAS case study`,
    description: study.summary,
    main: html`<h1>${name}</h1>
<p><strong>${case_study_type === 'incident' ? 'This happened' : 'An exercise'}: ${procedure.length} steps${target !== null && ` against ${target}`}.</strong></p>
<dl class="facts">
<dt>Id</dt><dd>${case_study_id}</dd>
<dt>Date</dt><dd>${known(incident_date)}</dd>
<dt>By</dt><dd>${known(actor)}</dd>
<dt>Reported by</dt><dd>${known(study.reporter)}</dd>
${cves.length > 0 && html`<dt>CVEs</dt><dd><ul class="ids">${cves.map(({ value }) => html`<li class="id">${link(paths.cve(value), value)}</li>`)}</ul></dd>`}
</dl>
${prose(study.description)}
${attack.length > 0 && html`<p>${link(`/attack?techniques=${attack.join(',')}`, 'What would see and stop its techniques in ATT&CK')}</p>`}
<h2 id="procedure">Step by step</h2>
<ol>${procedure.map(({ tactic, technique, description }) => html`<li><b>${namedLink(paths.atlas(technique.technique_id), technique.technique_id, technique.name)}</b>${tactic !== null && html` <span class="note">${tactic.name}</span>`}<br>${inline(description)}</li>`)}</ol>
${study.references.length > 0 && html`<h2 id="references">References</h2><ul>${study.references.map(({ title, url }) => html`<li>${url === null ? title : foreignLink(url, title ?? url)}</li>`)}</ul>`}`,
  };
}
