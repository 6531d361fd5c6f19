/**
 * Which room of `src` may import from which. ARCHITECTURE.md has the drawing. The lint rules are made from this table by
 * `npm run layers`; `test/layers.test.ts` checks that they are, and that they bite.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** From the bottom up: a room may import from those named, which all stand above it in this table. */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  analysis: [],
  metrics: [],
  net: ['analysis'],
  threads: ['analysis'],
  feeds: ['analysis', 'net'],
  sources: ['analysis', 'net', 'threads'],
  catalog: ['analysis', 'net', 'feeds'],
  engine: ['analysis', 'net', 'threads', 'feeds', 'sources', 'catalog'],
  operations: ['analysis', 'net', 'threads', 'feeds', 'sources', 'catalog', 'engine'],
  access: ['analysis', 'net', 'sources', 'engine'],
  http: ['analysis', 'metrics', 'engine', 'operations', 'access'],
  mcp: ['analysis', 'feeds', 'catalog', 'engine', 'operations', 'access'],
  server: [
    'analysis',
    'metrics',
    'net',
    'threads',
    'feeds',
    'sources',
    'catalog',
    'engine',
    'operations',
    'access',
    'http',
    'mcp',
  ],
  cli: [
    'analysis',
    'metrics',
    'net',
    'threads',
    'feeds',
    'sources',
    'catalog',
    'engine',
    'operations',
    'access',
    'mcp',
    'server',
  ],
};

interface Override {
  files: string[];
  rules: Record<string, unknown>;
}
interface LintConfiguration {
  overrides: Override[];
}

/** The rule of one room, as it stands in the lint configuration. */
function ruleOf(room: string, allowed: readonly string[]): Override {
  const forbidden = Object.keys(LAYERS).filter((other) => other !== room && !allowed.includes(other));
  const layers = {
    regex: `^\\.\\.?/(?:.*/)?(?:${forbidden.join('|')})/`,
    message: `src/${room} may not import from there: imports point down (scripts/layers.ts).`,
  };
  // Pure: no clock, no I/O, no configuration.
  const pure = {
    group: ['node:*', 'fastify', 'pino', '**/config.ts'],
    message: 'src/analysis is pure: no I/O, no clock, no configuration.',
  };
  return {
    files: [`src/${room}/**/*.ts`],
    rules: { 'no-restricted-imports': ['error', { patterns: room === 'analysis' ? [layers, pure] : [layers] }] },
  };
}

/** The configuration with the rules of all rooms as the table has them. */
export function withLayerRules(configuration: LintConfiguration): LintConfiguration {
  const others = configuration.overrides.filter(({ rules }) => !('no-restricted-imports' in rules));
  return {
    ...configuration,
    overrides: [...Object.entries(LAYERS).map(([room, allowed]) => ruleOf(room, allowed)), ...others],
  };
}

if (import.meta.main) {
  const file = fileURLToPath(new URL('../.oxlintrc.json', import.meta.url));
  const configuration = JSON.parse(readFileSync(file, 'utf8')) as LintConfiguration;
  writeFileSync(file, `${JSON.stringify(withLayerRules(configuration), null, 2)}\n`);
}
