import { formatNumber } from '../engine/summary.ts';
import { cweLookup } from '../operations/cve/cwe-lookup.ts';
import { cveSearch } from '../operations/cve/cve-search.ts';
import { html, type Html } from './html.ts';
import { foreignLink, link, paths, withQuery } from './links.ts';
import { definePage } from './page.ts';
import { namedLink, techniqueLinks } from './parts/attack-tables.ts';
import { cveTable } from './parts/cve-table.ts';
import { inline } from './parts/prose.ts';
import { errorNote, known, stateNote } from './parts/states.ts';

type Weakness = Awaited<ReturnType<(typeof cweLookup)['answer']>>;

const MAX_CVES = 10;

/** `/cwe/:id`: one weakness: how to avoid it, its CVEs, and how it is attacked. */
export const cwe = definePage({
  path: '/cwe/:id',
  question: ({ params }) => ({ operation: cweLookup, input: { cwe_id: params.id ?? '', include: 'full' } }),
  async render({ params }, context) {
    const weakness = await context.ask(cweLookup, { cwe_id: params.id ?? '', include: 'full' });
    const { cwe_id, name, related_cves_count: total, description, extended_description } = weakness;
    const cves = await context.tryAskCatalog(cveSearch, {
      cwe_id,
      sort: 'epss_desc',
      limit: MAX_CVES,
      include: 'full',
    });
    const verdict = `${formatNumber(total)} ${total === 1 ? 'CVE' : 'CVEs'} here ${total === 1 ? 'comes' : 'come'} from it.`;
    const all = withQuery('/search', { cwe_id });
    return {
      title: `${cwe_id} ${name}`,
      description: `${verdict} ${description}`,
      main: html`<h1>${cwe_id} ${name}</h1>
<p><strong>${verdict}</strong> ${inline(description)}</p>
${mitigation(weakness)}
${relatives(weakness)}
<h2 id="cves">${total === 0 ? 'No CVE here names it' : 'CVEs of it, most likely exploited first'}</h2>
${
  cves.answer === null
    ? errorNote(cves.error, 'CVEs')
    : cves.answer.results.length > 0 &&
      html`${cveTable('CVEs of this weakness', cves.answer.results)}
<p>${link(all, total > cves.answer.results.length ? `All ${formatNumber(total)}, with filters` : 'The same as a search')}</p>`
}
${patterns(weakness)}
${weakness.mitigations.length > 1 && html`<h2 id="mitigations">How to avoid it</h2><ul>${weakness.mitigations.map(({ phase, strategy, description }) => html`<li>${(phase ?? strategy) !== null && html`<b>${[phase, strategy].filter(Boolean).join(', ')}</b>: `}${inline(description)}</li>`)}</ul>`}
${extended_description != null && extended_description !== '' && html`<h2 id="more">More about it</h2><p>${inline(extended_description)}</p>`}
${weakness.examples.length > 0 && html`<h2 id="examples">Real examples</h2><ul>${weakness.examples.map(({ reference, description }) => html`<li>${/^CVE-\d{4}-\d{4,19}$/.test(reference) ? link(paths.cve(reference), reference) : reference}: ${description}</li>`)}</ul>`}
<p>${foreignLink(`https://cwe.mitre.org/data/definitions/${cwe_id.slice('CWE-'.length)}.html`, 'This weakness at MITRE')}</p>`,
    };
  },
});

function mitigation({ mitigations }: Weakness): Html | false {
  const [first] = mitigations;
  return (
    first !== undefined &&
    html`<div class="do"><p><b>Do${first.phase !== null && html` (${first.phase.toLowerCase()})`}:</b> ${inline(first.description)}</p></div>`
  );
}

function relatives({ abstraction, status, parent_chain, child_chain }: Weakness): Html {
  return html`<dl class="facts">
<dt>Kind</dt><dd>${abstraction}, ${status.toLowerCase()}</dd>
${parent_chain.length > 0 && html`<dt>Kind of</dt><dd><ul class="plain">${parent_chain.map((one) => html`<li>${namedLink(paths.cwe(one.cwe_id), one.cwe_id, one.name)} <span class="note">${one.abstraction}</span></li>`)}</ul></dd>`}
${child_chain.length > 0 && html`<dt>Kinds of it</dt><dd>${listOf(child_chain)}</dd>`}
</dl>`;
}

function listOf(rows: Weakness['child_chain']): Html {
  const list = html`<ul class="plain">${rows.map((one) => html`<li>${namedLink(paths.cwe(one.cwe_id), one.cwe_id, one.name)}</li>`)}</ul>`;
  return rows.length > 6 ? html`<details><summary>${rows.length} weaknesses</summary>${list}</details>` : list;
}

function patterns({ attack_patterns }: Weakness): Html {
  if (attack_patterns === null)
    return html`<h2 id="attacks">How it is attacked: not known</h2>${stateNote('partial', 'CAPEC and ATT&CK are not synced', 'So the attack patterns on this weakness are not known.')}`;
  if (attack_patterns.length === 0) return html`<h2 id="attacks">CAPEC has no attack pattern on it</h2>`;
  const techniques = [...new Set(attack_patterns.flatMap(({ technique_ids }) => technique_ids))];
  return html`<h2 id="attacks">How it is attacked: ${attack_patterns.length} ${attack_patterns.length === 1 ? 'pattern' : 'patterns'}${techniques.length > 0 && `, ${techniques.length} ${techniques.length === 1 ? 'technique' : 'techniques'} of ATT&CK`}</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Attack patterns"><table><thead><tr><th scope="col">Attack pattern (CAPEC)</th><th scope="col">Likelihood</th><th scope="col">Techniques</th></tr></thead>
<tbody>${attack_patterns.map(
    ({
      capec_id,
      name,
      likelihood,
      technique_ids,
    }) => html`<tr><th scope="row"><span class="id">${capec_id}</span> ${name}</th><td>${known(likelihood)}</td><td>${technique_ids.length === 0 ? 'none named' : techniqueLinks(technique_ids)}</td></tr>
`,
  )}</tbody></table></div>
${techniques.length > 0 && html`<p>${link(`/attack?techniques=${techniques.slice(0, 100).join(',')}`, 'What sees and stops these techniques')}</p>`}`;
}
