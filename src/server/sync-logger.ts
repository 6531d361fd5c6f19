import type { Logger } from 'pino';
import { z } from 'zod';
import { EXIT_CODES } from '../exit-codes.ts';
import type { SyncExit } from './sync-process.ts';
import { formatCount } from '../engine/summary.ts';

const LogText = z.string().max(4000);
const FeedName = z.string().max(100);

/** Messages of the sync process that are logged. */
const SyncMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('refused'),
    feed: FeedName,
    file: LogText.nullable(),
    reason: LogText,
    text: LogText,
    unreachable: z.boolean(),
  }),
  z.object({
    type: z.literal('feed_done'),
    feed: FeedName,
    result: z.enum(['loaded', 'unchanged', 'failed', 'partial']),
    records: z.number(),
  }),
  /** Of `sextant catalog update`. */
  z.object({ type: z.literal('follow_failed'), kind: z.enum(['refused', 'frozen', 'failed']), text: LogText }),
  z.object({
    type: z.literal('done'),
    result: z.enum(['published', 'unchanged']),
    file: LogText.nullable(),
    seconds: z.number(),
  }),
]);
/** Other messages, for progress bars only. */
const UNLOGGED_TYPES: ReadonlySet<unknown> = new Set(['feed', 'file', 'file_done', 'indexing']);

const FOLLOW_MESSAGES = {
  refused: 'the published catalog was refused: the one before answers',
  frozen: 'the published catalog is too old: the one before answers',
  failed: 'the published catalog could not be read: the one before answers',
};

interface FeedProblems {
  texts: Set<string>;
  isUnreachable: boolean;
}

/** Logs one sync: what was loaded, and in one or two lines what was not; details at debug level. */
export class SyncLogger {
  readonly #logger: Logger;
  readonly #onPublished: () => void;
  readonly #nextSyncAt: Date;
  readonly #problemsByFeed = new Map<string, FeedProblems>();
  #isDone = false;
  #unreadableMessages = 0;

  /** `onPublished` is called when the catalog may have changed. */
  constructor(logger: Logger, onPublished: () => void, nextSyncAt: Date) {
    this.#logger = logger;
    this.#onPublished = onPublished;
    this.#nextSyncAt = nextSyncAt;
  }

  /** Handles a message of the sync process. */
  onMessage(message: unknown): void {
    const read = SyncMessage.safeParse(message);
    if (!read.success) {
      if (!UNLOGGED_TYPES.has((message as { type?: unknown } | null)?.type)) this.#unreadableMessages++;
      return;
    }
    const event = read.data;
    if (event.type === 'refused') {
      this.#logger.debug(event, 'sync: refused');
      const problems = this.#problemsByFeed.get(event.feed) ?? { texts: new Set(), isUnreachable: true };
      problems.isUnreachable &&= event.unreachable;
      problems.texts.add(event.text);
      this.#problemsByFeed.set(event.feed, problems);
    } else if (event.type === 'follow_failed') {
      this.#isDone = true;
      const next_try_at = this.#nextSyncAt.toISOString();
      this.#logger.warn({ why: event.text, next_try_at }, FOLLOW_MESSAGES[event.kind]);
      this.#onPublished();
    } else if (event.type === 'feed_done') {
      const isNew = event.result === 'loaded' || event.result === 'partial';
      this.#logger[isNew ? 'info' : 'debug'](event, 'sync: feed');
    } else {
      this.#isDone = true;
      this.#logger[event.result === 'published' ? 'info' : 'debug'](event, 'sync: done');
      this.#onPublished();
    }
  }

  /** Logs how the process ended. */
  onEnd(end: SyncExit): void {
    const next_try_at = this.#nextSyncAt.toISOString();
    if (this.#unreadableMessages > 0)
      this.#logger.warn({ reports: this.#unreadableMessages }, 'sync: reports that cannot be read');
    this.#logProblems(next_try_at);
    if (end.kind === 'not_started') {
      this.#logger.error({ err: end.error, next_try_at }, 'sync cannot be started');
    } else if (end.kind === 'lost') {
      this.#logger.error({ next_try_at }, 'sync does not end and cannot be killed');
    } else if (end.code === EXIT_CODES.busy.status) {
      this.#logger.info({ next_try_at }, 'sync: another process syncs this data folder');
    } else if (end.code !== EXIT_CODES.ok.status && !this.#isDone) {
      this.#logger.warn({ code: end.code, signal: end.signal, next_try_at }, 'sync ended before it was done');
    }
  }

  #logProblems(next_try_at: string): void {
    const problems = [...this.#problemsByFeed];
    const unreachable = problems.filter(([, { isUnreachable }]) => isUnreachable);
    if (unreachable.length > 0) {
      const feeds = unreachable.map(([feed]) => feed);
      const reasons = [...new Set(unreachable.flatMap(([, { texts }]) => [...texts]))].join('; ');
      this.#logger.warn(
        { feeds, why: reasons, next_try_at },
        `${formatCount(feeds.length, 'feed')} could not be reached`,
      );
    }
    const refused = problems.filter(([, { isUnreachable }]) => !isUnreachable);
    if (refused.length > 0) {
      const feeds = Object.fromEntries(refused.map(([feed, { texts }]) => [feed, [...texts].slice(0, 3)]));
      const what = `${formatCount(refused.length, 'feed')} could not be taken, or not whole`;
      this.#logger.warn({ feeds, next_try_at }, what);
    }
  }
}
