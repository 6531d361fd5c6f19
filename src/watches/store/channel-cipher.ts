import { createHmac, hkdfSync } from 'node:crypto';
import { decryptText, encryptText } from '../../access/encrypted-text.ts';
import { notReadyError } from '../../errors.ts';
import type { StoredChannel } from './stored-channel.ts';

/** Deliveries to one host that are under way at the same time. */
const LANES_PER_HOST = 4;

/** Encrypts the channels of watches with a key derived from the installation secret (HKDF, RFC 5869), each bound to its watch. */
export class ChannelCipher {
  readonly #key: Buffer;

  constructor(installationSecret: string) {
    this.#key = Buffer.from(hkdfSync('sha256', installationSecret, '', 'channels of watches', 32));
  }

  encrypt(watchId: string, channels: readonly StoredChannel[]): string {
    return encryptText(this.#key, JSON.stringify(channels), watchId);
  }

  /** Throws `ApiError` 503 where another secret encrypted them. */
  decrypt(watchId: string, encrypted: string): StoredChannel[] {
    const text = decryptText(this.#key, encrypted, watchId);
    if (text !== null) return JSON.parse(text);
    throw notReadyError(
      `The channels of watch ${watchId} cannot be read: they were kept with another secret of this installation. The operator restores it, or the watch is deleted.`,
    );
  }

  /**
   * The lane of a channel: what is sent to it is sent one after another, and a host has few lanes, so that a slow one does not hold up others.
   * The name does not tell the host.
   */
  laneOf(channel: StoredChannel): string {
    const host = channel.kind === 'webhook' ? new URL(channel.url).hostname : 'mail';
    const lane = this.#hash(channel.id).readUInt8(0) % LANES_PER_HOST;
    return `${this.#hash(host).toString('hex').slice(0, 16)}:${lane}`;
  }

  #hash(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest();
  }
}
