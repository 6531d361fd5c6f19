import type { Selectable } from 'kysely';
import type { WatchEvent, WatchSubject } from '../../analysis/watch/watch.ts';
import type { DeliveryState, WatchDelivery } from '../../engine/watch-book.ts';
import { insertDeliveries, MAX_EVENTS_PER_DELIVERY } from './add-events.ts';
import type { DueDelivery, StoreContext, WatchTransaction } from './store-context.ts';
import { deliveryId } from './watch-ids.ts';
import type { StoredChannel } from './stored-channel.ts';
import { batches, toDelivery } from './watch-rows.ts';
import type { WatchDatabase, WatchTables } from './watches-schema.ts';

/** Longer than any try lasts: who died meanwhile has not sent it, or has, and the receiver knows the id. */
export const DELIVERY_LOCK_MS = 60_000;
/** Rows that one statement of `purge` deletes: others wait for it. */
const PURGE_ROWS = 2000;

type DeliveryRow = Selectable<WatchTables['watch_delivery']>;

/** A delivery that this process has for `DELIVERY_LOCK_MS`, with all that is needed to send it. */
export interface ClaimedDelivery {
  delivery: WatchDelivery;
  watch: { id: string; owner: string; name: string | null; subject: WatchSubject };
  /** Null: the owner removed it. */
  channel: StoredChannel | null;
  /** As they were seen. */
  events: WatchEvent[];
  lockedUntil: number;
  lane: string;
}

/** `later`: not due yet, or another process has it. */
export type DeliveryClaim =
  | { kind: 'send'; claimed: ClaimedDelivery }
  | { kind: 'later'; at: number }
  | { kind: 'nothing' };

export type DeliveryOutcome =
  | { state: 'delivered' }
  | { state: 'pending'; dueAt: number; error: string }
  | { state: 'dead'; error: string };

/** Deliveries as the watch process sends them. */
export class DeliveryStore {
  readonly #context: StoreContext;
  readonly #db: WatchDatabase;

  constructor(context: StoreContext) {
    this.#context = context;
    this.#db = context.db;
  }

  /** Due deliveries that nobody has, the oldest first, without those of some lanes. */
  async listDue(limit: number, exceptLanes: readonly string[]): Promise<DueDelivery[]> {
    const nowMs = this.#nowMs();
    let query = this.#db
      .selectFrom('watch_delivery')
      .select(['id', 'lane', 'due_at'])
      .where('state', '=', 'pending')
      .where('due_at', '<=', nowMs)
      .where('locked_until', '<=', nowMs)
      .orderBy('due_at')
      .orderBy('created_at')
      .limit(limit);
    if (exceptLanes.length > 0) query = query.where('lane', 'not in', exceptLanes);
    const rows = await query.execute();
    return rows.map(({ id, lane, due_at: dueAt }) => ({ id, lane, dueAt: Number(dueAt) }));
  }

