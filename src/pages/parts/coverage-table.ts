import { formatNumber } from '../../engine/summary.ts';
import type { attackCoverage } from '../../operations/attack/attack-coverage.ts';
import { html, type Html, type HtmlValue } from '../html.ts';
import { link, paths, withQuery } from '../links.ts';
import { levelBadge, missingText, namedLink } from './attack-tables.ts';
import { known } from './states.ts';

type Row = Awaited<ReturnType<(typeof attackCoverage)['answer']>>['techniques'][number];

/** Which techniques are seen and stopped, one a row; each cell says it in words. */
export function coverageTable(rows: readonly Row[]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Coverage by technique"><table class="rules" data-rows><thead><tr><th scope="col">Technique</th><th scope="col">Sigma rules</th><th scope="col">Detection strategies</th><th scope="col">D3FEND</th><th scope="col">Gap</th></tr></thead>
<tbody>${rows.map(
    (
      row,
    ) => html`<tr id="${row.technique_id}"><th scope="row">${name(row)}</th><td>${sigma(row)}</td><td>${strategies(row)}</td><td>${defenses(row)}</td><td>${gap(row)}</td></tr>
`,
  )}</tbody></table></div>`;
}

function name({ technique_id, name, tactics }: Row): Html {
  if (name === null)
    return html`<span class="id">${technique_id}</span> <span class="unknown">not in ATT&amp;CK Enterprise</span>`;
  return html`${namedLink(paths.technique(technique_id), technique_id, name)}<br><span class="note">${tactics.join(', ')}</span>`;
}

function sigma({ technique_id, sigma_rules, total_sigma_rules }: Row): HtmlValue {
  if (sigma_rules === null || total_sigma_rules === null) return known(null, 'rules are not synced');
  if (total_sigma_rules === 0) return 'none';
  const all = link(withQuery('/sigma', { technique: technique_id }), formatNumber(total_sigma_rules));
  return html`<b>${all}</b><ul class="plain">${sigma_rules.map(({ rule_id, title, level }) => html`<li>${levelBadge(level)} ${link(paths.rule(rule_id), title)}</li>`)}</ul>`;
}

function strategies({ technique_id, name, detection_strategies }: Row): HtmlValue {
  if (name === null) return known(null);
  if (detection_strategies.length === 0) return 'none';
  return html`<ul class="plain">${detection_strategies.map(({ name }) => html`<li>${link(`${paths.technique(technique_id)}#strategies`, name)}</li>`)}</ul>`;
}

function defenses({ technique_id, total_defenses, defenses_by_tactic, inherited_from }: Row): HtmlValue {
  if (total_defenses === null) return known(null, 'D3FEND is not synced');
  if (total_defenses === 0) return 'none mapped';
  const tactics = Object.entries(defenses_by_tactic).map(([tactic, count]) => `${tactic} ${count}`);
  return html`<b>${link(`${paths.technique(technique_id)}#defenses`, formatNumber(total_defenses))}</b> <span class="note">${tactics.join(', ')}${inherited_from !== null && ` (of ${inherited_from})`}</span>`;
}

function gap({ name, missing, revoked_by }: Row): HtmlValue {
  if (name === null) return known(null, 'check the id');
  if (revoked_by !== null) return html`revoked: see ${link(paths.technique(revoked_by), revoked_by)}`;
  if (missing.length === 3) return html`<strong>nothing covers it</strong>`;
  return missing.length === 0 ? 'none found' : missingText(missing);
}
