import { formatCount } from '../../engine/summary.ts';
import { html, join, type Html } from '../html.ts';
import { link, paths } from '../links.ts';
import { stateNote } from '../parts/states.ts';
import type { DependencyAnswer } from './text-result.ts';

const MAX_ROWS = 50;

type ExplainedRow = DependencyAnswer['undecided'][number];

/** What is not known of the packages, and what ends: what could not be checked, what no source names, what cannot be decided. */
export function packageGaps(answer: DependencyAnswer, id: string): Html {
  const { unchecked, unnamed, unnamed_total, undecided, undecided_total, denied, denied_total, unsupported } = answer;
  return html`${unreachedNote(answer)}
${
  unchecked.length > 0 &&
  html`<section id="${id}-unchecked"><h2>${formatCount(unchecked.length, 'package')} could not be checked</h2>
<p>Whether these have flaws is not known.</p>
<ul>${unchecked.slice(0, MAX_ROWS).map(({ package: name, version, reason }) => html`<li><span class="id">${name} ${version}</span>: ${reason}</li>`)}</ul>
${more(unchecked.length)}</section>`
}
${explained(undecided, undecided_total, `${id}-undecided`, (count) => `For ${formatCount(count, 'CVE')} it cannot be told whether the version is affected`)}
${
  unnamed_total > 0 &&
  html`<section id="${id}-unnamed"><h2>${formatCount(unnamed_total, 'package')} that no source names</h2>
<p>No advisory and no CVE is about ${unnamed_total === 1 ? 'it' : 'them'}, in any version. That is not the same as safe: a package that nobody looked at, a private one and a misspelt name look the same.</p>
<details><summary>${unnamed.length < unnamed_total ? `The first ${unnamed.length}` : 'Which'}</summary><p>${join(
    unnamed.map(({ package: name, version }) => `${name} ${version}`),
    ', ',
  )}</p></details></section>`
}
${
  unsupported.length > 0 &&
  html`<section id="${id}-unsupported"><h2>${formatCount(unsupported.length, 'package')} without support: no fix will come</h2>
<ul>${unsupported.slice(0, MAX_ROWS).map(({ package: name, version, support }) => html`<li><span class="id">${name} ${version}</span>${support?.ends_at != null && html`: support ended ${support.ends_at}`}</li>`)}</ul></section>`
}
${explained(denied, denied_total, `${id}-denied`, (count) => `${formatCount(count, 'CVE')} that the maker denies`)}`;
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
  heading: (count: number) => string,
): Html | false {
  if (rows.length === 0) return false;
  return html`<section id="${id}"><h2>${heading(total)}</h2>
<ul>${rows.map(({ package: name, version, cve_id, reason }) => html`<li>${link(paths.cve(cve_id), cve_id)} in <span class="id">${name} ${version}</span>: ${reason}</li>`)}</ul>
${more(total, rows.length)}</section>`;
}

function more(total: number, shown = MAX_ROWS): Html | false {
  return total > shown && html`<p class="note">And ${total - shown} more.</p>`;
}
