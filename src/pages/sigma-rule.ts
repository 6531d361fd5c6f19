import { sigmaRuleLookup } from '../operations/sigma/sigma-rule-lookup.ts';
import { html, type HtmlValue } from './html.ts';
import { foreignLink, link, paths } from './links.ts';
import { definePage } from './page.ts';
import { levelBadge, logsourceText, techniqueLinks } from './parts/attack-tables.ts';
import { known } from './parts/states.ts';
import { ruleText } from './parts/rule-text.ts';

/** `/sigma/:id`: one detection rule. */
export const sigmaRule = definePage({
  path: '/sigma/:id',
  question: ({ params }) => ({ operation: sigmaRuleLookup, input: { rule_id: params.id ?? '', include: 'full' } }),
  async render({ params }, context) {
    const { rule, summary } = await context.ask(sigmaRuleLookup, { rule_id: params.id ?? '', include: 'full' });
    const { title, description, level, status, logsource, attack_techniques, cve_ids, falsepositives } = rule;
    return {
      title,
      description: summary,
      main: html`<h1>${title}</h1>
<ul class="verdict"><li>${levelBadge(level)}</li><li>status ${known(status)}</li><li>${logsourceText(logsource)}</li></ul>
${description !== null && html`<p>${description}</p>`}
<div class="do"><p><b>Do:</b> log what it needs${logsource.definition !== null && html` (${logsource.definition})`}, convert it for your system with sigma-cli, and run it over past logs before it may alert.</p></div>
<dl class="facts">
<dt>It matches</dt><dd>${rule.detection_summary}</dd>
<dt>False positives</dt><dd>${list(falsepositives, 'the rule names none')}</dd>
<dt>Techniques</dt><dd>${attack_techniques.length === 0 ? known(null, 'the rule has no tag of ATT&CK') : techniqueLinks(attack_techniques)}</dd>
${cve_ids.length > 0 && html`<dt>CVEs</dt><dd><ul class="ids">${cve_ids.map((id) => html`<li class="id">${link(paths.cve(id), id)}</li>`)}</ul></dd>`}
<dt>Author</dt><dd>${known(rule.author)}</dd>
<dt>Dates</dt><dd>written ${known(rule.date)}${rule.modified !== null && html`, changed ${rule.modified}`}</dd>
<dt>Licence</dt><dd>${rule.license}</dd>
<dt>File</dt><dd>${foreignLink(rule.source_url)}</dd>
</dl>
${attack_techniques.length > 0 && html`<p>${link(`/attack?techniques=${attack_techniques.join(',')}`, 'What else covers its techniques')}</p>`}
<h2 id="rule">The rule</h2>
<p class="note">Its detection as it is published, with the fields that a converter needs. The file has the rest. <button type="button" class="quiet" data-copy="rule-text">Copy</button></p>
<pre id="rule-text" class="rule-text" tabindex="0">${ruleText(rule)}</pre>
${rule.references.length > 0 && html`<h2 id="references">References</h2><ul>${rule.references.map((address) => html`<li>${foreignLink(address)}</li>`)}</ul>`}`,
    };
  },
});

function list(items: readonly string[], none: string): HtmlValue {
  return items.length === 0 ? none : html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}
