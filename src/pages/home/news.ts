import type { z } from 'zod';
import { formatAge, formatCount, formatPercent } from '../../engine/summary.ts';
import { cveSearch } from '../../operations/cve/cve-search.ts';
import { cvesKev } from '../../operations/cve/cves-kev.ts';
import { epssRisers } from '../../operations/cve/epss-risers.ts';
import type { CveListItem } from '../../operations/cve/lib/schemas.ts';
import { status } from '../../operations/service/status.ts';
import { html, join, type Html } from '../html.ts';
import { link, paths, withQuery } from '../links.ts';
import type { PageContext } from '../page.ts';
import { productName } from '../../analysis/cve/product-name.ts';
import { errorNote, known, stateNote } from '../parts/states.ts';

const DAY_MS = 86_400_000;
const SHOWN_ROWS = 10;
/** The most rows of one page of a list. */
const MAX_ROWS = 200;

type ListItem = z.output<typeof CveListItem>;

/** What is new: exploited, rising, since the last visit, and how old each source is. */
export async function news(context: PageContext): Promise<Html> {
  const [sources, exploited, rising] = await Promise.all([
    sourcesLine(context),
    exploitedList(context),
    risersList(context),
  ]);
  return html`${sources.warning}<div class="columns news">
<section aria-labelledby="exploited">${exploited}</section>
<div><section aria-labelledby="rising">${rising}</section>
<section aria-labelledby="changed"><h2 id="changed">Changed since your last visit</h2>
<p><a data-visit href="${withQuery('/', { since: isoDay(context.now, -7) })}">What was added within a week</a>. <span class="note">The day of your last visit is kept in this browser alone.</span></p></section></div>
</div>
${sources.line}`;
}

/** A day of a query as YYYY-MM-DD, not later than today; null: none was given. */
export function readDay(text: string | null, now: Date): string | null {
  if (text === null || !/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(Date.parse(text))) return null;
  return text > isoDay(now) ? isoDay(now) : text;
}

/** What was added since a day. */
export async function changedSince(day: string, context: PageContext): Promise<Html> {
  const [kev, published] = await Promise.all([
    context.tryAskCatalog(cvesKev, { limit: MAX_ROWS, include: 'full' }),
    context.tryAskCatalog(cveSearch, { published_after: day, limit: 1 }),
  ]);
  const rows = (kev.answer?.results ?? []).filter((row) => isAddedSince(row, day));
  const isCut = rows.length === MAX_ROWS;
  const count = `${isCut ? 'over ' : ''}${formatCount(rows.length, 'CVE')}`;
  return html`<section id="since" aria-labelledby="since-title"><h2 id="since-title">Since ${day}: ${kev.answer === null ? 'exploited ones are not known' : rows.length === 0 ? 'none newly known to be exploited' : `${count} newly known to be exploited`}</h2>
${kev.error !== null && errorNote(kev.error, 'Exploited')}
${rows.length > 0 && exploitedTable(rows.slice(0, 2 * SHOWN_ROWS), `Known exploited since ${day}`)}
${rows.length > 2 * SHOWN_ROWS && html`<p>${link('/kev', 'All known-exploited CVEs')}</p>`}
<p>${
    published.answer === null
      ? known(null, 'how many were published cannot be told')
      : link(
          withQuery('/search', { published_after: day }),
          `${formatCount(published.answer.total, 'CVE')} published since then`,
        )
  }</p></section>`;
}

async function exploitedList(context: PageContext): Promise<Html> {
  const { answer, error } = await context.tryAskCatalog(cvesKev, { limit: SHOWN_ROWS, include: 'full' });
  if (answer === null) return html`<h2 id="exploited">Exploited this week</h2>${errorNote(error, 'Exploited')}`;
  const recent = answer.results.filter((row) => isAddedSince(row, isoDay(context.now, -7))).length;
  const heading =
    recent === 0
      ? 'Newest known exploited'
      : `Exploited this week: ${recent === SHOWN_ROWS ? `${recent} or more` : recent}`;
  return html`<h2 id="exploited">${heading}</h2>
${answer.results.length === 0 ? stateNote('empty', 'Not known', answer.summary) : exploitedTable(answer.results, 'Newest known-exploited CVEs')}
<p>${recent === 0 && answer.results.length > 0 && html`<span class="note">Nothing in the list here was added within a week.</span> `}${link('/kev', 'All known-exploited CVEs')}</p>`;
}