  /**
   * Takes a delivery for `DELIVERY_LOCK_MS`; no other process gets it then. What waits for the same channel is joined with it, so that a
   * digest is one message. Of a watch that is muted or paused it is kept, unless it was tried before or is sent again on demand.
   */
  claim(id: string): Promise<DeliveryClaim> {
    return this.#db.transaction().execute(async (transaction) => {
      const nowMs = this.#nowMs();
      const row = await transaction.selectFrom('watch_delivery').selectAll().where('id', '=', id).executeTakeFirst();
      if (row?.state !== 'pending') return { kind: 'nothing' };
      const waitUntil = Math.max(Number(row.due_at), Number(row.locked_until));
      if (waitUntil > nowMs) return { kind: 'later', at: waitUntil };
      const watch = await transaction.selectFrom('watch').selectAll().where('id', '=', row.watch_id).executeTakeFirst();
      if (watch === undefined) return { kind: 'nothing' };
      if (row.is_fixed === 0) {
        const isMuted = watch.mute_until !== null && Number(watch.mute_until) > nowMs;
        if (isMuted || watch.is_paused !== 0) {
          await transaction.updateTable('watch_delivery').set({ state: 'muted' }).where('id', '=', id).execute();
          return { kind: 'nothing' };
        }
      }
      const lockedUntil = nowMs + DELIVERY_LOCK_MS;
      const taken =
        row.is_fixed === 0
          ? await joinWaiting(transaction, row, nowMs, lockedUntil)
          : await lock(transaction, row, lockedUntil);
      if (taken === null) return { kind: 'nothing' };
      // The queue knows only the parts of a joined one: where this process dies, it is found by its own entry.
      if (taken.id !== id)
        await this.#context.enqueue(transaction, [{ id: taken.id, lane: taken.lane, dueAt: lockedUntil }]);
      const delivery = toDelivery(taken);
      const channel = this.#context.cipher
        .decrypt(watch.id, watch.channels)
        .find(({ id: of }) => of === taken.channel_id);
      const events = await readEvents(transaction, delivery.eventIds);
      const { owner, name } = watch;
      const about = { id: watch.id, owner, name, subject: JSON.parse(watch.subject) as WatchSubject };
      const claimed = { delivery, watch: about, channel: channel ?? null, events, lockedUntil, lane: taken.lane };
      return { kind: 'send', claimed };
    });
  }

  /** Writes how a try ended; nothing where the lock was lost meanwhile, or the delivery was deleted. */
  finish({ delivery, lockedUntil, lane }: ClaimedDelivery, outcome: DeliveryOutcome): Promise<void> {
    return this.#db.transaction().execute(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('watch_delivery')
        .set({
          state: outcome.state,
          locked_until: 0,
          last_error: outcome.state === 'delivered' ? null : outcome.error,
          ...(outcome.state === 'delivered' && { delivered_at: this.#nowMs() }),
          ...(outcome.state === 'pending' && { due_at: outcome.dueAt }),
        })
        .where('id', '=', delivery.id)
        .where('locked_until', '=', lockedUntil)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows > 0n && outcome.state === 'pending')
        await this.#context.enqueue(transaction, [{ id: delivery.id, lane, dueAt: outcome.dueAt }]);
    });
  }

  /** Deletes events, deliveries and replays that were written before a moment. */
  async purge(before: Date): Promise<void> {
    for (const table of ['watch_event', 'watch_delivery', 'watch_replay'] as const) {
      for (;;) {
        const old = await this.#db
          .selectFrom(table)
          .select('id')
          .where('created_at', '<', before.getTime())
          .limit(PURGE_ROWS)
          .execute();
        if (old.length === 0) break;
        for (const batch of batches(old.map(({ id }) => id)))
          await this.#db.deleteFrom(table).where('id', 'in', batch).execute();
      }
    }
  }

  #nowMs(): number {
    return this.#context.now().getTime();
  }
}

