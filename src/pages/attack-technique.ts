import { formatNumber } from '../engine/summary.ts';
import { attackTechniqueLookup } from '../operations/attack/attack-technique-lookup.ts';
import { html, type Html, join } from './html.ts';
import { foreignLink, link, paths, withQuery } from './links.ts';
import { definePage } from './page.ts';
import { defenseTable, missingText, namedLink, ruleTable, weaknessLinks } from './parts/attack-tables.ts';
import { tacticAnchor } from './parts/coverage-matrix.ts';
import { inline, prose } from './parts/prose.ts';
import { stateNote } from './parts/states.ts';

type Technique = Awaited<ReturnType<(typeof attackTechniqueLookup)['answer']>>;

/** `/attack/:technique`: what sees and what stops one ATT&CK technique. */
export const attackTechnique = definePage({
  path: '/attack/:technique',
  question: ({ params }) => ({ operation: attackTechniqueLookup, input: { technique_id: params.technique ?? '' } }),
  async render({ params }, context) {
    const technique = await context.ask(attackTechniqueLookup, { technique_id: params.technique ?? '' });
    const { technique_id, name, coverage } = technique;
    return {
      title: `${technique_id} ${name}`,
      description: coverage,
      main: html`<h1>${technique_id} ${name}</h1>
<p><strong>${coverage}</strong></p>
${startBox(technique)}
${facts(technique)}
${rules(technique)}
${strategies(technique)}
${defenses(technique)}
${uses(technique)}
${technique.description !== null && html`<h2 id="what">What it is</h2>${prose(technique.description)}`}
<p>${foreignLink(`https://attack.mitre.org/techniques/${technique_id.replace('.', '/')}/`, 'This technique at MITRE')}</p>`,
    };
  },
});

/** What to begin with: the rule of the highest level, and the first mitigation. */
function startBox({ revoked_by, sigma_rules, mitigations, missing }: Technique): Html {
  if (revoked_by !== null) {
    return html`<div class="do"><p><b>Do:</b> use ${link(paths.technique(revoked_by), revoked_by)}, which took the place of this technique.</p></div>`;
  }
  const rule = sigma_rules?.[0];
  const [mitigation] = mitigations;
  return html`<div class="do"><p><b>Do:</b> ${rule === undefined ? 'look for it by hand' : html`watch for it with ${link(paths.rule(rule.rule_id), rule.title)}`}${mitigation !== undefined && html`; make it harder by ${mitigation.name} (${mitigation.mitigation_id})`}.${missing.length > 0 && html` Gaps: ${missingText(missing)}.`}</p></div>`;
}

function facts(technique: Technique): Html {
  const { tactics, platforms, subtechnique_of, subtechniques, atlas_techniques } = technique;
  return html`<dl class="facts">
<dt>Tactics</dt><dd>${join(
    tactics.map((tactic) => link(`/attack/matrix#${tacticAnchor(tactic)}`, tactic)),
    ', ',
  )}</dd>
<dt>Platforms</dt><dd>${platforms.join(', ')}</dd>
${subtechnique_of !== null && html`<dt>Kind of</dt><dd>${link(paths.technique(subtechnique_of), subtechnique_of)}</dd>`}
${subtechniques.length > 0 && html`<dt>Sub-techniques</dt><dd><ul class="plain">${subtechniques.map((one) => html`<li>${namedLink(paths.technique(one.technique_id), one.technique_id, one.name)}</li>`)}</ul></dd>`}
${atlas_techniques.length > 0 && html`<dt>In ATLAS</dt><dd><ul class="plain">${atlas_techniques.map((one) => html`<li>${namedLink(paths.atlas(one.technique_id), one.technique_id, one.name)}</li>`)}</ul></dd>`}
</dl>`;
}

function rules({ technique_id, sigma_rules, total_sigma_rules }: Technique): Html {
  if (sigma_rules === null || total_sigma_rules === null) {
    return html`<h2 id="rules">Sigma rules: not known</h2>${stateNote('partial', 'Sigma rules are not synced', 'So whether a rule sees this technique is not known.')}`;
  }
  if (total_sigma_rules === 0) {
    return html`<h2 id="rules">No Sigma rule is tagged with it</h2><p>Look for it by the detection strategies, where there are any.</p>`;
  }
  const all = withQuery('/sigma', { technique: technique_id });
  return html`<h2 id="rules">${formatNumber(total_sigma_rules)} Sigma ${total_sigma_rules === 1 ? 'rule sees' : 'rules see'} it</h2>
