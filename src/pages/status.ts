import type { z } from 'zod';
import { capitalize, formatAge, formatCount, formatPercent, formatNumber } from '../engine/summary.ts';
import { status as statusOperation } from '../operations/service/status.ts';
import { html, join, type Html, type HtmlValue } from './html.ts';
import { link } from './links.ts';
import { definePage } from './page.ts';
import { known, stateNote } from './parts/states.ts';

type Status = z.output<(typeof statusOperation)['output']>;
type Source = Status['data_sources'][string];

/** Worst first. */
const ORDER = ['error', 'stale', 'empty', 'ok', 'disabled'] as const;
const WORDS: Readonly<Record<Source['status'], string>> = {
  ok: 'ok',
  stale: 'stale',
  error: 'last attempt failed',
  empty: 'not loaded',
  disabled: 'not set up',
};

/** A share of fewer CVEs tells nothing of a month. */
const TELLING_CVES = 100;

/** `/status`: problems first, then every source with its age, and how complete the newest CVEs are. */
export const status = definePage({
  path: '/status',
  keptMs: 2000,
  question: () => ({ operation: statusOperation, input: {} }),
  async render(_request, context) {
    const answer = await context.askCatalog(statusOperation, {});
    const { problems } = answer;
    const sources = Object.entries(answer.data_sources).toSorted(
      ([, a], [, b]) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status),
    );
    const heading = headingOf(answer, sources);
    return {
      title: heading,
      description: answer.summary,
      main: html`<h1>${heading}</h1>
<p>Version ${answer.version}, up for ${formatAge(answer.uptime_seconds)}.</p>
${problems.length > 0 && stateNote('partial', 'What is wrong', html`<ul>${problemLines(answer).map((line) => html`<li>${line}</li>`)}</ul>${sources.some(([, source]) => source.status === 'stale') && html`<p>Stale: older than a source that is updated so often should be. Answers from it say so.</p>`}`)}
${answer.catalog === 'starter' && answer.followed_catalog === null && html`<p class="do"><strong>Load everything: run <code>sextant sync</code>,</strong> or start the service without <code>SEXTANT_SYNC=off</code>. It answers while it loads.</p>`}
<h2 id="stored">Stored data: ${countOf(sources, 'synced')}</h2>
${storedTable(sources.filter(([, { kind }]) => kind === 'synced'))}
<h2 id="live">Asked live: ${countOf(sources, 'live')}</h2>
${liveTable(sources.filter(([, { kind }]) => kind === 'live'))}
${coverage(answer)}`,
    };
  },
});

function headingOf({ catalog, problems }: Status, sources: readonly [string, Source][]): string {
  if (problems.length === 0) return 'Everything works';
  if (catalog === 'starter') return 'Only the starter catalog answers';
  const count = (state: Source['status']): number => sources.filter(([, { status: its }]) => its === state).length;
  const parts = [
    count('error') > 0 && `${formatCount(count('error'), 'source')} failed`,
    count('stale') > 0 && `${formatCount(count('stale'), 'source')} stale`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? formatCount(problems.length, 'problem') : `${parts.join(', ')}; the rest works`;
}

/** Problems, those of sources in one line for each state, with links to their rows. */
function problemLines({ problems, data_sources }: Status): HtmlValue[] {
  const idOf = (problem: string): string => problem.split(':')[0]!;
  const [ofSources, others] = [
    problems.filter((one) => idOf(one) in data_sources),
    problems.filter((one) => !(idOf(one) in data_sources)),
  ];
  const byState = Map.groupBy(ofSources.map(idOf), (id) => data_sources[id]!.status);
  const lines = [...byState].map(
    ([state, ids]) =>
      html`${capitalize(WORDS[state])}: ${join(
        ids.map((id) => link(`#${id}`, data_sources[id]!.title)),
        ', ',
      )}`,
  );
  return [...others, ...lines];
}

function countOf(sources: readonly [string, Source][], kind: Source['kind']): string {
  const some = sources.filter(([, source]) => source.kind === kind);
  const bad = some.filter(([, source]) => source.status === 'error' || source.status === 'stale').length;
  const empty = some.filter(([, source]) => source.status === 'empty').length;
  if (empty > 0) return `${empty} of ${formatCount(some.length, 'source')} not loaded`;
  return `${formatCount(some.length, 'source')}, ${bad === 0 ? 'none with a problem' : `${bad} with a problem`}`;
}

function storedTable(sources: readonly [string, Source][]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Stored data"><table><thead><tr><th scope="col">Source</th><th scope="col">State</th><th scope="col">Age</th><th scope="col" class="number">Records</th><th scope="col">Loaded</th><th scope="col">What is not here</th></tr></thead>
<tbody>${sources.map(
    ([id, source]) =>
      html`<tr id="${id}"><th scope="row"><span class="id">${id}</span> ${source.title}</th><td>${stateOf(source)}</td><td class="day">${source.age_seconds === null ? known(null) : formatAge(source.age_seconds)}</td><td class="number">${source.status === 'empty' ? 'none' : known(source.records === null ? null : formatNumber(source.records))}</td><td class="day">${dayOf(source.last_success_at)}</td><td>${notesOf(source)}</td></tr>`,
  )}</tbody></table></div>`;
}

