import type { Selectable } from 'kysely';
import type { WatchChannel } from '../../analysis/watch/watch.ts';
import type { Watch, WatchDelivery } from '../../engine/watch-book.ts';
import type { ChannelCipher } from './channel-cipher.ts';
import type { StoredChannel } from './stored-channel.ts';
import type { WatchTables } from './watches-schema.ts';

/** Rows of one statement: their parameters stay well below the limits of SQLite and PostgreSQL. */
export const ROWS_PER_STATEMENT = 500;

export type WatchRow = Selectable<WatchTables['watch']>;

/** `deadDeliveries`: deliveries that were given up. */
export function toWatch(row: WatchRow & { dead_deliveries: number | string }, cipher: ChannelCipher): Watch {
  return {
    id: row.id,
    name: row.name,
    subject: JSON.parse(row.subject),
    conditions: JSON.parse(row.conditions),
    channels: cipher.decrypt(row.id, row.channels).map(withoutSecrets),
    schedule: JSON.parse(row.schedule),
    isPaused: row.is_paused !== 0,
    mute: row.mute_until === null ? null : { until: new Date(Number(row.mute_until)), reason: row.mute_reason ?? '' },
    createdAt: new Date(Number(row.created_at)),
    updatedAt: new Date(Number(row.updated_at)),
    nextExaminationAt: toDate(row.examine_at),
    lastEventAt: toDate(row.last_event_at),
    deadDeliveries: Number(row.dead_deliveries),
  };
}

export function toDelivery(row: Selectable<WatchTables['watch_delivery']>): WatchDelivery {
  return {
    id: row.id,
    watchId: row.watch_id,
    channelId: row.channel_id,
    isTest: row.is_test !== 0,
    state: row.state,
    createdAt: new Date(Number(row.created_at)),
    dueAt: new Date(Number(row.due_at)),
    attempts: row.attempts,
    lastError: row.last_error,
    deliveredAt: toDate(row.delivered_at),
    eventIds: JSON.parse(row.event_ids),
  };
}

function withoutSecrets(channel: StoredChannel): WatchChannel {
  const { secret: _, previousSecret: __, ...shown } = channel;
  return shown;
}

function toDate(ms: number | string | null): Date | null {
  return ms === null ? null : new Date(Number(ms));
}

export function* batches<T>(all: readonly T[], size = ROWS_PER_STATEMENT): Iterable<T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size);
}
