import { randomBytes } from 'node:crypto';
import type { WatchEvent } from '../../src/analysis/watch/watch.ts';
import type { GivenChannel, Watch, WatchBook, WatchDelivery } from '../../src/engine/watch-book.ts';
import { ApiError } from '../../src/errors.ts';

const text = (bytes: number) =>
  [...randomBytes(bytes)].map((one) => 'abcdefghijklmnopqrstuvwxyz234567'[one % 32]).join('');

export class FakeWatches {
  readonly books = new Map<string, Map<string, Watch>>();
  readonly events = new Map<string, WatchEvent[]>();
  readonly deliveries = new Map<string, WatchDelivery[]>();
  bookOf(owner: string, now: () => Date): WatchBook {
    const kept = this.books.get(owner) ?? new Map<string, Watch>();
    this.books.set(owner, kept);
    const get = (id: string): Watch => {
      const watch = kept.get(id);
      if (watch === undefined) throw new ApiError('not_found', 'There is no watch with this id.');
      return watch;
    };
    const channels = (given: readonly GivenChannel[], before: Watch | null) => {
      const secrets: Record<string, string> = {};
      const all = given.map((one) => {
        if ('id' in one) return before!.channels.find(({ id }) => id === one.id)!;
        const id = `cha_${text(20)}`;
        if (one.kind === 'webhook' && one.format === 'standard')
          secrets[id] = `whsec_${randomBytes(32).toString('base64')}`;
        return { id, ...one };
      });
      return { all, secrets };
    };
    return {
      list: async () => [...kept.values()].toReversed(),
      get: async (id) => get(id),
      create: async (given) => {
        const { all, secrets } = channels(given.channels, null);
        const watch: Watch = {
          ...given,
          channels: all,
          id: `wat_${text(20)}`,
          isPaused: false,
          mute: null,
          createdAt: now(),
          updatedAt: now(),
          nextExaminationAt: null,
          lastEventAt: null,
          deadDeliveries: 0,
        };
        kept.set(watch.id, watch);
        return { watch, secrets };
      },
      update: async (id, { channels: given, rotateSecrets: _, ...patch }) => {
        const before = get(id);
        const made = given === undefined ? { all: before.channels, secrets: {} } : channels(given, before);
        const watch = { ...before, ...patch, channels: made.all } as Watch;
        kept.set(id, watch);
        return { watch, secrets: made.secrets };
      },
      delete: async (id) => void (get(id), kept.delete(id)),
      deliveries: async (id) => (get(id), { total: 0, deliveries: [] }),
      events: async (id, { limit }) => {
        if (id !== null) get(id);
        const events = id === null ? [...this.events.values()].flat() : (this.events.get(id) ?? []);
        return {
          events: events.slice(0, limit),
          next: events.length === 0 ? null : 'cursor',
          hasMore: events.length > limit,
        };
      },
      test: async (id) => (get(id), []),
      replay: async (id) => (get(id), { events: 0, deliveries: 0, isComplete: true }),
    };
  }
}
