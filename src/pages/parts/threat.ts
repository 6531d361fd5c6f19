import type { z } from 'zod';
import { defang } from '../../analysis/indicators/defang.ts';
import type { ThreatLevel } from '../../analysis/indicators/threat-level.ts';
import { formatAge, formatCount } from '../../engine/summary.ts';
import type { IocSources } from '../../operations/indicators/lib/look-up-indicator.ts';
import { status } from '../../operations/service/status.ts';
import { html, type Html, type HtmlValue, join } from '../html.ts';
import { foreignLink } from '../links.ts';
import type { PageContext } from '../page.ts';
import { known } from './states.ts';

type Sources = z.output<typeof IocSources>;
type Finding = Sources[keyof Sources];
type Listing = NonNullable<Finding['listings']>[number];

/** Threat lists by their id: their name, and what it means to be named. */
export const THREAT_LISTS: Readonly<Record<keyof Sources, { readonly name: string; readonly meaning: string }>> = {
  threatfox: { name: 'ThreatFox', meaning: 'analysts have seen malware use it' },
  feodo: { name: 'Feodo Tracker', meaning: 'it controls a botnet of banking malware' },
  urlhaus: { name: 'URLhaus', meaning: 'it delivers malware' },
  malwarebazaar: { name: 'MalwareBazaar', meaning: 'a file with this hash is a malware sample' },
  firehol: { name: 'FireHOL level 1', meaning: 'its network attacks others, or nobody may use it' },
  tor: { name: 'Tor exits', meaning: 'anyone may be behind it: it passes on what users of Tor send' },
};

const STATUS_TEXTS: Readonly<Record<Exclude<Finding['status'], 'listed' | 'not_applicable'>, string>> = {
  not_listed: 'does not name it',
  not_configured: 'not known: no key for it is configured here',
  not_synced: 'not known: the list has not been loaded here',
  unavailable: 'not known: it did not answer',
};
const UNANSWERED: readonly Finding['status'][] = ['not_configured', 'not_synced', 'unavailable'];
const TONES: Readonly<Record<ThreatLevel, string>> = {
  critical: 'critical',
  high: 'high',
  medium: 'medium',
  low: 'low',
  none: 'info',
  unknown: 'unknown',
};
const LEVEL_TEXTS: Readonly<Record<ThreatLevel, string>> = {
  critical: 'critical threat',
  high: 'high threat',
  medium: 'medium threat',
  low: 'low threat',
  none: 'no list names it',
  unknown: 'threat not known',
};

/** A threat level as a word with its shape and tone. `score`: 0 to 100, shown where something names it. */
export function threatBadge(level: ThreatLevel, score: number | null = null): Html {
  return html`<span class="severity severity-${TONES[level]}">${LEVEL_TEXTS[level]}${score !== null && score > 0 && html` <b>${score}</b> of 100`}</span>`;
}

/** How many lists name it of those that answered: `2 of 4 lists that answered name it`. */
export function agreementPhrase(sources: Sources, ages: ListAges): string {
  const asked = Object.values(sources).filter(({ status }) => status !== 'not_applicable');
  const answered = asked.filter(({ status }) => !UNANSWERED.includes(status));
  const listed = answered.filter(({ status }) => status === 'listed').length;
  const missing = asked.length - answered.length;
  const stale = Object.entries(sources).filter(
    ([id, { status: says }]) => says === 'not_listed' && ages[id]?.isStale === true,
  ).length;
  const aged = stale === 0 ? '' : ` (${stale} ${stale === 1 ? 'is' : 'are'} out of date)`;
  const rest = missing === 0 ? '' : `; ${missing} did not answer or ${missing === 1 ? 'was' : 'were'} not asked`;
  const lists = answered.length === 1 ? 'the one list' : `the ${answered.length} lists`;
  if (answered.length === 0) return `Not known who names it: none of ${formatCount(asked.length, 'list')} answered`;
  return listed === 0
    ? `None of ${lists} that answered names it${aged}${rest}`
    : `${listed} of ${lists} that answered ${listed === 1 ? 'names' : 'name'} it${aged}${rest}`;
}

