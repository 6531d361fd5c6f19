import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describeSystemError, isSqliteDamage } from '../system-error.ts';
import { BackgroundVerifier } from './background-verifier.ts';
import { Catalog } from './catalog.ts';
import { UnusableFileError } from './database-file.ts';
import {
  DamagedPointerError,
  type Generation,
  POINTER_FILE,
  pointerStamp,
  quarantineFile,
  readCurrentGeneration,
} from './generation.ts';
import { recoverInThread } from './recover-in-thread.ts';
import { clearVerification, needsFullRead, verifyFile } from './verify-file.ts';

const POLL_INTERVAL_MS = 1000;
const LOOK_EVERY_MS = 1;
const RETIRED_CLOSE_DELAY_MS = 60_000;
const SLOW_CHECK_MS = 60_000;

export interface CatalogHandleOptions {
  /** Milliseconds since 1970; tests use it to let hours pass. */
  clock?: () => number;
  /** After how many milliseconds the reading of a file is reported as slow; default: a minute. */
  slowCheckMs?: number;
}

/**
 * The catalog that answers now. Once a second it checks two things: whether a sync, in this process or another, published a
 * newer generation, and whether the open file is unchanged. A changed or damaged file is never used again: the newest
 * undamaged generation takes its place.
 */
export class CatalogHandle {
  readonly #folder: string;
  readonly #timer: NodeJS.Timeout;
  readonly #onProblem: (problem: Error) => void;
  readonly #clock: () => number;
  readonly #closeController = new AbortController();
  readonly #verifier: BackgroundVerifier;
  #current: Catalog | null = null;
  /** When its file was last looked at, by `performance.now()`. */
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** Stamp of `current.json` when the open catalog was taken from it. */
  #openedPointerStamp = '';
  /** Stamp of `current.json` when the generation that it names was refused; the same is not tried again. */
  #refusedPointerStamp = '';
  #problem: string | null = null;
  /** Why the open file could not be verified. */
  #verificationProblem: string | null = null;
  /** A catalog was open and can no longer be used. */
  #hasLostCatalog = false;
  #isRecovering = false;

  constructor(
    folder: string,
    onProblem: (problem: Error) => void,
    { clock = Date.now, slowCheckMs = SLOW_CHECK_MS }: CatalogHandleOptions = {},
  ) {
    this.#folder = folder;
    this.#onProblem = onProblem;
    this.#clock = clock;
    this.#verifier = new BackgroundVerifier(folder, clock, slowCheckMs, this.#closeController.signal);
    this.#followPointer((generation, stamp) => this.#open(generation, stamp));
    this.#timer = setInterval(() => this.poll(), POLL_INTERVAL_MS).unref();
  }

  /**
   * Null before the first generation, and while no generation is known to be undamaged. Its file was looked at within the last
   * millisecond, in which there may be many answers.
   */
  get current(): Catalog | null {
    return performance.now() - this.#lookedAt < LOOK_EVERY_MS ? this.#current : this.#lookAtFile();
  }

