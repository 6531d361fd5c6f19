import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { type HttpOptions, httpGet, readBytes, readText } from '../../src/net/http-get.ts';
import { allClosed, poolFor, serve } from './servers.ts';

const timeout = 120_000;

/** `open`: the server keeps the body open after `content`. */
async function coded(
  t: TestContext,
  coding: string,
  content: Buffer,
  options: Partial<HttpOptions> = {},
  open = false,
) {
  const server = await serve(t, (_request, response) => {
    response.writeHead(200, { 'content-encoding': coding }).write(content);
    if (!open) response.end();
  });
  return { server, answer: await httpGet(server.url, { ...options, pool: poolFor(t) }) };
}

test('a gzip content coding is undone', { timeout }, async (t) => {
  const { answer } = await coded(t, 'gzip', gzipSync('hello'));
  assert.equal(answer.verbatim, false);
  assert.equal(await readText(answer, 100), 'hello');
});

test('raw leaves it alone', { timeout }, async (t) => {
  const { answer } = await coded(t, 'gzip', gzipSync('hello'), { raw: true });
  assert.equal(answer.verbatim, true);
  assert.equal(gunzipSync(await readBytes(answer, 100)).toString(), 'hello');
});

test('a gzip bomb ends at the decoded bound', { timeout }, async (t) => {
  const bomb = gzipSync(Buffer.alloc(50_000_000));
  const { answer, server } = await coded(t, 'gzip', bomb, { bounds: { maxDecodedBytes: 1_000_000 } }, true);
  let decoded = 0;
  const reading = (async () => {
    for await (const chunk of answer.body) decoded += chunk.byteLength;
  })();
  await assert.rejects(reading, { code: 'too_large', message: /unpacks to more than 1000000 bytes/ });
  assert.ok(decoded <= 1_000_000);
  assert.ok(await allClosed(server));
});

test('bytes as transferred are bounded too', { timeout }, async (t) => {
  const { answer } = await coded(t, 'gzip', gzipSync('hello'), { bounds: { maxBytes: 10 } });
  await assert.rejects(readText(answer, 100), { code: 'too_large', message: /larger than 10 bytes/ });
});

test('a coding that breaks or stops short is an error', { timeout }, async (t) => {
  const packed = gzipSync('hello hello hello hello');
  for (const content of [packed.subarray(0, -6), Buffer.from('not gzip at all')]) {
    const { answer } = await coded(t, 'x-gzip', content);
    await assert.rejects(readText(answer, 100), { code: 'protocol', message: /gzip/ });
  }
});

test('a coded body that stalls ends at the idle bound', { timeout }, async (t) => {
  const start = gzipSync('x'.repeat(100_000)).subarray(0, 50);
  const { answer, server } = await coded(t, 'gzip', start, { bounds: { idleMs: 100 } }, true);
  await assert.rejects(readText(answer, 1_000_000), { code: 'timeout', message: /no data for 100 ms/ });
  assert.ok(await allClosed(server));
});

test('a coding that was not asked for is an error only for who reads the body', { timeout }, async (t) => {
  const { answer, server } = await coded(t, 'br', brotliCompressSync('hello'), {}, true);
  assert.equal(answer.status, 200);
  await assert.rejects(readText(answer, 100), { code: 'protocol' });
  assert.ok(await allClosed(server));
});

test('leaving a coded body early destroys the socket', { timeout }, async (t) => {
  const { answer, server } = await coded(t, 'gzip', gzipSync('x'.repeat(100_000)), {}, true);
  for await (const _ of answer.body) break;
  assert.ok(await allClosed(server));
});
