import { type Insertable, sql } from 'kysely';
import { dueTime } from '../../analysis/watch/due-time.ts';
import type { WatchEvent } from '../../analysis/watch/watch.ts';
import type { StoreContext, WatchTransaction } from './store-context.ts';
import { deliveryId } from './watch-ids.ts';
import { batches, type WatchRow } from './watch-rows.ts';
import type { WatchTables } from './watches-schema.ts';

/** Events of one message; the rest comes in the next. */
export const MAX_EVENTS_PER_DELIVERY = 100;

/** Events that were found for one watch. */
export interface EventsOfWatch {
  watchId: string;
  events: readonly WatchEvent[];
}

/**
 * Writes events that are not kept yet, and a delivery of them for each channel. Events of watches that are not there any more are left out.
 * `transaction`: one that does nothing else, or has a lock that all who add events take first.
 */
export async function addEvents(
  { cipher, enqueue, now }: StoreContext,
  transaction: WatchTransaction,
  found: readonly EventsOfWatch[],
): Promise<void> {
  const nowMs = now().getTime();
  for (const batch of batches(found.filter(({ events }) => events.length > 0))) {
    const added = await addNewEvents(transaction, batch, nowMs);
    const deliveries = added.flatMap(({ watch, eventIds }) =>
      cipher.decrypt(watch.id, watch.channels).flatMap((channel) => {
        const to = { id: channel.id, lane: cipher.laneOf(channel) };
        return newDeliveries(watch, to, eventIds, nowMs);
      }),
    );
    await insertDeliveries(transaction, deliveries, enqueue);
  }
}

export type NewDelivery = Omit<
  Insertable<WatchTables['watch_delivery']>,
  'attempts' | 'locked_until' | 'last_error' | 'delivered_at'
>;

/** Deliveries of events to one channel, as the watch's schedule and mute say. */
export function newDeliveries(
  watch: WatchRow,
  channel: { id: string; lane: string },
  eventIds: readonly string[],
  nowMs: number,
): NewDelivery[] {
  const isMuted = watch.mute_until !== null && Number(watch.mute_until) > nowMs;
  const dueAt = dueTime(JSON.parse(watch.schedule), nowMs);
  return [...batches(eventIds, MAX_EVENTS_PER_DELIVERY)].map((ids) => ({
    id: deliveryId(channel.id, ids),
    watch_id: watch.id,
    channel_id: channel.id,
    lane: channel.lane,
    is_test: 0,
    is_fixed: 0,
    state: isMuted ? 'muted' : 'pending',
    created_at: nowMs,
    due_at: dueAt,
    event_ids: JSON.stringify(ids),
  }));
}

/** Those that are there already stay as they are. */
export async function insertDeliveries(
  transaction: WatchTransaction,
  deliveries: readonly NewDelivery[],
  enqueue: StoreContext['enqueue'],
): Promise<void> {
  for (const batch of batches(deliveries)) {
    await transaction
      .insertInto('watch_delivery')
      .values(batch.map((delivery) => ({ ...delivery, attempts: 0, locked_until: 0 })))
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  }
  const due = deliveries.filter(({ state }) => state === 'pending');
  if (due.length > 0)
    await enqueue(
      transaction,
      due.map(({ id, lane, due_at: dueAt }) => ({ id, lane, dueAt })),
    );
}

/** Writes events that are not kept yet; gives their ids, by watch. */
export async function addNewEvents(
  transaction: WatchTransaction,
  found: readonly EventsOfWatch[],
  nowMs: number,
): Promise<{ watch: WatchRow; eventIds: string[] }[]> {
  const watchIds = found.map(({ watchId }) => watchId);
  const rows = await transaction.selectFrom('watch').selectAll().where('id', 'in', watchIds).execute();
  const watches = new Map(rows.map((row) => [row.id, row]));
  const added = new Map<string, { event: WatchEvent; watch: WatchRow }>();
  for (const { watchId, events } of found) {
    const watch = watches.get(watchId);
    if (watch !== undefined) for (const event of events) added.set(event.id, { event, watch });
  }
  // The lock on this row lets transactions that add events commit in the order of their numbers.
  let seq = await reserveNumbers(transaction, added.size);
  for (const batch of batches([...added.keys()])) {
    const kept = await transaction.selectFrom('watch_event').select('id').where('id', 'in', batch).execute();
    for (const { id } of kept) added.delete(id);
  }
  const idsByWatch = new Map<string, { watch: WatchRow; eventIds: string[] }>();
  for (const batch of batches([...added.values()])) {
    const events = batch.map(({ event, watch }) => ({
      seq: ++seq,
      id: event.id,
      watch_id: watch.id,
      owner: watch.owner,
      seen_at: Date.parse(event.seen_at),
      created_at: nowMs,
      body: JSON.stringify(event),
    }));
    await transaction.insertInto('watch_event').values(events).execute();
    for (const { event, watch } of batch) {
      const ofWatch = idsByWatch.get(watch.id);
      if (ofWatch === undefined) idsByWatch.set(watch.id, { watch, eventIds: [event.id] });
      else ofWatch.eventIds.push(event.id);
    }
  }
  await keepTold(
    transaction,
    [...added.values()].map(({ event }) => event),
  );
  for (const batch of batches([...idsByWatch.keys()]))
    await transaction.updateTable('watch').set({ last_event_at: nowMs }).where('id', 'in', batch).execute();
  return [...idsByWatch.values()];
}

/** The number before the first of `count` new ones. */
async function reserveNumbers(transaction: WatchTransaction, count: number): Promise<number> {
  const { last_seq: last } = await transaction
    .updateTable('watch_sequence')
    .set({ last_seq: sql`last_seq + ${count}` })
    .returning('last_seq')
    .executeTakeFirstOrThrow();
  return Number(last) - count;
}

/** The status of each CVE that was told last; a replay does not replace a later one. */
async function keepTold(transaction: WatchTransaction, events: readonly WatchEvent[]): Promise<void> {
  const told = new Map<string, { watch_id: string; cve_id: string; status: string | null; seen_at: number }>();
  for (const { about, watch_id, status, seen_at } of events) {
    if (about.kind !== 'cve') continue;
    const key = `${watch_id} ${about.cve_id}`;
    const seenAt = Date.parse(seen_at);
    if ((told.get(key)?.seen_at ?? 0) <= seenAt)
      told.set(key, { watch_id, cve_id: about.cve_id, status, seen_at: seenAt });
  }
  for (const batch of batches([...told.values()])) {
    await transaction
      .insertInto('watch_told')
      .values(batch)
      .onConflict((conflict) =>
        conflict
          .columns(['watch_id', 'cve_id'])
          .doUpdateSet((update) => ({ status: update.ref('excluded.status'), seen_at: update.ref('excluded.seen_at') }))
          .where('watch_told.seen_at', '<=', (is) => is.ref('excluded.seen_at')),
      )
      .execute();
  }
}
