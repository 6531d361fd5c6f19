import type { Logger } from 'pino';
import { z } from 'zod';
import { EXIT } from '../exit.ts';
import type { SyncEnd } from './sync-process.ts';
import { counted } from '../engine/summary.ts';

const Text = z.string().max(4000);
const Feed = z.string().max(100);

/** Of what a sync reports, the part that the log of a service tells. */
const Reported = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('refused'),
    feed: Feed,
    file: Text.nullable(),
    reason: Text,
    text: Text,
    unreachable: z.boolean(),
  }),
  z.object({
    type: z.literal('feed_done'),
    feed: Feed,
    result: z.enum(['loaded', 'unchanged', 'failed', 'partial']),
    records: z.number(),
  }),
  z.object({
    type: z.literal('done'),
    result: z.enum(['published', 'unchanged']),
    file: Text.nullable(),
    seconds: z.number(),
  }),
]);
/** Reported too, of use for a progress bar only. */
const UNTOLD: ReadonlySet<unknown> = new Set(['feed', 'file', 'file_done', 'indexing']);

interface Trouble {
  texts: Set<string>;
  unreachable: boolean;
}

/** Tells of one sync in the log of a service: what was taken, and in a line or two what was not; the rest at debug level. */
export class ServiceLogReport {
  readonly #logger: Logger;
  readonly #onPublished: () => void;
  readonly #nextTry: Date;
  readonly #troubles = new Map<string, Trouble>();
  #isDone = false;
  #unreadable = 0;

  /** `onPublished`: the catalog may have changed. `nextTry`: when the next sync starts. */
  constructor(logger: Logger, onPublished: () => void, nextTry: Date) {
    this.#logger = logger;
    this.#onPublished = onPublished;
    this.#nextTry = nextTry;
  }

  /** What came from the sync process. */
  message(message: unknown): void {
    const read = Reported.safeParse(message);
    if (!read.success) {
      if (!UNTOLD.has((message as { type?: unknown } | null)?.type)) this.#unreadable++;
      return;
    }
    const event = read.data;
    if (event.type === 'refused') {
      this.#logger.debug(event, 'sync: refused');
      const trouble = this.#troubles.get(event.feed) ?? { texts: new Set(), unreachable: true };
      trouble.unreachable &&= event.unreachable;
      trouble.texts.add(event.text);
      this.#troubles.set(event.feed, trouble);
    } else if (event.type === 'feed_done') {
      const isNew = event.result === 'loaded' || event.result === 'partial';
      this.#logger[isNew ? 'info' : 'debug'](event, 'sync: feed');
    } else {
      this.#isDone = true;
      this.#logger[event.result === 'published' ? 'info' : 'debug'](event, 'sync: done');
      this.#onPublished();
    }
  }

  /** The process is over. */
  end(end: SyncEnd): void {
    const next_try_at = this.#nextTry.toISOString();
    if (this.#unreadable > 0) this.#logger.warn({ reports: this.#unreadable }, 'sync: reports that cannot be read');
    this.#tellTroubles(next_try_at);
    if (end.how === 'not_started') {
      this.#logger.error({ err: end.error, next_try_at }, 'sync cannot be started');
    } else if (end.how === 'lost') {
      this.#logger.error({ next_try_at }, 'sync does not end and cannot be killed');
    } else if (end.code === EXIT.busy.status) {
      this.#logger.info({ next_try_at }, 'sync: another process syncs this data folder');
    } else if (end.code !== EXIT.ok.status && !this.#isDone) {
      this.#logger.warn({ code: end.code, signal: end.signal, next_try_at }, 'sync ended before it was done');
    }
  }

  #tellTroubles(next_try_at: string): void {
    const troubles = [...this.#troubles];
    const away = troubles.filter(([, { unreachable }]) => unreachable);
    if (away.length > 0) {
      const feeds = away.map(([feed]) => feed);
      const why = [...new Set(away.flatMap(([, { texts }]) => [...texts]))].join('; ');
      this.#logger.warn({ feeds, why, next_try_at }, `${counted(feeds.length, 'feed')} could not be reached`);
    }
    const refused = troubles.filter(([, { unreachable }]) => !unreachable);
    if (refused.length > 0) {
      const feeds = Object.fromEntries(refused.map(([feed, { texts }]) => [feed, [...texts].slice(0, 3)]));
      const what = `${counted(refused.length, 'feed')} could not be taken, or not whole`;
      this.#logger.warn({ feeds, next_try_at }, what);
    }
  }
}
