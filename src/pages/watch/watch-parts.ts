import type { z } from 'zod';
import { formatCount } from '../../engine/summary.ts';
import { pathOfEvent, subjectOfEvent } from '../../operations/watches/lib/event-feed-entries.ts';
import type {
  SecretsField,
  WatchDeliveryField,
  WatchEventField,
  WatchField,
} from '../../operations/watches/lib/watch-schemas.ts';
import { html, type Html } from '../html.ts';
import { link } from '../links.ts';
import { severityBadge } from '../parts/severity.ts';
import { stateNote } from '../parts/states.ts';
import { copyBlock } from '../parts/evidence-foot.ts';

type Watch = z.output<typeof WatchField>;
type Event = z.output<typeof WatchEventField>;
type Delivery = z.output<typeof WatchDeliveryField>;

const STATES = {
  pending: 'waits',
  delivered: 'delivered',
  dead: 'given up',
  muted: 'kept, not sent: muted',
} as const;

/** State in words, with why. */
export function watchState({ state, mute, dead_deliveries: dead }: Watch): Html {
  return html`${state === 'muted' ? html`muted until ${moment(mute!.until)}: ${mute!.reason}` : state}${dead > 0 && html`, ${formatCount(dead, 'delivery')} given up`}`;
}

/** `2026-11-26 08:00 UTC` */
export function moment(time: string): Html {
  return html`<time datetime="${time}">${time.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

/** Secrets, this one time. */
export function secretsNote(secrets: z.output<typeof SecretsField>): Html | null {
  if (secrets.length === 0) return null;
  return html`${stateNote('partial', 'Copy the secret now: it is shown this once', 'Receivers verify signatures with it. A new one can be made at any time.')}
${secrets.map(({ channel_id, secret }, at) => copyBlock(`secret-${at}`, `Secret of ${channel_id}`, secret))}`;
}

/** Events, newest first. */
export function eventsSection(events: readonly Event[], id: string): Html {
  const feed = html`<p class="note">The same for programs and readers of feeds: ${link(`/v1/watches/${id}/events`, 'JSON')} · ${link(`/v1/watches/${id}/events.atom`, 'Atom')} · ${link(`/v1/watches/${id}/events.json`, 'JSON Feed')}</p>`;
  if (events.length === 0)
    return html`<section id="events"><h2>Nothing was told yet</h2><p>What changes is shown here once a sync has seen it.</p>${feed}</section>`;
  return html`<section id="events"><h2>What was told last</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Events"><table><thead><tr><th scope="col">Seen</th><th scope="col">About</th><th scope="col">What changed</th><th scope="col">Why it concerns you</th><th scope="col">Severity now</th></tr></thead>
<tbody>${events.toReversed().map(
    (event) =>
      html`<tr><td>${moment(event.seen_at)}</td><th scope="row"><span class="id">${link(pathOfEvent(event), subjectOfEvent(event))}</span></th><td>${event.what}</td><td>${event.why}</td><td>${event.current !== null && severityBadge(event.current.severity)}</td></tr>
`,
  )}</tbody></table></div>${feed}</section>`;
}

export function deliveriesSection(deliveries: readonly Delivery[], total: number): Html | null {
  if (total === 0) return null;
  return html`<section id="deliveries"><h2>Deliveries</h2>
${total > deliveries.length && html`<p class="note">The last ${deliveries.length} of ${total}.</p>`}
<div class="scroll" tabindex="0" role="region" aria-label="Deliveries"><table><thead><tr><th scope="col">Made</th><th scope="col">State</th><th scope="col" class="number">Events</th><th scope="col" class="number">Tries</th><th scope="col">Problem</th></tr></thead>
<tbody>${deliveries.map(
    ({ created_at, state, is_test, event_ids, attempts, due_at, last_error }) =>
      html`<tr><td>${moment(created_at)}</td><td>${STATES[state]}${state === 'pending' && html`, next try ${moment(due_at)}`}</td><td class="number">${is_test ? 'test' : event_ids.length}</td><td class="number">${attempts}</td><td>${last_error ?? 'none'}</td></tr>
`,
  )}</tbody></table></div></section>`;
}