function exploitedTable(rows: readonly ListItem[], label: string): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table data-rows><thead><tr><th scope="col">CVE</th><th scope="col">Product</th><th scope="col">Added</th><th scope="col">Due</th></tr></thead>
<tbody>${rows.map(
    ({ cve_id, main_product, title, kev }) =>
      html`<tr><th scope="row"><a class="id" href="${paths.cve(cve_id)}">${cve_id}</a></th><td>${main_product == null ? known(title ?? null) : productName(main_product)}</td><td class="day">${known(kev.date_added)}</td><td class="day">${known(kev.due_date)}</td></tr>`,
  )}</tbody></table></div>`;
}

async function risersList(context: PageContext): Promise<Html> {
  const { answer, error } = await context.tryAskCatalog(epssRisers, { days: 7, limit: SHOWN_ROWS });
  if (answer === null) return html`<h2 id="rising">Rising</h2>${errorNote(error, 'EPSS')}`;
  if (answer.results.length === 0) {
    return html`<h2 id="rising">Rising: ${answer.before_date === null ? 'not known' : 'none'}</h2>${stateNote('partial', 'No rise can be shown', answer.summary)}`;
  }
  return html`<h2 id="rising">Likelier to be exploited than before</h2>
<div class="scroll" tabindex="0" role="region" aria-label="CVEs whose EPSS rose"><table data-rows><thead><tr><th scope="col">CVE</th><th scope="col">What</th><th scope="col" class="number">EPSS</th></tr></thead>
<tbody>${answer.results.map(
    ({ cve_id, title, before, after }) =>
      html`<tr><th scope="row"><a class="id" href="${paths.cve(cve_id)}">${cve_id}</a></th><td>${known(title)}</td><td class="number">${formatPercent(before)} to <b>${formatPercent(after)}</b></td></tr>`,
  )}</tbody></table></div>
<p class="note">From ${answer.before_date} to ${answer.after_date}.${answer.model_changed_on !== null && ` The EPSS model changed on ${answer.model_changed_on}: older scores cannot be compared.`}</p>`;
}

/** A line with the age of every source, and a warning where only the starter catalog answers. */
async function sourcesLine(context: PageContext): Promise<{ line: Html; warning: Html | null }> {
  const { answer, error } = await context.tryAskCatalog(status, {});
  if (answer === null) return { line: errorNote(error, 'Sources'), warning: null };
  const synced = Object.entries(answer.data_sources).filter(
    ([, { kind, records }]) => kind === 'synced' && (records ?? 0) > 0,
  );
  const stale = synced.filter(([, source]) => source.status === 'stale').length;
  const shown = synced.map(([id, source]) => {
    const age = source.age_seconds === null ? 'age not known' : formatAge(source.age_seconds);
    return html`<span class="source source-${source.status}">${id} <span>${age}${source.status === 'stale' && ' (stale)'}${source.status === 'error' && ' (last sync failed)'}</span></span>`;
  });
  const warning =
    answer.catalog !== 'starter'
      ? null
      : stateNote(
          'partial',
          'Only the starter catalog answers: some 150 well-known CVEs',
          html`Any other CVE is not known here yet. To load everything, run <code>sextant sync</code>; a service that was started without <code>SEXTANT_SYNC=off</code> does it by itself, ${link('/status', 'see the status')}.`,
        );
  return {
    line: html`<p class="sources"><b>Sources</b> ${join(shown, ' · ')}${stale > 0 && html` · <b>${stale} ${stale === 1 ? 'is' : 'are'} stale</b>`} · ${link('/status', 'status')}</p>`,
    warning,
  };
}

function isAddedSince({ kev }: ListItem, day: string): boolean {
  return kev.date_added !== null && kev.date_added >= day;
}

function isoDay(now: Date, days = 0): string {
  return new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10);
}
