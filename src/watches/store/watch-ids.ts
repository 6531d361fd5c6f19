import { createHash, randomBytes } from 'node:crypto';

/** Of Base32 (RFC 4648, 6), lower case. */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/** `wat_` and 20 characters (100 bits). */
export function newWatchId(): string {
  return `wat_${randomText(20)}`;
}

export function newChannelId(): string {
  return `cha_${randomText(20)}`;
}

/** A secret of Standard Webhooks: `whsec_` and the base64 of 32 bytes. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** `msg_` and 32 hex characters: the same for the same events to the same channel. */
export function deliveryId(channelId: string, eventIds: readonly string[]): string {
  const hash = createHash('sha256').update([channelId, ...eventIds.toSorted()].join('\n'));
  return `msg_${hash.digest('hex').slice(0, 32)}`;
}

/** The id of a test, and of a replay: no other has it. */
export function randomId(prefix: 'msg' | 'rep'): string {
  return `${prefix}_${randomBytes(16).toString('hex')}`;
}

function randomText(length: number): string {
  return [...randomBytes(length)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
}
