import { createClient, createCluster } from '@redis/client';
import { BackendHealth } from '../backend-health.ts';
import { withTimeout } from '../with-timeout.ts';
import { type CountResult, type CountRequest, SCRIPTS } from './redis-scripts.ts';

/** The longest that a request waits for Redis: those under way when it stops answering; the next ones do not wait. */
export const REDIS_TIMEOUT_MS = 1000;
const CONNECT_TIMEOUT_MS = 1000;
const PROBE_TIMEOUT_MS = 1000;
const MAX_RECONNECT_DELAY_MS = 1000;
/** A connection over which nothing comes for so long is given up for a new one. */
const REPLACE_CLIENT_AFTER_MS = 4000;

/** Everything of ours begins with it; every key has a time to live. */
export const KEY_PREFIX = 'sxt:';

/** As much of Redis as is used here; one key at a time, so that a cluster will do. */
export interface RedisCommands {
  count(key: string, request: CountRequest): Promise<CountResult>;
  /** Deletes the key where it holds `token`; false where it does not. */
  release(key: string, token: string): Promise<boolean>;
  /** Gives the key a new time to live where it holds `token`; false where it does not. */
  renew(key: string, token: string, ttlMs: number): Promise<boolean>;
  get(key: string): Promise<string | null>;
  exists(key: string): Promise<number>;
  set(key: string, value: string, options: { PX: number; NX?: true }): Promise<string | null>;
}

interface RedisClient extends RedisCommands {
  connect(): Promise<unknown>;
  destroy(): void;
  on(event: 'error', listener: () => void): unknown;
}

export interface RedisConnectionOptions {
  /** `redis://` or `rediss://`; several with commas between them, or one with `?cluster=true`: nodes of a cluster. */
  url: string;
  onProblem: (problem: Error) => void;
  /** What it is called where it is said to be away. */
  name?: BackendHealth['name'];
  timeoutMs?: number;
}

/** The connection to Redis or Valkey, which comes and goes without anybody waiting for it. */
export class RedisConnection {
  readonly health: BackendHealth;
  readonly #url: string;
  #client: RedisClient;
  #failingSinceMs: number | null = null;

  constructor({ url, onProblem, name = 'redis', timeoutMs = REDIS_TIMEOUT_MS }: RedisConnectionOptions) {
    this.#url = url;
    this.#client = createRedisClient(url);
    this.health = new BackendHealth({ name, timeoutMs, probe: () => this.#probe(), onProblem });
  }

  /** Rejects with `EngineAwayError` when Redis is away, does not answer in time, or cannot do it (full, read-only). */
  run<T>(work: (commands: RedisCommands) => Promise<T>): Promise<T> {
    return this.health.attempt(() => work(this.#client));
  }

  close(): void {
    this.health.close();
    destroyClient(this.#client);
  }

  /** Writes, because a Redis that only reads is of no use here. */
  async #probe(): Promise<void> {
    try {
      await withTimeout(PROBE_TIMEOUT_MS, this.#client.set(`${KEY_PREFIX}probe`, '1', { PX: PROBE_TIMEOUT_MS }));
      this.#failingSinceMs = null;
    } catch (error) {
      this.#failingSinceMs ??= performance.now();
      if (performance.now() - this.#failingSinceMs > REPLACE_CLIENT_AFTER_MS) {
        destroyClient(this.#client);
        this.#client = createRedisClient(this.#url);
        this.#failingSinceMs = null;
      }
      throw error;
    }
  }
}

function createRedisClient(urls: string): RedisClient {
  const addresses = urls.split(',').map((url) => new URL(url.trim()));
  const [first] = addresses as [URL];
  const isCluster = addresses.length > 1 || first.searchParams.get('cluster') === 'true';
  for (const address of addresses) address.search = '';
  const client = (isCluster ? createClusterClient(addresses) : createSingleClient(first)) as unknown as RedisClient;
  // Each command tells its own failure.
  client.on('error', () => {});
  client.connect().catch(() => {});
  return client;
}

const SOCKET_OPTIONS = {
  connectTimeout: CONNECT_TIMEOUT_MS,
  reconnectStrategy: (attempts: number) => Math.min(MAX_RECONNECT_DELAY_MS, 50 * 2 ** attempts),
};
const CLIENT_OPTIONS = { disableOfflineQueue: true, disableClientInfo: true, maintNotifications: 'disabled' } as const;

function createSingleClient(address: URL) {
  return createClient({ ...CLIENT_OPTIONS, url: address.href, scripts: SCRIPTS, socket: SOCKET_OPTIONS });
}

/** Login and TLS of the first address hold for all nodes, also for those that the cluster tells of. */
function createClusterClient(addresses: readonly URL[]) {
  const [{ username, password, protocol }] = addresses as readonly [URL];
  return createCluster({
    rootNodes: addresses.map(({ href }) => ({ url: href })),
    defaults: {
      ...CLIENT_OPTIONS,
      ...(username === '' ? {} : { username: decodeURIComponent(username) }),
      ...(password === '' ? {} : { password: decodeURIComponent(password) }),
      socket: protocol === 'rediss:' ? { ...SOCKET_OPTIONS, tls: true } : SOCKET_OPTIONS,
    },
    scripts: SCRIPTS,
  });
}

function destroyClient(client: RedisClient): void {
  try {
    client.destroy();
  } catch {
    // It was closed already.
  }
}
