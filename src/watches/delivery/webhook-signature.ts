import { createHmac } from 'node:crypto';
import type { StoredChannel } from '../store/stored-channel.ts';

/**
 * Headers of Standard Webhooks (1.0.0): id, time of the try in seconds, and a signature (`v1,` and the base64 of HMAC-SHA-256) for each secret that
 * is valid now.
 */
export function webhookHeaders(
  { secret, previousSecret }: Pick<StoredChannel, 'secret' | 'previousSecret'>,
  { id, body, now }: { id: string; body: string; now: Date },
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const previous = previousSecret !== undefined && previousSecret.until > now.getTime() ? [previousSecret.secret] : [];
  const secrets = [...(secret === undefined ? [] : [secret]), ...previous];
  const signatures = secrets.map((each) => `v1,${sign(each, `${id}.${timestamp}.${body}`)}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    ...(signatures.length > 0 && { 'webhook-signature': signatures.join(' ') }),
  };
}

/** `secret`: `whsec_` and base64. */
function sign(secret: string, content: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return createHmac('sha256', key).update(content).digest('base64');
}
