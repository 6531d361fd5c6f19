import { statSync } from 'node:fs';
import { Catalog } from './catalog.ts';
import { pointerPath, readCurrent } from './generation.ts';

const LOOK_EVERY_MS = 1000;
const CLOSE_OLD_AFTER_MS = 60_000;

/** The catalog that answers now. Looks once a second whether a sync, here or in another process, published a new one. */
export class CatalogHandle {
  readonly #folder: string;
  readonly #timer: NodeJS.Timeout;
  readonly #onProblem: (problem: Error) => void;
  #current: Catalog | null = null;
  #seen = '';

  constructor(folder: string, onProblem: (problem: Error) => void) {
    this.#folder = folder;
    this.#onProblem = onProblem;
    this.refresh();
    this.#timer = setInterval(() => this.refresh(), LOOK_EVERY_MS).unref();
  }

  /** Null before the first generation. */
  get current(): Catalog | null {
    return this.#current;
  }

  /** Takes a newer generation at once, where there is one. */
  refresh(): void {
    try {
      const stamp = this.#stamp();
      if (stamp === this.#seen) return;
      const generation = readCurrent(this.#folder);
      if (generation === null) return;
      const next = new Catalog(this.#folder, generation);
      this.#retire(this.#current);
      this.#current = next;
      this.#seen = stamp;
    } catch (error) {
      // The old generation goes on answering; the next look tries again.
      this.#onProblem(error as Error);
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.#current?.close();
    this.#current = null;
  }

  #stamp(): string {
    const stat = statSync(pointerPath(this.#folder), { throwIfNoEntry: false, bigint: true });
    return stat === undefined ? '' : `${stat.ino}:${stat.mtimeNs}:${stat.size}`;
  }

  /** Answers under way may still read from it. */
  #retire(old: Catalog | null): void {
    if (old !== null) setTimeout(() => old.close(), CLOSE_OLD_AFTER_MS).unref();
  }
}
