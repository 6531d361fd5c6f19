import type { DeliveryStore } from '../store/delivery-store.ts';
import type { DeliveryQueue, QueuedDelivery } from './delivery-queue.ts';

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
      for (const { id, lane } of due) if (!taken.has(lane)) taken.set(lane, { deliveryId: id, lane, entryId: id });
      if (due.length < wanted) break;
    }
    return [...taken.values()];
  }

  async done(): Promise<void> {}

  async putBack(): Promise<void> {}

  async close(): Promise<void> {}
}
