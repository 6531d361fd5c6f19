import { formatCount, formatPercent } from '../../engine/summary.ts';
import { html, join, type Html, type HtmlValue } from '../html.ts';
import { foreignLink, link } from '../links.ts';
import { exploitedBadge, SEVERITIES, severityBadge } from '../parts/severity.ts';
import { known, stateNote } from '../parts/states.ts';
import { BRINGS_NOTE, describeJump, MALICIOUS_NOTE } from '../../operations/code/lib/upgrade-texts.ts';
import { describeUnnamed } from '../../operations/code/lib/unnamed-packages.ts';
import { packageGaps, packageName } from './package-gaps.ts';
import type { DependencyAnswer, FindingsShown, PackageLinks } from './text-result.ts';

const MAX_ROWS = 100;
const MAX_UPGRADES = 10;
const MAX_REMEDIES = 5;
const MAX_GAPS = 3;
const MAX_BROUGHT_BY = 3;

const MAX_TARGETS = 8;

type Finding = DependencyAnswer['findings'][number];
type Step = DependencyAnswer['plan'][number];

/** The flaws of packages without their heading. `id` is unique on the page. */
export function dependencyBody(answer: DependencyAnswer, id: string, shown: FindingsShown): Html {
  const { verdict, findings } = answer;
  return html`
${verdictStrip(answer, id)}
${remedies(answer)}
${verdict.completeness !== 'complete' && stateNote('partial', 'More flaws may be known than are here', verdict.gaps.slice(0, MAX_GAPS).join('; '))}
${findings.length > 0 && findingTable(answer, id, shown)}
${packageGaps(answer, id, shown.links)}`;
}

/** The finding, in a sentence without a full stop. That nothing is known says of which day, and of what. */
export function dependencySentence({
  plan,
  total,
  possible_total,
  undecided_total,
  packages_checked,
  packages_given,
  unnamed_total,
  data,
  verdict,
}: DependencyAnswer): string {
  const scope = packages_checked < packages_given ? `${packages_checked} of ${packages_given}` : `${packages_checked}`;
  if (packages_given === 0) return 'It lists no package';
  if (packages_checked === 0) return `Not known: none of ${formatCount(packages_given, 'package')} could be checked`;
  const where = packages_given === 1 ? 'this package' : `the ${scope} packages checked`;
  if (total === 0 && possible_total > 0) {
    return `Not certain: ${formatCount(possible_total, 'CVE')} may affect ${where}; no flaw is certain ${data.text}`;
  }
  if (total === 0 && undecided_total > 0) {
    return `Not certain: for ${formatCount(undecided_total, 'CVE')} it cannot be told whether ${where} ${packages_given === 1 ? 'is' : 'are'} affected`;
  }
  if (total === 0 && verdict.completeness === 'minimal') {
    return `Not known: the sources about ${packages_given === 1 ? 'this package' : 'these packages'} are missing`;
  }
  if (total === 0 && unnamed_total === packages_checked) {
    return `Not known: ${describeUnnamed(unnamed_total, packages_checked, packages_given)}, ${data.text}`;
  }
  if (total === 0) {
    const unnamed = unnamed_total === 0 ? '' : `; ${describeUnnamed(unnamed_total, packages_checked, packages_given)}`;
    return `No known flaw was found in ${where}, ${data.text}${unnamed}`;
  }
  const mended = plan.reduce((sum, { fixes }) => sum + fixes, 0);
  if (mended === 0) return `${formatCount(total, 'known flaw')}, and no fix is known`;
  const removals = plan.filter(({ how }) => how === 'remove').length;
  if (removals > 0) {
    const rest = plan.length === removals ? '' : `, then ${formatCount(plan.length - removals, 'upgrade')}`;
    return `Remove ${formatCount(removals, 'malicious package')} first${rest}: mends ${mended} of ${formatCount(total, 'known flaw')}`;
  }
  const verb = plan.length === 1 ? 'mends' : 'mend';
  return `${formatCount(plan.length, 'upgrade')} ${verb} ${mended} of ${formatCount(total, 'known flaw')}`;
}

