import { watchKeys } from '../../src/analysis/watch/watch-keys.ts';
import type { WatchEvent, WatchSubject } from '../../src/analysis/watch/watch.ts';
import type { Watch } from '../../src/engine/watch-book.ts';
import type { MatchCursor, MatchStore, WatchMatch } from '../../src/watches/store/watch-store.ts';

/** Watches, events and cursor in memory. */
export class MemoryMatchStore implements MatchStore {
  readonly #watches = new Map<string, Watch>();
  readonly #byKey = new Map<string, Watch[]>();
  readonly events = new Map<string, WatchEvent>();
  readonly #told = new Map<string, WatchEvent['status']>();
  readonly examinations = new Map<string, { snapshot: unknown; nextAt: Date }>();
  cursor: MatchCursor | null = null;

  add(watch: Watch): void {
    this.#watches.set(watch.id, watch);
    for (const key of watchKeys(watch.subject)) this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), watch]);
  }

  async countWatches(): Promise<number> {
    return this.#watches.size;
  }

  async findByKeys(keys: readonly string[], page = { afterId: '', limit: Infinity }): Promise<Watch[]> {
    const found = keys.flatMap((key) => this.#byKey.get(key) ?? []);
    return [...new Set(found)]
      .filter(({ id, isPaused }) => !isPaused && id > page.afterId)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, page.limit);
  }

  async lastTold(
    pairs: readonly { watchId: string; cveId: string }[],
  ): Promise<{ watchId: string; cveId: string; status: WatchEvent['status'] }[]> {
    return pairs.flatMap(({ watchId, cveId }) => {
      const status = this.#told.get(`${watchId} ${cveId}`);
      return status === undefined ? [] : [{ watchId, cveId, status }];
    });
  }

  async readCursor(): Promise<MatchCursor | null> {
    return this.cursor;
  }

  async commitMatches(from: MatchCursor | null, to: MatchCursor, matches: readonly WatchMatch[]): Promise<boolean> {
    if (JSON.stringify(from) !== JSON.stringify(this.cursor)) return false;
    this.cursor = to;
    this.#keep(matches.flatMap(({ events }) => events));
    return true;
  }

  async claimExaminations(now: Date, limit: number): Promise<{ watch: Watch; snapshot: unknown }[]> {
    return [...this.#watches.values()]
      .filter(({ id, nextExaminationAt }) => {
        const due = this.examinations.get(id)?.nextAt ?? nextExaminationAt;
        return due !== null && due <= now;
      })
      .slice(0, limit)
      .map((watch) => ({ watch, snapshot: this.examinations.get(watch.id)?.snapshot ?? null }));
  }

  async commitExamination(
    watchId: string,
    { snapshot, nextAt, events }: { snapshot: unknown; nextAt: Date; events: readonly WatchEvent[] },
  ): Promise<void> {
    this.examinations.set(watchId, { snapshot, nextAt });
    this.#keep(events);
  }

  #keep(events: readonly WatchEvent[]): void {
    for (const event of events) {
      if (this.events.has(event.id)) continue;
      this.events.set(event.id, event);
      if (event.about.kind === 'cve') this.#told.set(`${event.watch_id} ${event.about.cve_id}`, event.status);
    }
  }
}

/** A watch with default conditions, made long ago. */
export function watchOf(id: string, subject: WatchSubject, more: Partial<Watch> = {}): Watch {
  return {
    id,
    name: null,
    subject,
    conditions: { kinds: null, severity_min: null, kev_only: false, epss_move_min: null, affected: 'affected' },
    channels: [],
    schedule: { when: 'at_once', at: '08:00', weekday: 1, time_zone: 'UTC', quiet: null },
    isPaused: false,
    mute: null,
    createdAt: new Date('2020-01-01T00:00:00Z'),
    updatedAt: new Date('2020-01-01T00:00:00Z'),
    nextExaminationAt: null,
    lastEventAt: null,
    deadDeliveries: 0,
    ...more,
  };
}
