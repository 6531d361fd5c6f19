import type { z } from 'zod';
import { defang } from '../analysis/indicators/defang.ts';
import { splitIndicators } from '../analysis/indicators/split-indicators.ts';
import { formatAge, formatCount, formatNumber } from '../engine/summary.ts';
import { status } from '../operations/service/status.ts';
import { html, type Html, type HtmlValue } from './html.ts';
import { link, paths } from './links.ts';
import { definePage, type PageContent, type PageContext } from './page.ts';
import { checkIndicators, type CheckedIndicator, MAX_CHECKED } from './parts/check-indicators.ts';
import { stixFile } from './parts/stix-file.ts';
import { errorNote, known, stateNote } from './parts/states.ts';
import { THREAT_LISTS, threatBadge } from './parts/threat.ts';
import { formatCsv } from './csv.ts';
import { formText } from './read-form.ts';

const MAX_TEXT_CHARACTERS = 200_000;
const MAX_SHOWN_OTHERS = 12;
const NAME = 'indicators';

type Source = z.output<typeof status.output>['data_sources'][string];

/** Lists beside those of threats. */
const OTHER_LISTS: Readonly<Record<string, string>> = {
  cloud: 'it belongs to a cloud: anyone can rent it',
  abuseipdb: 'people have reported abuse from it',
  internetdb: 'scanners have seen what is open at it',
};

/** `/lists`: the lists that know addresses, how old each is, and a form to look up many at once. */
export const lists = definePage({
  path: '/lists',
  methods: ['GET', 'POST'],
  question: () => ({ operation: status, input: {} }),
  async render({ form }, context) {
    if (form === null) return listsPage(context);
    const text = await formText(form, NAME);
    const { indicators, others } = splitIndicators(text.slice(0, MAX_TEXT_CHARACTERS));
    const values = indicators.map(({ value }) => value);
    const { rows, error } = await checkIndicators(values.slice(0, MAX_CHECKED), context);
    if (error === null && form.get('as') === 'csv') return { file: toCsvFile(rows) };
    if (error === null && form.get('as') === 'stix') {
      return {
        file: stixFile(
          rows.flatMap(({ answer }) => answer ?? []),
          context.now,
        ),
      };
    }
    const named = rows.filter(({ level }) => !['none', 'unknown', null].includes(level)).length;
    const heading = `${named} of ${formatCount(rows.length, 'indicator')} ${named === 1 ? 'is' : 'are'} named by a list`;
    return {
      title: indicators.length === 0 ? 'Nothing to look up' : heading,
      description: heading,
      main: html`<h1>${indicators.length === 0 ? 'There is nothing to look up in this text' : heading}</h1>
${error !== null && errorNote(error, rows.length === 0 ? 'The look-up' : 'The rest')}
${values.length > MAX_CHECKED && stateNote('partial', `The first ${MAX_CHECKED} of ${values.length} were looked up`, 'Paste the rest again.')}
${rows.length > 0 && resultTable(rows)}
${others.length > 0 && html`<details><summary>${formatCount(others.length, 'word')} not looked up</summary><p>No public address, domain, URL or hash; private addresses are in no list. ${others.slice(0, MAX_SHOWN_OTHERS).map((word) => html`<code>${word.slice(0, 80)}</code> `)}${others.length > MAX_SHOWN_OTHERS && '...'}</p></details>`}
<h2>Look up others</h2>
${checkForm(text.slice(0, MAX_TEXT_CHARACTERS))}
<p>${link('/lists', 'The lists, and how old each is')}</p>`,
    };
  },
});

