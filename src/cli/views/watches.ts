import type { watchCreate } from '../../operations/watches/watch-create.ts';
import type { watchDeliveries } from '../../operations/watches/watch-deliveries.ts';
import type { watchEvents } from '../../operations/watches/watch-events.ts';
import type { watchList } from '../../operations/watches/watch-list.ts';
import type { watchLookup } from '../../operations/watches/watch-lookup.ts';
import type { watchTest } from '../../operations/watches/watch-test.ts';
import type { watchUpdate } from '../../operations/watches/watch-update.ts';
import { formatMinute } from '../terminal-text.ts';
import { type AnswerOf, defineView, type Fact, table, textLines } from './view.ts';

type Watch = AnswerOf<typeof watchLookup>['watch'];
type Delivery = AnswerOf<typeof watchTest>['deliveries'][number];

const createView = defineView<typeof watchCreate>('watch_create', ({ watch, secrets, gaps }) => ({
  facts: { ...watchFacts(watch), ...secretFacts(secrets) },
  sections: [textLines('what may not be told', gaps)],
}));

const updateView = defineView<typeof watchUpdate>('watch_update', ({ watch, secrets, gaps }) => ({
  facts: { ...watchFacts(watch), ...secretFacts(secrets) },
  sections: [textLines('what may not be told', gaps)],
}));

const lookupView = defineView<typeof watchLookup>('watch_lookup', ({ watch }) => ({ facts: watchFacts(watch) }));

const listView = defineView<typeof watchList>('watch_list', ({ results }) => ({
  sections: [
    table(
      null,
      results,
      [
        { title: 'id', cell: ({ id }) => id, min: Infinity },
        { title: 'watched', cell: ({ label }) => label, rank: 0 },
        { title: 'state', cell: ({ state }) => state, rank: 1 },
        { title: 'last event', cell: ({ last_event_at }) => timeText(last_event_at), rank: 3 },
        { title: 'given up', cell: ({ dead_deliveries: dead }) => (dead === 0 ? null : dead), align: 'right', rank: 2 },
        { title: 'to', cell: ({ channels }) => channels.map(placeText).join(', '), rank: 4 },
      ],
      { limit: results.length },
    ),
  ],
}));

const eventsView = defineView<typeof watchEvents>('watch_events', ({ events }) => ({
  sections: [
    table(
      null,
      events.toReversed(),
      [
        { title: 'seen', cell: ({ seen_at }) => timeText(seen_at) },
        { title: 'about', cell: ({ about }) => about.cve_id ?? about.domain ?? about.indicator, rank: 0 },
        { title: 'what changed', cell: ({ what }) => what, rank: 1, wrap: true },
        { title: 'why it concerns you', cell: ({ why }) => why, rank: 2, wrap: true },
      ],
      { limit: events.length },
    ),
  ],
}));

const deliveriesView = defineView<typeof watchDeliveries>('watch_deliveries', ({ results }) => ({
  sections: [deliveryTable(results)],
}));

const testView = defineView<typeof watchTest>('watch_test', ({ deliveries }) => ({
  sections: [deliveryTable(deliveries)],
}));

function deliveryTable(deliveries: readonly Delivery[]) {
  return table(
    null,
    deliveries,
    [
      { title: 'made', cell: ({ created_at }) => timeText(created_at) },
      { title: 'state', cell: ({ state }) => state, rank: 0 },
      { title: 'events', cell: ({ event_ids, is_test }) => (is_test ? 'test' : event_ids.length), rank: 3 },
      { title: 'tries', cell: ({ attempts }) => attempts, align: 'right', rank: 4 },
      { title: 'next', cell: ({ state, due_at }) => (state === 'pending' ? timeText(due_at) : null), rank: 2 },
      { title: 'problem', cell: ({ last_error }) => last_error, rank: 1, wrap: true },
    ],
    { limit: deliveries.length },
  );
}

function watchFacts(watch: Watch): Record<string, Fact> {
  return {
    id: watch.id,
    watched: watch.label,
    state: watch.state,
    muted: watch.mute === null ? null : `until ${timeText(watch.mute.until)}: ${watch.mute.reason}`,
    channels: watch.channels.map((channel) => `${channel.id}  ${placeText(channel)}`),
    'last event': timeText(watch.last_event_at),
    'next examination': timeText(watch.next_examination_at),
  };
}

function secretFacts(secrets: readonly { channel_id: string; secret: string }[]): Record<string, Fact> {
  return { 'secrets, shown this once': secrets.map(({ channel_id, secret }) => `${channel_id}  ${secret}`) };
}

function placeText({ url, format, to }: Watch['channels'][number]): string {
  return to ?? `${URL.parse(url ?? '')?.host}${format === 'standard' ? '' : ` (${format})`}`;
}

function timeText(time: string | null): string | null {
  return time === null ? null : formatMinute(time);
}

export const WATCH_VIEWS = [createView, updateView, lookupView, listView, eventsView, deliveriesView, testView];
