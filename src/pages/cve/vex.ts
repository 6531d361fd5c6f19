import { truncateAtWord } from '../../analysis/display-text.ts';
import { formatCount, formatNumber } from '../../engine/summary.ts';
import type { Answer } from '../../engine/operation.ts';
import type { cveVex } from '../../operations/cve/cve-vex.ts';
import { html, type Html, type HtmlValue } from '../html.ts';
import { link, paths, withQuery } from '../links.ts';
import type { Outcome } from '../page.ts';
import { pager } from '../parts/facets.ts';
import { errorNote, known } from '../parts/states.ts';
import type { Cve } from './answers.ts';

const MAX_DOCUMENT_CHARACTERS = 24;

type Statements = Answer<(typeof cveVex)['output']>;
type Statement = Statements['results'][number];

/** Statements beside all else that is known of a CVE, and on a page of their own. */
export const VEX_LISTED = 8;
export const VEX_PAGE = 100;

/** Number of statements on products, over all statuses; 0 also where none is loaded. */
export function countVex({ vex }: Cve): number {
  return Object.values(vex ?? {}).reduce((sum, count) => sum + count, 0);
}

/** What makers say of the CVE in their own products, those that are affected first. */
export function vexSection(cve: Cve, { answer, error }: Outcome<Statements>): Html {
  return html`<section id="vex"><h2>${heading(cve)}</h2>
${
  error === null
    ? html`${table(answer.results, cve.cve_id)}
${answer.truncated && html`<p>${link(withQuery(paths.cve(cve.cve_id), { all: 'vex' }), `All ${formatCount(answer.total, 'statement')}`)}</p>`}
<p class="note">Statements of the makers of products, or of CISA for them. A product without one is not thereby unaffected. ${link('#affected', 'The check of a version')} takes them into account.</p>`
    : errorNote(error, 'VEX')
}</section>`;
}

/** All statements, a page at a time. */
export function allVex({ cve_id }: Cve, answer: Statements): Html {
  const page = (from: number): string => withQuery(paths.cve(cve_id), { all: 'vex', from: from === 0 ? null : from });
  return html`<p>${formatCount(answer.total, 'statement')} on products by their makers, or by CISA for them. ${link(paths.cve(cve_id), `Back to ${cve_id}`)}</p>
${table(answer.results, cve_id)}
${pager(answer, VEX_PAGE, page)}`;
}

/** `VEX: 2 products affected, 41 not affected` */
function heading({ vex }: Cve): string {
  const counts = Object.entries(vex ?? {}).filter(([, count]) => count > 0);
  return `VEX: ${counts
    .map(([status, count], at) =>
      [at === 0 ? formatCount(count, 'product') : formatNumber(count), status.replaceAll('_', ' ')].join(' '),
    )
    .join(', ')}`;
}

/** Only where a maker denies a CVE it has to say why. */
function table(statements: readonly Statement[], id: string): Html {
  const hasReasons = statements.some(({ justification, note }) => justification !== null || note !== null);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="VEX statements on ${id}"><table class="vex"><thead><tr><th scope="col">Product</th><th scope="col">Versions</th><th scope="col">Status</th>${hasReasons && html`<th scope="col">Why</th>`}<th scope="col">Says</th><th scope="col">Day</th></tr></thead><tbody>
${statements.map(
  (one) =>
    html`<tr><th scope="row">${one.vendor === null ? html`<code>${one.product}</code>` : `${one.vendor} ${one.product}`}</th><td>${one.versions === '' ? 'all' : one.versions}</td><td class="day">${one.status === 'affected' ? html`<strong>affected</strong>` : one.status.replaceAll('_', ' ')}</td>${hasReasons && html`<td>${why(one)}</td>`}<td>${one.author} <span class="note">${one.source}, ${documentName(one)}</span></td><td class="day">${known(one.said_on)}</td></tr>`,
)}
</tbody></table></div>`;
}

function why({ justification, note }: Statement): HtmlValue {
  if (justification === null && note === null) return html`<span class="unknown">not given</span>`;
  const words = justification?.replaceAll('_', ' ');
  return html`${words}${note !== null && html` <span class="note">${note}</span>`}`;
}

/** Ids of OpenVEX are addresses that lead nowhere: the end tells them apart, the JSON has all. */
function documentName({ document }: Statement): string {
  return truncateAtWord(document.split('/').at(-1)!, MAX_DOCUMENT_CHARACTERS);
}
