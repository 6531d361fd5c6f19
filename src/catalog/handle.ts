import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describeSystemError, isSqliteDamage } from '../system-error.ts';
import { Catalog } from './catalog.ts';
import { checkedAt, checkFile, forgetChecked, needsReading, rememberChecked, wrongChecksum } from './checked-file.ts';
import { hashFileInBackground, readHead, stampOf, UnusableFileError } from './database-file.ts';
import { DamagedPointerError, type Generation, POINTER, pointerPath, readCurrent, setAside } from './generation.ts';

const LOOK_EVERY_MS = 1000;
const CLOSE_OLD_AFTER_MS = 60_000;
/** A disk may lose what was once read well: the open file is read whole again. */
const CHECK_EVERY_MS = 24 * 3_600_000;
/** When that could not be done. */
const CHECK_AGAIN_AFTER_MS = 3_600_000;
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
  readonly #closing = new AbortController();
  #current: Catalog | null = null;
  /** State of `current.json` when the open catalog was taken from it. */
  #seen = '';
  /** State of `current.json` when what it names was refused; the same is not tried again. */
  #refused = '';
  #problem: string | null = null;
  /** Why the open file could not be read whole. */
  #checkProblem: string | null = null;
  /** A catalog was there and cannot be used. */
  #lost = false;
  #isStarting = true;
  #recovering = false;
  #checking = false;
  #nextCheck = 0;

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
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS).unref();
  }

  /** Null before the first generation, and while none is known to be whole. */
  get current(): Catalog | null {
    const open = this.#current;
    if (open !== null && !open.isUntouched) this.#lose(open, 'was written to after it was finished');
    return this.#current;
  }

  /** What is wrong with the catalog while an older one, or none, answers; null where nothing is. A sentence for everybody. */
  get problem(): string | null {
    return this.#problem ?? this.#checkProblem ?? this.#current?.generation.recovered ?? null;
  }

  /** Takes a newer generation at once, where there is one that is known to be whole. */
  refresh(): void {
    let stamp = '';
    let named: Generation | null = null;
    try {
      stamp = this.#stamp();
      if (stamp !== '' && stamp === this.#refused) return;
      if (stamp === this.#seen) {
        if (stamp !== '' && existsSync(join(this.#folder, this.#current!.generation.file))) this.#problem = null;
        return;
      }
      named = readCurrent(this.#folder);
      if (named === null) {
        if (this.#current !== null) this.#tell(new Error(`${POINTER} is gone: ${this.#whatAnswers()}`));
      } else if (!this.#isStarting && needsReading(this.#folder, named)) void this.#check(named);
      else this.#open(named, stamp);
    } catch (error) {
      this.#refuse(error as Error, named, stamp);
    }
  }

  /** What is done once a second. */
  look(): void {
    if (this.#recovering) return;
    this.refresh();
    const open = this.current;
    if (open === null) {
      if (this.#lost) void this.#recover();
      return;
    }
    const { generation } = open;
    if (!existsSync(join(this.#folder, generation.file))) {
      this.#tell(
        new Error(`the file of the catalog of ${generation.created_at} is gone: it answers until the next start`),
      );
    } else if (this.#problem === null && this.#clock() >= this.#nextCheck && this.#isCheckDue(generation)) {
      void this.#check(generation);
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.#closing.abort();
    this.#current?.close();
    this.#current = null;
  }

  #open(generation: Generation, stamp: string): void {
    checkFile(this.#folder, generation);
    const next = new Catalog(this.#folder, generation);
    next.onReadError((error) => this.#readFailed(next, error));
    this.#retire(this.#current);
    this.#current = next;
    this.#seen = stamp;
    this.#problem = null;
    this.#checkProblem = null;
    this.#lost = false;
    if (generation.recovered !== undefined) this.#onProblem(new Error(generation.recovered));
  }

  /** What is open goes on answering. What may be different at the next look (too many open files, no permission) is tried again. */
  #refuse(error: Error, named: Generation | null, stamp: string): void {
    const isDamage =
      error instanceof UnusableFileError || error instanceof DamagedPointerError || isSqliteDamage(error);
    if (!isDamage) return this.#tell(error);
    this.#lost = this.#current === null;
    if (!this.#lost) this.#refused = stamp;
    const what = named === null ? error.message : `the catalog of ${named.created_at} ${faultOf(error)}`;
    this.#tell(new Error(this.#lost ? what : `${what}: ${this.#whatAnswers()}`));
  }

  #whatAnswers(): string {
    return `the catalog of ${this.#current?.generation.created_at} answers`;
  }

  #isCheckDue({ file }: Generation): boolean {
    const age = this.#clock() - (checkedAt(this.#folder, file) ?? 0);
    return age >= CHECK_EVERY_MS || age < 0;
  }

  /** Reads the file of a generation whole, beside other work. */
  async #check(generation: Generation): Promise<void> {
    if (this.#checking) return;
    this.#checking = true;
    this.#nextCheck = this.#clock() + CHECK_AGAIN_AFTER_MS;
    const { file, sha256 } = generation;
    const pointer = this.#stamp();
    // The reading goes on: what came of a slow disk in the end is right.
    const slow = setTimeout(() => this.#tellSlow(generation), this.#slowCheckMs).unref();
    try {
      const path = join(this.#folder, file);
      const before = stampOf(path);
      const found = await hashFileInBackground(path, this.#closing.signal);
      // Only now, when it is in memory: opening it here before would let everybody wait for a slow disk.
      const { stamp } = readHead(path);
      if (stamp !== before) return;
      if (sha256 !== undefined && found !== sha256) throw wrongChecksum();
      rememberChecked(this.#folder, file, stamp, found);
      this.#checkProblem = null;
      this.refresh();
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      const open = this.#current;
      if (open?.generation.file !== file) this.#refuse(error as Error, generation, pointer);
      else if (error instanceof UnusableFileError) this.#lose(open, error.message);
      else {
        this.#checkProblem = `the file of the catalog of ${generation.created_at} cannot be checked: ${describeSystemError(error)}`;
        this.#onProblem(new Error(this.#checkProblem));
      }
    } finally {
      clearTimeout(slow);
      this.#checking = false;
    }
  }

  #tellSlow({ file, created_at }: Generation): void {
    const open = this.#current?.generation.file;
    const text = `the file of the catalog of ${created_at} is slow to read`;
    if (open !== file) return this.#tell(new Error(open === undefined ? text : `${text}: ${this.#whatAnswers()}`));
    this.#checkProblem = text;
    this.#onProblem(new Error(text));
  }

  /** SQLite could not read. Where it says "damaged" of a file whose checksum is right, that was so from the start: put aside. */
  #readFailed(catalog: Catalog, error: Error): void {
    if (catalog !== this.#current) return;
    this.#lose(catalog, faultOf(error));
    if (!isSqliteDamage(error)) return;
    try {
      setAside(this.#folder, catalog.generation.file);
    } catch (failure) {
      this.#tell(failure as Error);
    }
  }

  /** The open catalog answers no more. */
  #lose(catalog: Catalog, how: string): void {
    this.#retire(catalog);
    this.#current = null;
    this.#seen = '';
    this.#refused = '';
    this.#lost = true;
    forgetChecked(this.#folder);
    this.#tell(new Error(`the catalog of ${catalog.generation.created_at} ${how}`));
    void this.#recover();
  }

  async #recover(): Promise<void> {
    if (this.#recovering || this.#closing.signal.aborted) return;
    this.#recovering = true;
    try {
      await recoverInThread(this.#folder, this.#clock());
      if (!this.#closing.signal.aborted) this.refresh();
    } catch (error) {
      this.#tell(error as Error);
    } finally {
      this.#recovering = false;
    }
  }

  /** Each problem once, however often it is met. */
  #tell(problem: Error): void {
    const text = describeSystemError(problem);
    if (text === this.#problem) return;
    this.#problem = text;
    this.#onProblem(problem);
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
function faultOf(error: Error): string {
  if (isSqliteDamage(error)) return 'is damaged';
  return error instanceof UnusableFileError ? error.message : `cannot be read (${describeSystemError(error)})`;
}
