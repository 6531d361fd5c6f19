import type { WatchBook } from '../engine/watch-book.ts';
import { watchUri } from './watch-resources.ts';

const POLL_MS = 5000;
const PAGE_SIZE = 200;

/** Tells a client on standard input which of the local user's watches have new events. */
export class WatchSubscriptions {
  readonly #openBook: () => Promise<WatchBook>;
  readonly #uris = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  /** Events after this one are new; null: none was there. */
  #cursor: string | null = null;

  constructor(openBook: () => Promise<WatchBook>) {
    this.#openBook = openBook;
  }

  isSubscribed(uri: string): boolean {
    return this.#uris.has(uri);
  }

  subscribe(uri: string): void {
    this.#uris.add(uri);
  }

  unsubscribe(uri: string): void {
    this.#uris.delete(uri);
  }

  /** Calls `notify` with the URI of each watch that has new events, until it is stopped. `onProblem`: the watches cannot be read now. */
  async start(
    notify: (uri: string) => void,
    onProblem: (error: unknown) => void,
    pollMs: number = POLL_MS,
  ): Promise<void> {
    if (this.#timer !== undefined) return;
    const poll = async (): Promise<void> => {
      try {
        for (const uri of await this.#readNew()) notify(uri);
      } catch (error) {
        onProblem(error);
      }
      this.#timer?.refresh();
    };
    this.#timer = setTimeout(() => void poll(), pollMs);
    try {
      const { next } = await (await this.#openBook()).events(null, {
        after: null,
        since: null,
        latest: true,
        limit: 1,
      });
      this.#cursor = next;
    } catch (error) {
      onProblem(error);
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #readNew(): Promise<Set<string>> {
    const book = await this.#openBook();
    const uris = new Set<string>();
    for (let hasMore = true; hasMore; ) {
      const page = await book.events(null, { after: this.#cursor, since: null, limit: PAGE_SIZE });
      for (const { watch_id } of page.events) uris.add(watchUri(watch_id));
      this.#cursor = page.next;
      hasMore = page.hasMore;
    }
    return uris;
  }
}
