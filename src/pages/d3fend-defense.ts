import { d3fendDefenseLookup } from '../operations/d3fend/d3fend-defense-lookup.ts';
import { html, join } from './html.ts';
import { foreignLink, link, paths, withQuery } from './links.ts';
import { definePage } from './page.ts';
import { namedLink } from './parts/attack-tables.ts';
import { inline } from './parts/prose.ts';
import { known } from './parts/states.ts';

/** `/d3fend/:id`: one defense, and what it counters. */
export const d3fendDefense = definePage({
  path: '/d3fend/:id',
  question: ({ params }) => ({
    operation: d3fendDefenseLookup,
    input: { defense_id: params.id ?? '', include: 'full' },
  }),
  async render({ params }, context) {
    const defense = await context.ask(d3fendDefenseLookup, { defense_id: params.id ?? '', include: 'full' });
    const { label, d3fend_id, tactic, description, parent_id, parent_label, children, inherited_from } = defense;
    const { total_attack_techniques: total, attack_mappings = [], artifacts, synonyms } = defense;
    const verdict =
      total === 0
        ? 'No ATT&CK technique is mapped to it.'
        : `Counters ${total} ATT&CK ${total === 1 ? 'technique' : 'techniques'}.`;
    return {
      title: `${label}: D3FEND defense`,
      description: `${verdict} ${description ?? ''}`.trim(),
      main: html`<h1>${label}</h1>
<p><strong>${verdict}</strong>${inherited_from !== null && html` They are mapped to ${link(paths.defense(inherited_from), inherited_from)}, of which this is a kind.`}</p>
${description !== null && html`<p>${inline(description)}</p>`}
<dl class="facts">
<dt>Id</dt><dd>${known(d3fend_id)}</dd>
<dt>Tactic</dt><dd>${tactic === null ? known(null) : link(withQuery('/d3fend', { tactic }), tactic)}</dd>
<dt>Works on</dt><dd>${known(artifacts.join(', '), 'no mapping names an artifact')}</dd>
${synonyms.length > 0 && html`<dt>Also called</dt><dd>${synonyms.join(', ')}</dd>`}
${parent_id !== null && html`<dt>Kind of</dt><dd>${link(paths.defense(parent_id), parent_label)}</dd>`}
${
  children.length > 0 &&
  html`<dt>Kinds of it</dt><dd>${join(
    children.map((child) => link(paths.defense(child.defense_id), child.label)),
    ', ',
  )}</dd>`
}
<dt>At MITRE</dt><dd>${foreignLink(defense.uri)}</dd>
</dl>
${
  attack_mappings.length > 0 &&
  html`<h2 id="techniques">What it counters, and why</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Techniques that it counters"><table data-rows><thead><tr><th scope="col">Technique</th><th scope="col">The defense</th><th scope="col">The attack</th></tr></thead>
<tbody>${attack_mappings.map(({ attack_technique_id, name, relations }) => {
    const [first] = relations;
    return html`<tr><th scope="row">${namedLink(paths.technique(attack_technique_id), attack_technique_id, name)}</th><td>${known([first?.relation?.replaceAll('-', ' '), first?.artifact].filter(Boolean).join(' '))}</td><td>${known([first?.attack_relation?.replaceAll('-', ' '), first?.attack_artifact].filter(Boolean).join(' '))}</td></tr>
`;
  })}</tbody></table></div>`
}
<p>${link('/d3fend', 'All defenses')}</p>`,
    };
  },
});
