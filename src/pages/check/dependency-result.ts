import { toDependencyProblem } from '../../operations/code/lib/report/to-problem.ts';
import { formatCount, formatPercent } from '../../engine/summary.ts';
import { html, join, type Html } from '../html.ts';
import { foreignLink, link, paths, withQuery } from '../links.ts';
import { exploitedBadge, SEVERITIES, severityBadge } from '../parts/severity.ts';
import { known, stateNote } from '../parts/states.ts';
import { packageGaps } from './package-gaps.ts';
import type { DependencyAnswer, TextResult } from './text-result.ts';

const MAX_ROWS = 100;
const MAX_UPGRADES = 10;
const MAX_REMEDIES = 5;
const MAX_GAPS = 3;
const MAX_BROUGHT_BY = 3;

type Finding = DependencyAnswer['findings'][number];

/** Flaws of packages: which upgrades mend most, then a table by risk, then what is not known. `id` is unique on the page. */
export function dependencyResult(answer: DependencyAnswer, file: string, id: string): TextResult {
  const { findings, total } = answer;
  const body = html`
${verdictStrip(answer)}
${remedies(answer)}
${answer.verdict.completeness !== 'complete' && stateNote('partial', 'More flaws may be known than are here', answer.verdict.gaps.slice(0, MAX_GAPS).join('; '))}
${findings.length > 0 && findingTable(answer, id)}
${packageGaps(answer, id)}`;
  return {
    sentence: sentenceOf(answer),
    body,
    problems: findings.map((finding) => toDependencyProblem({ ...finding, file })),
    dependencies: total === 0 && answer.packages_given === 0 ? null : answer,
  };
}

function sentenceOf({ upgrades, total, packages_checked, packages_given, verdict }: DependencyAnswer): string {
  const scope = packages_checked < packages_given ? `${packages_checked} of ${packages_given}` : `${packages_checked}`;
  if (packages_given === 0) return 'It lists no package';
  if (packages_checked === 0) return `Not known: none of ${formatCount(packages_given, 'package')} could be checked`;
  if (total === 0 && verdict.completeness === 'minimal') {
    return `Not known: the sources about ${packages_given === 1 ? 'this package' : 'these packages'} are missing`;
  }
  if (total === 0) return `No known flaw in ${packages_given === 1 ? 'this package' : `the ${scope} packages checked`}`;
  const mended = upgrades.reduce((sum, { fixes }) => sum + fixes, 0);
  if (mended === 0) return `${formatCount(total, 'known flaw')}, and no fix is known`;
  const verb = upgrades.length === 1 ? 'mends' : 'mend';
  return `${formatCount(upgrades.length, 'upgrade')} ${verb} ${mended} of ${formatCount(total, 'known flaw')}`;
}

function verdictStrip({
  findings,
  by_severity,
  packages_checked,
  packages_given,
  packages_vulnerable,
}: DependencyAnswer): Html {
  const exploited = findings.filter(({ in_kev }) => in_kev === true).length;
  return html`<ul class="verdict">
${exploited > 0 && html`<li>${exploitedBadge()} ${formatCount(exploited, 'flaw')}</li>`}
${SEVERITIES.map((severity) => {
  const count = severity === 'INFO' ? 0 : by_severity[severity];
  return count > 0 && html`<li>${count} ${severityBadge(severity)}</li>`;
})}
<li>${packages_vulnerable} of ${formatCount(packages_checked, 'package')} checked ${packages_vulnerable === 1 ? 'has' : 'have'} known flaws${packages_checked < packages_given && html`, <strong>${packages_given - packages_checked} not checked</strong>`}</li>
</ul>`;
}

