import { availableParallelism } from 'node:os';
import type { CveFacts } from '../../analysis/cve/cve-facts.ts';
import type { FeedFile, FeedId, ParseReporter, RecordParser, RecordText } from '../../feeds/feed.ts';
import { entryModuleUrl } from '../../program-files.ts';
import { ThreadPool } from '../../threads/thread-pool.ts';
import { packTexts, type ParsedRows, RECORD_TASKS, rowParser } from './record-tasks.ts';

/** This thread unpacks and writes meanwhile, a fifth of the work. */
const MAX_THREADS = Math.min(4, availableParallelism());
/** Texts of so many bytes go to a thread together. */
const BATCH_BYTES = 512 * 1024;
/** What a file begins with is read here: for a short one no thread pays. */
const INLINE_BYTES = 2 * 1024 * 1024;
/** Of one thread. A batch needs a few MiB; a larger young generation only grows. */
const HEAP_LIMITS = { heapMb: 256, youngGenerationMb: 8 };
const BATCH_TIMEOUT_MS = 60_000;

/** Parses the records of feed files in threads, which start with the first large file. `close` ends them. */
export class RecordThreads {
  #pool: ThreadPool | null = null;

  /** The rows of the records in the order of the file; skipped records are reported. */
  async *parse(
    feed: FeedId,
    parser: RecordParser<CveFacts>,
    bytes: AsyncIterable<Uint8Array>,
    file: FeedFile,
    reporter: ParseReporter,
  ): AsyncIterable<Pick<ParsedRows, 'batch' | 'entries'>> {
    const parseHere = rowParser(parser);
    const pending: Promise<ParsedRows>[] = [];
    let bytesBefore = 0;
    for await (const texts of inBatches(parser.split(bytes, file, reporter))) {
      bytesBefore += texts.reduce((sum, { json }) => sum + json.length, 0);
      pending.push(
        this.#pool === null && bytesBefore <= INLINE_BYTES ? Promise.resolve(parseHere(texts)) : this.#run(feed, texts),
      );
      if (pending.length > MAX_THREADS) yield report(await pending.shift()!, reporter);
    }
    for (const rows of pending) yield report(await rows, reporter);
  }

  async close(): Promise<void> {
    await this.#pool?.close();
    this.#pool = null;
  }

  #run(feed: FeedId, texts: RecordText[]): Promise<ParsedRows> {
    if (!(feed in RECORD_TASKS)) throw new Error(`no thread reads the records of ${feed}`);
    this.#pool ??= new ThreadPool({
      entry: entryModuleUrl('catalog/sync/record-thread.ts'),
      maxThreads: MAX_THREADS,
      maxQueued: MAX_THREADS + 1,
      idleMs: BATCH_TIMEOUT_MS,
      ...HEAP_LIMITS,
    });
    const { packed, transfer } = packTexts(texts);
    const rows = this.#pool.run(
      { task: feed, input: packed },
      { timeoutMs: BATCH_TIMEOUT_MS, transfer },
    ) as Promise<ParsedRows>;
    // Awaited in its turn; where the file fails before, nobody asks for it.
    rows.catch(() => {});
    return rows;
  }
}

function report({ skips, ...parsed }: ParsedRows, reporter: ParseReporter): Pick<ParsedRows, 'batch' | 'entries'> {
  for (const [what, why] of skips) reporter.skip(what, why);
  return parsed;
}

async function* inBatches(parts: AsyncIterable<RecordText[]>): AsyncIterable<RecordText[]> {
  let batch: RecordText[] = [];
  let bytes = 0;
  for await (const texts of parts) {
    for (const text of texts) {
      batch.push(text);
      bytes += text.json.length;
    }
    if (bytes < BATCH_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  yield batch;
}
