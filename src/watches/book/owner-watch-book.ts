import { setTimeout as pause } from 'node:timers/promises';
import type {
  ChannelSecrets,
  DeliveryState,
  EventPage,
  GivenChannel,
  GivenWatch,
  Watch,
  WatchBook,
  WatchDelivery,
  WatchPatch,
} from '../../engine/watch-book.ts';
import { validationError } from '../../engine/input/parse-input.ts';
import { ApiError, notReadyError } from '../../errors.ts';
import type { WatchContent } from '../store/owner-store.ts';
import { newChannelId, newWatchId, newWebhookSecret } from '../store/watch-ids.ts';
import type { StoredChannel } from '../store/stored-channel.ts';
import type { WatchStore } from '../store/create-watch-store.ts';
import { checkWatch, type ReceiverRules } from './check-watch.ts';
import { MAX_WATCHES, ROTATION_MS } from './watch-limits.ts';

/** How long a call waits for what the watch process does. */
const TEST_WAIT_MS = 12_000;
const REPLAY_WAIT_MS = 15_000;
const POLL_INTERVAL_MS = 250;

interface BookDeps {
  store: WatchStore;
  rules: ReceiverRules;
  now: () => Date;
}

/** The watches of one owner. */
export class OwnerWatchBook implements WatchBook {
  readonly #owner: string;
  readonly #store: WatchStore;
  readonly #rules: ReceiverRules;
  readonly #now: () => Date;

  constructor(owner: string, { store, rules, now }: BookDeps) {
    this.#owner = owner;
    this.#store = store;
    this.#rules = rules;
    this.#now = now;
  }

  list(): Promise<Watch[]> {
    return this.#run(() => this.#store.owners.list(this.#owner));
  }

  get(id: string): Promise<Watch> {
    return this.#run(() => this.#require(id));
  }

  async create(given: GivenWatch): Promise<{ watch: Watch; secrets: ChannelSecrets }> {
    checkWatch(given, this.#rules);
    const { channels, secrets } = toStoredChannels(given.channels, []);
    const { name, subject, conditions, schedule } = given;
    const id = newWatchId();
    const content: WatchContent = { id, name, subject, conditions, schedule, channels, isPaused: false, mute: null };
    return this.#run(async () => {
      if (!(await this.#store.owners.add(this.#owner, content, MAX_WATCHES)))
        throw bodyError(['subject'], `you have ${MAX_WATCHES} watches, which is the most: delete one first`);
      return { watch: await this.#require(id), secrets };
    });
  }

  async update(id: string, patch: WatchPatch): Promise<{ watch: Watch; secrets: ChannelSecrets }> {
    checkWatch(patch, this.#rules);
    let secrets: ChannelSecrets = {};
    const change = (content: WatchContent): WatchContent => {
      const { channels: given = content.channels, rotateSecrets = [], ...rest } = patch;
      const stored = toStoredChannels(given, content.channels);
      const rotated = rotate(stored.channels, rotateSecrets, this.#now().getTime() + ROTATION_MS);
      secrets = { ...stored.secrets, ...rotated.secrets };
      return { ...content, ...definedFields(rest), channels: rotated.channels };
    };
    return this.#run(async () => {
      if (!(await this.#store.owners.update(this.#owner, id, change))) throw notFound(id);
      return { watch: await this.#require(id), secrets };
    });
  }

  async delete(id: string): Promise<void> {
    await this.#run(async () => {
      if (!(await this.#store.owners.delete(this.#owner, id))) throw notFound(id);
    });
  }

  deliveries(
    id: string,
    query: { state: DeliveryState | null; limit: number; offset: number },
  ): Promise<{ total: number; deliveries: WatchDelivery[] }> {
    return this.#run(async () => {
      await this.#require(id);
      return this.#store.owners.listDeliveries(id, query);
    });
  }

  events(
    id: string | null,
    { after, ...query }: { after: string | null; since: Date | null; latest?: boolean; limit: number },
  ): Promise<EventPage> {
    return this.#run(async () => {
      if (id !== null) await this.#require(id);
      return this.#store.owners.readEvents(this.#owner, id, { ...query, after: parseCursor(after) });
    });
  }

  test(id: string): Promise<WatchDelivery[]> {
    return this.#run(async () => {
      await this.#require(id);
      const ids = await this.#store.owners.addTests(this.#owner, id);
      const isDone = (tests: WatchDelivery[]): boolean => tests.every(({ state }) => state !== 'pending');
      return waitFor(() => this.#store.owners.findDeliveries(id, ids), isDone, TEST_WAIT_MS);
    });
  }

