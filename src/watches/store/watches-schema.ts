import type { ColumnType, Kysely } from 'kysely';
import { type EpochMs, type Migration, migrateTables } from '../../access/migrate-tables.ts';
import type { DeliveryState } from '../../engine/watch-book.ts';

type NullableEpochMs = ColumnType<number | string | null, number | null, number | null>;
/** A whole number; the driver of PostgreSQL returns it as text. */
type BigInteger = ColumnType<number | string, number, number>;

/** JSON is kept as text: the database never looks into it. */
export interface WatchTables {
  watch: {
    id: string;
    /** `key:` and the id of a key, `subject:` and the pseudonym of the subject of access tokens, or `local`. */
    owner: string;
    name: string | null;
    subject: string;
    conditions: string;
    /** Channels with their secrets, encrypted: addresses of chats are secrets, too. */
    channels: string;
    schedule: string;
    is_paused: number;
    mute_until: NullableEpochMs;
    mute_reason: string | null;
    created_at: EpochMs;
    updated_at: EpochMs;
    /** Of domains and indicators: when they are examined next. */
    examine_at: NullableEpochMs;
    /** What was seen at the last examination. */
    snapshot: string | null;
    last_event_at: NullableEpochMs;
  };
  /** The names under which the matcher finds watches. */
  watch_key: { key: string; watch_id: string };
  /** In the order of `seq`, which is also the order in which they were committed. */
  watch_event: {
    seq: BigInteger;
    id: string;
    watch_id: string;
    owner: string;
    seen_at: EpochMs;
    created_at: EpochMs;
    body: string;
  };
  /** The status that was told last of one CVE. */
  watch_told: { watch_id: string; cve_id: string; status: string | null; seen_at: EpochMs };
  watch_delivery: {
    id: string;
    watch_id: string;
    channel_id: string;
    /** Deliveries of one lane are sent one after another: `ChannelCipher.laneOf`. */
    lane: string;
    is_test: number;
    /** Its id is known to the receiver, or may be: its events do not change any more. */
    is_fixed: number;
    state: DeliveryState;
    created_at: EpochMs;
    due_at: EpochMs;
    attempts: number;
    /** Who sends it has it until then; 0: nobody. */
    locked_until: EpochMs;
    last_error: string | null;
    delivered_at: NullableEpochMs;
    event_ids: string;
  };
  /** One row, as `MatchCursor`. */
  watch_cursor: { id: number; history_id: string; seq: BigInteger; seen_at: EpochMs };
  /** One row: which process matches, of those that have catalogs of their own. */
  watch_lease: { id: number; holder: string; held_until: EpochMs };
  /** One row: the last `seq` of events. */
  watch_sequence: { id: number; last_seq: BigInteger };
  /** Replays that the watch process carries out. */
  watch_replay: {
    id: string;
    watch_id: string;
    since: EpochMs;
    until: EpochMs;
    created_at: EpochMs;
    locked_until: EpochMs;
    /** Null: not done yet. */
    events: number | null;
    deliveries: number | null;
    /** Why it cannot be done, in words for the owner. */
    error: string | null;
  };
}

export type WatchDatabase = Kysely<WatchTables>;

