import { formatCount, formatPercent } from '../../engine/summary.ts';
import { html, join, type Html, type HtmlValue } from '../html.ts';
import { link } from '../links.ts';
import { exploitedBadge, severityBadge } from '../parts/severity.ts';
import { known, stateNote } from '../parts/states.ts';
import type { DependencyAnswer, LinkedPackage, PackageLinks } from './text-result.ts';

const MAX_ROWS = 50;

type ExplainedRow = DependencyAnswer['undecided'][number];

/** What is not known of the packages, and what ends: what could not be checked, what no source names, what cannot be decided. */
export function packageGaps(answer: DependencyAnswer, id: string, links: PackageLinks): Html {
  const {
    possible,
    data,
    unchecked,
    unnamed,
    unnamed_total,
    undecided,
    undecided_total,
    denied,
    denied_total,
    unsupported,
    no_known_flaw,
    no_known_flaw_total,
  } = answer;
  return html`${unreachedNote(answer)}
${possible.length > 0 && possibleTable(answer, id, links)}
${
  unchecked.length > 0 &&
  html`<section id="${id}-unchecked"><h2>${formatCount(unchecked.length, 'package')} could not be checked</h2>
<p>Whether these have flaws is not known.</p>
<ul>${unchecked.slice(0, MAX_ROWS).map(({ package: name, version, reason }) => html`<li><span class="id">${name} ${version}</span>: ${reason}</li>`)}</ul>
${more(unchecked.length)}</section>`
}
${explained(undecided, undecided_total, `${id}-undecided`, links, (count) => `For ${formatCount(count, 'CVE')} it cannot be told whether the version is affected`)}
${
  unnamed_total > 0 &&
  html`<section id="${id}-unnamed"><h2>${formatCount(unnamed_total, 'package')} that no source names</h2>
<p>No advisory and no CVE that is loaded here is about ${unnamed_total === 1 ? 'it' : 'them'}, whatever the version: ${data.text}. That is not the same as safe: a package that nobody looked at, a private one and a misspelt name look the same.</p>
${nameList(unnamed, unnamed_total)}</section>`
}
${
  unsupported.length > 0 &&
  html`<section id="${id}-unsupported"><h2>${formatCount(unsupported.length, 'package')} without support: no fix will come</h2>
<ul>${unsupported.slice(0, MAX_ROWS).map(({ package: name, version, support }) => html`<li><span class="id">${name} ${version}</span>${support?.ends_at != null && html`: support ended ${support.ends_at}`}</li>`)}</ul></section>`
}
${
  no_known_flaw_total > 0 &&
  html`<section id="${id}-none"><h2>${formatCount(no_known_flaw_total, 'package')} in whose version no flaw is known</h2>
<p>Sources name ${no_known_flaw_total === 1 ? 'it' : 'them'}, and no flaw that they list is in ${no_known_flaw_total === 1 ? 'this version' : 'these versions'}.</p>
${nameList(no_known_flaw, no_known_flaw_total)}</section>`
}
${explained(denied, denied_total, `${id}-denied`, links, (count) => `${formatCount(count, 'CVE')} that the maker denies`)}`;
}

function nameList(rows: DependencyAnswer['unnamed'], total: number): Html {
  return html`<details><summary>${rows.length < total ? `The first ${rows.length}` : 'Which'}</summary><p>${join(
    rows.map(({ package: name, version }) => `${name} ${version}`),
    ', ',
  )}</p></details>`;
}

/** The name of a package, which leads to what is known of its version. */
export function packageName(one: LinkedPackage, links: PackageLinks): HtmlValue {
  const page = links.package(one);
  return page === null ? one.package : link(page, one.package);
}

/** What is possible has a table of its own, so that nobody takes it for a finding, or its absence from the findings for safety. */
function possibleTable(
  { possible: rows, possible_total: total, packages_given }: DependencyAnswer,
  id: string,
  links: PackageLinks,
): Html {
  return html`<section id="${id}-possible"><h2>${formatCount(total, 'CVE')} that may affect ${packages_given === 1 ? 'this package' : 'these packages'}</h2>
<p>By CPE name: the name need not be that of the package, and no advisory of the package says so. Look at each before you call the package free of it.</p>
<div class="scroll" tabindex="0" role="region" aria-label="CVEs that may affect packages"><table class="flaws" data-rows>
<thead><tr><th scope="col">Package</th><th scope="col">CVE</th><th scope="col">What says so</th><th scope="col">Severity</th><th scope="col" class="number">EPSS</th><th scope="col">Exploited</th><th scope="col">Fixed in</th></tr></thead>
<tbody>${rows.slice(0, MAX_ROWS).map(
    (row) => html`<tr><th scope="row">${packageName(row, links)} ${row.version}</th>
<td><span class="id">${link(links.cve(row.cve_id, row), row.cve_id)}</span></td>
<td>${row.status === 'affected' ? '' : 'cannot be told: '}${row.reason}<br><small>${row.basis}</small></td>
<td>${severityBadge(row.severity)}</td>
<td class="number">${row.epss_score === null ? known(null) : formatPercent(row.epss_score)}</td>
<td>${row.in_kev === null ? known(null) : row.in_kev ? exploitedBadge() : 'not known to be'}</td>
<td>${row.fixed_in ?? known(null)}</td></tr>
`,
  )}</tbody></table></div>${more(total, Math.min(rows.length, MAX_ROWS))}</section>`;
}

function unreachedNote({
  not_reached,
  skipped_due_to_rate_limit,
  packages_given,
  next_offset,
}: DependencyAnswer): Html | false {
  if (skipped_due_to_rate_limit.length > 0) {
    return stateNote(
      'refused',
      `${formatCount(skipped_due_to_rate_limit.length, 'package')} not checked: your quota for this hour is used up`,
      html`Each package costs a token. ${link('/key', 'Your quota')}`,
    );
  }
  if (next_offset === null) return false;
  const count = Math.max(not_reached.length, packages_given - next_offset);
  return stateNote(
    'partial',
    `${formatCount(count, 'package')} not checked`,
    'The text lists more than one check takes.',
  );
}

function explained(
  rows: readonly ExplainedRow[],
  total: number,
  id: string,
  links: PackageLinks,
  heading: (count: number) => string,
): Html | false {
  if (rows.length === 0) return false;
  return html`<section id="${id}"><h2>${heading(total)}</h2>
<ul>${rows.map((row) => html`<li>${link(links.cve(row.cve_id, row), row.cve_id)} in <span class="id">${row.package} ${row.version}</span>: ${row.reason}</li>`)}</ul>
${more(total, rows.length)}</section>`;
}

function more(total: number, shown = MAX_ROWS): Html | false {
  return total > shown && html`<p class="note">And ${total - shown} more.</p>`;
}