/** What each list says, those that name it first. `value`: never linked to. */
export function listingsTable(sources: Sources, ages: ListAges, value: string): Html {
  const rows = Object.entries(sources) as [keyof Sources, Finding][];
  const shown = rows
    .filter(([, { status }]) => status !== 'not_applicable')
    .toSorted(([, one], [, other]) => Number(other.status === 'listed') - Number(one.status === 'listed'));
  return html`<div class="scroll" tabindex="0" role="region" aria-label="What each list says"><table class="listings">
<thead><tr><th scope="col">List</th><th scope="col">Says</th><th scope="col">First seen</th><th scope="col">Last seen</th><th scope="col">Data</th></tr></thead>
<tbody>${shown.map(([id, finding]) => listRow(id, finding, ages[id], value))}</tbody></table></div>`;
}

function listRow(
  id: keyof Sources,
  { status: says, count, listings }: Finding,
  age: ListAge | undefined,
  value: string,
) {
  const { name, meaning } = THREAT_LISTS[id];
  const data = age === undefined ? 'asked now' : ageText(age);
  if (says !== 'listed') {
    const text = says === 'not_applicable' ? '' : STATUS_TEXTS[says];
    const unanswered = UNANSWERED.includes(says);
    return html`<tr><th scope="row">${name}</th><td colspan="3">${unanswered ? html`<span class="unknown">${text}</span>` : text}</td><td>${unanswered ? null : data}</td></tr>`;
  }
  const found = listings ?? [];
  return html`<tr><th scope="row"><b>${name}</b></th><td><b>names it</b>: ${meaning}${count !== null && count > 1 && ` (${formatCount(count, 'entry')})`}${found.length > 0 && html`<ul class="plain">${found.map((listing) => listingLine(listing, value))}</ul>`}</td>
<td class="day">${daysOf(found.map(({ first_seen }) => first_seen)).at(0) ?? known(null)}</td><td class="day">${daysOf(found.map(({ last_seen }) => last_seen)).at(-1) ?? known(null)}</td><td>${data}</td></tr>`;
}

function listingLine({ malware, threat, confidence, online, tags, reference }: Listing, value: string): HtmlValue {
  const parts: HtmlValue[] = [
    malware,
    threat?.replaceAll('_', ' '),
    confidence !== null && `confidence ${confidence} %`,
  ];
  parts.push(
    online === true && html`<b>online now</b>`,
    online === false && 'offline now',
    tags.length > 0 && `tags ${tags.join(', ')}`,
  );
  parts.push(reference !== null && safeReference(reference, value));
  const said = parts.filter((part) => part !== null && part !== undefined && part !== false && part !== '');
  return said.length === 0 ? null : html`<li>${join(said, ' · ')}</li>`;
}

/** A reference that leads to what it warns of is text. */
function safeReference(reference: string, value: string): Html {
  const host = URL.parse(value)?.hostname ?? value;
  return reference.toLowerCase().includes(host.toLowerCase()) &&
    !/\.abuse\.ch\/$|^https:\/\/[a-z]+\.abuse\.ch\//.test(reference)
    ? html`<span class="address">${defang(reference)}</span>`
    : foreignLink(reference, 'source');
}

function ageText({ seconds, isStale }: ListAge): HtmlValue {
  if (seconds === null) return known(null);
  return isStale ? html`<strong>stale</strong>: ${formatAge(seconds)} old` : `${formatAge(seconds)} old`;
}

/** The days of these times, earliest first. */
function daysOf(times: readonly (string | null)[]): string[] {
  return times.flatMap((time) => time?.slice(0, 10) ?? []).toSorted();
}

/** The age of a list that is kept here, in seconds; null: not known. */
interface ListAge {
  readonly seconds: number | null;
  readonly isStale: boolean;
}
/** By the id of the list; lists that are asked live have none. */
export type ListAges = Readonly<Record<string, ListAge>>;

/** How old the threat lists are that are kept here. */
export async function threatListAges(context: PageContext): Promise<ListAges> {
  const { answer } = await context.tryAskCatalog(status, {});
  const kept = Object.entries(answer?.data_sources ?? {}).filter(
    ([id, { kind }]) => id in THREAT_LISTS && kind === 'synced',
  );
  return Object.fromEntries(
    kept.map(([id, { age_seconds, status }]) => [id, { seconds: age_seconds, isStale: status === 'stale' }]),
  );
}
