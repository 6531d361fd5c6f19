import type { WatchChannel } from '../../analysis/watch/watch.ts';

/** A channel as it is kept. Secrets (`whsec_` and base64) are those of webhooks of format `standard`. */
export type StoredChannel = WatchChannel & {
  secret?: string;
  /** The secret before the last rotation, which signs, too, until this time (milliseconds since 1970). */
  previousSecret?: { secret: string; until: number };
};
