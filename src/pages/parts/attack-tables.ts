import { html, type Html, type HtmlValue } from '../html.ts';
import { link, paths } from '../links.ts';
import { severityBadge } from './severity.ts';
import { known } from './states.ts';

/** A technique of ATT&CK or ATLAS, a defense, a rule or a weakness as a link with its name. */
export function namedLink(path: string, id: string, name: string | null): Html {
  return html`<span class="id">${link(path, id)}</span>${name !== null && html` ${name}`}`;
}

/** Links to ATT&CK techniques by id alone. */
export function techniqueLinks(ids: readonly string[]): Html {
  return idLinks(ids, paths.technique);
}

/** Links to weaknesses by id alone. */
export function weaknessLinks(ids: readonly string[]): Html {
  return idLinks(ids, paths.cwe);
}

function idLinks(ids: readonly string[], pathOf: (id: string) => string): Html {
  return html`<ul class="ids">${ids.map((id) => html`<li class="id">${link(pathOf(id), id)}</li>`)}</ul>`;
}

interface RuleRow {
  rule_id: string;
  title: string;
  level: string | null;
  status: string | null;
  logsource?: { product: string | null; category: string | null; service: string | null };
  attack_techniques?: string[];
}

/** How much a match of a Sigma rule matters. */
export function levelBadge(level: string | null): HtmlValue {
  if (level === null) return known(null, 'the rule does not say');
  return level === 'informational' ? severityBadge('INFO') : severityBadge(level);
}

/** Detection rules, by what they see; columns that no row has are left out. */
export function ruleTable(rows: readonly RuleRow[], label: string): Html {
  const hasSource = rows.some(({ logsource }) => logsource !== undefined);
  const hasTechniques = rows.some(({ attack_techniques }) => attack_techniques !== undefined);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table class="rules" data-rows><thead><tr><th scope="col">Rule</th><th scope="col">Level</th><th scope="col">Status</th>${hasSource && html`<th scope="col">Log source</th>`}${hasTechniques && html`<th scope="col">Techniques</th>`}</tr></thead>
<tbody>${rows.map(
    ({ rule_id, title, level, status, logsource, attack_techniques }) =>
      html`<tr><th scope="row">${link(paths.rule(rule_id), title)}</th><td>${levelBadge(level)}</td><td class="word">${known(status)}</td>${hasSource && html`<td>${logsourceText(logsource)}</td>`}${hasTechniques && html`<td>${(attack_techniques ?? []).length === 0 ? 'none tagged' : techniqueLinks(attack_techniques ?? [])}</td>`}</tr>
`,
  )}</tbody></table></div>`;
}

/** `windows process_creation` */
export function logsourceText(logsource: RuleRow['logsource']): HtmlValue {
  const { product = null, category = null, service = null } = logsource ?? {};
  return known([product, category, service].filter((part) => part !== null).join(' '));
}

interface DefenseRow {
  defense_id: string;
  name: string;
  tactic: string | null;
  artifact: string | null;
}

/** Defenses of D3FEND with what they do and to what. */
export function defenseTable(rows: readonly DefenseRow[], label: string): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table data-rows><thead><tr><th scope="col">Defense</th><th scope="col">Tactic</th><th scope="col">Works on</th></tr></thead>
<tbody>${rows.map(
    ({ defense_id, name, tactic, artifact }) =>
      html`<tr><th scope="row">${link(paths.defense(defense_id), name)}</th><td>${known(tactic)}</td><td>${known(artifact)}</td></tr>
`,
  )}</tbody></table></div>`;
}

const MISSING_WORDS: Readonly<Record<string, string>> = {
  detection_strategy: 'detection strategy',
  sigma: 'Sigma rule',
  d3fend: 'D3FEND defense',
};

/** `no Sigma rule, no D3FEND defense` */
export function missingText(missing: readonly string[]): string {
  return missing.map((part) => `no ${MISSING_WORDS[part] ?? part}`).join(', ');
}
