import type { WatchSubject } from '../../analysis/watch/watch.ts';
import { watchKeys } from '../../analysis/watch/watch-keys.ts';
import type { DeliveryState, EventPage, Watch, WatchDelivery } from '../../engine/watch-book.ts';
import { insertDeliveries } from './add-events.ts';
import { selectWatches } from './kysely-match-store.ts';
import type { StoreContext, WatchTransaction } from './store-context.ts';
import { randomId } from './watch-ids.ts';
import type { StoredChannel } from './stored-channel.ts';
import { batches, toDelivery, toWatch, type WatchRow } from './watch-rows.ts';
import type { WatchDatabase } from './watches-schema.ts';

/** What an owner decides of a watch, as it is kept. */
export type WatchContent = Pick<Watch, 'id' | 'name' | 'subject' | 'conditions' | 'schedule' | 'isPaused' | 'mute'> & {
  channels: readonly StoredChannel[];
};

/** `error`: why it could not be done, in words. */
export type ReplayOutcome = { events: number; deliveries: number } | { error: string };

/** The watches of owners; every method reaches those of one owner only. */
export class OwnerStore {
  readonly #context: StoreContext;
  readonly #db: WatchDatabase;

  constructor(context: StoreContext) {
    this.#context = context;
    this.#db = context.db;
  }