/** Applied once each, in this order. A published migration never changes. */
const MIGRATIONS: readonly Migration<WatchTables>[] = [
  async (db) => {
    const { schema } = db;
    const ofWatch = (name: string) =>
      schema
        .createTable(name)
        .addColumn('watch_id', 'varchar(32)', (column) => column.notNull().references('watch.id').onDelete('cascade'));
    await schema
      .createTable('watch')
      .addColumn('id', 'varchar(32)', (column) => column.primaryKey())
      .addColumn('owner', 'varchar(80)', (column) => column.notNull())
      .addColumn('name', 'text')
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('conditions', 'text', (column) => column.notNull())
      .addColumn('channels', 'text', (column) => column.notNull())
      .addColumn('schedule', 'text', (column) => column.notNull())
      .addColumn('is_paused', 'integer', (column) => column.notNull())
      .addColumn('mute_until', 'bigint')
      .addColumn('mute_reason', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addColumn('examine_at', 'bigint')
      .addColumn('snapshot', 'text')
      .addColumn('last_event_at', 'bigint')
      .execute();
    await schema.createIndex('watch_by_owner').on('watch').column('owner').execute();
    await schema.createIndex('watch_by_examination').on('watch').column('examine_at').execute();
    await ofWatch('watch_key')
      .addColumn('key', 'varchar(500)', (column) => column.notNull())
      .addPrimaryKeyConstraint('watch_key_once', ['key', 'watch_id'])
      .execute();
    await schema.createIndex('watch_key_by_watch').on('watch_key').column('watch_id').execute();
    await ofWatch('watch_event')
      .addColumn('seq', 'bigint', (column) => column.primaryKey())
      .addColumn('id', 'varchar(40)', (column) => column.notNull().unique())
      .addColumn('owner', 'varchar(80)', (column) => column.notNull())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .execute();
    await schema.createIndex('watch_event_by_watch').on('watch_event').columns(['watch_id', 'seq']).execute();
    await schema.createIndex('watch_event_by_owner').on('watch_event').columns(['owner', 'seq']).execute();
    await schema.createIndex('watch_event_by_age').on('watch_event').column('created_at').execute();
    await ofWatch('watch_told')
      .addColumn('cve_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('status', 'varchar(16)')
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('watch_told_once', ['watch_id', 'cve_id'])
      .execute();
    await ofWatch('watch_delivery')
      .addColumn('id', 'varchar(40)', (column) => column.primaryKey())
      .addColumn('channel_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('lane', 'varchar(32)', (column) => column.notNull())
      .addColumn('is_test', 'integer', (column) => column.notNull())
      .addColumn('is_fixed', 'integer', (column) => column.notNull())
      .addColumn('state', 'varchar(16)', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('locked_until', 'bigint', (column) => column.notNull())
      .addColumn('last_error', 'text')
      .addColumn('delivered_at', 'bigint')
      .addColumn('event_ids', 'text', (column) => column.notNull())
      .execute();
    await schema.createIndex('watch_delivery_due').on('watch_delivery').columns(['state', 'due_at']).execute();
    await schema.createIndex('watch_delivery_by_watch').on('watch_delivery').columns(['watch_id', 'state']).execute();
    await schema
      .createIndex('watch_delivery_by_channel')
      .on('watch_delivery')
      .columns(['channel_id', 'state'])
      .execute();
    await schema.createIndex('watch_delivery_by_age').on('watch_delivery').column('created_at').execute();
    await schema
      .createTable('watch_cursor')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('history_id', 'varchar(64)', (column) => column.notNull())
      .addColumn('seq', 'bigint', (column) => column.notNull())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .execute();
    await schema
      .createTable('watch_sequence')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('last_seq', 'bigint', (column) => column.notNull())
      .execute();
    await ofWatch('watch_replay')
      .addColumn('id', 'varchar(40)', (column) => column.primaryKey())
      .addColumn('since', 'bigint', (column) => column.notNull())
      .addColumn('until', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('locked_until', 'bigint', (column) => column.notNull())
      .addColumn('events', 'integer')
      .addColumn('deliveries', 'integer')
      .addColumn('error', 'text')
      .execute();
    await schema
      .createTable('watch_lease')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('holder', 'varchar(40)', (column) => column.notNull())
      .addColumn('held_until', 'bigint', (column) => column.notNull())
      .execute();
    await db.insertInto('watch_lease').values({ id: 1, holder: '', held_until: 0 }).execute();
    await db.insertInto('watch_sequence').values({ id: 1, last_seq: 0 }).execute();
  },
];

/** The tables were written by a newer version. */
export class WatchesTooNewError extends Error {
  override readonly name = 'WatchesTooNewError';

  constructor() {
    super('the watches were written by a newer version of this service');
  }
}

/** Migrates the tables to this version. Throws `WatchesTooNewError`. */
export async function migrateWatches(db: WatchDatabase, lock: (db: WatchDatabase) => Promise<void>): Promise<void> {
  const tooNew = (): Error => new WatchesTooNewError();
  await migrateTables(db, { versionTable: 'watches_version', migrations: MIGRATIONS, lock, tooNew });
}
