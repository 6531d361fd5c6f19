import { join } from 'node:path';
import { CatalogHandle } from './catalog/handle.ts';
import type { Config } from './config.ts';
import { FEEDS } from './feeds/list.ts';
import { RenderedAnswers } from './operations/rendered-answers.ts';
import type { Services } from './operations/runner.ts';
import { Asker } from './sources/asker.ts';
import { LIVE_SOURCES } from './sources/registry.ts';
import { VERSION } from './version.ts';

/** Ids whose address may be configured. */
export const SOURCE_IDS: readonly string[] = [...FEEDS.map(({ id }) => id), ...LIVE_SOURCES.map(({ id }) => id)];

export function catalogFolder(config: Config): string {
  return join(config.dataDir, 'catalog');
}

/** Puts together what stands behind the operations. The caller closes `catalog`. */
export function createServices(config: Config, onProblem: (problem: Error) => void): Services {
  const now = (): Date => new Date();
  const keys = new Map([['SEXTANT_GITHUB_TOKEN', config.githubToken]]);
  const asker = new Asker(
    {
      addressOf: ({ id }) => config.sourceUrls.get(id) ?? null,
      keyOf: ({ key }) => (key === null ? null : (keys.get(key.variable) ?? null)),
    },
    now,
  );
  return {
    catalog: new CatalogHandle(catalogFolder(config), onProblem),
    ask: (source, question) => asker.ask(source, question),
    rendered: new RenderedAnswers(),
    now,
    health: {
      version: VERSION,
      startedAt: now(),
      degraded: () => [],
      source: (policy) => ({
        ...asker.health(policy),
        configured: policy.key?.needed !== true || keys.get(policy.key.variable) != null,
      }),
    },
  };
}
