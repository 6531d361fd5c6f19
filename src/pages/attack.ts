import { formatNumber } from '../engine/summary.ts';
import { atlasTechniqueSearch } from '../operations/atlas/atlas-technique-search.ts';
import { attackCoverage } from '../operations/attack/attack-coverage.ts';
import { attackTechniqueSearch } from '../operations/attack/attack-technique-search.ts';
import { cweCatalog } from '../operations/cve/cwe-catalog.ts';
import { d3fendDefenseSearch } from '../operations/d3fend/d3fend-defense-search.ts';
import { sigmaSearch } from '../operations/sigma/sigma-search.ts';
import { html, type Html, type HtmlValue } from './html.ts';
import { link, paths, withQuery } from './links.ts';
import { definePage, type Outcome, type PageContext, type PageRequest } from './page.ts';
import { coverageMatrix } from './parts/coverage-matrix.ts';
import { coverageTable } from './parts/coverage-table.ts';
import { namedLink } from './parts/attack-tables.ts';
import { errorNote } from './parts/states.ts';

const MAX_ROWS = 5;
const EXAMPLE = 'T1190,T1059.001,T1486';

/** `/attack`: one search over the catalogs of attacks and defenses, and what covers a list of techniques. */
export const attack = definePage({
  path: '/attack',
  question(request) {
    const techniques = wantedTechniques(request);
    return techniques === ''
      ? { operation: attackTechniqueSearch, input: { ...(words(request) !== '' && { keyword: words(request) }) } }
      : { operation: attackCoverage, input: { techniques } };
  },
  async render(request, context) {
    const techniques = wantedTechniques(request);
    if (techniques !== '') return renderCoverage(techniques, context);
    const keyword = words(request);
    const found = keyword === '' ? 'Attack and defense' : `Attacks and defenses for “${keyword}”`;
    return {
      title: found,
      description:
        'ATT&CK, ATLAS, D3FEND, Sigma and CWE, linked to one another: what sees a technique, what stops it, and what nothing covers.',
      main: html`<h1>${found}</h1>
<form class="form" action="/attack"><label>Words or an id <input name="q" value="${keyword}" maxlength="200" size="36" placeholder="phishing, T1190, prompt injection"></label><button>Search</button></form>
${coverageForm(keyword === '' ? EXAMPLE : '')}
<p>${link('/attack/matrix', 'Coverage of the whole matrix, by tactic')}</p>
${await catalogs(keyword, context)}`,
    };
  },
});

function words({ query }: PageRequest): string {
  return (query.get('q') ?? '').trim().slice(0, 200);
}

function wantedTechniques({ query }: PageRequest): string {
  return (query.get('techniques') ?? '')
    .split(/[\s,;]+/)
    .filter((part) => part !== '')
    .join(',');
}

async function renderCoverage(techniques: string, context: PageContext) {
  const coverage = await context.ask(attackCoverage, { techniques });
  const { total, uncovered, unknown, summary } = coverage;
  const heading =
    uncovered.length > 0
      ? `Nothing here covers ${uncovered.length} of ${total} ${total === 1 ? 'technique' : 'techniques'}`
      : unknown.length > 0
        ? `${unknown.length} of ${total} ${total === 1 ? 'id' : 'ids'} ${unknown.length === 1 ? 'is' : 'are'} not in ATT&CK Enterprise`
        : `Something covers each of ${total} ${total === 1 ? 'technique' : 'techniques'}`;
  const cells = coverage.techniques.filter(({ revoked_by }) => revoked_by === null);
  return {
    title: heading,
    description: summary,
    main: html`<h1>${heading}</h1>
<p>${summary}</p>
${coverageMatrix(coverage.tactics, cells)}
<h2 id="table">What covers each</h2>
${coverageTable(coverage.techniques)}
<p class="note">“Seen” counts Sigma rules that are tagged with the technique or a kind of it, and detection strategies of ATT&amp;CK. That a rule exists does not mean that it runs with you.</p>
${coverageForm(techniques)}
<p>${link('/attack', 'All of attack and defense')}</p>`,
  };
}

