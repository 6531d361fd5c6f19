import type { DeliveryQueue } from '../delivery/delivery-queue.ts';
import { StoredQueue } from '../delivery/stored-queue.ts';
import { DeliveryStore } from './delivery-store.ts';
import { KyselyMatchStore } from './kysely-match-store.ts';
import { OwnerStore } from './owner-store.ts';
import { ReplayStore } from './replay-store.ts';
import type { StoreContext } from './store-context.ts';

/** Watches with their events and deliveries, in parts by who uses them. */
export interface WatchStore {
  readonly owners: OwnerStore;
  readonly matches: KyselyMatchStore;
  readonly deliveries: DeliveryStore;
  readonly replays: ReplayStore;
  /** Replicas use it, whose catalogs may differ. */
  readonly isShared: boolean;
  /** The queue of deliveries, for who sends them; the caller closes it. */
  openQueue(onProblem: (problem: Error) => void): Promise<DeliveryQueue>;
  /** Whether an error says that the database cannot be used at the moment. */
  isUnavailable(error: unknown): boolean;
  close(): Promise<void>;
}

export function createWatchStore(
  context: StoreContext,
  database: Pick<WatchStore, 'isShared' | 'isUnavailable' | 'close'> & Partial<Pick<WatchStore, 'openQueue'>>,
): WatchStore {
  const deliveries = new DeliveryStore(context);
  return {
    owners: new OwnerStore(context),
    matches: new KyselyMatchStore(context),
    deliveries,
    openQueue: async () => new StoredQueue(deliveries),
    replays: new ReplayStore(context),
    ...database,
  };
}
