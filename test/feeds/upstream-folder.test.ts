import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { createUpstream } from '../../src/feeds/create-upstream.ts';
import type { Upstream } from '../../src/feeds/upstream.ts';
import { NO_SLOW_FILES, slowFile } from '../support/slow-file.ts';

async function folder(t: TestContext, files: Record<string, string>): Promise<{ path: string; upstream: Upstream }> {
  const parent = await mkdtemp(join(tmpdir(), 'sextant-upstream-'));
  t.after(() => rm(parent, { recursive: true }));
  const path = join(parent, 'fe ed');
  await mkdir(join(path, 'sub'), { recursive: true });
  await writeFile(join(parent, 'secret.txt'), 'secret');
  for (const [name, content] of Object.entries(files)) await writeFile(join(path, name), content);
  return { path, upstream: createUpstream({ address: pathToFileURL(path).href, layout: 'origin' }) };
}

async function read(upstream: Upstream, path: string): Promise<string> {
  const opened = await upstream.openFile(path, null);
  assert.equal(opened.status, 'open');
  return opened.status === 'open' ? Buffer.concat(await Array.fromAsync(opened.bytes)).toString() : '';
}

test('text, JSON and names of a folder', async (t) => {
  const { path, upstream } = await folder(t, {
    'b.json': '[1]',
    'a.json': '\uFEFF{}',
    'c.txt': 'é',
    'sub/d.json': '4',
  });
  await symlink(join(path, 'b.json'), join(path, 'link.json'));
  assert.equal(upstream.layout, 'folder');
  assert.deepEqual(await upstream.listFiles(/\.json$/g), ['a.json', 'b.json', 'link.json']);
  assert.equal(await upstream.readText('c.txt'), 'é');
  assert.deepEqual(await upstream.readJson('b.json'), { body: [1], next: null });
  assert.deepEqual(await upstream.readJson('a.json'), { body: {}, next: null });
  assert.equal(await read(upstream, 'sub/d.json'), '4');
  await assert.rejects(upstream.readJson('c.txt'), { name: 'UpstreamError', message: /not JSON/ });
});

test('what is not there is missing; a folder that is not there is an error', async (t) => {
  const { path, upstream } = await folder(t, { 'a.txt': 'a' });
  for (const name of ['nothing', 'sub', 'a.txt/b']) {
    assert.equal(await upstream.readText(name), null, name);
    assert.equal(await upstream.readJson(name), null, name);
    assert.deepEqual(await upstream.openFile(name, null), { status: 'missing' }, name);
  }
  const nowhere = createUpstream({ address: `${pathToFileURL(path).href}/nowhere`, layout: 'origin' });
  await assert.rejects(nowhere.listFiles(/./), { name: 'UpstreamError' });
});

test('names do not leave the folder', async (t) => {
  const { upstream } = await folder(t, {});
  const names = [
    '../secret.txt',
    'sub/../../secret.txt',
    '/etc/passwd',
    '..',
    '.',
    '',
    'sub//x',
    '..\\secret.txt',
    'a\0b',
    'https://h/x',
  ];
  for (const name of names) {
    await assert.rejects(upstream.readText(name), { name: 'UpstreamError', message: /inside the folder/ }, name);
    await assert.rejects(upstream.openFile(name, null), { name: 'UpstreamError' }, name);
  }
});

test('a validator holds until size or time change', async (t) => {
  const { path, upstream } = await folder(t, { 'a.txt': 'one' });
  const first = await upstream.openFile('a.txt', null);
  assert.ok(first.status === 'open' && first.size === 3 && first.validator);
  assert.deepEqual(await upstream.openFile('a.txt', first.validator), { status: 'unchanged' });
  await utimes(join(path, 'a.txt'), 1, 1);
  assert.equal((await upstream.openFile('a.txt', first.validator)).status, 'open');
});

test('a file that is replaced while it is read is an error, not a mixture', async (t) => {
  const { path, upstream } = await folder(t, { 'a.txt': 'old', 'big.txt': 'x'.repeat(1_000_000) });
  const before = await upstream.openFile('a.txt', null);
  await writeFile(join(path, 'new.txt'), 'newer');
  await rename(join(path, 'new.txt'), join(path, 'a.txt'));
  assert.ok(before.status === 'open');
  await assert.rejects(Array.fromAsync(before.bytes), { name: 'UpstreamError', message: /changed before/ });

  const during = await upstream.openFile('big.txt', null);
  assert.ok(during.status === 'open');
  const reading = (async () => {
    for await (const _ of during.bytes) await writeFile(join(path, 'big.txt'), 'y'.repeat(1_000_000));
  })();
  await assert.rejects(reading, { name: 'UpstreamError', message: /changed while/ });
});

test('sizes are bounded', async (t) => {
  const { path, upstream } = await folder(t, { 'a.txt': 'x'.repeat(1001) });
  await assert.rejects(upstream.readText('a.txt', 1000), { name: 'UpstreamError', message: /1000 bytes/ });
  assert.equal((await upstream.readText('a.txt', 1001))?.length, 1001);
  const web = { bounds: { maxBytes: 100 }, maxTextBytes: 10 };
  const small = createUpstream({ address: pathToFileURL(path).href, layout: 'origin', web });
  await assert.rejects(small.openFile('a.txt', null), { name: 'UpstreamError', message: /100 bytes/ });
  await assert.rejects(small.readText('a.txt'), { name: 'UpstreamError', message: /10 bytes/ });
});

test('the caller can stop it', async (t) => {
  const { path } = await folder(t, { 'a.txt': 'x'.repeat(1_000_000) });
  const stop = new AbortController();
  const upstream = createUpstream({ address: pathToFileURL(path).href, layout: 'origin', signal: stop.signal });
  const opened = await upstream.openFile('a.txt', null);
  assert.ok(opened.status === 'open');
  const reading = (async () => {
    for await (const _ of opened.bytes) stop.abort();
  })();
  await assert.rejects(reading, { name: 'AbortError' });
  await assert.rejects(upstream.listFiles(/./), { name: 'AbortError' });
});

/** Below the time after which the kernel opens the file in any case. */
const LEASE_HOLDS = { skip: NO_SLOW_FILES, timeout: 20_000 };

test('the caller can stop it while the disk does not answer', LEASE_HOLDS, async (t) => {
  const { path } = await folder(t, { 'a.txt': 'a' });
  const stop = new AbortController();
  const upstream = createUpstream({ address: pathToFileURL(path).href, layout: 'origin', signal: stop.signal });
  const slow = await slowFile(t, join(path, 'a.txt'));
  const reading = upstream.readText('a.txt');
  await slow.wanted;
  stop.abort();
  await assert.rejects(reading, { name: 'AbortError' });
});

test('what is no file, a pipe for example, is missing: nothing waits for it', async (t) => {
  const { path, upstream } = await folder(t, {});
  execFileSync('mkfifo', [join(path, 'pipe')]);
  assert.deepEqual(await upstream.openFile('pipe', null), { status: 'missing' });
  assert.equal(await upstream.readText('pipe'), null);
});

test('an address of another kind is refused', () => {
  for (const address of ['ftp://h/', 'nonsense', 's3://bucket/']) {
    assert.throws(() => createUpstream({ address, layout: 'origin' }), { name: 'UpstreamError' }, address);
  }
});
