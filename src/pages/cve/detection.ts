import { html, type Html, join } from '../html.ts';
import { link, paths } from '../links.ts';
import type { Outcome } from '../page.ts';
import { errorNote } from '../parts/states.ts';
import type { Detection } from './answers.ts';

type Technique = Detection['techniques'][number];

/** How its exploitation would be seen: weakness, attack pattern, technique, and for each what would see it or that nothing does. */
export function detectionSection({ answer, error }: Outcome<Detection>): Html {
  if (error !== null) return html`<h2>How it would be seen: not known</h2>${errorNote(error, 'Detection')}`;
  const { weaknesses, attack_patterns, sigma_rules, total_sigma_rules, techniques, total_techniques, not_covered } =
    answer;
  return html`<h2>${heading(answer)}</h2>
<dl class="facts">
<dt>Weakness</dt><dd>${
    weaknesses.length === 0
      ? html`<span class="unknown">no source names one</span>`
      : join(
          weaknesses.map((id) => link(paths.cwe(id), id)),
          ', ',
        )
  }</dd>
${
  attack_patterns.length > 0 &&
  html`<dt>Attack patterns</dt><dd>${join(
    attack_patterns.map(
      ({ capec_id, name, cwe_id }) => html`${name} <span class="note">${capec_id} of ${cwe_id}</span>`,
    ),
    ', ',
  )}</dd>`
}
<dt>Rules that name it</dt><dd>${sigma_rules === null ? html`<span class="unknown">not known: Sigma is not loaded</span>` : sigma_rules.length === 0 ? 'none' : ruleLinks(sigma_rules, total_sigma_rules)}</dd>
</dl>
${techniques.length > 0 && html`<div class="scroll" tabindex="0" role="region" aria-label="Techniques and what sees them"><table data-rows><thead><tr><th scope="col">Technique</th><th scope="col">Who leads to it</th><th scope="col">What to look for</th><th scope="col">Defense that detects</th><th scope="col">Rules</th></tr></thead><tbody>${techniques.map(techniqueRow)}</tbody></table></div>`}
${total_techniques > techniques.length && html`<p class="note">${total_techniques - techniques.length} more techniques are left out here.</p>`}
${not_covered.length > 0 && html`<h3>What these sources would not see</h3><ul>${not_covered.map(({ id, name, reason }) => html`<li>${id}${name !== null && ` ${name}`}: ${reason}</li>`)}</ul>`}`;
}

function heading({ basis, techniques }: Detection): string {
  const [first] = techniques;
  if (first === undefined) return 'How its exploitation would be seen is not known';
  const name = `${first.technique_id}${first.name === null ? '' : ` ${first.name}`}`;
  const more = techniques.length > 1 ? ` and ${techniques.length - 1} more` : '';
  return basis === 'direct'
    ? `How it would be seen: ${name}${more}`
    : `It may show as ${name}${more}, by its weakness alone`;
}

function techniqueRow({ technique_id, name, tactics, evidence, ...seen }: Technique): Html {
  const { detection_strategies, d3fend_detections, sigma_rules, total_sigma_rules } = seen;
  const logs = detection_strategies.flatMap(({ analytics }) =>
    analytics.flatMap(({ log_sources }) => log_sources.map((source) => source.name)),
  );
  return html`<tr><th scope="row">${link(paths.technique(technique_id), technique_id)} ${name}<br><span class="note">${tactics.join(', ')}</span></th>
<td>${[...new Set(evidence.map(({ source }) => EVIDENCE[source]))].join(', ')}</td>
<td>${
    detection_strategies.length === 0
      ? 'nothing in ATT&CK'
      : [
          join(
            detection_strategies.map((strategy) => strategy.name),
            '; ',
          ),
          html`<br><span class="note">Logs: ${[...new Set(logs)].slice(0, 5).join(', ') || 'not named'}</span>`,
        ]
  }</td>
<td>${
    d3fend_detections === null
      ? html`<span class="unknown">not loaded</span>`
      : d3fend_detections.length === 0
        ? 'none in D3FEND'
        : join(
            d3fend_detections.map(({ defense_id, label }) => link(paths.defense(defense_id), label)),
            ', ',
          )
  }</td>
<td>${sigma_rules === null ? html`<span class="unknown">not loaded</span>` : sigma_rules.length === 0 ? 'none in Sigma' : ruleLinks(sigma_rules, total_sigma_rules)}</td></tr>`;
}

const EVIDENCE: Readonly<Record<Technique['evidence'][number]['source'], string>> = {
  kev_mapping: 'mapping of known-exploited CVEs',
  attack_to_cve: 'mapping of CVEs to ATT&CK',
  sigma: 'a Sigma rule for it',
  kev_peers: 'exploited CVEs of the same weakness',
  capec: 'an attack pattern of its weakness',
};

function ruleLinks(
  rules: readonly { rule_id: string; title: string; level: string | null }[],
  total: number | null,
): Html {
  const more = (total ?? rules.length) - rules.length;
  return html`${join(
    rules.map(
      ({ rule_id, title, level }) =>
        html`${link(paths.rule(rule_id), title)}${level !== null && html` <span class="note">${level}</span>`}`,
    ),
    html`<br>`,
  )}${more > 0 && html` <span class="note">and ${more} more</span>`}`;
}
