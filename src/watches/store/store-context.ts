import type { Transaction } from 'kysely';
import type { ChannelCipher } from './channel-cipher.ts';
import type { WatchDatabase, WatchTables } from './watches-schema.ts';

export type WatchTransaction = Transaction<WatchTables>;

/** When a delivery is to be sent or tried again; milliseconds since 1970. */
export interface DueDelivery {
  id: string;
  lane: string;
  dueAt: number;
}

/** What the parts of the store share. */
export interface StoreContext {
  readonly db: WatchDatabase;
  readonly cipher: ChannelCipher;
  /** Tells the queue of deliveries, in the transaction that writes them. */
  readonly enqueue: (transaction: WatchTransaction, due: readonly DueDelivery[]) => Promise<void>;
  readonly now: () => Date;
}
