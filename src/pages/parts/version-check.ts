import { formatPercent } from '../../engine/summary.ts';
import { affectedCheck } from '../../operations/cve/affected-check.ts';
import { html, type Html, type HtmlValue } from '../html.ts';
import { link, paths, withQuery } from '../links.ts';
import type { PageContext } from '../page.ts';
import { pager } from './facets.ts';
import { exploitedBadge, severityBadge } from './severity.ts';
import { errorNote, known } from './states.ts';

const ROWS = 50;

type Check = Awaited<ReturnType<typeof ask>>;

interface Asked {
  /** Path of the page that the form is on. */
  readonly page: string;
  readonly vendor: string;
  readonly product: string;
  readonly query: URLSearchParams;
}

/** The form "is my version affected?" and, where a version is given, its answer with the title of it. */
export async function versionCheck(
  asked: Asked,
  context: PageContext,
): Promise<{ main: Html; title: string | null; description: string }> {
  const version = (asked.query.get('version') ?? '').trim();
  const form = html`<section id="version"><h2>Is my version affected?</h2>
<form action="${asked.page}" method="get" class="form"><label>Version<input name="version" value="${version}" size="16" maxlength="256" required autocomplete="off" spellcheck="false"></label><button>Check</button></form>`;
  if (version === '') return { main: html`${form}</section>`, title: null, description: '' };
  const { answer, error } = await ask(asked, version, context);
  const title = answer === null ? version : `${version}: affected by ${answer.counts.affected} of ${answer.total} CVEs`;
  return {
    main: html`${form}${answer === null ? errorNote(error, 'This version') : answerOf(answer, asked.page, version)}</section>`,
    title,
    description: answer?.summary ?? error!.message,
  };
}

function ask({ vendor, product, query }: Asked, version: string, context: PageContext) {
  const offset = Number(query.get('offset') ?? 0);
  return context.tryAsk(affectedCheck, {
    vendor,
    product,
    version,
    limit: ROWS,
    offset: Number.isInteger(offset) ? offset : 0,
  });
}

function answerOf(answer: NonNullable<Check['answer']>, page: string, version: string): Html {
  const { counts, results, summary } = answer;
  return html`<div class="do"><p><strong>${adviceOf(answer)}</strong></p><p>${summary}</p></div>
<ul class="verdict"><li>affected: <b>${counts.affected}</b></li><li>not known: <b>${counts.unknown}</b></li><li>not affected: <b>${counts.not_affected}</b></li></ul>
<div class="scroll" tabindex="0" role="region" aria-label="CVEs and version ${version}"><table data-rows class="checks"><thead><tr><th scope="col">CVE</th><th scope="col">${version}</th><th scope="col">Fixed in</th><th scope="col">Severity</th><th scope="col">Exploited</th><th scope="col">EPSS</th><th scope="col">Why</th></tr></thead><tbody>${results.map(
    ({ cve_id, status, reason, rule, fixed_in, severity, kev, epss }) =>
      html`<tr><th scope="row"><a class="id" href="${paths.cve(cve_id)}">${cve_id}</a></th><td class="day">${statusText(status)}</td><td>${known(fixed_in)}</td><td>${severityBadge(severity)}</td><td>${kev.in_kev === null ? known(null) : kev.in_kev ? exploitedBadge() : html`<small>not listed</small>`}</td><td>${known(epss.score === null ? null : formatPercent(epss.score))}</td><td>${reason}${rule.source !== null && html` <small>${rule.source}</small>`}</td></tr>
`,
  )}</tbody></table></div>
${pager(answer, ROWS, (offset) => withQuery(page, { offset: offset === 0 ? null : offset, version }))}
<p>${link(page, 'All versions')}</p>`;
}

function adviceOf({ counts, total, update_to }: NonNullable<Check['answer']>): HtmlValue {
  if (total === 0) return 'Nothing is known of this product.';
  if (counts.affected === 0)
    return counts.unknown === 0
      ? 'No CVE of the catalog affects it.'
      : 'No CVE is known to affect it, but some cannot be told.';
  return update_to === null
    ? 'It is affected, and not every CVE names a fixed version: see the table.'
    : html`Do: update to ${update_to} or later.`;
}

function statusText(status: 'affected' | 'not_affected' | 'unknown'): HtmlValue {
  if (status === 'affected') return html`<strong>affected</strong>`;
  return status === 'unknown' ? known(null) : 'not affected';
}
