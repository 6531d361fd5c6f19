import type { DomainFinding } from '../../analysis/domain-verdict.ts';
import { html, join, type Html } from '../html.ts';
import { foreignLink, link, paths, withQuery } from '../links.ts';
import { copyBlock } from '../parts/evidence-foot.ts';
import { exploitedBadge, severityBadge } from '../parts/severity.ts';
import { drawGuide } from './guide.ts';

/** How many findings stand open to the eye; the others are one click away. */
const SHOWN_FINDINGS = 5;

/** Findings in the order to mend them, each with its own anchor: all of them open, or the first one alone. */
export function findingList(findings: readonly DomainFinding[], domain: string, isOpen: boolean): Html {
  const item = (finding: DomainFinding, at: number): Html =>
    html`<li id="${finding.id}"><details${(isOpen || at === 0) && html` open`}><summary>${severityBadge(finding.severity)} ${finding.exploited && exploitedBadge()} <span>${finding.title}</span></summary>${findingBody(finding, domain)}</details></li>`;
  const shown = isOpen ? findings.length : SHOWN_FINDINGS;
  const rest = findings.slice(shown);
  return html`<ol class="findings">${findings.slice(0, shown).map(item)}</ol>
${rest.length > 0 && html`<details class="more"><summary>${rest.length} more</summary><ol class="findings" start="${shown + 1}">${rest.map((finding, at) => item(finding, at + shown))}</ol></details>`}`;
}

/** Why a finding matters, what was seen, and what to do, with the text to paste. */
export function findingBody(
  { id, why, fix, paste, guide, cves, evidence, reference }: DomainFinding,
  domain: string,
): Html {
  return html`${(why !== null || guide !== null) && html`<p>${why} ${guide?.why}</p>`}
${evidence !== null && html`<p>Seen: <code>${evidence}</code></p>`}
${fix !== null && html`<p><strong>Mend:</strong> ${fix}</p>`}
${
  cves.length > 0 &&
  html`<p>First: ${join(
    cves.map((cve) => link(paths.cve(cve), cve)),
    ', ',
  )}.</p>`
}
${paste !== null && html`<p class="note">${paste.place}</p>${copyBlock(`paste-${id}`, 'Value', paste.text)}`}
${guide !== null && drawGuide(id, guide)}
<p class="note">${link(withQuery(paths.domain(domain), { finding: id }), 'This finding alone')}${reference !== null && html` · ${foreignLink(reference, 'What the standard or guide says')}`}</p>`;
}

/** The facts of a section, and beside them the way to its findings above. */
export function withFindingLinks(facts: Html, findings: readonly DomainFinding[]): Html {
  const serious = findings.filter(({ severity }) => severity !== 'INFO');
  return html`<div class="columns"><div>${facts}</div>${serious.length > 0 && html`<div><p>To mend:</p><ul>${serious.map(({ id, title }) => html`<li>${link(`#${id}`, title)}</li>`)}</ul></div>`}</div>`;
}
