import type { WatchBook } from '../engine/watch-book.ts';
import { notReadyError } from '../errors.ts';
import type { ReceiverRules } from './book/check-watch.ts';
import { OwnerWatchBook } from './book/owner-watch-book.ts';
import type { WatchStore } from './store/create-watch-store.ts';
import { openWatchStore, type WatchStoreSettings } from './store/open-watch-store.ts';

interface WatchBooksDeps {
  settings: WatchStoreSettings;
  rules: ReceiverRules;
  now: () => Date;
  onProblem: (problem: Error) => void;
}

/** Opens the watches of owners. The store is opened by the first who asks for them, and again where that failed. */
export class WatchBooks {
  readonly #deps: WatchBooksDeps;
  #store: Promise<WatchStore> | null = null;

  constructor(deps: WatchBooksDeps) {
    this.#deps = deps;
  }

  /** The watches of one owner (`CallerAccount.watches`). Throws `ApiError` 503 where the store cannot be reached. */
  async open(owner: string): Promise<WatchBook> {
    const { settings, rules, now, onProblem } = this.#deps;
    this.#store ??= openWatchStore(settings, now);
    try {
      return new OwnerWatchBook(owner, { store: await this.#store, rules, now });
    } catch (error) {
      this.#store = null;
      onProblem(error as Error);
      throw notReadyError('Watches cannot be read at the moment.');
    }
  }

  async close(): Promise<void> {
    const store = await this.#store?.catch(() => null);
    await store?.close();
  }
}