  #lookAtFile(): Catalog | null {
    const open = this.#current;
    if (open !== null && !open.isOpenFileUnmodified) this.#dropCurrent(open, 'was written to after it was finished');
    this.#lookedAt = performance.now();
    return this.#current;
  }

  /** `openingId` of the open catalog, for answers that were made from it before: unlike `current` it does not look at the file. */
  get openingId(): string | null {
    return this.#current?.openingId ?? null;
  }

  /** Why an older catalog, or no catalog, answers; null if nothing is wrong. A sentence that every caller may see. */
  get problem(): string | null {
    return this.#problem ?? this.#verificationProblem ?? this.#current?.generation.recovered ?? null;
  }

  /** Opens a newer generation if there is one. One that was not verified yet is opened later, when it has been read whole. */
  refresh(): void {
    this.#followPointer((generation, stamp) => {
      if (needsFullRead(this.#folder, generation)) void this.#verify(generation);
      else this.#open(generation, stamp);
    });
  }

  /** The work of each second. */
  poll(): void {
    if (this.#isRecovering) return;
    this.refresh();
    const open = this.#lookAtFile();
    if (open === null) {
      if (this.#hasLostCatalog) void this.#recover();
      return;
    }
    const { generation } = open;
    if (!existsSync(join(this.#folder, generation.file))) {
      this.#reportProblem(
        new Error(`the file of the catalog of ${generation.created_at} is gone: it answers until the next start`),
      );
    } else if (this.#problem === null && this.#verifier.isDue(generation)) void this.#verify(generation);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#closeController.abort();
    this.#current?.close();
    this.#current = null;
  }

  /** Calls `open` if `current.json` changed since the last generation was opened or refused. */
  #followPointer(open: (generation: Generation, stamp: string) => void): void {
    let stamp = '';
    let named: Generation | null = null;
    try {
      stamp = pointerStamp(this.#folder);
      if (stamp !== '' && stamp === this.#refusedPointerStamp) return;
      if (stamp === this.#openedPointerStamp) {
        if (stamp !== '' && existsSync(join(this.#folder, this.#current!.generation.file))) this.#problem = null;
        return;
      }
      named = readCurrentGeneration(this.#folder);
      if (named !== null) open(named, stamp);
      else if (this.#current !== null)
        this.#reportProblem(new Error(`${POINTER_FILE} is gone: ${this.#currentPhrase()}`));
    } catch (error) {
      this.#handleOpenError(error as Error, named, stamp);
    }
  }

  #open(generation: Generation, stamp: string): void {
    verifyFile(this.#folder, generation);
    const next = new Catalog(this.#folder, generation);
    next.setReadErrorHandler((error) => this.#handleReadError(next, error));
    this.#closeLater(this.#current);
    this.#current = next;
    this.#openedPointerStamp = stamp;
    this.#problem = null;
    this.#verificationProblem = null;
    this.#hasLostCatalog = false;
    if (generation.recovered !== undefined) this.#onProblem(new Error(generation.recovered));
  }

  /** The open catalog stays in use. After an error that may be temporary (EMFILE, EACCES) the next poll tries again. */
  #handleOpenError(error: Error, named: Generation | null, stamp: string): void {
    const isDamage =
      error instanceof UnusableFileError || error instanceof DamagedPointerError || isSqliteDamage(error);
    if (!isDamage) return this.#reportProblem(error);
    this.#hasLostCatalog = this.#current === null;
    if (!this.#hasLostCatalog) this.#refusedPointerStamp = stamp;
    const text = named === null ? error.message : `the catalog of ${named.created_at} ${problemPhrase(error)}`;
    this.#reportProblem(new Error(this.#hasLostCatalog ? text : `${text}: ${this.#currentPhrase()}`));
  }

  #currentPhrase(): string {
    return `the catalog of ${this.#current?.generation.created_at} answers`;
  }

  /** Reads the file of a generation whole in the background: the open one, or a newer one before it is opened. */
  async #verify(generation: Generation): Promise<void> {
    const { file, created_at } = generation;
    const pointer = pointerStamp(this.#folder);
    try {
      if (!(await this.#verifier.verify(generation, () => this.#reportSlow(generation)))) return;
      this.#verificationProblem = null;
      this.refresh();
    } catch (error) {
      if (this.#closeController.signal.aborted) return;
      const open = this.#current;
      if (open?.generation.file !== file) this.#handleOpenError(error as Error, generation, pointer);
      else if (error instanceof UnusableFileError) this.#dropCurrent(open, error.message);
      else
        this.#reportVerificationProblem(
          `the file of the catalog of ${created_at} cannot be checked: ${describeSystemError(error)}`,
        );
    }
  }

  #reportSlow({ file, created_at }: Generation): void {
    const open = this.#current?.generation.file;
    const text = `the file of the catalog of ${created_at} is slow to read`;
    if (open === file) this.#reportVerificationProblem(text);
    else this.#reportProblem(new Error(open === undefined ? text : `${text}: ${this.#currentPhrase()}`));
  }

  #reportVerificationProblem(text: string): void {
    this.#verificationProblem = text;
    this.#onProblem(new Error(text));
  }

  /** SQLite failed to read. If it reports damage although the checksum is right, the file was damaged before the checksum was computed: it is quarantined. */
  #handleReadError(catalog: Catalog, error: Error): void {
    if (catalog !== this.#current) return;
    this.#dropCurrent(catalog, problemPhrase(error));
    if (!isSqliteDamage(error)) return;
    try {
      quarantineFile(this.#folder, catalog.generation.file);
    } catch (failure) {
      this.#reportProblem(failure as Error);
    }
  }

  /** Stops using the open catalog and looks for another one. */
  #dropCurrent(catalog: Catalog, how: string): void {
    this.#closeLater(catalog);
    this.#current = null;
    this.#openedPointerStamp = '';
    this.#refusedPointerStamp = '';
    this.#hasLostCatalog = true;
    clearVerification(this.#folder);
    this.#reportProblem(new Error(`the catalog of ${catalog.generation.created_at} ${how}`));
    void this.#recover();
  }

  async #recover(): Promise<void> {
    const { signal } = this.#closeController;
    if (this.#isRecovering || signal.aborted) return;
    this.#isRecovering = true;
    try {
      await recoverInThread(this.#folder, this.#clock());
      if (!signal.aborted) this.refresh();
    } catch (error) {
      this.#reportProblem(error as Error);
    } finally {
      this.#isRecovering = false;
    }
  }

  /** Reports a problem once, however often it occurs. */
  #reportProblem(problem: Error): void {
    const text = describeSystemError(problem);
    if (text === this.#problem) return;
    this.#problem = text;
    this.#onProblem(problem);
  }

  /** Answers in progress may still read from it. */
  #closeLater(old: Catalog | null): void {
    if (old !== null) setTimeout(() => old.close(), RETIRED_CLOSE_DELAY_MS).unref();
  }
}

/** What is wrong with a catalog, as the predicate of a sentence about it. */
function problemPhrase(error: Error): string {
  if (isSqliteDamage(error)) return 'is damaged';
  return error instanceof UnusableFileError ? error.message : `cannot be read (${describeSystemError(error)})`;
}
