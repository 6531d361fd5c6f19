import type { SourceHealth, SourceObserver } from '../sources/source-requester.ts';
import type { SourceNotes } from './live-messages.ts';

/** Collects what happens at the sources, for the process that shows it. */
export class SourceNoteTaker implements SourceObserver {
  healthOf: (source: string) => SourceHealth = () => ({ last_success_at: null, last_error: null });
  #calls: SourceNotes['calls'][number][] = [];
  #cacheHits: string[] = [];

  recordSourceCall(...[source, outcome, seconds]: Parameters<SourceObserver['recordSourceCall']>): void {
    this.#calls.push({ source, outcome, seconds });
  }

  recordSourceCacheHit(source: string): void {
    this.#cacheHits.push(source);
  }

  /** The notes since the last time; null: none. */
  take(): SourceNotes | null {
    const [calls, cacheHits] = [this.#calls, this.#cacheHits];
    if (calls.length === 0 && cacheHits.length === 0) return null;
    this.#calls = [];
    this.#cacheHits = [];
    const health = [...new Set(calls.map(({ source }) => source))].map((source) => {
      const { last_success_at, last_error } = this.healthOf(source);
      return { source, last_success_at, last_error };
    });
    return { calls, cacheHits, health };
  }
}