async function listsPage(context: PageContext): Promise<PageContent> {
  const { data_sources } = await context.askCatalog(status, {});
  const meanings = {
    ...OTHER_LISTS,
    ...Object.fromEntries(Object.entries(THREAT_LISTS).map(([id, { meaning }]) => [id, meaning])),
  };
  const known = Object.entries(data_sources).flatMap(([id, source]) => {
    const meaning = meanings[id];
    return meaning === undefined ? [] : [{ id, source, meaning }];
  });
  const kept = known.filter(({ source }) => source.kind === 'synced');
  const loaded = kept.filter(({ source }) => (source.records ?? 0) > 0);
  return {
    title: 'Look up many addresses at once',
    description: `${loaded.length} of ${kept.length} lists of addresses are here, others are asked live. Paste a log or a report: what is named, by whom, and how sure.`,
    main: html`<h1>Look up many addresses at once</h1>
${checkForm('')}
<section id="kept"><h2>${loaded.length === kept.length ? `${kept.length} lists are kept here` : `${loaded.length} of ${kept.length} lists are here: the others say nothing`}</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Lists that are kept here"><table class="listings"><thead><tr><th scope="col">List</th><th scope="col">An address in it</th><th scope="col" class="number">Networks</th><th scope="col">Age</th><th scope="col">State</th></tr></thead>
<tbody>${kept.map(({ id, source, meaning }) => html`<tr id="${id}"><th scope="row">${source.title}</th><td>${meaning}</td><td class="number">${source.records ? formatNumber(source.records) : null}</td><td>${source.age_seconds === null ? null : formatAge(source.age_seconds)}</td><td>${stateOf(source)}</td></tr>`)}</tbody></table></div></section>
<section id="live"><h2>${formatCount(known.length - kept.length, 'source')} are asked when a question comes</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Sources that are asked live"><table class="listings"><thead><tr><th scope="col">Source</th><th scope="col">What it says of what it names</th><th scope="col">State</th></tr></thead>
<tbody>${known.filter(({ source }) => source.kind === 'live').map(({ id, source, meaning }) => html`<tr id="${id}"><th scope="row">${source.title}</th><td>${meaning}</td><td>${stateOf(source)}</td></tr>`)}</tbody></table></div></section>
<p class="note">How lists become a level: an entry counts less as it ages, and a second list that agrees adds to it. Nothing that you paste is stored.</p>`,
  };
}

function stateOf({ status: state, last_error, kind }: Source): HtmlValue {
  switch (state) {
    case 'ok':
      return kind === 'live' ? 'answers, or has not been asked yet' : 'up to date';
    case 'stale':
      return html`<strong>stale</strong>: newer entries are missing`;
    case 'empty':
      return known(null, 'it has not been loaded');
    case 'disabled':
      return known(null, 'no key for it is configured here');
    case 'error':
      return html`failed last time${last_error !== null && `: ${last_error}`}`;
  }
}

function checkForm(text: string): Html {
  return html`<form method="post" action="/lists"><p><label for="${NAME}">Addresses, domains, URLs and hashes, also defanged, in any text: up to ${MAX_CHECKED}, one token each</label>
<textarea id="${NAME}" name="${NAME}" rows="8" spellcheck="false" maxlength="${MAX_TEXT_CHARACTERS}" placeholder="198.51.100.7&#10;hxxps://evil[.]example/x">${text}</textarea></p>
<p><button>Look up</button> <button class="quiet" name="as" value="csv">Look up and save as CSV</button> <button class="quiet" name="as" value="stix">Look up and save as STIX 2.1</button></p></form>`;
}

function resultTable(rows: readonly CheckedIndicator[]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Results"><table class="listings" data-rows><thead><tr><th scope="col">Indicator</th><th scope="col">Verdict</th><th scope="col">Named by</th><th scope="col">Why</th></tr></thead>
<tbody>${rows.map(
    ({ value, type, level, score, listedBy, reason }) =>
      html`<tr><th scope="row">${link(type === 'ip' ? paths.ip(value) : paths.indicator(value), html`<span class="id">${defang(value)}</span>`)}</th><td>${level === null ? known(null) : threatBadge(level, score)}</td><td>${listedBy.join(', ')}</td><td>${reason}</td></tr>`,
  )}</tbody></table></div>`;
}

function toCsvFile(rows: readonly CheckedIndicator[]) {
  const body = formatCsv(
    ['indicator', 'type', 'threat_level', 'threat_score', 'listed_by', 'reason'],
    rows.map(({ value, type, level, score, listedBy, reason }) => [
      value,
      type,
      level,
      score,
      listedBy.join(' '),
      reason,
    ]),
  );
  return { type: 'text/csv; charset=utf-8', name: 'indicators.csv', body };
}