function remedies({ upgrades, findings }: DependencyAnswer): Html | false {
  const exploited = new Set(findings.filter(({ in_kev }) => in_kev === true).map(packageKey));
  const without = findings.filter(({ fixed_in }) => fixed_in === null);
  if (upgrades.length === 0 && without.length === 0) return false;
  return html`<div class="do">
${
  upgrades.length > 0 &&
  html`<p><strong>Do:</strong> upgrade, what mends most first</p>
<ol>${upgrades
    .slice(0, MAX_UPGRADES)
    .map(
      (upgrade) =>
        html`<li><span class="id">${upgrade.package}</span> ${upgrade.version} → <strong>${upgrade.to}</strong> or later mends ${upgrade.fixes}${upgrade.remaining > 0 && html`; for ${upgrade.remaining} no fix is known`}${exploited.has(packageKey(upgrade)) && html` ${exploitedBadge()}`}</li>`,
    )}</ol>
${upgrades.length > MAX_UPGRADES && html`<p>Then ${formatCount(upgrades.length - MAX_UPGRADES, 'other package')}, as the table says.</p>`}`
}
${[...new Set(without.map(({ remediation }) => remediation))].slice(0, MAX_REMEDIES).map((text) => html`<p>${text}</p>`)}
</div>`;
}

function findingTable({ findings, total }: DependencyAnswer, id: string): Html {
  const shown = findings.slice(0, MAX_ROWS);
  const knowsWhoBrings = shown.some(({ brought_by }) => brought_by !== null);
  return html`<section id="${id}-flaws"><h2>Riskiest first</h2>
${total > shown.length && html`<p class="note">The ${shown.length} riskiest of ${total} are shown; the files to save have ${findings.length === total ? 'all' : `the first ${findings.length}`}.</p>`}
<div class="scroll" tabindex="0" role="region" aria-label="Flaws of packages, riskiest first"><table class="flaws" data-rows>
<thead><tr><th scope="col">Package</th><th scope="col">Flaw</th><th scope="col">Severity</th><th scope="col" class="number">EPSS</th><th scope="col">Exploited</th><th scope="col">Fixed in</th><th scope="col">Brought by</th></tr></thead>
<tbody>${shown.map((finding) => findingRow(finding, knowsWhoBrings))}</tbody>
</table></div></section>`;
}

function findingRow(finding: Finding, knowsWhoBrings: boolean): Html {
  const { package: name, version, severity, cvss_v3, epss_score, in_kev, fixed_in, line, scope, title } = finding;
  return html`<tr><th scope="row">${link(withQuery('/search', { product: productWord(name) }), name)} ${version}${scope !== null && html` <span class="tag">${scope}</span>`}${line !== null && html` <small>line ${line}</small>`}</th>
<td>${flawLink(finding)}${title !== null && html`<br><small>${title}</small>`}</td>
<td>${severityBadge(severity, cvss_v3)}</td>
<td class="number">${epss_score === null ? known(null) : formatPercent(epss_score)}</td>
<td>${in_kev === null ? known(null) : in_kev ? exploitedBadge() : 'not known to be'}</td>
<td>${fixed_in ?? known(null)}</td>
<td>${broughtBy(finding, knowsWhoBrings)}</td></tr>
`;
}

function flawLink({ cve_id, aliases, evidence }: Finding): Html {
  if (cve_id !== null) return html`<span class="id">${link(paths.cve(cve_id), cve_id)}</span>`;
  const id = aliases[0] ?? evidence[0] ?? '';
  return foreignLink(`https://osv.dev/vulnerability/${encodeURIComponent(id)}`, id);
}

function broughtBy({ brought_by }: Finding, knowsWhoBrings: boolean): Html | string {
  if (brought_by === null) return html`${known(null, knowsWhoBrings ? '' : 'the text does not say')}`;
  if (brought_by.length === 0) return 'the project itself';
  const more = brought_by.length - MAX_BROUGHT_BY;
  return html`${join(brought_by.slice(0, MAX_BROUGHT_BY), ', ')}${more > 0 && ` and ${more} more`}`;
}

/** By which a search finds a package's product: the artifact of Maven, the last part of a Go module, a name without its scope. */
function productWord(name: string): string {
  return name.split(/[/:]/).findLast((part) => part !== '' && !/^v\d+$/.test(part)) ?? name;
}

function packageKey({ package: name, version }: { readonly package: string; readonly version: string }): string {
  return `${name}\n${version}`;
}
