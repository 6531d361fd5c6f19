import type { WatchEvent, WatchSubject } from './watch.ts';

/** The watch that a message is about. */
export interface WatchOfMessage {
  id: string;
  name: string | null;
  subject: WatchSubject;
}

/** What one message says: events of a watch, or a test of a channel. */
export interface WatchMessage {
  watch: WatchOfMessage;
  /** Null: a test. */
  events: readonly WatchEvent[] | null;
  /** When the delivery was made: the same at each try. */
  createdAt: Date;
}

/** The body of a webhook of format `standard`, the same at each try. The components of a lockfile are only counted. */
export function webhookBody({ watch, events, createdAt }: WatchMessage): string {
  const told = { id: watch.id, name: watch.name, subject: toldSubject(watch.subject) };
  const timestamp = createdAt.toISOString();
  return JSON.stringify(
    events === null
      ? { type: 'watch.test', timestamp, data: { watch: told } }
      : { type: 'watch.changed', timestamp, data: { watch: told, events } },
  );
}

function toldSubject(subject: WatchSubject): Readonly<Record<string, unknown>> {
  if (subject.kind !== 'components') return subject;
  return { kind: 'components', component_count: subject.components.length };
}
