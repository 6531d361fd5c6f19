import type { DeliveryStore } from '../store/delivery-store.ts';

/** A delivery that the queue hands out. */
export interface QueuedDelivery {
  deliveryId: string;
  lane: string;
  /** Of the queue's own entry. */
  entryId: string;
}

/** Says which deliveries are due. Who takes one claims it in the store, which alone decides whether it is sent. */
export interface DeliveryQueue {
  /** Due deliveries, at most one for each lane, none of `busyLanes`. */
  take(limit: number, busyLanes: readonly string[]): Promise<QueuedDelivery[]>;
  /** It was sent, or is not to be sent. */
  done(taken: QueuedDelivery): Promise<void>;
  /** It is not to be sent before `at` (milliseconds since 1970). */
  putBack(taken: QueuedDelivery, at: number): Promise<void>;
  close(): Promise<void>;
}

/** The deliveries themselves are the queue: for one process beside SQLite. */
export class StoredQueue implements DeliveryQueue {
  readonly #deliveries: Pick<DeliveryStore, 'listDue'>;

  constructor(deliveries: Pick<DeliveryStore, 'listDue'>) {
    this.#deliveries = deliveries;
  }

  async take(limit: number, busyLanes: readonly string[]): Promise<QueuedDelivery[]> {
    const taken = new Map<string, QueuedDelivery>();
    while (taken.size < limit) {
      const wanted = limit - taken.size;
      const due = await this.#deliveries.listDue(wanted, [...busyLanes, ...taken.keys()]);
      for (const { id, lane } of due)
        if (!taken.has(lane)) taken.set(lane, { deliveryId: id, lane, entryId: id });
      if (due.length < wanted) break;
    }
    return [...taken.values()];
  }

  async done(): Promise<void> {}

  async putBack(): Promise<void> {}

  async close(): Promise<void> {}
}

