import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describeSystemError, isSqliteDamage } from '../system-error.ts';
import { Catalog } from './catalog.ts';
import {
  lastVerifiedAtMs,
  verifyFile,
  forgetVerified,
  needsFullRead,
  rememberVerified,
  checksumMismatchError,
} from './verify-file.ts';
import { hashFileInBackground, inspectDatabaseFile, stampOf, UnusableFileError } from './database-file.ts';
import {
  DamagedPointerError,
  type Generation,
  POINTER_FILE,
  pointerPath,
  readCurrentGeneration,
  quarantineFile,
} from './generation.ts';

const POLL_INTERVAL_MS = 1000;
const RETIRED_CLOSE_DELAY_MS = 60_000;
/** A disk may lose what was once read well: the open file is read whole again. */
const VERIFY_INTERVAL_MS = 24 * 3_600_000;
/** When that could not be done. */
const VERIFY_RETRY_DELAY_MS = 3_600_000;
/** A file that is not read whole by then is said to be slow. */
const SLOW_CHECK_MS = 60_000;

export interface CatalogHandleOptions {
  /** Milliseconds since 1970; for tests of what happens after hours. */
  clock?: () => number;
  /** After how many milliseconds the reading of a file is said to be slow; default: a minute. */
  slowCheckMs?: number;
}

/**
 * The catalog that answers now. Looks once a second whether a sync, here or in another process, published a new one, and whether the one that is
 * open is still what it was. One that is not never answers again: the newest that is whole takes its place.
 */
export class CatalogHandle {
  readonly #folder: string;
  readonly #timer: NodeJS.Timeout;
  readonly #onProblem: (problem: Error) => void;
  readonly #clock: () => number;
  readonly #slowCheckMs: number;
  readonly #closeController = new AbortController();
  #current: Catalog | null = null;
  /** State of `current.json` when the open catalog was taken from it. */
  #openedPointerStamp = '';
  /** State of `current.json` when what it names was refused; the same is not tried again. */
  #refusedPointerStamp = '';
  #problem: string | null = null;
  /** Why the open file could not be read whole. */
  #verificationProblem: string | null = null;
  /** A catalog was there and cannot be used. */
  #hasLostCatalog = false;
  #isStarting = true;
  #isRecovering = false;
  #isVerifying = false;
  #nextVerificationAtMs = 0;

  constructor(
    folder: string,
    onProblem: (problem: Error) => void,
    { clock = Date.now, slowCheckMs = SLOW_CHECK_MS }: CatalogHandleOptions = {},
  ) {
    this.#folder = folder;
    this.#onProblem = onProblem;
    this.#clock = clock;
    this.#slowCheckMs = slowCheckMs;
    this.refresh();
    this.#isStarting = false;
    this.#timer = setInterval(() => this.poll(), POLL_INTERVAL_MS).unref();
  }

  /** Null before the first generation, and while none is known to be whole. */
  get current(): Catalog | null {
    const open = this.#current;
    if (open !== null && !open.isFileUnchanged) this.#dropCurrent(open, 'was written to after it was finished');
    return this.#current;
  }

  /** What is wrong with the catalog while an older one, or none, answers; null where nothing is. A sentence for everybody. */
  get problem(): string | null {
    return this.#problem ?? this.#verificationProblem ?? this.#current?.generation.recovered ?? null;
  }

