import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { createUpstream } from '../../src/feeds/create-upstream.ts';
import type { HttpBounds } from '../../src/net/http-get.ts';
import { poolFor, serve } from '../net/servers.ts';

const timeout = 3000;
const file = randomBytes(500_000);

interface Behaviour {
  /** Bytes sent before each break; after the last one the rest is sent whole. */
  breaks: number[];
  headers?: Record<string, string>;
  /** Answers a resumed request in another way. */
  resumed?: (from: number, response: ServerResponse) => void;
  /** How it breaks: by a reset, or by saying nothing more. */
  stall?: boolean;
  bounds?: Partial<HttpBounds>;
}

/** Reads a file of 500,000 bytes from a server that breaks off and takes ranges. */
async function fetchBroken(t: TestContext, { breaks, headers, resumed, stall, bounds }: Behaviour) {
  const left = [...breaks];
  const known = { etag: '"v1"', 'accept-ranges': 'bytes', ...headers };
  const server = await serve(t, (request, response) => {
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    if (from > 0 && resumed) return resumed(from, response);
    const range = from > 0 ? { 'content-range': `bytes ${from}-${file.length - 1}/${file.length}` } : {};
    response.writeHead(from > 0 ? 206 : 200, { ...known, ...range, 'content-length': file.length - from });
    const part = left.shift();
    if (part === undefined) return response.end(file.subarray(from));
    response.write(file.subarray(from, from + part));
    if (!stall) setTimeout(() => response.destroy(), 20);
  });
  const web = { pool: poolFor(t), backoffMs: 10, retries: 0, bounds: bounds ?? {} };
  const opened = await createUpstream({ address: server.url, layout: 'origin', web }).openFile('big.zip', null);
  assert.ok(opened.status === 'open');
  const hash = createHash('sha256');
  const read = (async () => {
    for await (const chunk of opened.bytes) hash.update(chunk);
    return hash.digest('hex');
  })();
  return { server, read };
}

const whole = createHash('sha256').update(file).digest('hex');

test('a body that breaks three times is continued where it stopped', { timeout }, async (t) => {
  const { server, read } = await fetchBroken(t, { breaks: [100_000, 70_000, 1] });
  assert.equal(await read, whole);
  assert.equal(server.requests.length, 4);
  assert.equal(server.requests[1]?.headers['if-range'], '"v1"');
  assert.match(server.requests[1]?.headers.range ?? '', /^bytes=\d+-$/);
});

test('so is one that stalls', { timeout }, async (t) => {
  const { read } = await fetchBroken(t, { breaks: [100_000], stall: true, bounds: { idleMs: 100 } });
  assert.equal(await read, whole);
});

test('a fourth break is an error', { timeout }, async (t) => {
  const { server, read } = await fetchBroken(t, { breaks: [100_000, 70_000, 1000, 1000] });
  await assert.rejects(read, { name: 'NetError', code: 'reset' });
  assert.equal(server.requests.length, 4);
});

test('bounds hold over all parts', { timeout }, async (t) => {
  const bounds = { idleMs: 200, totalMs: 500 };
  const slow = await fetchBroken(t, { breaks: [1000, 1000, 1000, 1000], stall: true, bounds });
  await assert.rejects(slow.read, { name: 'NetError', code: 'timeout', message: /not done within 500 ms/ });
  const large = await fetchBroken(t, { breaks: [], bounds: { maxBytes: 499_999 } });
  await assert.rejects(large.read, { name: 'NetError', code: 'too_large' });
});

for (const [why, headers] of Object.entries({
  'a weak ETag': { etag: 'W/"v1"' },
  'no ranges': { 'accept-ranges': 'none' },
})) {
  test(`${why}: not continued`, { timeout }, async (t) => {
    const { server, read } = await fetchBroken(t, { breaks: [100_000], headers });
    await assert.rejects(read, { name: 'NetError', code: 'reset' });
    assert.equal(server.requests.length, 1);
  });
}

const rest = (from: number) => `bytes ${from}-${file.length - 1}/${file.length}`;

for (const [why, status, headersFor] of [
  ['the whole file again', 200, (from: number) => ({ etag: '"v1"', 'content-range': rest(from) })],
  ['another ETag', 206, (from: number) => ({ etag: '"v2"', 'content-range': rest(from) })],
  ['no ETag', 206, (from: number) => ({ 'content-range': rest(from) })],
  ['another start', 206, (from: number) => ({ etag: '"v1"', 'content-range': rest(from - 1) })],
  ['another length', 206, (from: number) => ({ etag: '"v1"', 'content-range': `bytes ${from}-500000/500001` })],
  ['no range', 206, () => ({ etag: '"v1"' })],
] as const) {
  test(`continued with ${why}: an error`, { timeout }, async (t) => {
    const { server, read } = await fetchBroken(t, {
      breaks: [100_000],
      resumed: (from, response) => response.writeHead(status, headersFor(from)).end(file.subarray(from)),
    });
    await assert.rejects(read, { name: 'UpstreamError', status, message: /changed while it was read/ });
    assert.equal(server.requests.length, 2);
  });
}

test('a part that ends before the file does is continued too', { timeout }, async (t) => {
  let parts = 0;
  const { read } = await fetchBroken(t, {
    breaks: [100_000],
    resumed: (from, response) => {
      const to = Math.min(file.length, parts++ === 0 ? from + 1000 : file.length);
      const range = `bytes ${from}-${to - 1}/${file.length}`;
      response.writeHead(206, { etag: '"v1"', 'content-range': range }).end(file.subarray(from, to));
    },
  });
  assert.equal(await read, whole);
  assert.equal(parts, 2);
});

for (const [bounds, expected] of [
  [{}, { name: 'UpstreamError', message: /announced/ }],
  [{ maxBytes: file.length }, { name: 'NetError', code: 'too_large' }],
] as const) {
  test(`a part that runs over the end of the file is an error: ${expected.name}`, { timeout }, async (t) => {
    const { read } = await fetchBroken(t, {
      breaks: [100_000],
      bounds,
      resumed: (from, response) => {
        response.writeHead(206, { etag: '"v1"', 'content-range': rest(from) }).end(Buffer.alloc(file.length));
      },
    });
    await assert.rejects(read, expected);
  });
}

test('continued with a status that is an error', { timeout }, async (t) => {
  const { read } = await fetchBroken(t, {
    breaks: [100_000],
    resumed: (_from, response) => response.writeHead(403).end(),
  });
  await assert.rejects(read, { name: 'UpstreamError', status: 403 });
});
