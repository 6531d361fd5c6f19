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
