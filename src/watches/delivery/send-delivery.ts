import { retryDelayMs } from '../../analysis/watch/due-time.ts';
import type { WatchMessage } from '../../analysis/watch/webhook-message.ts';
import type { NetworkClient } from '../../net/network-client.ts';
import type { ClaimedDelivery, DeliveryOutcome, DeliveryStore } from '../store/delivery-store.ts';
import { failed, type SendResult } from './deliverer.ts';
import type { MailSender } from './mail-sender.ts';
import { sendWebhook } from './send-webhook.ts';

export interface SenderDeps {
  deliveries: DeliveryStore;
  net: Pick<NetworkClient, 'fetch'>;
  /** Null: no mail server is configured. */
  mail: MailSender | null;
  /** Why nothing is delivered for an owner, in words: a key that was revoked; null: it is delivered. */
  ownerProblem: (owner: string) => Promise<string | null>;
  now: () => Date;
}

/** Sends a delivery, if it is due and nobody else sends it, and writes how that ended. Gives when it is due, where it is not yet. */
export async function sendDelivery(id: string, deps: SenderDeps): Promise<number | null> {
  const claim = await deps.deliveries.claim(id);
  if (claim.kind !== 'send') return claim.kind === 'later' ? claim.at : null;
  const result = await trySend(claim.claimed, deps);
  await deps.deliveries.finish(claim.claimed, outcomeOf(result, claim.claimed, deps.now().getTime()));
  return null;
}

async function trySend(claimed: ClaimedDelivery, deps: SenderDeps): Promise<SendResult> {
  const { delivery, watch, channel, events } = claimed;
  const { id, isTest, createdAt } = delivery;
  const problem = await deps.ownerProblem(watch.owner);
  if (problem !== null) return failed(problem, { isFinal: true });
  if (channel === null) return failed('the channel was removed', { isFinal: true });
  if (!isTest && events.length === 0) return failed('its events are not kept any more', { isFinal: true });
  const message: WatchMessage = { watch, events: isTest ? null : events, createdAt };
  if (channel.kind === 'webhook') return sendWebhook(deps.net, channel, { id, message, now: deps.now() });
  if (deps.mail === null) return failed('this installation has no mail server (SEXTANT_SMTP_URL)');
  return deps.mail.send(channel.to, { id, message });
}

function outcomeOf(result: SendResult, { delivery }: ClaimedDelivery, nowMs: number): DeliveryOutcome {
  if (result.kind === 'received') return { state: 'delivered' };
  const { error, retryAfterSeconds, isFinal } = result;
  // A test is answered at once; there is no use in a later one.
  const delayMs = isFinal || delivery.isTest ? null : retryDelayMs(delivery.attempts, Math.random(), retryAfterSeconds);
  return delayMs === null ? { state: 'dead', error } : { state: 'pending', dueAt: nowMs + delayMs, error };
}
