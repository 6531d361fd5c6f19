import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DEEPEST, LAYERS, withLayerRules } from '../scripts/layers.ts';

/** The lint rules that keep imports pointing down, shown to bite: each tree breaks one rule, on purpose. */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sextant-layers-'));
after(() => rmSync(folder, { recursive: true }));

const ROOMS = Object.keys(LAYERS);

test('the lint configuration has the rules of the table (npm run layers)', () => {
  const configuration = JSON.parse(readFileSync(join(ROOT, '.oxlintrc.json'), 'utf8'));
  assert.deepEqual(configuration, withLayerRules(configuration));
});

test('the table and the folders of src are the same', () => {
  const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  assert.deepEqual(folders.map(({ name }) => name).toSorted(), ROOMS.toSorted());
});

test('no file lies deeper than the rules reach', () => {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  assert.deepEqual(
    files.filter((file) => file.endsWith('.ts') && file.split(sep).length - 1 > DEEPEST),
    [],
  );
});

test('a room imports from those above it in the table alone, so that there is no circle', () => {
  for (const [at, room] of ROOMS.entries())
    assert.deepEqual(
      LAYERS[room]!.filter((other) => ROOMS.indexOf(other) >= at),
      [],
      room,
    );
});

describe('a deliberate violation of the layers is reported, and nothing else is', () => {
  const tree: Record<string, string> = {};
  for (const room of ROOMS) {
    tree[`src/${room}/thing.ts`] = 'export const thing = 1;\n';
    for (const other of ROOMS.filter((candidate) => candidate !== room)) {
      tree[`src/${room}/uses-${other}.ts`] =
        `import { thing } from '../${other}/thing.ts';\n\nexport const used = thing;\n`;
      tree[`src/${room}/within/uses-${other}.ts`] =
        `import { thing } from '../../${other}/thing.ts';\n\nexport const used = thing;\n`;
    }
  }
  const found = reported(tree);

  for (const room of ROOMS) {
    test(`src/${room}`, () => {
      const wanted = ROOMS.filter((other) => other !== room && !LAYERS[room]!.includes(other)).flatMap((other) => [
        `src/${room}/uses-${other}.ts`,
        `src/${room}/within/uses-${other}.ts`,
      ]);
      const here = [...found].filter((file) => file.startsWith(`src/${room}/`));
      assert.deepEqual(here.toSorted(), wanted.toSorted());
    });
  }
});

test('analysis is pure: no Node modules, no configuration', () => {
  const tree = {
    'src/config.ts': 'export const config = 1;\n',
    'src/analysis/reads-files.ts': `import { readFileSync } from 'node:fs';\n\nexport const read = readFileSync;\n`,
    'src/analysis/reads-config.ts': `import { config } from '../config.ts';\n\nexport const used = config;\n`,
    'src/analysis/within/reads-config.ts': `import { config } from '../../config.ts';\n\nexport const used = config;\n`,
    'src/analysis/is-pure.ts': 'export const twice = (given: number): number => given * 2;\n',
  };
  const wanted = ['src/analysis/reads-config.ts', 'src/analysis/reads-files.ts', 'src/analysis/within/reads-config.ts'];
  assert.deepEqual([...reported(tree)].toSorted(), wanted);
});

test('the environment is read in src/config.ts alone', () => {
  const read = 'export const home = process.env.HOME;\n';
  const tree = { 'src/config.ts': read, 'src/http/reads.ts': read, 'src/cli/reads.ts': read, 'src/main.ts': read };
  assert.deepEqual([...reported(tree)].toSorted(), ['src/cli/reads.ts', 'src/http/reads.ts', 'src/main.ts']);
});

test('nothing writes to the console in src', () => {
  const tree = { 'src/operations/talks.ts': `export const talk = (): void => console.log('hello');\n` };
  assert.deepEqual([...reported(tree)], ['src/operations/talks.ts']);
});

/** Files of the tree in which our linter, with our configuration, finds something. */
function reported(tree: Record<string, string>): Set<string> {
  const place = mkdtempSync(join(folder, 'tree-'));
  for (const name of ['.oxlintrc.json', 'tsconfig.json', 'package.json']) cpSync(join(ROOT, name), join(place, name));
  symlinkSync(join(ROOT, 'node_modules'), join(place, 'node_modules'));
  for (const [name, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(place, name)), { recursive: true });
    writeFileSync(join(place, name), text);
  }
  const { stdout, stderr, error } = spawnSync(join(ROOT, 'node_modules/.bin/oxlint'), ['--format', 'json', 'src'], {
    cwd: place,
    encoding: 'utf8',
  });
  assert.equal(error, undefined);
  assert.ok(stdout.includes('{'), stderr);
  const { diagnostics } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as { diagnostics: { filename: string }[] };
  return new Set(diagnostics.map(({ filename }) => filename.replaceAll('\\', '/')));
}
