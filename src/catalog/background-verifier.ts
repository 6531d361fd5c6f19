import { join } from 'node:path';
import { hashFileInBackground, inspectDatabaseFile, stampOf } from './database-file.ts';
import type { Generation } from './generation.ts';
import { checksumMismatchError, lastVerifiedAtMs, saveVerification } from './verify-file.ts';

/** A disk may lose data that could be read before: the open file is read again after this time. */
const VERIFY_INTERVAL_MS = 24 * 3_600_000;
/** After a verification that could not be done. */
const VERIFY_RETRY_DELAY_MS = 3_600_000;

/** Verifies catalog files without blocking the event loop: each is read whole and compared with its checksum, one at a time. */
export class BackgroundVerifier {
  readonly #folder: string;
  readonly #clock: () => number;
  readonly #slowAfterMs: number;
  readonly #signal: AbortSignal;
  #isRunning = false;
  #nextAtMs = 0;

  /** `clock` gives milliseconds since 1970. A verification stops when `signal` is aborted. */
  constructor(folder: string, clock: () => number, slowAfterMs: number, signal: AbortSignal) {
    this.#folder = folder;
    this.#clock = clock;
    this.#slowAfterMs = slowAfterMs;
    this.#signal = signal;
  }

  /** Whether the last verification of this file is too long ago, or in the future. */
  isDue({ file }: Generation): boolean {
    const now = this.#clock();
    if (now < this.#nextAtMs) return false;
    const age = now - (lastVerifiedAtMs(this.#folder, file) ?? 0);
    return age >= VERIFY_INTERVAL_MS || age < 0;
  }

  /**
   * True: the file is what its checksum says, which is remembered. False: nothing is known, because another verification runs
   * or the file changed meanwhile. Throws `UnusableFileError`, the signal's reason, and errors of the operating system.
   * `onSlow` is called once when it takes long; reading continues.
   */
  async verify({ file, sha256 }: Generation, onSlow: () => void): Promise<boolean> {
    if (this.#isRunning) return false;
    this.#isRunning = true;
    this.#nextAtMs = this.#clock() + VERIFY_RETRY_DELAY_MS;
    const slow = setTimeout(onSlow, this.#slowAfterMs).unref();
    try {
      const path = join(this.#folder, file);
      const before = stampOf(path);
      const found = await hashFileInBackground(path, this.#signal);
      // Only now, when the file is in memory: opening it synchronously before would block the process on a slow disk.
      const { stamp } = inspectDatabaseFile(path);
      if (stamp !== before) return false;
      if (sha256 !== undefined && found !== sha256) throw checksumMismatchError();
      saveVerification(this.#folder, file, stamp, found);
      return true;
    } finally {
      clearTimeout(slow);
      this.#isRunning = false;
    }
  }
}
