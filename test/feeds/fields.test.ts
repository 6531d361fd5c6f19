import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalizeWebUrl } from '../../src/analysis/web-url.ts';
import { FeedFormatError } from '../../src/feeds/feed.ts';
import { canonicalCveId, readJson, parseUtcTime } from '../../src/feeds/fields.ts';
import { readLines } from '../../src/feeds/read-lines.ts';
import { inChunks } from './parse-feed.ts';

test('times of any ISO 8601 form become UTC with milliseconds', () => {
  const same = [
    '2024-10-24T16:20:23.198Z',
    '2024-10-24T18:20:23.198+02:00',
    '2024-10-24T16:20:23.198123',
    '2024-10-24T16:20:23.198+0000',
  ];
  for (const text of same) assert.equal(parseUtcTime(text), '2024-10-24T16:20:23.198Z');
  assert.equal(parseUtcTime('2024-10-24T16:20:23'), '2024-10-24T16:20:23.000Z');
  assert.equal(parseUtcTime('2024-10-24'), '2024-10-24');
  for (const text of ['', 'yesterday', '2024-13-01', null, undefined]) assert.equal(parseUtcTime(text), null);
});

test('CVE ids that can exist become canonical', () => {
  assert.equal(canonicalCveId(' cve-2021-44228 '), 'CVE-2021-44228');
  for (const text of ['CAN-2003-0109', 'CVE-2021-123', 'CVE-2021-044228', 'CVE-2021-1234567890', 'OSVDB-1', '']) {
    assert.equal(canonicalCveId(text), null, text);
  }
});

test('references are web addresses of sensible length', () => {
  assert.equal(normalizeWebUrl(' https://example.org/a b.pdf '), 'https://example.org/a%20b.pdf');
  assert.equal(normalizeWebUrl('HTTP://example.org'), 'HTTP://example.org');
  assert.equal(normalizeWebUrl('ftp://patches.sgi.com/x'), 'ftp://patches.sgi.com/x');
  const long = `https://example.org/${'a'.repeat(2048 - 'https://example.org/'.length)}`;
  assert.equal(normalizeWebUrl(long), long);
  const bad = [`${long}a`, 'javascript:alert(1)', 'github.com/x', 'ttps://x', 'https://a\u202eb', 'https://'];
  for (const text of bad) assert.equal(normalizeWebUrl(text), null, text);
});

test('JSON is read with a byte order mark and with invalid UTF-8, and is told from what it is not', async () => {
  const read = (content: string | Uint8Array) => readJson(inChunks(Buffer.from(content), 3), 1000);
  assert.deepEqual(await read('\ufeff{"a": "é"}'), { a: 'é' });
  assert.deepEqual(await read(Buffer.from([0x22, 0x61, 0xff, 0x62, 0x22])), 'a\ufffdb');
  const faults = {
    '': /empty/,
    '<html>': /an HTML page came in the place of JSON/,
    '{"a": [1': /malformed or ends early/,
    'Not found': /not JSON/,
  };
  for (const [content, message] of Object.entries(faults)) {
    await assert.rejects(read(content), (error) => error instanceof FeedFormatError && message.test(error.message));
  }
  await assert.rejects(read('"'.padEnd(2000)), /larger than 1000 bytes/);
});

test('lines are whole however the bytes are cut', async () => {
  for (const size of [1, 2, 3, 5, 100]) {
    const found: string[] = [];
    for await (const batch of readLines(inChunks(Buffer.from('é1\r\nzwei\n\n€4'), size))) found.push(...batch);
    assert.deepEqual(found, ['é1', 'zwei', '', '€4']);
  }
  const endless = async () => {
    for await (const _batch of readLines(inChunks(Buffer.alloc(100_000, 'x'), 1000))) assert.fail('no line ends');
  };
  await assert.rejects(endless(), FeedFormatError);
});
