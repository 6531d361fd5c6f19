import { join } from 'node:path';
import { CatalogHandle } from '../catalog/catalog-handle.ts';
import { apiKeyOf, type Config } from '../config.ts';
import { FEED_PROPERTIES } from '../feeds/feed-properties.computed.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { NetworkClient, NetworkClientOptions } from '../net/network-client.ts';
import { openNetworkClient } from '../net/open-network-client.ts';
import { dataAgeSeconds } from '../engine/feed-age.ts';
import { ResponseCache } from '../engine/response-cache.ts';
import type { RunnerDeps } from '../engine/runner.ts';
import { SourceClient } from '../sources/source-client.ts';
import { SharedOrLocalStore } from '../sources/expiring-store.ts';
import { LIVE_SOURCE_POLICIES } from '../sources/registry.ts';
import type { SourcePolicy } from '../sources/source.ts';
import type { SharedAnswerCache } from '../sources/shared-answer-cache.ts';
import { VERSION } from '../version.ts';

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
  metrics?: Metrics | null;
}

/** Builds what the runner needs. The caller closes `catalog`. */
export function createRunnerDeps(
  config: Config,
  { net, onProblem, backends, metrics = null }: CreateRunnerDepsOptions,
): RunnerDeps {
  const now = (): Date => new Date();
  const keyOf = ({ key }: SourcePolicy): string | null => (key === null ? null : apiKeyOf(config, key.variable));
  const sourceClient = new SourceClient(
    net,
    {
      baseUrlOf: ({ id }) => config.sourceUrls.get(id) ?? null,
      keyOf,
    },
    now,
    { sharedAnswers: backends.sharedAnswers, observer: metrics, throttle: (host) => backends.throttleTarget(host) },
  );
  const catalog = new CatalogHandle(catalogFolderOf(config), onProblem);
  const responseCache = new ResponseCache();
  metrics?.registerGauges({
    feeds: () => readFeedGauges(catalog, now()),
    responseCache,
    unavailableBackends: () => backends.unavailableBackends(),
  });
  return {
    catalog,
    ask: (source, question, signal) => sourceClient.ask(source, question, signal),
    responseCache,
    now,
    memory: new SharedOrLocalStore(backends.sharedAnswers, now),
    serviceState: {
      version: VERSION,
      startedAt: now(),
      unavailableBackends: () => backends.unavailableBackends(),
      catalogProblem: () => catalog.problem,
      sourceHealth: (policy) => ({
        ...sourceClient.health(policy),
        configured: policy.key?.needed !== true || keyOf(policy) !== null,
      }),
    },
  };
}

function readFeedGauges(catalog: CatalogHandle, now: Date) {
  return Object.entries(catalog.current?.generation.sources ?? {}).map(([source, state]) => ({
    source,
    records: state.records,
    ageSeconds: dataAgeSeconds(state, now),
  }));
}