  /** Newest first. */
  async list(owner: string): Promise<Watch[]> {
    const rows = await selectWatches(this.#db)
      .where('owner', '=', owner)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .execute();
    return rows.map((row) => toWatch(row, this.#context.cipher));
  }

  async find(owner: string, id: string): Promise<Watch | null> {
    const row = await selectWatches(this.#db).where('owner', '=', owner).where('id', '=', id).executeTakeFirst();
    return row === undefined ? null : toWatch(row, this.#context.cipher);
  }

  /** False, and nothing is written, where the owner has `maxWatches` already. */
  add(owner: string, content: WatchContent, maxWatches: number): Promise<boolean> {
    return this.#db.transaction().execute(async (transaction) => {
      const { count } = await transaction
        .selectFrom('watch')
        .select(({ fn }) => fn.countAll<number | string>().as('count'))
        .where('owner', '=', owner)
        .executeTakeFirstOrThrow();
      if (Number(count) >= maxWatches) return false;
      const nowMs = this.#nowMs();
      const row = { ...this.#toRow(content), owner, created_at: nowMs, updated_at: nowMs };
      const examineAt = isExamined(content.subject) ? nowMs : null;
      await transaction
        .insertInto('watch')
        .values({ ...row, examine_at: examineAt })
        .execute();
      await writeKeys(transaction, content);
      return true;
    });
  }

  /** Changes a watch as `change` says, which gets it as it is. False: there is none. */
  update(owner: string, id: string, change: (content: WatchContent) => WatchContent): Promise<boolean> {
    return this.#db.transaction().execute(async (transaction) => {
      const row = await this.#lock(transaction, owner, id);
      if (row === undefined) return false;
      const before = {
        ...toWatch({ ...row, dead_deliveries: 0 }, this.#context.cipher),
        channels: this.#channels(row),
      };
      const content = change(before);
      // Another subject is a new one: what was seen of the old one says nothing about it.
      const isSame = JSON.stringify(content.subject) === JSON.stringify(before.subject);
      const restart = { examine_at: isExamined(content.subject) ? this.#nowMs() : null, snapshot: null };
      await transaction
        .updateTable('watch')
        .set({ ...this.#toRow(content), updated_at: this.#nowMs(), ...(!isSame && restart) })
        .where('id', '=', id)
        .execute();
      if (isSame) return true;
      await transaction.deleteFrom('watch_told').where('watch_id', '=', id).execute();
      await transaction.deleteFrom('watch_key').where('watch_id', '=', id).execute();
      await writeKeys(transaction, content);
      return true;
    });
  }

  /** With all that belongs to it. False: there is none. */
  async delete(owner: string, id: string): Promise<boolean> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('watch')
      .where('owner', '=', owner)
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  }

  /** Newest first. `watchId` belongs to the owner who asks. */
  async listDeliveries(
    watchId: string,
    { state, limit, offset }: { state: DeliveryState | null; limit: number; offset: number },
  ): Promise<{ total: number; deliveries: WatchDelivery[] }> {
    let query = this.#db.selectFrom('watch_delivery').where('watch_id', '=', watchId);
    if (state !== null) query = query.where('state', '=', state);
    const { total } = await query
      .select(({ fn }) => fn.countAll<number | string>().as('total'))
      .executeTakeFirstOrThrow();
    const rows = await query
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(limit)
      .offset(offset)
      .execute();
    return { total: Number(total), deliveries: rows.map(toDelivery) };
  }

  async findDeliveries(watchId: string, ids: readonly string[]): Promise<WatchDelivery[]> {
    if (ids.length === 0) return [];
    const rows = await this.#db
      .selectFrom('watch_delivery')
      .selectAll()
      .where('watch_id', '=', watchId)
      .where('id', 'in', ids)
      .execute();
    return rows.map(toDelivery);
  }

  /** Events of a watch, or of all watches of the owner, after a number; see `WatchBook.events`. */
  async readEvents(
    owner: string,
    watchId: string | null,
    { after, since, latest = false, limit }: { after: number; since: Date | null; latest?: boolean; limit: number },
  ): Promise<EventPage> {
    let query = this.#db.selectFrom('watch_event').select(['seq', 'body']).where('owner', '=', owner);
    if (watchId !== null) query = query.where('watch_id', '=', watchId);
    if (after > 0) query = query.where('seq', '>', after);
    if (since !== null) query = query.where('seen_at', '>=', since.getTime());
    const rows = await query
      .orderBy('seq', latest ? 'desc' : 'asc')
      .limit(limit + 1)
      .execute();
    const hasMore = rows.length > limit;
    const shown = rows.slice(0, limit);
    if (latest) shown.reverse();
    const last = shown.at(-1)?.seq ?? (after > 0 ? after : null);
    return {
      events: shown.map(({ body }) => JSON.parse(body)),
      next: last === null ? null : String(last),
      hasMore: latest ? false : hasMore,
    };
  }

  /** A test for each channel of a watch, to be sent at once; their ids. */
  addTests(owner: string, id: string): Promise<string[]> {
    return this.#db.transaction().execute(async (transaction) => {
      const row = await this.#lock(transaction, owner, id);
      if (row === undefined) return [];
      const nowMs = this.#nowMs();
      const tests = this.#channels(row).map((channel) => ({
        id: randomId('msg'),
        watch_id: id,
        channel_id: channel.id,
        lane: this.#context.cipher.laneOf(channel),
        is_test: 1,
        is_fixed: 1,
        state: 'pending' as const,
        created_at: nowMs,
        due_at: nowMs,
        event_ids: '[]',
      }));
      await insertDeliveries(transaction, tests, this.#context.enqueue);
      return tests.map((test) => test.id);
    });
  }

  /** A replay that the watch process carries out; its id. */
  async addReplay(watchId: string, since: Date, until: Date): Promise<string> {
    const id = randomId('rep');
    await this.#db
      .insertInto('watch_replay')
      .values({
        id,
        watch_id: watchId,
        since: since.getTime(),
        until: until.getTime(),
        created_at: this.#nowMs(),
        locked_until: 0,
        events: null,
        deliveries: null,
        error: null,
      })
      .execute();
    return id;
  }

  /** Null: it is not done yet. */
  async findReplayOutcome(id: string): Promise<ReplayOutcome | null> {
    const row = await this.#db.selectFrom('watch_replay').selectAll().where('id', '=', id).executeTakeFirst();
    if (row?.error != null) return { error: row.error };
    return row?.events == null ? null : { events: row.events, deliveries: row.deliveries ?? 0 };
  }

  /** The row of a watch, which no other transaction changes until this one ends. */
  #lock(transaction: WatchTransaction, owner: string, id: string): Promise<WatchRow | undefined> {
    return transaction
      .updateTable('watch')
      .set({ id })
      .where('owner', '=', owner)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
  }

  #channels({ id, channels }: WatchRow): StoredChannel[] {
    return this.#context.cipher.decrypt(id, channels);
  }

  #toRow(content: WatchContent) {
    return {
      id: content.id,
      name: content.name,
      subject: JSON.stringify(content.subject),
      conditions: JSON.stringify(content.conditions),
      channels: this.#context.cipher.encrypt(content.id, content.channels),
      schedule: JSON.stringify(content.schedule),
      is_paused: content.isPaused ? 1 : 0,
      mute_until: content.mute?.until.getTime() ?? null,
      mute_reason: content.mute?.reason ?? null,
    };
  }

  #nowMs(): number {
    return this.#context.now().getTime();
  }
}

function isExamined({ kind }: WatchSubject): boolean {
  return kind === 'domain' || kind === 'indicator';
}

async function writeKeys(transaction: WatchTransaction, { id, subject }: WatchContent): Promise<void> {
  for (const batch of batches(watchKeys(subject)))
    await transaction
      .insertInto('watch_key')
      .values(batch.map((key) => ({ key, watch_id: id })))
      .execute();
}
