import type { RequestDeadline } from './request-deadline.ts';

/** The first bytes of each response are not counted, so that a small one never waits for large ones. */
export const UNCOUNTED_BYTES = 64 * 1024;
const MAX_WAIT_MS = 2000;

interface Waiter {
  bytes: number;
  resume: () => void;
}

/** Limits the bytes of all responses that are in memory at once: those being read, and those waiting to be parsed. */
export class ByteBudget {
  readonly #maxBytes: number;
  readonly #waiters = new Set<Waiter>();
  #heldBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** A claim for one request; its bytes count until `release()`. */
  claim(): ByteClaim {
    return new ByteClaim(
      (bytes, deadline) => this.#acquire(bytes, deadline),
      (bytes) => this.#release(bytes),
    );
  }

  async #acquire(bytes: number, deadline: RequestDeadline): Promise<void> {
    if (this.#fits(bytes)) {
      this.#heldBytes += bytes;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting: Waiter = { bytes, resume: resolve };
    this.#waiters.add(waiting);
    // Waiters hold bytes themselves: without a timeout they could wait for each other forever.
    const timeout = deadline.startTimeout(MAX_WAIT_MS, 'too much is being read at this moment', 'busy');
    try {
      await Promise.race([promise, deadline.abortRejection]);
    } catch (error) {
      // The bytes were granted just before the deadline ended.
      if (!this.#waiters.delete(waiting)) this.#release(bytes);
      throw error;
    } finally {
      clearTimeout(timeout);
    }
  }

  #fits(bytes: number): boolean {
    return this.#waiters.size === 0 && this.#heldBytes + bytes <= this.#maxBytes;
  }

  #release(bytes: number): void {
    this.#heldBytes -= bytes;
    for (const waiting of this.#waiters) {
      if (this.#heldBytes + waiting.bytes > this.#maxBytes) return;
      this.#waiters.delete(waiting);
      this.#heldBytes += waiting.bytes;
      waiting.resume();
    }
  }
}

export class ByteClaim {
  readonly #acquireBytes: (bytes: number, deadline: RequestDeadline) => Promise<void>;
  readonly #releaseBytes: (bytes: number) => void;
  #readBytes = 0;
  #heldBytes = 0;
  #lacksRoom = false;
  #released = false;

  constructor(acquire: (bytes: number, deadline: RequestDeadline) => Promise<void>, release: (bytes: number) => void) {
    this.#acquireBytes = acquire;
    this.#releaseBytes = release;
  }

  /** Whether reading waits for free bytes, or ended during this wait. */
  get lacksRoom(): boolean {
    return this.#lacksRoom;
  }

  /** Counts bytes that were read, and waits while the budget is used up. Throws `NetError`, `busy` after 2 s. */
  async add(bytes: number, deadline: RequestDeadline): Promise<void> {
    this.#readBytes += bytes;
    const additionalBytes = Math.max(0, this.#readBytes - UNCOUNTED_BYTES) - this.#heldBytes;
    if (additionalBytes <= 0) return;
    this.#lacksRoom = true;
    await this.#acquireBytes(additionalBytes, deadline);
    this.#lacksRoom = false;
    if (this.#released) this.#releaseBytes(additionalBytes);
    else this.#heldBytes += additionalBytes;
  }

  release(): void {
    this.#released = true;
    this.#releaseBytes(this.#heldBytes);
    this.#heldBytes = 0;
  }
}
