import type { z } from 'zod';
import type { WatchEvent, WatchSubject } from '../../../analysis/watch/watch.ts';
import { textOfComponent } from '../../../analysis/watch/watched-names.ts';
import type { ChannelSecrets, Watch, WatchDelivery } from '../../../engine/watch-book.ts';
import type { SecretsField, WatchDeliveryField, WatchedSubject, WatchEventField, WatchField } from './watch-schemas.ts';
import { watchLabel } from './describe-watch.ts';

type Wire<Schema extends z.ZodType> = z.output<Schema>;

/** A watch as answers show it. `full`: with its components. */
export function presentWatch(watch: Watch, now: Date, full = true): Wire<typeof WatchField> {
  return {
    id: watch.id,
    name: watch.name,
    label: watchLabel(watch),
    subject: presentSubject(watch.subject, full),
    conditions: { ...watch.conditions, kinds: watch.conditions.kinds === null ? null : [...watch.conditions.kinds] },
    channels: watch.channels.map((channel) => ({ ...channel })),
    schedule: { ...watch.schedule },
    state: stateOf(watch, now),
    mute: isMuted(watch, now) ? { until: watch.mute!.until.toISOString(), reason: watch.mute!.reason } : null,
    created_at: watch.createdAt.toISOString(),
    updated_at: watch.updatedAt.toISOString(),
    next_examination_at: watch.nextExaminationAt?.toISOString() ?? null,
    last_event_at: watch.lastEventAt?.toISOString() ?? null,
    dead_deliveries: watch.deadDeliveries,
  };
}

function stateOf(watch: Watch, now: Date): 'active' | 'muted' | 'paused' {
  if (watch.isPaused) return 'paused';
  return isMuted(watch, now) ? 'muted' : 'active';
}

function isMuted({ mute }: Watch, now: Date): boolean {
  return mute !== null && mute.until > now;
}

function presentSubject(subject: WatchSubject, full: boolean): Wire<typeof WatchedSubject> {
  if (subject.kind === 'search') return { kind: 'search', filters: { ...subject.filters } };
  if (subject.kind !== 'components') return { ...subject };
  const { kind, components } = subject;
  return full ? { kind, components: components.map(textOfComponent) } : { kind, component_count: components.length };
}

/** Secrets that are told this one time. */
export function presentSecrets(secrets: ChannelSecrets): Wire<typeof SecretsField> {
  return Object.entries(secrets).map(([channel_id, secret]) => ({ channel_id, secret }));
}

/** An event as answers, feeds and webhooks have it. */
export function presentEvent({ components, changes, ...event }: WatchEvent): Wire<typeof WatchEventField> {
  return { ...event, components: components.map((one) => ({ ...one })), changes: changes.map((one) => ({ ...one })) };
}

export function presentDelivery(delivery: WatchDelivery): Wire<typeof WatchDeliveryField> {
  return {
    id: delivery.id,
    channel_id: delivery.channelId,
    is_test: delivery.isTest,
    state: delivery.state,
    created_at: delivery.createdAt.toISOString(),
    due_at: delivery.dueAt.toISOString(),
    attempts: delivery.attempts,
    last_error: delivery.lastError,
    delivered_at: delivery.deliveredAt?.toISOString() ?? null,
    event_ids: [...delivery.eventIds],
  };
}
