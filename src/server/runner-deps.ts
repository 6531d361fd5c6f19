import { join } from 'node:path';
import { CatalogHandle } from '../catalog/catalog-handle.ts';
import { followStatus, type FollowStatus } from '../catalog/published/follow-state.ts';
import { apiKeyOf, type Config } from '../config.ts';
import { withoutSecretParts } from '../settings.ts';
import { FEED_PROPERTIES } from '../feeds/feed-properties.computed.ts';
import type { GaugeReaders } from '../metrics/metrics.ts';
import type { NetworkClient, NetworkClientOptions } from '../net/network-client.ts';
import { openNetworkClient } from '../net/open-network-client.ts';
import { dataAgeSeconds } from '../engine/feed-age.ts';
import { ResponseCache } from '../engine/response-cache.ts';
import type { RunnerDeps } from '../engine/runner.ts';
import { SourceClient } from '../sources/source-client.ts';
import { SharedOrLocalStore } from '../sources/expiring-store.ts';
import { LIVE_SOURCE_POLICIES } from '../sources/registry.ts';
import type { SourceHealth, SourceObserver } from '../sources/source-requester.ts';
import type { SourcePolicy } from '../sources/source.ts';
import type { SharedAnswerCache } from '../sources/shared-answer-cache.ts';
import { VERSION } from '../version.ts';
import type { LiveRunner } from './live-runner.ts';

/** Ids of feeds and sources whose address can be configured. Other sources have no address: they ask each target itself. */
export const CONFIGURABLE_SOURCE_IDS: readonly string[] = [
  ...FEED_PROPERTIES.map(({ id }) => id),
  ...LIVE_SOURCE_POLICIES.filter(({ baseUrl, allowsBaseUrl }) => baseUrl !== null || allowsBaseUrl === true).map(
    ({ id }) => id,
  ),
];

export function catalogFolderOf(config: Config): string {
  return join(config.dataDir, 'catalog');
}

/** Parts that replicas share. */
interface SharedBackends {
  readonly sharedAnswers: SharedAnswerCache | null;
  unavailableBackends(): string[];
  throttleTarget(host: string): Promise<void>;
}

/** The outgoing network as configured. The caller closes it. */
export function openConfiguredNet(config: Config): NetworkClient {
  return openNetworkClient(netOptionsOf(config));
}

export function netOptionsOf({ dnsServers, allowPrivateTargets, proxy, extraCa }: Config): NetworkClientOptions {
  return { dnsServers, allowedPrivate: allowPrivateTargets, proxy, extraCa };
}

interface CreateRunnerDepsOptions {
  net: NetworkClient;
  onProblem: (problem: Error) => void;
  backends: SharedBackends;
  observer?: SourceObserver | null;
}

/** Builds what the runner needs to ask sources in this process. The caller closes `catalog`. */
export function createRunnerDeps(
  config: Config,
  { net, onProblem, backends, observer = null }: CreateRunnerDepsOptions,
): RunnerDeps {
  const now = (): Date => new Date();
  const sourceClient = new SourceClient(
    net,
    {
      baseUrlOf: ({ id }) => config.sourceUrls.get(id) ?? null,
      keyOf: (policy) => sourceKeyOf(config, policy),
    },
    now,
    { sharedAnswers: backends.sharedAnswers, observer, throttle: (host) => backends.throttleTarget(host) },
  );
  return {
    ...createCommonDeps(config, { onProblem, backends, healthOf: (policy) => sourceClient.health(policy) }),
    ask: (source, question, signal) => sourceClient.ask(source, question, signal),
  };
}

interface CreateForwardingDepsOptions {
  live: LiveRunner;
  onProblem: (problem: Error) => void;
  backends: SharedBackends;
}

/** Builds what the runner needs where another process asks sources. The caller closes `catalog`, and stops `live`. */
export function createForwardingDeps(
  config: Config,
  { live, onProblem, backends }: CreateForwardingDepsOptions,
): RunnerDeps {
  return {
    ...createCommonDeps(config, { onProblem, backends, healthOf: ({ id }) => live.health(id) }),
    // `asksOutside` in src/engine/operation.ts does not know it.
    ask: ({ policy }) =>
      Promise.reject(new Error(`${policy.id} is asked by an operation that is not run in the live process`)),
    forwarder: live,
  };
}

interface CommonDepsOptions {
  onProblem: (problem: Error) => void;
  backends: SharedBackends;
  healthOf: (policy: SourcePolicy) => SourceHealth;
}

function createCommonDeps(
  config: Config,
  { onProblem, backends, healthOf }: CommonDepsOptions,
): Omit<RunnerDeps, 'ask'> {
  const now = (): Date => new Date();
  const catalog = new CatalogHandle(catalogFolderOf(config), onProblem);
  return {
    catalog,
    responseCache: new ResponseCache(),
    now,
    memory: new SharedOrLocalStore(backends.sharedAnswers, now),
    serviceState: {
      version: VERSION,
      startedAt: now(),
      unavailableBackends: () => backends.unavailableBackends(),
      catalogProblem: () => catalog.problem,
      followedCatalog: () => followedCatalogOf(config, now()),
      sourceHealth: (policy) => ({
        ...healthOf(policy),
        configured: policy.key?.needed !== true || sourceKeyOf(config, policy) !== null,
      }),
    },
  };
}

/** How the published catalog is followed that is configured; null: none is. */
function followedCatalogOf(config: Config, now: Date): FollowStatus | null {
  const { catalogFrom } = config;
  return catalogFrom === null ? null : followStatus(catalogFolderOf(config), shownAddressOf(catalogFrom), now);
}

/** An address without credentials and query; a folder without its place on this machine. */
export function shownAddressOf(address: string): string {
  return address.startsWith('file:') ? 'a folder' : withoutSecretParts(address);
}

function sourceKeyOf(config: Config, { key }: SourcePolicy): string | null {
  return key === null ? null : apiKeyOf(config, key.variable);
}

/** The values that are read at each scrape. */
export function gaugeReadersOf({ catalog, responseCache, serviceState, now }: RunnerDeps): GaugeReaders {
  return {
    feeds: () => readFeedGauges(catalog, now()),
    responseCache,
    unavailableBackends: () => serviceState.unavailableBackends(),
  };
}

function readFeedGauges(catalog: CatalogHandle, now: Date) {
  return Object.entries(catalog.current?.generation.sources ?? {}).map(([source, state]) => ({
    source,
    records: state.records,
    ageSeconds: dataAgeSeconds(state, now),
  }));
}
