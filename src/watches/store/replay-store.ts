import type { Watch } from '../../engine/watch-book.ts';
import type { WatchEvent } from '../../analysis/watch/watch.ts';
import { addNewEvents } from './add-events.ts';
import { sendAgain } from './delivery-store.ts';
import { selectWatches } from './kysely-match-store.ts';
import type { StoreContext } from './store-context.ts';
import { toWatch } from './watch-rows.ts';

/** Longer than any replay takes. */
const REPLAY_LOCK_MS = 10 * 60_000;

/** A replay that was asked for. Times in milliseconds since 1970. */
export interface Replay {
  id: string;
  watch: Watch;
  since: number;
  until: number;
}

/** Replays as the watch process carries them out. */
export class ReplayStore {
  readonly #context: StoreContext;

  constructor(context: StoreContext) {
    this.#context = context;
  }

  /** The oldest replay that nobody carries out; null: none. */
  async claim(): Promise<Replay | null> {
    const { db, now, cipher } = this.#context;
    const nowMs = now().getTime();
    const row = await db
      .selectFrom('watch_replay')
      .selectAll()
      .where('events', 'is', null)
      .where('error', 'is', null)
      .where('locked_until', '<=', nowMs)
      .orderBy('created_at')
      .limit(1)
      .executeTakeFirst();
    if (row === undefined) return null;
    const { numUpdatedRows } = await db
      .updateTable('watch_replay')
      .set({ locked_until: nowMs + REPLAY_LOCK_MS })
      .where('id', '=', row.id)
      .where('locked_until', '=', Number(row.locked_until))
      .executeTakeFirstOrThrow();
    const watch = await selectWatches(db).where('watch.id', '=', row.watch_id).executeTakeFirst();
    if (numUpdatedRows === 0n || watch === undefined) return null;
    return { id: row.id, watch: toWatch(watch, cipher), since: Number(row.since), until: Number(row.until) };
  }

  /**
   * In one transaction: events that were missed are written, and all events of the period are sent again under the ids that their deliveries
   * had. `matched`: what matching the recorded changes again has found.
   */
  async complete({ id, watch, since, until }: Replay, matched: readonly WatchEvent[]): Promise<void> {
    await this.#context.db.transaction().execute(async (transaction) => {
      await addNewEvents(transaction, [{ watchId: watch.id, events: matched }], this.#context.now().getTime());
      const events = await transaction
        .selectFrom('watch_event')
        .select('id')
        .where('watch_id', '=', watch.id)
        .where('seen_at', '>=', since)
        .where('seen_at', '<=', until)
        .orderBy('seq')
        .execute();
      const deliveries = await sendAgain(
        this.#context,
        transaction,
        watch.id,
        events.map((event) => event.id),
      );
      await transaction
        .updateTable('watch_replay')
        .set({ events: events.length, deliveries })
        .where('id', '=', id)
        .execute();
    });
  }

  /** It cannot be done, and is not tried again. `error`: why, in words for the owner. */
  async fail({ id }: Replay, error: string): Promise<void> {
    await this.#context.db.updateTable('watch_replay').set({ error }).where('id', '=', id).execute();
  }

  /** Others may carry it out. */
  async release({ id }: Replay): Promise<void> {
    await this.#context.db.updateTable('watch_replay').set({ locked_until: 0 }).where('id', '=', id).execute();
  }
}