function verdictStrip(
  {
    findings,
    by_severity,
    packages_checked,
    packages_given,
    packages_vulnerable,
    possible_total,
    undecided_total,
    unnamed_total,
  }: DependencyAnswer,
  id: string,
): Html {
  const exploited = findings.filter(({ in_kev }) => in_kev === true).length;
  const malicious = new Set(findings.filter((one) => one.malicious).map(packageKey)).size;
  return html`<ul class="verdict">
${malicious > 0 && html`<li><strong>${formatCount(malicious, 'malicious package')}</strong></li>`}
${exploited > 0 && html`<li>${exploitedBadge()} ${formatCount(exploited, 'flaw')}</li>`}
${SEVERITIES.map((severity) => {
  const count = severity === 'INFO' ? 0 : by_severity[severity];
  return count > 0 && html`<li>${count} ${severityBadge(severity)}</li>`;
})}
<li>${packages_vulnerable} of ${formatCount(packages_checked, 'package')} checked ${packages_vulnerable === 1 ? 'has' : 'have'} known flaws${packages_checked < packages_given && html`, <strong>${packages_given - packages_checked} not checked</strong>`}</li>
${unnamed_total > 0 && html`<li>${link(`#${id}-unnamed`, describeUnnamed(unnamed_total, packages_checked, packages_given))}</li>`}
${possible_total > 0 && html`<li>${link(`#${id}-possible`, `${formatCount(possible_total, 'CVE')} may affect ${packages_given === 1 ? 'it' : 'them'}`)}</li>`}
${undecided_total > 0 && html`<li>${link(`#${id}-undecided`, `${formatCount(undecided_total, 'CVE')} not decided`)}</li>`}
</ul>`;
}

function remedies({ plan, upgrades, findings }: DependencyAnswer): Html | false {
  const removals = plan.flatMap(({ how, package: name, version }) =>
    how === 'remove' && version !== null ? [{ package: name, version }] : [],
  );
  // Of a package with an upgrade the list says how many flaws are left.
  const upgradable = new Set([...upgrades, ...removals].map(packageKey));
  const without = findings.filter((finding) => finding.fixed_in === null && !upgradable.has(packageKey(finding)));
  if (plan.length === 0 && without.length === 0) return false;
  return html`<div class="do">
${
  plan.length > 0 &&
  html`<p><strong>Do:</strong> ${removals.length > 0 && 'remove what is malicious, then '}upgrade: first what is exploited, then by severity and likely exploitation, then what mends most</p>
<ol>${plan.slice(0, MAX_UPGRADES).map((step) => html`<li>${stepText(step)}</li>`)}</ol>
${plan.length > MAX_UPGRADES && html`<p>Then ${formatCount(plan.length - MAX_UPGRADES, 'other step')}, as the table says.</p>`}`
}
${[...new Set(without.map(({ remediation }) => remediation))].slice(0, MAX_REMEDIES).map((text) => html`<p>${text}</p>`)}
</div>`;
}

function stepText(step: Step): Html {
  const { package: name, version, to, how, packages, fixes, fixes_exploited, remaining, jump } = step;
  if (how === 'remove') {
    return html`<strong>Remove</strong> <span class="id">${name}</span> ${version} ${maliciousTag()}: ${MALICIOUS_NOTE}${to !== null && html`. The first version after it that no advisory names so is ${to}`}`;
  }
  const targets = packages
    .slice(0, MAX_TARGETS)
    .map(
      (one) =>
        html`<span class="id">${one.package}</span> ${one.version} → <strong>${one.to}</strong>${one.jump !== null && html` ${jumpTag(one.jump)}`}`,
    );
  const more = packages.length > MAX_TARGETS && html` and ${packages.length - MAX_TARGETS} more`;
  const rest = html`${remaining > 0 && html`; for ${remaining} no fix is known`}${fixes_exploited > 0 && html` ${exploitedBadge()}`}`;
  if (to === null) {
    return html`Upgrade what <span class="id">${name}</span> ${version} brings: ${join(targets, ', ')}${more}, or later, mends ${fixes}${rest}<br><small>${BRINGS_NOTE}</small>`;
  }
  return html`<span class="id">${name}</span> ${version} → <strong>${to}</strong> or later${jump !== null && html` ${jumpTag(jump)}`} mends ${fixes}${
    how === 'released_together' &&
    html` in ${packages
      .slice(0, MAX_TARGETS)
      .map((one) => one.package)
      .join(', ')}${more}, which it requires in its own version`
  }${rest}`;
}

