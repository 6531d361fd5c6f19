import type { Exchange } from './exchange.ts';

/** The first bytes of an answer are not counted: a small one never waits for large ones. */
export const UNCOUNTED_BYTES = 64 * 1024;
const MAX_WAIT_MS = 2000;

interface Waiting {
  bytes: number;
  go: () => void;
}

/** A bound for the bytes of all answers that are in memory at once: those being read, and those waiting to be parsed. */
export class ByteBudget {
  readonly #maxBytes: number;
  readonly #waiting = new Set<Waiting>();
  #held = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes that are held now. */
  get held(): number {
    return this.#held;
  }

  /** The share of one question. What it takes is held until it is released. */
  claim(): ByteClaim {
    return new ByteClaim(
      (bytes, exchange) => this.#take(bytes, exchange),
      (bytes) => this.#release(bytes),
    );
  }

  async #take(bytes: number, exchange: Exchange): Promise<void> {
    if (this.#fits(bytes)) {
      this.#held += bytes;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting: Waiting = { bytes, go: resolve };
    this.#waiting.add(waiting);
    // Those who wait hold bytes themselves: without an end to the wait they could wait for one another.
    const late = exchange.limit(MAX_WAIT_MS, 'too much is being read at this moment', 'busy');
    try {
      await Promise.race([promise, exchange.aborted]);
    } catch (error) {
      // Given in the same moment as the exchange ended.
      if (!this.#waiting.delete(waiting)) this.#release(bytes);
      throw error;
    } finally {
      clearTimeout(late);
    }
  }

  #fits(bytes: number): boolean {
    return this.#waiting.size === 0 && this.#held + bytes <= this.#maxBytes;
  }

  #release(bytes: number): void {
    this.#held -= bytes;
    for (const waiting of this.#waiting) {
      if (this.#held + waiting.bytes > this.#maxBytes) return;
      this.#waiting.delete(waiting);
      this.#held += waiting.bytes;
      waiting.go();
    }
  }
}

export class ByteClaim {
  readonly #take: (bytes: number, exchange: Exchange) => Promise<void>;
  readonly #giveBack: (bytes: number) => void;
  #read = 0;
  #held = 0;
  #lacksRoom = false;
  #released = false;

  constructor(take: (bytes: number, exchange: Exchange) => Promise<void>, giveBack: (bytes: number) => void) {
    this.#take = take;
    this.#giveBack = giveBack;
  }

  /** Whether the reading waits for room, or ended while it did so. */
  get lacksRoom(): boolean {
    return this.#lacksRoom;
  }

  /** Counts bytes that were read, and waits while there is no room for them. Throws `NetError` (`busy`) where none comes to be. */
  async add(bytes: number, exchange: Exchange): Promise<void> {
    this.#read += bytes;
    const more = Math.max(0, this.#read - UNCOUNTED_BYTES) - this.#held;
    if (more <= 0) return;
    this.#lacksRoom = true;
    await this.#take(more, exchange);
    this.#lacksRoom = false;
    if (this.#released) this.#giveBack(more);
    else this.#held += more;
  }

  release(): void {
    this.#released = true;
    this.#giveBack(this.#held);
    this.#held = 0;
  }
}
