import type { WatchDefinition, WatchEvent } from '../analysis/watch/watch.ts';

/** Days that events and deliveries are kept. */
export const KEPT_DAYS = 90;
/** Components of one watch at most: as many as a lockfile may have. */
export const MAX_COMPONENTS = 5000;

/** A watch as it is kept. */
export interface Watch extends WatchDefinition {
  /** `wat_` and 20 characters of a-z and 2-7. */
  readonly id: string;
  /** A paused one is not matched: what changes meanwhile can be had by a replay. */
  readonly isPaused: boolean;
  /** What changes meanwhile is kept, and not delivered. */
  readonly mute: { readonly until: Date; readonly reason: string } | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Of domains and indicators: when they are examined next. */
  readonly nextExaminationAt: Date | null;
  readonly lastEventAt: Date | null;
  /** Deliveries that were given up, of those that are kept. */
  readonly deadDeliveries: number;
}

/** `dead`: given up after the last try; `muted`: kept, not sent. */
export type DeliveryState = 'pending' | 'delivered' | 'dead' | 'muted';

/** One message to one channel. */
export interface WatchDelivery {
  /** `msg_` and 32 hex characters; the `webhook-id`, the same at each try and replay: a receiver that knows it has it already. */
  readonly id: string;
  readonly watchId: string;
  readonly channelId: string;
  readonly isTest: boolean;
  readonly state: DeliveryState;
  readonly createdAt: Date;
  /** When it is sent first, or tried next. */
  readonly dueAt: Date;
  readonly attempts: number;
  /** Why the last try failed, in words; null: it did not fail. */
  readonly lastError: string | null;
  readonly deliveredAt: Date | null;
  readonly eventIds: readonly string[];
}

/** A channel as it is given: with an id, the one with this id stays as it is. */
export type GivenChannel =
  | { kind: 'webhook'; url: string; format: 'standard' | 'slack' | 'teams' }
  | { kind: 'email'; to: string }
  | { id: string };
export type GivenWatch = Omit<WatchDefinition, 'channels'> & { channels: readonly GivenChannel[] };

/** Secrets of new and rotated channels of format `standard`, by channel id: `whsec_` and base64. They are told once. */
export type ChannelSecrets = Readonly<Record<string, string>>;

export interface WatchPatch extends Partial<GivenWatch> {
  isPaused?: boolean;
  mute?: { until: Date; reason: string } | null;
  /** Ids of channels that get a new secret; the old one signs, too, for another 24 hours. */
  rotateSecrets?: readonly string[];
}

export interface EventPage {
  events: WatchEvent[];
  /** Events after this one come next; the cursor that was given where there are none. Null: there were never any. */
  next: string | null;
  hasMore: boolean;
}

/**
 * The watches of one owner; it gives no access to those of others. Methods throw `ApiError`: 404 for a watch that is not there, 422 for what
 * cannot be kept (a private address, no mail configured, too many), 503 while the store cannot be reached.
 */
export interface WatchBook {
  /** Newest first. */
  list(): Promise<Watch[]>;
  get(id: string): Promise<Watch>;
  create(watch: GivenWatch): Promise<{ watch: Watch; secrets: ChannelSecrets }>;
  update(id: string, patch: WatchPatch): Promise<{ watch: Watch; secrets: ChannelSecrets }>;
  /** With its events and deliveries; what waits is not sent. */
  delete(id: string): Promise<void>;
  /** Newest first. */
  deliveries(
    id: string,
    query: { state: DeliveryState | null; limit: number; offset: number },
  ): Promise<{ total: number; deliveries: WatchDelivery[] }>;
  /** Oldest first, after a cursor, or since a time; `latest`: the last ones. Of all watches of the owner where `id` is null. */
  events(
    id: string | null,
    query: { after: string | null; since: Date | null; latest?: boolean; limit: number },
  ): Promise<EventPage>;
  /** Sends a test message to each channel, and waits some seconds for the outcome. */
  test(id: string): Promise<WatchDelivery[]>;
  /**
   * Matches the recorded changes of a period again, and delivers all of it again under the ids that it had: also what was delivered, muted, given
   * up, or missed because the watch was paused or not there yet. `until` null: until now.
   */
  replay(
    id: string,
    since: Date,
    until: Date | null,
  ): Promise<{ events: number; deliveries: number; isComplete: boolean }>;
}
