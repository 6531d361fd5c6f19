import type { WatchChannel } from '../../analysis/watch/watch.ts';
import { slackBody, teamsBody } from '../../analysis/watch/chat-messages.ts';
import { webhookBody, type WatchMessage } from '../../analysis/watch/webhook-message.ts';
import { NetError } from '../../net/net-error.ts';
import type { NetworkClient } from '../../net/network-client.ts';
import { retryAfterSeconds } from '../../net/retry-after.ts';
import type { StoredChannel } from '../store/stored-channel.ts';
import { failed, type SendResult } from './deliverer.ts';
import { webhookHeaders } from './webhook-signature.ts';

const TIMEOUT_MS = 10_000;
/** Of an answer this much is read; its content does not matter. */
const MAX_ANSWER_BYTES = 64 * 1024;
const GONE = 410;

const BODY_BY_FORMAT = { standard: webhookBody, slack: slackBody, teams: teamsBody };

type WebhookChannel = Extract<WatchChannel, { kind: 'webhook' }> & Pick<StoredChannel, 'secret' | 'previousSecret'>;

/**
 * One try of a message to a webhook. Its address is vetted at each try and redirects are not followed: a receiver must not lead this service to
 * another. Without TLS only where the operator allows the network.
 */
export async function sendWebhook(
  net: Pick<NetworkClient, 'fetch'>,
  channel: WebhookChannel,
  { id, message, now }: { id: string; message: WatchMessage; now: Date },
): Promise<SendResult> {
  const url = new URL(channel.url);
  const body = BODY_BY_FORMAT[channel.format](message);
  try {
    const { status, headers } = await net.fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...webhookHeaders(channel, { id, body, now }) },
      body,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
      truncate: true,
      allowedPrivateOnly: url.protocol === 'http:',
    });
    if (status >= 200 && status < 300) return { kind: 'received' };
    const pause = retryAfterSeconds(headers.get('retry-after')?.[0], now.getTime());
    return failed(describeStatus(status), { retryAfterSeconds: pause, isFinal: status === GONE });
  } catch (error) {
    if (error instanceof NetError) return failed(error.message);
    throw error;
  }
}

function describeStatus(status: number): string {
  if (status >= 300 && status < 400)
    return `HTTP ${status}: a redirect, which is not followed; give the address it leads to`;
  return status === GONE ? 'HTTP 410: the receiver is gone' : `HTTP ${status}`;
}
