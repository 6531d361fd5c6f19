import { join } from 'node:path';
import { CatalogHandle } from '../catalog/handle.ts';
import type { Config } from '../config.ts';
import { FEEDS } from '../feeds/list.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Net, NetOptions } from '../net/net.ts';
import { openNet } from '../net/open-net.ts';
import { dataAgeSeconds } from '../engine/evidence.ts';
import { RenderedAnswers } from '../engine/response-cache.ts';
import type { Services } from '../engine/runner.ts';
import { Asker } from '../sources/asker.ts';
import { RecentMemory } from '../sources/memory.ts';
import { LIVE_SOURCES } from '../sources/registry.ts';
import type { SharedAnswers } from '../sources/shared-answers.ts';
import { VERSION } from '../version.ts';

/** Ids of feeds and sources whose address can be configured: what has none asks each target itself. */
export const SOURCE_IDS: readonly string[] = [
  ...FEEDS.map(({ id }) => id),
  ...LIVE_SOURCES.filter(({ address, takesAddress }) => address !== null || takesAddress === true).map(({ id }) => id),
];

export function catalogFolder(config: Config): string {
  return join(config.dataDir, 'catalog');
}

/** What replicas share of this, and which of the engines for it are away. */
interface Shared {
  readonly answers: SharedAnswers | null;
  degraded(): string[];
  throttle(host: string): Promise<void>;
}

/** Where outgoing traffic goes, by configuration. The caller closes it. */
export function netOf(config: Config): Net {
  return openNet(netOptionsOf(config));
}

export function netOptionsOf({ dnsServers, allowPrivateTargets, proxy, extraCa }: Config): NetOptions {
  return { dnsServers, allowedPrivate: allowPrivateTargets, proxy, extraCa };
}

interface Given {
  net: Net;
  onProblem: (problem: Error) => void;
  shared: Shared;
  metrics?: Metrics | null;
}

/** Puts together what stands behind the operations. The caller closes `catalog`. */
export function createServices(config: Config, given: Given): Services {
  const { net, onProblem, shared, metrics = null } = given;
  const now = (): Date => new Date();
  const keys = new Map([
    ['SEXTANT_GITHUB_TOKEN', config.githubToken],
    ['SEXTANT_ABUSECH_KEY', config.abusechKey],
    ['SEXTANT_ABUSEIPDB_KEY', config.abuseipdbKey],
    ['SEXTANT_SHODAN_KEY', config.shodanKey],
  ]);
  const asker = new Asker(
    net,
    {
      addressOf: ({ id }) => config.sourceUrls.get(id) ?? null,
      keyOf: ({ key }) => (key === null ? null : (keys.get(key.variable) ?? null)),
    },
    now,
    { shared: shared.answers, observer: metrics, throttle: (host) => shared.throttle(host) },
  );
  const catalog = new CatalogHandle(catalogFolder(config), onProblem);
  const rendered = new RenderedAnswers();
  metrics?.read({ feeds: () => feedReadings(catalog, now()), rendered, away: () => shared.degraded() });
  return {
    catalog,
    ask: (source, question, signal) => asker.ask(source, question, signal),
    rendered,
    now,
    memory: new RecentMemory(shared.answers, now),
    health: {
      version: VERSION,
      startedAt: now(),
      degraded: () => shared.degraded(),
      catalogProblem: () => catalog.problem,
      source: (policy) => ({
        ...asker.health(policy),
        configured: policy.key?.needed !== true || keys.get(policy.key.variable) != null,
      }),
    },
  };
}

function feedReadings(catalog: CatalogHandle, now: Date) {
  return Object.entries(catalog.current?.generation.sources ?? {}).map(([source, state]) => ({
    source,
    records: state.records,
    ageSeconds: dataAgeSeconds(state, now),
  }));
}