${ruleTable(sigma_rules, 'Sigma rules of this technique')}
${total_sigma_rules > sigma_rules.length && html`<p>The ${sigma_rules.length} of the highest levels. ${link(all, `All ${formatNumber(total_sigma_rules)}, by level and product`)}</p>`}`;
}

function strategies({ detection_strategies }: Technique): Html {
  if (detection_strategies.length === 0)
    return html`<h2 id="strategies">ATT&amp;CK has no detection strategy for it</h2><p>None is published for this technique in the release synced here.</p>`;
  return html`<h2 id="strategies">Where it leaves traces</h2>
${detection_strategies.map(
  ({ strategy_id, name, analytics }) => html`<h3>${name} <span class="note">${strategy_id}</span></h3>
${analytics.map(
  ({
    analytic_id,
    platforms,
    description,
    log_sources,
  }) => html`<p><b>${platforms.join(', ')}</b> <span class="note">${analytic_id}</span> ${description !== null && inline(description)}</p>
${log_sources.length > 0 && html`<ul>${log_sources.map(({ name, channel, data_component }) => html`<li><code>${name}</code>${channel !== null && html` ${channel}`}${data_component !== null && html` <span class="note">${data_component}</span>`}</li>`)}</ul>`}`,
)}`,
)}`;
}

function defenses({ technique_id, defenses: rows, inherited_from, mitigations }: Technique): Html {
  const list =
    rows === null
      ? stateNote('partial', 'D3FEND is not synced', 'So which defenses counter this technique is not known.')
      : rows.length === 0
        ? html`<p>No mapping exists. That does not mean that nothing helps.</p>`
        : defenseTable(rows, 'Defenses of D3FEND');
  const heading =
    rows === null
      ? 'Defenses: not known'
      : rows.length === 0
        ? 'D3FEND maps no defense to it'
        : `D3FEND names ${rows.length} ${rows.length === 1 ? 'defense' : 'defenses'}`;
  return html`<h2 id="defenses">${heading}</h2>
${inherited_from !== null && html`<p class="note">They are mapped to ${link(paths.technique(inherited_from), inherited_from)}, of which ${technique_id} is a kind.</p>`}
${list}
${mitigations.length > 0 && html`<h3>Mitigations of ATT&amp;CK</h3><ul>${mitigations.map(({ mitigation_id, name }) => html`<li>${name} <span class="note">${mitigation_id}</span></li>`)}</ul>`}`;
}

function uses({ weaknesses, attack_patterns, exploited_cves, total_exploited_cves }: Technique): Html {
  return html`<h2 id="cves">${total_exploited_cves === 0 ? 'No known-exploited CVE is mapped to it' : `${total_exploited_cves} known-exploited ${total_exploited_cves === 1 ? 'CVE was' : 'CVEs were'} mapped to it`}</h2>
${total_exploited_cves > 0 && html`<ul class="ids">${exploited_cves.map(({ cve_id, role }) => html`<li><span class="id">${link(paths.cve(cve_id), cve_id)}</span> <span class="note">${role?.replaceAll('_', ' ')}</span></li>`)}</ul>${total_exploited_cves > exploited_cves.length && html`<p class="note">The newest ${exploited_cves.length}.</p>`}`}
${
  attack_patterns.length > 0 &&
  html`<h2 id="weaknesses">Weaknesses that lead to it</h2>${weaknessLinks(weaknesses)}
<p class="note">By ${attack_patterns.map(({ capec_id, name }) => `${capec_id} ${name}`).join(', ')}.</p>`
}`;
}
