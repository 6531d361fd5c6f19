import { createClient, createCluster } from '@redis/client';
import { Presence } from '../presence.ts';
import { within } from '../within.ts';
import { type Counted, type CountRequest, SCRIPTS } from './scripts.ts';

/** The longest that a request waits for Redis: those under way when it stops answering; the next ones do not wait. */
export const REDIS_WITHIN_MS = 1000;
const CONNECT_WITHIN_MS = 1000;
const PROBE_WITHIN_MS = 1000;
const LONGEST_PAUSE_MS = 1000;
/** A connection over which nothing comes for so long is given up for a new one. */
const RENEW_AFTER_MS = 4000;

/** Everything of ours begins with it; every key has a time to live. */
export const PREFIX = 'sxt:';

/** As much of Redis as is used here; one key at a time, so that a cluster will do. */
export interface RedisCommands {
  count(key: string, request: CountRequest): Promise<Counted>;
  /** Deletes the key where it holds `token`; false where it does not. */
  release(key: string, token: string): Promise<boolean>;
  /** Gives the key a new time to live where it holds `token`; false where it does not. */
  renew(key: string, token: string, ttlMs: number): Promise<boolean>;
  get(key: string): Promise<string | null>;
  exists(key: string): Promise<number>;
  set(key: string, value: string, options: { PX: number; NX?: true }): Promise<string | null>;
}

interface Client extends RedisCommands {
  connect(): Promise<unknown>;
  destroy(): void;
  on(event: 'error', listener: () => void): unknown;
}

export interface LinkOptions {
  /** `redis://` or `rediss://`; several with commas between them, or one with `?cluster=true`: nodes of a cluster. */
  url: string;
  onProblem: (problem: Error) => void;
  /** What it is called where it is said to be away. */
  name?: Presence['name'];
  withinMs?: number;
}

/** The connection to Redis or Valkey, which comes and goes without anybody waiting for it. */
export class RedisLink {
  readonly presence: Presence;
  readonly #url: string;
  #client: Client;
  #failingSince: number | null = null;

  constructor({ url, onProblem, name = 'redis', withinMs = REDIS_WITHIN_MS }: LinkOptions) {
    this.#url = url;
    this.#client = open(url);
    this.presence = new Presence({ name, withinMs, probe: () => this.#probe(), onProblem });
  }

  /** Rejects with `EngineAwayError` when Redis is away, does not answer in time, or cannot do it (full, read-only). */
  run<T>(work: (commands: RedisCommands) => Promise<T>): Promise<T> {
    return this.presence.attempt(() => work(this.#client));
  }

  close(): void {
    this.presence.close();
    end(this.#client);
  }

  /** Writes, because a Redis that only reads is of no use here. */
  async #probe(): Promise<void> {
    try {
      await within(PROBE_WITHIN_MS, this.#client.set(`${PREFIX}probe`, '1', { PX: PROBE_WITHIN_MS }));
      this.#failingSince = null;
    } catch (error) {
      this.#failingSince ??= performance.now();
      if (performance.now() - this.#failingSince > RENEW_AFTER_MS) {
        end(this.#client);
        this.#client = open(this.#url);
        this.#failingSince = null;
      }
      throw error;
    }
  }
}

function open(urls: string): Client {
  const addresses = urls.split(',').map((url) => new URL(url.trim()));
  const [first] = addresses as [URL];
  const isCluster = addresses.length > 1 || first.searchParams.get('cluster') === 'true';
  for (const address of addresses) address.search = '';
  const client = (isCluster ? clusterOf(addresses) : clientOf(first)) as unknown as Client;
  // Each command tells its own failure.
  client.on('error', () => {});
  client.connect().catch(() => {});
  return client;
}

const SOCKET = {
  connectTimeout: CONNECT_WITHIN_MS,
  reconnectStrategy: (attempts: number) => Math.min(LONGEST_PAUSE_MS, 50 * 2 ** attempts),
};
const OPTIONS = { disableOfflineQueue: true, disableClientInfo: true, maintNotifications: 'disabled' } as const;

function clientOf(address: URL) {
  return createClient({ ...OPTIONS, url: address.href, scripts: SCRIPTS, socket: SOCKET });
}

/** Login and TLS of the first address hold for all nodes, also for those that the cluster tells of. */
function clusterOf(addresses: readonly URL[]) {
  const [{ username, password, protocol }] = addresses as readonly [URL];
  return createCluster({
    rootNodes: addresses.map(({ href }) => ({ url: href })),
    defaults: {
      ...OPTIONS,
      ...(username === '' ? {} : { username: decodeURIComponent(username) }),
      ...(password === '' ? {} : { password: decodeURIComponent(password) }),
      socket: protocol === 'rediss:' ? { ...SOCKET, tls: true } : SOCKET,
    },
    scripts: SCRIPTS,
  });
}

function end(client: Client): void {
  try {
    client.destroy();
  } catch {
    // It was closed already.
  }
}