async function lock(
  transaction: WatchTransaction,
  { id }: DeliveryRow,
  lockedUntil: number,
): Promise<DeliveryRow | null> {
  const row = await transaction
    .updateTable('watch_delivery')
    .set((update) => ({ locked_until: lockedUntil, is_fixed: 1, attempts: update('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .where('locked_until', '<=', lockedUntil - DELIVERY_LOCK_MS)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Joins the deliveries that wait for the same channel and are due to one, which is locked. Null: another process took them. */
async function joinWaiting(
  transaction: WatchTransaction,
  row: DeliveryRow,
  nowMs: number,
  lockedUntil: number,
): Promise<DeliveryRow | null> {
  const waiting = await transaction
    .selectFrom('watch_delivery')
    .selectAll()
    .where('channel_id', '=', row.channel_id)
    .where('state', '=', 'pending')
    .where('is_fixed', '=', 0)
    .where('due_at', '<=', nowMs)
    .where('id', '<>', row.id)
    .orderBy('created_at')
    .orderBy('id')
    .limit(MAX_EVENTS_PER_DELIVERY)
    .execute();
  const parts = [row];
  let count = toDelivery(row).eventIds.length;
  for (const part of waiting) {
    const events = toDelivery(part).eventIds.length;
    if (count + events > MAX_EVENTS_PER_DELIVERY) break;
    parts.push(part);
    count += events;
  }
  if (parts.length === 1) return lock(transaction, row, lockedUntil);
  const deleted = await transaction
    .deleteFrom('watch_delivery')
    .where(
      'id',
      'in',
      parts.map(({ id }) => id),
    )
    .where('state', '=', 'pending')
    .where('is_fixed', '=', 0)
    .returningAll()
    .execute();
  if (deleted.length === 0) return null;
  const eventIds = deleted.flatMap((part) => toDelivery(part).eventIds);
  const joined = {
    ...row,
    id: deliveryId(row.channel_id, eventIds),
    created_at: Math.min(...deleted.map(({ created_at: at }) => Number(at))),
    due_at: Number(row.due_at),
    delivered_at: null,
    locked_until: lockedUntil,
    is_fixed: 1,
    attempts: 1,
    event_ids: JSON.stringify(eventIds),
  };
  const inserted = await transaction
    .insertInto('watch_delivery')
    .values(joined)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returningAll()
    .executeTakeFirst();
  return inserted ?? null;
}

/** Events by id, in the order in which they were written. */
async function readEvents(db: WatchDatabase, ids: readonly string[]): Promise<WatchEvent[]> {
  if (ids.length === 0) return [];
  const rows = await db.selectFrom('watch_event').select('body').where('id', 'in', ids).orderBy('seq').execute();
  return rows.map(({ body }) => JSON.parse(body));
}

/** Has deliveries sent again under the ids that they had, and sends events that no delivery to a channel has. Gives how many are sent. */
export async function sendAgain(
  { enqueue, cipher, now }: StoreContext,
  transaction: WatchTransaction,
  watchId: string,
  eventIds: readonly string[],
): Promise<number> {
  const nowMs = now().getTime();
  const watch = await transaction.selectFrom('watch').selectAll().where('id', '=', watchId).executeTakeFirst();
  if (watch === undefined) return 0;
  const rows = await transaction
    .selectFrom('watch_delivery')
    .selectAll()
    .where('watch_id', '=', watchId)
    .where('is_test', '=', 0)
    .execute();
  const wanted = new Set(eventIds);
  const sent: string[] = [];
  const created = [];
  for (const channel of cipher.decrypt(watchId, watch.channels)) {
    const lane = cipher.laneOf(channel);
    const missing = new Set(eventIds);
    const due: DueDelivery[] = [];
    for (const row of rows.filter((each) => each.channel_id === channel.id)) {
      const ids = toDelivery(row).eventIds;
      if (!ids.some((id) => wanted.has(id))) continue;
      for (const id of ids) missing.delete(id);
      sent.push(row.id);
      // What waits for its first try is sent anyway, and what is being sent is not disturbed.
      if (row.state === 'pending') continue;
      due.push({ id: row.id, lane, dueAt: nowMs });
    }
    for (const batch of batches(due)) {
      const again = { state: 'pending' as DeliveryState, is_fixed: 1, attempts: 0, due_at: nowMs, last_error: null };
      await transaction
        .updateTable('watch_delivery')
        .set(again)
        .where(
          'id',
          'in',
          batch.map(({ id }) => id),
        )
        .execute();
    }
    if (due.length > 0) await enqueue(transaction, due);
    for (const ids of batches([...missing], MAX_EVENTS_PER_DELIVERY)) {
      const id = deliveryId(channel.id, ids);
      sent.push(id);
      created.push({
        id,
        watch_id: watchId,
        channel_id: channel.id,
        lane,
        is_test: 0,
        is_fixed: 1,
        state: 'pending' as DeliveryState,
        created_at: nowMs,
        due_at: nowMs,
        event_ids: JSON.stringify(ids),
      });
    }
  }
  await insertDeliveries(transaction, created, enqueue);
  return sent.length;
}
