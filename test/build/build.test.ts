import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { join, relative } from 'node:path';
import { before, describe, type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { Worker } from 'node:worker_threads';
import { packTexts } from '../../src/catalog/sync/record-tasks.ts';
import { ThreadPool } from '../../src/threads/thread-pool.ts';
import { ended, type Ended, kevFeedFolder, PROGRAM, temporaryFolder } from '../cli/command-line.ts';
import { CHECKOUT } from '../support/build-once.ts';
import { PROGRAM_FOLDER } from '../support/built-program.ts';

/** The built program does what the source does: in a folder of its own, without source and packages, as in an image. */

const run = promisify(execFile);
const PATIENCE_MS = 120_000;

const folder = temporaryFolder();
const settings = {
  PATH: process.env['PATH'],
  NODE_DISABLE_COMPILE_CACHE: '1',
  SEXTANT_SYNC: 'off',
  SEXTANT_PORT: '0',
  SEXTANT_DATA_DIR: join(folder, 'data'),
};

function start(words: readonly string[], others: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, [PROGRAM, ...words], {
    env: { ...settings, ...others },
    stdio: 'pipe',
    timeout: PATIENCE_MS,
  });
}

function sextant(words: readonly string[], others: Record<string, string> = {}): Promise<Ended> {
  return ended(start(words, others));
}

/** The body of a 200. Read to its end: the service waits for it when it stops. */
async function textOf(url: string): Promise<string> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) });
  assert.equal(answer.status, 200);
  return answer.text();
}

/** Runs a task in a thread that starts with a file of the build. */
async function runInThread(file: string, task: string, input: unknown): Promise<unknown> {
  const entry = pathToFileURL(join(PROGRAM_FOLDER, 'dist', file));
  const pool = new ThreadPool({ entry, maxThreads: 1, maxQueued: 1, idleMs: PATIENCE_MS, heapMb: 128 });
  try {
    return await pool.run({ task, input }, { timeoutMs: PATIENCE_MS });
  } finally {
    await pool.close();
  }
}

