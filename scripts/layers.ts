/**
 * Which folder of `src` may import from which; ARCHITECTURE.md has the drawing. `npm run layers` writes the lint rules from this
 * table. `test/layers.test.ts` checks that they are up to date and that they report violations.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const BELOW_SURFACES = [
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
];

/** From the lowest layer up. A folder may import from the listed folders, which all precede it in this table. */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  analysis: [],
  metrics: [],
  net: ['analysis'],
  threads: ['analysis'],
  feeds: ['analysis', 'net'],
  sources: ['analysis', 'net', 'threads'],
  catalog: ['analysis', 'net', 'threads', 'feeds'],
  engine: ['analysis', 'net', 'threads', 'feeds', 'sources', 'catalog'],
  operations: ['analysis', 'net', 'threads', 'feeds', 'sources', 'catalog', 'engine'],
  access: ['analysis', 'net', 'sources', 'engine'],
  watches: ['analysis', 'net', 'catalog', 'engine', 'operations', 'access'],
  http: ['analysis', 'metrics', 'engine', 'operations', 'access'],
  mcp: ['analysis', 'feeds', 'catalog', 'engine', 'operations', 'access'],
  pages: ['analysis', 'engine', 'operations', 'access'],
  server: [...BELOW_SURFACES, 'watches', 'http', 'mcp', 'pages'],
  cli: [...BELOW_SURFACES, 'watches', 'mcp', 'server'],
};

interface Override {
  files: string[];
  rules: Record<string, unknown>;
}
interface LintConfiguration {
  overrides: Override[];
}

/** Folders between `src` and the file, the room included. */
export const DEEPEST = 4;

/** The lint rule of the files of one folder that lie this deep: a folder within a room may have the name of another room. */
function ruleOf(room: string, allowed: readonly string[], depth: number): Override {
  const forbidden = Object.keys(LAYERS).filter((other) => other !== room && !allowed.includes(other));
  const layers = {
    regex: `^(?:\\.\\./){${depth}}(?:${forbidden.join('|')})/`,
    message: `src/${room} may not import from there: imports point down (scripts/layers.ts).`,
  };
  // Pure: no clock, no I/O, no configuration.
  const pure = {
    group: ['node:*', 'fastify', 'pino', '**/config.ts'],
    message: 'src/analysis is pure: no I/O, no clock, no configuration.',
  };
  return {
    files: [`src/${room}/${'*/'.repeat(depth - 1)}*.ts`],
    rules: { 'no-restricted-imports': ['error', { patterns: room === 'analysis' ? [layers, pure] : [layers] }] },
  };
}

/** The lint configuration with the rules of this table. */
export function withLayerRules(configuration: LintConfiguration): LintConfiguration {
  const others = configuration.overrides.filter(({ rules }) => !('no-restricted-imports' in rules));
  return {
    ...configuration,
    overrides: [
      ...Object.entries(LAYERS).flatMap(([room, allowed]) =>
        Array.from({ length: DEEPEST }, (_, above) => ruleOf(room, allowed, above + 1)),
      ),
      ...others,
    ],
  };
}

if (import.meta.main) {
  const file = fileURLToPath(new URL('../.oxlintrc.json', import.meta.url));
  const configuration = JSON.parse(readFileSync(file, 'utf8')) as LintConfiguration;
  writeFileSync(file, `${JSON.stringify(withLayerRules(configuration), null, 2)}\n`);
}