  /** Takes a newer generation at once, where there is one that is known to be whole. */
  refresh(): void {
    let stamp = '';
    let named: Generation | null = null;
    try {
      stamp = this.#pointerStamp();
      if (stamp !== '' && stamp === this.#refusedPointerStamp) return;
      if (stamp === this.#openedPointerStamp) {
        if (stamp !== '' && existsSync(join(this.#folder, this.#current!.generation.file))) this.#problem = null;
        return;
      }
      named = readCurrentGeneration(this.#folder);
      if (named === null) {
        if (this.#current !== null) this.#reportProblem(new Error(`${POINTER_FILE} is gone: ${this.#currentPhrase()}`));
      } else if (!this.#isStarting && needsFullRead(this.#folder, named)) void this.#verifyInBackground(named);
      else this.#openGeneration(named, stamp);
    } catch (error) {
      this.#handleOpenError(error as Error, named, stamp);
    }
  }

  /** What is done once a second. */
  poll(): void {
    if (this.#isRecovering) return;
    this.refresh();
    const open = this.current;
    if (open === null) {
      if (this.#hasLostCatalog) void this.#recover();
      return;
    }
    const { generation } = open;
    if (!existsSync(join(this.#folder, generation.file))) {
      this.#reportProblem(
        new Error(`the file of the catalog of ${generation.created_at} is gone: it answers until the next start`),
      );
    } else if (
      this.#problem === null &&
      this.#clock() >= this.#nextVerificationAtMs &&
      this.#isVerificationDue(generation)
    ) {
      void this.#verifyInBackground(generation);
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.#closeController.abort();
    this.#current?.close();
    this.#current = null;
  }

  #openGeneration(generation: Generation, stamp: string): void {
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

  /** What is open goes on answering. What may be different at the next look (too many open files, no permission) is tried again. */
  #handleOpenError(error: Error, named: Generation | null, stamp: string): void {
    const isDamage =
      error instanceof UnusableFileError || error instanceof DamagedPointerError || isSqliteDamage(error);
    if (!isDamage) return this.#reportProblem(error);
    this.#hasLostCatalog = this.#current === null;
    if (!this.#hasLostCatalog) this.#refusedPointerStamp = stamp;
    const what = named === null ? error.message : `the catalog of ${named.created_at} ${problemPhrase(error)}`;
    this.#reportProblem(new Error(this.#hasLostCatalog ? what : `${what}: ${this.#currentPhrase()}`));
  }

  #currentPhrase(): string {
    return `the catalog of ${this.#current?.generation.created_at} answers`;
  }

  #isVerificationDue({ file }: Generation): boolean {
    const age = this.#clock() - (lastVerifiedAtMs(this.#folder, file) ?? 0);
    return age >= VERIFY_INTERVAL_MS || age < 0;
  }

  /** Reads the file of a generation whole, beside other work. */
  async #verifyInBackground(generation: Generation): Promise<void> {
    if (this.#isVerifying) return;
    this.#isVerifying = true;
    this.#nextVerificationAtMs = this.#clock() + VERIFY_RETRY_DELAY_MS;
    const { file, sha256 } = generation;
    const pointer = this.#pointerStamp();
    // The reading goes on: what came of a slow disk in the end is right.
    const slow = setTimeout(() => this.#tellSlow(generation), this.#slowCheckMs).unref();
    try {
      const path = join(this.#folder, file);
      const before = stampOf(path);
      const found = await hashFileInBackground(path, this.#closeController.signal);
      // Only now, when it is in memory: opening it here before would let everybody wait for a slow disk.
      const { stamp } = inspectDatabaseFile(path);
      if (stamp !== before) return;
      if (sha256 !== undefined && found !== sha256) throw checksumMismatchError();
      rememberVerified(this.#folder, file, stamp, found);
      this.#verificationProblem = null;
      this.refresh();
    } catch (error) {
      if (this.#closeController.signal.aborted) return;
      const open = this.#current;
      if (open?.generation.file !== file) this.#handleOpenError(error as Error, generation, pointer);
      else if (error instanceof UnusableFileError) this.#dropCurrent(open, error.message);
      else {
        this.#verificationProblem = `the file of the catalog of ${generation.created_at} cannot be checked: ${describeSystemError(error)}`;
        this.#onProblem(new Error(this.#verificationProblem));
      }
    } finally {
      clearTimeout(slow);
      this.#isVerifying = false;
    }
  }

  #tellSlow({ file, created_at }: Generation): void {
    const open = this.#current?.generation.file;
    const text = `the file of the catalog of ${created_at} is slow to read`;
    if (open !== file)
      return this.#reportProblem(new Error(open === undefined ? text : `${text}: ${this.#currentPhrase()}`));
    this.#verificationProblem = text;
    this.#onProblem(new Error(text));
  }

  /** SQLite could not read. Where it says "damaged" of a file whose checksum is right, that was so from the start: put aside. */
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

  /** The open catalog answers no more. */
  #dropCurrent(catalog: Catalog, how: string): void {
    this.#closeLater(catalog);
    this.#current = null;
    this.#openedPointerStamp = '';
    this.#refusedPointerStamp = '';
    this.#hasLostCatalog = true;
    forgetVerified(this.#folder);
    this.#reportProblem(new Error(`the catalog of ${catalog.generation.created_at} ${how}`));
    void this.#recover();
  }

  async #recover(): Promise<void> {
    if (this.#isRecovering || this.#closeController.signal.aborted) return;
    this.#isRecovering = true;
    try {
      await recoverInThread(this.#folder, this.#clock());
      if (!this.#closeController.signal.aborted) this.refresh();
    } catch (error) {
      this.#reportProblem(error as Error);
    } finally {
      this.#isRecovering = false;
    }
  }

  /** Each problem once, however often it is met. */
  #reportProblem(problem: Error): void {
    const text = describeSystemError(problem);
    if (text === this.#problem) return;
    this.#problem = text;
    this.#onProblem(problem);
  }

  #pointerStamp(): string {
    const stat = statSync(pointerPath(this.#folder), { throwIfNoEntry: false, bigint: true });
    return stat === undefined ? '' : `${stat.ino}:${stat.mtimeNs}:${stat.size}`;
  }

  /** Answers under way may still read from it. */
  #closeLater(old: Catalog | null): void {
    if (old !== null) setTimeout(() => old.close(), RETIRED_CLOSE_DELAY_MS).unref();
  }
}

/** `ensureStarter`, beside other work. */
function recoverInThread(folder: string, now: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const entry = new URL('recovery-thread.ts', import.meta.url);
    const thread = new Worker(entry, { workerData: { folder, now }, env: {}, execArgv: [] });
    thread.once('error', reject);
    thread.once('exit', () => resolve());
    thread.unref();
  });
}

/** What is said of the catalog, after its name. */
function problemPhrase(error: Error): string {
  if (isSqliteDamage(error)) return 'is damaged';
  return error instanceof UnusableFileError ? error.message : `cannot be read (${describeSystemError(error)})`;
}