function maliciousTag(): Html {
  return html`<span class="tag">malicious</span>`;
}

function jumpTag(jump: NonNullable<Step['jump']>): Html {
  return html`<span class="tag">${describeJump(jump)}</span>`;
}

function findingTable(
  { findings, total }: DependencyAnswer,
  id: string,
  { from, pageFrom, hasFiles, links }: FindingsShown,
): Html {
  const shown = findings.slice(from, from + MAX_ROWS);
  const end = from + shown.length;
  const knowsWhoBrings = shown.some(({ brought_by }) => brought_by !== null);
  const others = pageFrom === null && total > shown.length;
  return html`<section id="${id}-flaws"><h2>Riskiest first</h2>
${others && html`<p class="note">The ${shown.length} riskiest of ${total} are shown. ${hasFiles ? html`${total - shown.length} more are in ${link('#save', 'the files to save')}${findings.length < total && html`, which have the first ${findings.length}`}.` : `${total - shown.length} more are not shown here.`}</p>`}
${pageFrom !== null && total > shown.length && html`<p class="note">${from + 1} to ${end} of ${total}. ${from > 0 && link(pageFrom(Math.max(0, from - MAX_ROWS)), 'Riskier ones')} ${end < findings.length && link(pageFrom(end), `The next ${Math.min(MAX_ROWS, findings.length - end)}`)}</p>`}
<div class="scroll" tabindex="0" role="region" aria-label="Flaws of packages, riskiest first"><table class="flaws" data-rows>
<thead><tr><th scope="col">Package</th><th scope="col">Flaw</th><th scope="col">Severity</th><th scope="col" class="number">EPSS</th><th scope="col">Exploited</th><th scope="col">Fixed in</th>${knowsWhoBrings && html`<th scope="col">Brought by</th>`}</tr></thead>
<tbody>${shown.map((finding) => findingRow(finding, knowsWhoBrings, links))}</tbody>
</table></div>${!knowsWhoBrings && html`<p class="note">What brought each package is not known: the text does not say.</p>`}</section>`;
}

function findingRow(finding: Finding, knowsWhoBrings: boolean, links: PackageLinks): Html {
  const { version, severity, cvss_v3, epss_score, in_kev, malicious, fixed_in, line, scope, title } = finding;
  return html`<tr><th scope="row">${packageName(finding, links)} ${version}${scope !== null && html` <span class="tag">${scope}</span>`}${line !== null && html` <small>line ${line}</small>`}</th>
<td>${flawLink(finding, links)}${malicious && html` ${maliciousTag()}`}${title !== null && html`<br><small>${title}</small>`}</td>
<td>${severityBadge(severity, cvss_v3)}</td>
<td class="number">${epss_score === null ? known(null) : formatPercent(epss_score)}</td>
<td>${in_kev === null ? known(null) : in_kev ? exploitedBadge() : 'not known to be'}</td>
<td>${malicious ? html`remove it${fixed_in !== null && html`; next: ${fixed_in}`}` : (fixed_in ?? known(null))}</td>
${knowsWhoBrings && html`<td>${broughtBy(finding)}</td>`}</tr>
`;
}

function flawLink(finding: Finding, links: PackageLinks): Html {
  const { cve_id, aliases, evidence } = finding;
  if (cve_id !== null) return html`<span class="id">${link(links.cve(cve_id, finding), cve_id)}</span>`;
  const id = aliases[0] ?? evidence[0] ?? '';
  return foreignLink(`https://osv.dev/vulnerability/${encodeURIComponent(id)}`, id);
}

function broughtBy({ brought_by }: Finding): HtmlValue {
  if (brought_by === null) return known(null);
  if (brought_by.length === 0) return 'the project itself';
  const more = brought_by.length - MAX_BROUGHT_BY;
  return html`${join(brought_by.slice(0, MAX_BROUGHT_BY), html`<br>`)}${more > 0 && html`<br>and ${more} more`}`;
}

function packageKey({ package: name, version }: { readonly package: string; readonly version: string }): string {
  return `${name}\n${version}`;
}
