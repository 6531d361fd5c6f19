import { sql } from 'kysely';
import type { WatchKey } from '../../analysis/watch/watch-keys.ts';
import type { WatchEvent } from '../../analysis/watch/watch.ts';
import type { Watch } from '../../engine/watch-book.ts';
import { addEvents } from './add-events.ts';
import type { StoreContext, WatchTransaction } from './store-context.ts';
import { batches, toWatch } from './watch-rows.ts';
import type { MatchCursor, MatchStore, WatchMatch } from './watch-store.ts';
import type { WatchDatabase } from './watches-schema.ts';

/** How long a claimed examination is left to who claimed it. */
const EXAMINATION_LOCK_MS = 10 * 60_000;
const PAIRS_PER_STATEMENT = 200;
const CURSOR = 1;

/** The store of matching and examining in SQL, independent of the database. */
export class KyselyMatchStore implements MatchStore {
  readonly #context: StoreContext;
  readonly #db: WatchDatabase;

  constructor(context: StoreContext) {
    this.#context = context;
    this.#db = context.db;
  }

  async countWatches(): Promise<number> {
    const { count } = await this.#db
      .selectFrom('watch')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  async findByKeys(keys: readonly WatchKey[], page?: { afterId: string; limit: number }): Promise<Watch[]> {
    if (keys.length === 0) return [];
    let query = selectWatches(this.#db)
      .where('watch.is_paused', '=', 0)
      .where('watch.id', 'in', (from) => from.selectFrom('watch_key').select('watch_id').where('key', 'in', keys))
      .orderBy('watch.id');
    if (page !== undefined) query = query.where('watch.id', '>', page.afterId).limit(page.limit);
    const rows = await query.execute();
    return rows.map((row) => toWatch(row, this.#context.cipher));
  }

  async lastTold(pairs: readonly { watchId: string; cveId: string }[]) {
    const told: { watchId: string; cveId: string; status: WatchEvent['status'] }[] = [];
    for (const batch of batches(pairs, PAIRS_PER_STATEMENT)) {
      const rows = await this.#db
        .selectFrom('watch_told')
        .selectAll()
        .where((is) => is.or(batch.map(({ watchId, cveId }) => is.and({ watch_id: watchId, cve_id: cveId }))))
        .execute();
      for (const row of rows)
        told.push({ watchId: row.watch_id, cveId: row.cve_id, status: row.status as WatchEvent['status'] });
    }
    return told;
  }

  async readCursor(): Promise<MatchCursor | null> {
    const row = await this.#db.selectFrom('watch_cursor').selectAll().where('id', '=', CURSOR).executeTakeFirst();
    return row === undefined ? null : { historyId: row.history_id, seq: Number(row.seq), seenAt: Number(row.seen_at) };
  }

  commitMatches(from: MatchCursor | null, to: MatchCursor, matches: readonly WatchMatch[]): Promise<boolean> {
    return this.#db.transaction().execute(async (transaction) => {
      if (!(await moveCursor(transaction, from, to))) return false;
      const found = matches.map(({ watch, events }) => ({ watchId: watch.id, events }));
      await addEvents(this.#context, transaction, found);
      return true;
    });
  }

  /** Whether `holder` is who matches, until some time from now; another may be it afterwards. `forMs` 0: gives it up. */
  async holdMatching(holder: string, forMs: number): Promise<boolean> {
    const nowMs = this.#context.now().getTime();
    const { numUpdatedRows } = await this.#db
      .updateTable('watch_lease')
      .set({ holder, held_until: nowMs + forMs })
      .where((is) => is.or([is('holder', '=', holder), is('held_until', '<=', nowMs)]))
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  async claimExaminations(now: Date, limit: number): Promise<{ watch: Watch; snapshot: unknown }[]> {
    const nowMs = now.getTime();
    const rows = await selectWatches(this.#db)
      .where('examine_at', '<=', nowMs)
      .where('is_paused', '=', 0)
      .orderBy('examine_at')
      .limit(limit)
      .execute();
    const claimed: typeof rows = [];
    for (const row of rows) {
      const { numUpdatedRows } = await this.#db
        .updateTable('watch')
        .set({ examine_at: nowMs + EXAMINATION_LOCK_MS })
        .where('id', '=', row.id)
        .where('examine_at', '=', Number(row.examine_at))
        .executeTakeFirstOrThrow();
      if (numUpdatedRows > 0n) claimed.push(row);
    }
    return claimed.map((row) => ({
      watch: toWatch(row, this.#context.cipher),
      snapshot: row.snapshot === null ? null : JSON.parse(row.snapshot),
    }));
  }

  async commitExamination(
    watchId: string,
    { snapshot, nextAt, events }: { snapshot: unknown; nextAt: Date; events: readonly WatchEvent[] },
  ): Promise<void> {
    await this.#db.transaction().execute(async (transaction) => {
      await addEvents(this.#context, transaction, [{ watchId, events }]);
      await transaction
        .updateTable('watch')
        .set({ snapshot: JSON.stringify(snapshot), examine_at: nextAt.getTime() })
        .where('id', '=', watchId)
        .execute();
    });
  }
}

/** Watches with the number of deliveries that were given up. */
export function selectWatches(db: WatchDatabase) {
  return db
    .selectFrom('watch')
    .selectAll('watch')
    .select(
      sql<number | string>`(select count(*) from watch_delivery where watch_id = watch.id and state = 'dead')`.as(
        'dead_deliveries',
      ),
    );
}

/** False where the cursor is not `from`. The lock on its row makes another process that moves it wait for this transaction. */
async function moveCursor(transaction: WatchTransaction, from: MatchCursor | null, to: MatchCursor): Promise<boolean> {
  const row = { history_id: to.historyId, seq: to.seq, seen_at: to.seenAt };
  if (from === null) {
    const inserted = await transaction
      .insertInto('watch_cursor')
      .values({ id: CURSOR, ...row })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirstOrThrow();
    return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n;
  }
  const { numUpdatedRows } = await transaction
    .updateTable('watch_cursor')
    .set(row)
    .where('id', '=', CURSOR)
    .where('history_id', '=', from.historyId)
    .where('seq', '=', from.seq)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