/** Starts the service and returns its address. */
async function serve(
  t: TestContext,
  words: readonly string[] = [],
  others: Record<string, string> = {},
): Promise<string> {
  const child = start(['serve', ...words], others);
  t.after(async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  child.stdout!.resume();
  for await (const line of createInterface({ input: child.stderr! })) {
    const base = /listening at (http:\/\/127\.0\.0\.1:\d+)/.exec(line)?.[1];
    if (base === undefined) continue;
    child.stderr!.resume();
    return base;
  }
  throw new Error('the service ended before it listened');
}

describe('the build', () => {
  test('has the help of the source', async () => {
    const built = await sextant(['--help']);
    const { stdout } = await run(process.execPath, [join(CHECKOUT, 'src/main.ts'), '--help'], { env: settings });
    assert.match(stdout, /cve-lookup/);
    assert.deepEqual(built, { status: 0, stdout, stderr: '' });
  });

  test('answers from the starter catalog', async () => {
    const { status, stdout } = await sextant(['cve-lookup', 'CVE-2021-44228', '--json']);
    assert.equal(status, 0);
    assert.equal(JSON.parse(stdout).cve_id, 'CVE-2021-44228');
  });

  test('serves, and checks code in a thread', async (t) => {
    const base = await serve(t);
    assert.equal(JSON.parse(await textOf(`${base}/v1/cve/CVE-2021-44228`)).cve_id, 'CVE-2021-44228');
    // Above the size from which a thread does the work; its parser is a WebAssembly file of a package.
    const code = `${'# comment\n'.repeat(2000)}import os\nfrom flask import request\n\ndef run():\n    os.system(request.args['name'])\n`;
    const checked = await fetch(`${base}/v1/check/injection`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code, language: 'python' }),
    });
    const { findings } = (await checked.json()) as { findings: { cwe: string }[] };
    assert.ok(findings.length > 0);
    assert.match(await textOf(`${base}/docs`), /\/docs\/cve_lookup/);
  });

  test('asks live sources in a process of its own', async (t) => {
    // Nobody answers there: the process says so, and a process that does not start would be "not ready".
    const base = await serve(t, [], { SEXTANT_DNS_SERVERS: '127.0.0.1:9' });
    const answer = await fetch(`${base}/v1/dns/example.com`, { signal: AbortSignal.timeout(PATIENCE_MS) });
    const { error } = (await answer.json()) as { error: { code: string } };
    assert.deepEqual([answer.status, error.code], [502, 'upstream_error']);
  });

  test('serves from worker processes', async (t) => {
    const base = await serve(t, ['--workers', '2']);
    assert.match(await textOf(`${base}/v1/cve/CVE-2021-44228`), /"CVE-2021-44228"/);
  });

  test('syncs, and reads records in threads', async () => {
    const others = { SEXTANT_FEEDS: kevFeedFolder(['CVE-2021-44228']), SEXTANT_DATA_DIR: join(folder, 'synced') };
    assert.equal((await sextant(['sync', 'kev'], others)).status, 0);
    const { stdout } = await sextant(['status', '--json'], others);
    assert.equal(JSON.parse(stdout).data_sources.kev.records, 1);
    // A record without an id is skipped.
    const broken = packTexts([{ name: 'broken', json: Buffer.from('{}') }]).packed;
    for (const feed of ['nvd', 'cvelist']) {
      const parsed = await runInThread('record-thread.js', feed, broken);
      assert.equal((parsed as { entries: number }).entries, 0);
      assert.equal((parsed as { skips: unknown[] }).skips.length, 1);
    }
  });

  test('reads large answers of sources in a thread', async () => {
    const robots = await runInThread('reader-thread.js', 'robots_txt', 'Sitemap: https://example.com/sitemap.xml');
    assert.deepEqual((robots as { sitemaps: string[] }).sitemaps, ['https://example.com/sitemap.xml']);
  });

  test('recovers a catalog in a thread', async () => {
    const catalog = join(folder, 'recovered');
    const entry = new Worker(join(PROGRAM_FOLDER, 'dist/recovery-thread.js'), {
      workerData: { folder: catalog, now: 0 },
    });
    assert.deepEqual(await once(entry, 'exit'), [0]);
    assert.ok(readdirSync(catalog).includes('current.json'));
  });

  test('is an MCP server over stdio', async () => {
    const child = start(['mcp']);
    const all = ended(child);
    const say = (message: object): void =>
      void child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'test', version: '1' };
    say({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
    say({ method: 'notifications/initialized' });
    say({ id: 2, method: 'tools/list' });
    child.stdin!.end();
    const messages = (await all).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number; result: { tools?: { name: string; inputSchema: object }[] } });
    const { tools } = messages.find(({ id }) => id === 2)!.result;
    assert.ok(tools!.some(({ name }) => name === 'cve_lookup'));
  });

  test('names the source in stack traces', async () => {
    // A failure of the program itself: a look-up whose data folder is a file.
    const others = { SEXTANT_DATA_DIR: join(PROGRAM_FOLDER, 'package.json'), NODE_DEBUG: 'sextant' };
    const { status, stderr } = await sextant(['cve-lookup', 'CVE-2021-44228'], others);
    assert.equal(status, 1);
    assert.match(stderr, /src\/cli\/with-runner-deps\.ts:\d+/);
    assert.doesNotMatch(stderr, /dist\/chunk/);
  });

  test('names no path of the machine that built it', () => {
    const files = readdirSync(join(PROGRAM_FOLDER, 'dist'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(join(PROGRAM_FOLDER, 'dist'), join(entry.parentPath, entry.name)));
    assert.ok(files.includes('main.js') && files.includes('record-thread.js'));
    for (const file of files) {
      const bytes = readFileSync(join(PROGRAM_FOLDER, 'dist', file));
      const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
      for (const path of [PROGRAM_FOLDER, CHECKOUT]) assert.ok(!text.includes(path), `${file}: ${path}`);
    }
  });
});

describe('bin/sextant.js', () => {
  const checkout = temporaryFolder();
  const files = ['src/main.ts', 'src/cli/deep.ts', 'package-lock.json', 'dist/main.js'];
  const program = join(checkout, 'bin/sextant.js');
  const setTime = (file: string, seconds: number): void => utimesSync(join(checkout, file), seconds, seconds);

  before(async () => {
    for (const name of ['bin', 'src/cli', 'dist']) mkdirSync(join(checkout, name), { recursive: true });
    await cp(join(CHECKOUT, 'bin/sextant.js'), program);
    for (const file of files) writeFileSync(join(checkout, file), `process.stdout.write('${file}');`);
    writeFileSync(join(checkout, 'package.json'), '{"type":"module"}');
  });

  for (const newer of ['src', ...files]) {
    test(`starts ${newer === 'dist/main.js' ? 'the build' : 'the source'} where ${newer} is the newest`, async () => {
      for (const file of ['src', 'src/cli', ...files]) setTime(file, file === 'dist/main.js' ? 2000 : 1000);
      setTime(newer, 3000);
      const { stdout } = await run(process.execPath, [program], { timeout: PATIENCE_MS });
      assert.equal(stdout, newer === 'dist/main.js' ? 'dist/main.js' : 'src/main.ts');
    });
  }
});