function coverageForm(techniques: string): Html {
  return html`<form class="form" action="/attack"><label>What covers these techniques? <textarea name="techniques" maxlength="2000" rows="2" cols="44" placeholder="${EXAMPLE}" spellcheck="false" required>
${techniques.replaceAll(',', ', ')}</textarea></label><button>Show coverage</button></form>`;
}

interface Section {
  id: string;
  heading: string;
  about: string;
  all: string;
  rows: readonly HtmlValue[];
  total: number;
}

async function catalogs(keyword: string, context: PageContext): Promise<Html> {
  const query = { limit: MAX_ROWS, ...(keyword !== '' && { keyword }) };
  const [techniques, atlas, defenses, rules, weaknesses] = await Promise.all([
    context.tryAskCatalog(attackTechniqueSearch, query),
    context.tryAskCatalog(atlasTechniqueSearch, query),
    context.tryAskCatalog(d3fendDefenseSearch, { ...query, include_unmapped: true }),
    context.tryAskCatalog(sigmaSearch, { limit: MAX_ROWS, ...(keyword !== '' && { query: keyword }) }),
    context.tryAskCatalog(cweCatalog, {}),
  ]);
  const named = (answer: { weaknesses: { cwe_id: string; name: string }[] }) => {
    const wanted = keyword.toLowerCase().split(/\s+/);
    return answer.weaknesses.filter(({ cwe_id, name }) =>
      wanted.every((word) => `${cwe_id} ${name}`.toLowerCase().includes(word)),
    );
  };
  return html`<div class="columns">
${section(techniques, 'ATT&CK', ({ results, total }) => ({
  id: 'attack',
  heading: 'techniques of ATT&CK',
  about: 'What attackers do to enterprises.',
  all: withQuery('/attack/techniques', { q: keyword }),
  rows: results.map(({ technique_id, name }) => namedLink(paths.technique(technique_id), technique_id, name)),
  total,
}))}
${section(rules, 'Sigma', ({ results, total }) => ({
  id: 'sigma',
  heading: 'Sigma rules',
  about: 'Detection rules for logs, free to use.',
  all: withQuery('/sigma', { q: keyword }),
  rows: results.map(({ rule_id, title }) => link(paths.rule(rule_id), title)),
  total,
}))}
${section(defenses, 'D3FEND', ({ results, total }) => ({
  id: 'd3fend',
  heading: 'defenses of D3FEND',
  about: 'What defenders do, and which techniques it counters.',
  all: withQuery('/d3fend', { q: keyword }),
  rows: results.map(({ defense_id, label }) => link(paths.defense(defense_id), label)),
  total,
}))}
${section(atlas, 'ATLAS', ({ results, total }) => ({
  id: 'atlas',
  heading: 'techniques of ATLAS',
  about: 'Attacks on AI systems, with real cases.',
  all: withQuery('/atlas', { q: keyword }),
  rows: results.map(({ technique_id, name }) => namedLink(paths.atlas(technique_id), technique_id, name)),
  total,
}))}
${section(weaknesses, 'CWE', (answer) => ({
  id: 'cwe',
  heading: 'weaknesses (CWE)',
  about: 'Kinds of faults that CVEs come from.',
  all: withQuery('/cwe', { q: keyword }),
  rows: named(answer)
    .slice(0, MAX_ROWS)
    .map(({ cwe_id, name }) => namedLink(paths.cwe(cwe_id), cwe_id, name)),
  total: named(answer).length,
}))}
</div>`;
}

function section<Answer>(outcome: Outcome<Answer>, what: string, present: (answer: Answer) => Section): Html {
  if (outcome.error !== null) return html`<section>${errorNote(outcome.error, what)}</section>`;
  const { id, heading, about, all, rows, total } = present(outcome.answer);
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${formatNumber(total)} ${heading}</h2><p class="note">${about}</p>
<ul class="plain">${rows.map((row) => html`<li>${row}</li>`)}</ul>${total > rows.length && html`<p>${link(all, `All ${formatNumber(total)} ${heading}`)}</p>`}</section>`;
}