  replay(
    id: string,
    since: Date,
    until: Date | null,
  ): Promise<{ events: number; deliveries: number; isComplete: boolean }> {
    return this.#run(async () => {
      await this.#require(id);
      const replay = await this.#store.owners.addReplay(id, since, until ?? this.#now());
      const find = () => this.#store.owners.findReplayOutcome(replay);
      const outcome = await waitFor(find, (found) => found !== null, REPLAY_WAIT_MS);
      if (outcome === null) return { events: 0, deliveries: 0, isComplete: false };
      if ('error' in outcome) throw bodyError(['since'], outcome.error);
      return { ...outcome, isComplete: true };
    });
  }

  async #require(id: string): Promise<Watch> {
    const watch = await this.#store.owners.find(this.#owner, id);
    if (watch === null) throw notFound(id);
    return watch;
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ApiError || !this.#store.isUnavailable(error)) throw error;
      throw notReadyError('Watches cannot be read at the moment.');
    }
  }
}

function bodyError(path: string[], msg: string): ApiError {
  return validationError([{ loc: ['body', ...path], msg, type: 'value_error' }]);
}

function notFound(id: string): ApiError {
  return new ApiError('not_found', `You have no watch ${id.slice(0, 40)}.`);
}

/** The number in a cursor of events; 0: from the first. */
function parseCursor(cursor: string | null): number {
  if (cursor === null) return 0;
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw validationError([
    {
      loc: ['query', 'since'],
      msg: 'no day, time or cursor of events: take next_cursor of an earlier answer',
      type: 'value_error',
    },
  ]);
}

/** New channels get ids and secrets. Throws `ApiError` 422 for the id of a channel that is not among `kept`. */
function toStoredChannels(
  given: readonly (GivenChannel | StoredChannel)[],
  kept: readonly StoredChannel[],
): { channels: StoredChannel[]; secrets: ChannelSecrets } {
  const secrets: Record<string, string> = {};
  const channels = given.map((channel): StoredChannel => {
    if ('id' in channel) {
      const found = kept.find(({ id }) => id === channel.id);
      if (found !== undefined) return found;
      throw bodyError(['channels'], `this watch has no channel ${channel.id.slice(0, 40)}`);
    }
    const id = newChannelId();
    if (channel.kind === 'email') return { id, kind: 'email', to: channel.to };
    const { url, format } = channel;
    if (format !== 'standard') return { id, kind: 'webhook', url, format };
    const secret = newWebhookSecret();
    secrets[id] = secret;
    return { id, kind: 'webhook', url, format, secret };
  });
  return { channels, secrets };
}

/** Throws `ApiError` 422 for channels that have no secret. */
function rotate(
  channels: readonly StoredChannel[],
  ids: readonly string[],
  until: number,
): { channels: StoredChannel[]; secrets: ChannelSecrets } {
  const secrets: Record<string, string> = {};
  for (const id of ids)
    if (channels.find((channel) => channel.id === id)?.secret === undefined)
      throw bodyError(
        ['rotate_secrets'],
        `channel ${id.slice(0, 40)} has no secret: only webhooks of format standard have one`,
      );
  const rotated = channels.map((channel) => {
    const { id, secret: old } = channel;
    if (!ids.includes(id) || old === undefined) return channel;
    const secret = newWebhookSecret();
    secrets[id] = secret;
    return { ...channel, secret, previousSecret: { secret: old, until } };
  });
  return { channels: rotated, secrets };
}

function definedFields<T extends object>(given: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never;
}

/** What `read` gives when it is done, or at the end of the wait. */
async function waitFor<T>(read: () => Promise<T>, isDone: (found: T) => boolean, withinMs: number): Promise<T> {
  const end = performance.now() + withinMs;
  for (;;) {
    const found = await read();
    if (isDone(found) || performance.now() > end) return found;
    await pause(POLL_INTERVAL_MS);
  }
}
