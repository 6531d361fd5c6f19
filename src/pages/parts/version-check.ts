import { productName } from '../../analysis/cve/product-name.ts';
import { describeExtent } from '../../engine/catalog-extent.ts';
import { formatCount, formatNumber, formatPercent } from '../../engine/summary.ts';
import { pageOfCve } from '../asked-version.ts';
import { affectedCheck } from '../../operations/cve/affected-check.ts';
import { describeEndOfSupport } from '../../operations/cve/lib/update-advice.ts';
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
  const title = answer === null ? version : `${version}: ${titleOf(answer)}`;
  return {
    main: html`${form}${answer === null ? errorNote(error, 'This version') : answerOf(answer, asked, version, context.now)}</section>`,
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

/** `affected by 20 of 241 CVEs, none of them known exploited`: what is exploited of other versions is not said here. */
function titleOf({
  counts,
  total,
  known_exploited: exploited,
  newest_release_line: newest,
}: NonNullable<Check['answer']>): string {
  if (newest !== null) return 'no such release line is known';
  if (total === 0) return 'nothing is known';
  const affected = `affected by ${formatNumber(counts.affected)} of ${formatNumber(total)} CVEs`;
  if (exploited === null) return affected;
  const open =
    exploited.unknown === 0
      ? ''
      : `; ${formatNumber(exploited.unknown)} known exploited ${exploited.unknown === 1 ? 'one' : 'ones'} cannot be told`;
  if (exploited.affected > 0) return `${affected}, known exploited ones among them${open}`;
  return counts.affected === 0 || open !== '' ? `${affected}${open}` : `${affected}, none of them known exploited`;
}

function answerOf(
  answer: NonNullable<Check['answer']>,
  { page, vendor, product }: Asked,
  version: string,
  now: Date,
): Html {
  const { counts, results, summary } = answer;
  const asked = { product: `${vendor}:${product}`, version, purl: null };
  return html`<div class="do"><p><strong>${adviceOf(answer)}</strong></p>${targetLines(answer)}${endOfSupport(answer, now)}<p>${summary}</p>${relatedNote(answer, version)}</div>
<ul class="verdict"><li>affected: <b>${counts.affected}</b></li><li>not known: <b>${counts.unknown}</b></li><li>not affected: <b>${counts.not_affected}</b></li></ul>
<div class="scroll" tabindex="0" role="region" aria-label="CVEs and version ${version}"><table data-rows class="checks"><thead><tr><th scope="col">CVE</th><th scope="col">${version}</th><th scope="col">Fixed in</th><th scope="col">Severity</th><th scope="col">Exploited</th><th scope="col">EPSS</th><th scope="col">Why</th></tr></thead><tbody>${results.map(
    ({ cve_id, status, reason, rule, fixed_in, severity, kev, epss }) =>
      html`<tr><th scope="row"><a class="id" href="${pageOfCve(cve_id, asked)}">${cve_id}</a></th><td class="day">${statusText(status)}</td><td>${status === 'not_affected' ? null : known(fixed_in)}</td><td>${severityBadge(severity)}</td><td>${exploitedCell(kev.in_kev, status)}</td><td class="day">${known(epss.score === null ? null : formatPercent(epss.score))}</td><td>${reason}${rule.source !== null && html` <small>${rule.source}</small>`}</td></tr>
`,
  )}</tbody></table></div>
${pager(answer, ROWS, (offset) => withQuery(page, { offset: offset === 0 ? null : offset, version }))}
<p>${link(page, 'All versions')}</p>`;
}

/** The smallest versions that end what is exploited, and all that can be ended. */
function targetLines({ counts, update_targets: { exploited, most, reason } }: NonNullable<Check['answer']>): HtmlValue {
  if (counts.affected === 0) return null;
  const line = (what: string, target: typeof most): Html =>
    html`<li>${what}: ${target === null ? known(null, reason ?? 'no source says') : html`<b>${target.version}</b>, which ends ${formatNumber(target.ends)} of ${formatNumber(counts.affected)}${target.still_affected > 0 && `; ${formatCount(target.still_affected, 'CVE')} ${target.still_affected === 1 ? 'affects' : 'affect'} it, too`}`}</li>`;
  const isSame = exploited !== null && exploited.version === most?.version;
  return html`<ul>${exploited !== null && !isSame && line('Smallest version that ends the known exploited ones', exploited)}${line(isSame ? 'Smallest version that ends the known exploited ones and all others with a known fix' : 'Smallest version that ends all with a known fix', most)}${exploited === null && most !== null && reason !== null && line('Smallest version that ends the known exploited ones', null)}</ul>`;
}

function endOfSupport({ update_targets: { support } }: NonNullable<Check['answer']>, now: Date): HtmlValue {
  const text = support === null ? null : describeEndOfSupport([support], now);
  return text !== null && html`<p>${text}</p>`;
}

/** Products with names like this one, which are judged on pages of their own. */
function relatedNote({ related_products: related }: NonNullable<Check['answer']>, version: string): HtmlValue {
  if (related.length === 0) return null;
  return html`<p>Not judged here, because CVEs name them as products of their own, whose versions may be numbered otherwise:</p><ul class="tabs">${related.map(({ vendor, product }) => html`<li>${link(withQuery(paths.product(vendor, product), { version }), productName({ vendor, product }))}</li>`)}</ul>`;
}

function adviceOf({
  counts,
  total,
  update_to,
  update_targets,
  newest_release_line: newest,
  catalog,
}: NonNullable<Check['answer']>): HtmlValue {
  if (newest !== null)
    return `No such release line is known: the newest is ${newest}, by endoflife.date. Check the version.`;
  if (total === 0) return `Nothing is known of this product by ${describeExtent(catalog)}.`;
  if (counts.affected === 0)
    return counts.unknown === 0
      ? `No CVE of the catalog is known to affect it by ${describeExtent(catalog)}.`
      : `No CVE is known to affect it by ${describeExtent(catalog)}, but of ${formatNumber(counts.unknown)} it cannot be told: see the table.`;
  const { most, support } = update_targets;
  if (most !== null && support?.is_released === false)
    return support.move_to === null
      ? `It is affected. No release ${most.version} is known, with which the affected ranges end.`
      : `Do: move to ${support.move_to.cycle}: no release ${most.version} is known, with which the affected ranges end.`;
  if (update_to !== null) return html`Do: update to ${update_to} or later.`;
  return update_targets.most === null
    ? 'It is affected. To which version to update is not known: see the table.'
    : html`Do: update to ${update_targets.most.version} or later; not every CVE names a fixed version: see the table.`;
}

/** That other versions are exploited is no warning for this one. */
function exploitedCell(inKev: boolean | null, status: 'affected' | 'not_affected' | 'unknown'): HtmlValue {
  if (inKev === null) return known(null);
  if (!inKev) return html`<small>not listed</small>`;
  return status === 'not_affected' ? html`<small>in other versions</small>` : exploitedBadge();
}

function statusText(status: 'affected' | 'not_affected' | 'unknown'): HtmlValue {
  if (status === 'affected') return html`<strong>affected</strong>`;
  return status === 'unknown' ? known(null) : 'not affected';
}
