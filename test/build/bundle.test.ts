import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { satisfies } from 'semver';
import { fromBufferPromise } from 'yauzl';
import { bundleManifest, createBundle } from '../../scripts/package/bundle.ts';
import { publishedManifest } from '../../scripts/package/manifest.ts';
import { registryEntry } from '../../scripts/package/registry.ts';
import { writeZip, type ZipFile } from '../../scripts/package/zip.ts';
import { createTools } from '../../src/mcp/tools.ts';
import { OPERATIONS } from '../../src/operations/list.ts';
import { temporaryFolder } from '../cli/command-line.ts';
import { PROGRAM_FOLDER } from '../support/built-program.ts';

/** What the client puts its own folder of the bundle for. */
const BUNDLE_FOLDER = '${__dirname}';
const REPOSITORY = 'https://github.com/example/sextant';
const PACKAGE = JSON.parse(await readFile(fileURLToPath(new URL('../../package.json', import.meta.url)), 'utf8'));
// biome-ignore lint/suspicious/noExplicitAny: documents, whatever they say.
type Document = any;

async function unzip(archive: Buffer): Promise<{ path: string; bytes: Buffer; mode: number }[]> {
  const zip = await fromBufferPromise(archive);
  const files: { path: string; bytes: Buffer; mode: number }[] = [];
  for await (const entry of zip.eachEntry()) {
    const bytes: Buffer[] = [];
    for await (const chunk of await zip.openReadStreamPromise(entry)) bytes.push(chunk as Buffer);
    files.push({ path: entry.fileName, bytes: Buffer.concat(bytes), mode: entry.externalFileAttributes >>> 16 });
  }
  return files;
}

describe('a ZIP archive', () => {
  test('is read back as it was written, whatever the order, and has no time', async () => {
    const file = fc.record({
      path: fc.stringMatching(/^[a-z\u00e9]{1,8}(?:\/[a-z]{1,8}){0,2}$/),
      bytes: fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes)),
      isExecutable: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(file, { selector: ({ path }) => path, maxLength: 8 }), async (files) => {
        const archive = writeZip(files);
        assert.deepEqual(writeZip(files.toReversed()), archive);
        const read = await unzip(archive);
        const sorted = files.toSorted((one, other) => (one.path < other.path ? -1 : 1));
        const asRead = ({ path, bytes, isExecutable }: ZipFile) => ({
          path,
          bytes,
          mode: isExecutable ? 0o100755 : 0o100644,
        });
        assert.deepEqual(read, sorted.map(asRead));
      }),
      { numRuns: 40 },
    );
  });
});

describe('the bundle for clients with windows', () => {
  test('has what its format demands (MCPB 0.3), and the tools that there are', () => {
    const manifest: Document = bundleManifest(REPOSITORY);
    assert.equal(manifest.manifest_version, '0.3');
    assert.equal(manifest.version, PACKAGE.version);
    assert.equal(manifest.server.type, 'node');
    assert.equal(manifest.server.mcp_config.args[0], `${BUNDLE_FOLDER}/${manifest.server.entry_point}`);
    assert.deepEqual(
      manifest.tools.map(({ name }: { name: string }) => name),
      createTools(OPERATIONS).map(({ operation }) => operation.id),
    );
    const { node } = manifest.compatibility.runtimes;
    for (const [version, runs] of [
      ['22.21.0', false],
      ['24.14.9', false],
      ['24.15.0', true],
      ['25.1.0', false],
      ['26.10.0', true],
    ] as const)
      assert.equal(satisfies(version, node), runs, version);
    assert.ok(manifest.author.name !== '' && manifest.description !== '');
  });

  test('runs from any folder, and keeps its data in that of the user', async () => {
    const archive = await createBundle(PROGRAM_FOLDER, null);
    const folder = temporaryFolder();
    for (const { path, bytes } of await unzip(archive)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), bytes);
    }
    const { server }: Document = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
    const args = server.mcp_config.args.map((word: string) => word.replace(BUNDLE_FOLDER, folder));
    const home = temporaryFolder();
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'window', version: '1' } };
    const input = [
      { id: 1, method: 'initialize', params },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: { name: 'cve_lookup', arguments: { cve_id: 'CVE-2021-44228' } } },
    ].map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }));
    const { stdout, stderr } = spawnSync(process.execPath, args, {
      input: `${input.join('\n')}\n`,
      env: { HOME: home },
      cwd: '/',
      encoding: 'utf8',
      timeout: 60_000,
    });
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const answer = answers.find(({ id }) => id === 2);
    assert.equal(answer?.result.structuredContent.cve_id, 'CVE-2021-44228', stderr);
  });
});

describe('the entry for the registry of MCP servers', () => {
  const sha256 = 'a'.repeat(64);
  const entry: Document = registryEntry(REPOSITORY, { fileName: 'sextant-1.2.3.mcpb', sha256 });

  test('has what its schema demands (2025-12-11)', () => {
    assert.equal(entry.$schema, 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json');
    assert.match(entry.name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    assert.ok(entry.description.length >= 1 && entry.description.length <= 100, `${entry.description.length}`);
    assert.ok(entry.title.length <= 100);
    assert.equal(entry.version, PACKAGE.version);
    for (const { registryType, identifier, transport, fileSha256 } of entry.packages) {
      assert.ok(registryType !== '' && identifier !== '');
      assert.deepEqual(transport, { type: 'stdio' });
      if (registryType === 'mcpb') assert.equal(fileSha256, sha256);
    }
    for (const { type, url, variables } of entry.remotes) {
      assert.equal(type, 'streamable-http');
      assert.match(url, /^https:\/\/[^\s]+\/mcp$/);
      for (const [, name] of url.matchAll(/\{(\w+)\}/g)) assert.ok(name in variables, name);
    }
  });

  test('is named as the package on npm says', () => {
    const { name, mcpName, version }: Document = publishedManifest(REPOSITORY);
    assert.equal(entry.name, 'io.github.example/sextant');
    assert.equal(mcpName, entry.name);
    const [npm] = entry.packages;
    assert.deepEqual([npm.registryType, npm.identifier, npm.version], ['npm', name, version]);
    assert.deepEqual(npm.packageArguments, [{ type: 'positional', value: 'mcp' }]);
  });

  test('keys are secrets, and every setting is one that there is', () => {
    for (const { name, isSecret } of entry.packages[0].environmentVariables) {
      assert.match(name, /^SEXTANT_[A-Z_]+$/);
      assert.equal(isSecret, name.endsWith('_KEY'), name);
    }
  });

  test('there is none where the repository is elsewhere', () => {
    assert.equal(registryEntry('https://git.example.com/a/sextant', { fileName: 'x', sha256 }), null);
    assert.equal((publishedManifest('https://git.example.com/a/sextant') as Document).mcpName, undefined);
  });
});