function liveTable(sources: readonly [string, Source][]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Sources that are asked live"><table><thead><tr><th scope="col">Source</th><th scope="col">State</th><th scope="col">Answered last</th><th scope="col">Last fault</th></tr></thead>
<tbody>${sources.map(
    ([id, source]) =>
      html`<tr id="${id}"><th scope="row"><span class="id">${id}</span> ${source.title}</th><td>${stateOf(source)}</td><td class="day">${source.last_success_at === null ? null : dayOf(source.last_success_at)}</td><td>${source.last_error}</td></tr>`,
  )}</tbody></table></div>
<p class="note">"Not set up": the source needs a key or an address that this installation was not given.</p>`;
}

function stateOf({ status: state, kind, last_success_at }: Source): Html {
  const word = kind === 'live' && state === 'ok' && last_success_at === null ? 'not asked yet' : WORDS[state];
  return html`<span class="source source-${state}"><span>${word}</span></span>`;
}

function dayOf(time: string | null): Html {
  return time === null ? html`never` : html`<time datetime="${time}">${time.slice(0, 10)}</time>`;
}

function notesOf({ notes, last_error, skipped_records }: Source): string {
  return [
    ...(last_error === null ? [] : [`last attempt: ${last_error}`]),
    ...(skipped_records === 0 ? [] : [`${formatCount(skipped_records, 'record')} could not be read`]),
    ...notes,
  ].join('; ');
}

/** Shares of the CVEs of each month that have what searches need. */
function coverage({ coverage: months }: Status): Html {
  const newest = months.findLast(({ all }) => all.cves >= TELLING_CVES);
  if (newest === undefined)
    return html`<h2 id="coverage">How complete new CVEs are: not known</h2><p>No month with ${TELLING_CVES} CVEs is loaded.</p>`;
  const columns = ['products', 'cpe', 'versions', 'cvss', 'cwe'] as const;
  return html`<h2 id="coverage">Of the CVEs of ${newest.month}, ${formatPercent(newest.all.cvss)} have a CVSS score and ${formatPercent(newest.all.products)} name a product</h2>
<p>A search by product or severity misses what is not named yet.</p>
<div class="scroll" tabindex="0" role="region" aria-label="What CVEs have, by month"><table><thead><tr><th scope="col">Published</th><th scope="col" class="number">CVEs</th><th scope="col" class="number">Products</th><th scope="col" class="number">CPE names</th><th scope="col" class="number">Versions</th><th scope="col" class="number">CVSS</th><th scope="col" class="number">CWE</th></tr></thead>
<tbody>${months
    .toReversed()
    .map(
      ({ month, all }) =>
        html`<tr><th scope="row">${month}</th><td class="number">${formatNumber(all.cves)}</td>${columns.map((column) => html`<td class="number">${formatPercent(all[column])}</td>`)}</tr>`,
    )}</tbody></table></div>`;
}
