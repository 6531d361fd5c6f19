import { createClient, createCluster } from '@redis/client';
import { BackendHealth } from '../backend-health.ts';
import { withTimeout } from '../with-timeout.ts';
import { type CountResult, type CountRequest, REDIS_SCRIPTS } from './redis-scripts.ts';

/** The longest that a request waits for Redis; after one timeout the next requests do not wait. */
export const REDIS_TIMEOUT_MS = 1000;
const CONNECT_TIMEOUT_MS = 1000;
const PROBE_TIMEOUT_MS = 1000;
const MAX_RECONNECT_DELAY_MS = 1000;
/** A client that fails for this long is replaced. */
const REPLACE_CLIENT_AFTER_MS = 4000;

/** Prefix of all keys of this service; every key has a TTL. */
export const KEY_PREFIX = 'sxt:';

/** The commands that are used here; each has one key, so that a cluster works too. */
export interface RedisCommands {
  count(key: string, request: CountRequest): Promise<CountResult>;
  /** Deletes the key where it holds `lockId`; false where it does not. */
  release(key: string, lockId: string): Promise<boolean>;
  /** Renews the TTL of the key where it holds `lockId`; false where it does not. */
  renew(key: string, lockId: string, ttlMs: number): Promise<boolean>;
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
  /** Name in `/v1/status` while it is down. */
  name?: BackendHealth['name'];
  timeoutMs?: number;
}

/** Connection to Redis or Valkey; it reconnects in the background. */
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

  /** Rejects with `BackendUnavailableError` where Redis is down, late, full or read-only. */
  run<T>(work: (commands: RedisCommands) => Promise<T>): Promise<T> {
    return this.health.attempt(() => work(this.#client));
  }

  close(): void {
    this.health.close();
    destroyClient(this.#client);
  }

  /** Writes, because a read-only Redis cannot be used. */
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
  // Each command reports its own failure.
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
  return createClient({ ...CLIENT_OPTIONS, url: address.href, scripts: REDIS_SCRIPTS, socket: SOCKET_OPTIONS });
}

/** Credentials and TLS of the first address hold for all nodes, also for those that the cluster reports. */
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
    scripts: REDIS_SCRIPTS,
  });
}

function destroyClient(client: RedisClient): void {
  try {
    client.destroy();
  } catch {
    // It was closed already.
  }
}
