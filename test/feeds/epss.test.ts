import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { epssFeed } from '../../src/feeds/epss.ts';
import { FeedFormatError } from '../../src/feeds/feed.ts';
import { sharedPath } from '../support/shared.ts';
import { parseFeed } from './parse-feed.ts';

const real = sharedPath('feeds', 'epss', 'epss_scores-current.csv.gz');
const HEAD = '#model_version:v2030.01.01,score_date:2030-01-02T00:00:00+0000\ncve,epss,percentile\n';

function scores(rows: string): Buffer {
  return gzipSync(HEAD + rows);
}

test('all real scores are read', { skip: real === null && 'no feeds' }, async () => {
  const { entries, told } = await parseFeed(epssFeed, real!);
  assert.equal(entries.length, 291_657);
  assert.deepEqual(told.skipped, []);
  assert.equal(told.notes['model_version'], 'v2025.03.14');
  assert.equal(told.asOf, '2025-08-30T12:55:00.000Z');
  assert.deepEqual(entries[0], { cve_id: 'CVE-1999-0001', score: 0.0142, percentile: 0.79799 });
  assert.deepEqual(entries.at(-1), { cve_id: 'CVE-2025-58335', score: 0.00001, percentile: 0.00019 });
});

test('rows are read with either line end, and without one at the end', async () => {
  for (const rows of [
    'CVE-2030-0001,0.5,1\nCVE-2030-0002,1e-05,0',
    'CVE-2030-0001,0.5,1\r\nCVE-2030-0002,1e-05,0\r\n\r\n',
  ]) {
    const { entries, told } = await parseFeed(epssFeed, scores(rows));
    assert.deepEqual(entries, [
      { cve_id: 'CVE-2030-0001', score: 0.5, percentile: 1 },
      { cve_id: 'CVE-2030-0002', score: 0.00001, percentile: 0 },
    ]);
    assert.equal(told.asOf, '2030-01-02T00:00:00.000Z');
  }
});

test('broken rows are skipped and named, good ones kept', async () => {
  const bad = [
    'CVE-2030-1,0.1,0.1',
    'CVE-2030-0002,1.5,0.1',
    'CVE-2030-0003,,0.1',
    'CVE-2030-0004,0.1',
    'CVE-2030-0005,x,0.1',
    'CVE-2030-0006,0.1,0.1,0.1',
    'CVE-2030-0007,-0.1,0.1',
  ];
  const { entries, told } = await parseFeed(epssFeed, scores(`${bad.join('\n')}\nCVE-2030-0008,0.1,0.2\n`));
  assert.deepEqual(
    entries.map((entry) => entry.cve_id),
    ['CVE-2030-0008'],
  );
  assert.equal(told.skipped.length, bad.length);
  assert.equal(told.skipped[0]?.what, 'line 3');
});

test('invalid UTF-8 spoils its own row only', async () => {
  const content = Buffer.concat([
    Buffer.from(`${HEAD}CVE-2030-00`),
    Buffer.from([0xff, 0xfe]),
    Buffer.from('1,0.1,0.1\nCVE-2030-0002,0.1,0.2\n'),
  ]);
  const { entries, told } = await parseFeed(epssFeed, gzipSync(content));
  assert.equal(entries.length, 1);
  assert.equal(told.skipped.length, 1);
});

test('what is no score file is refused', async () => {
  const faults: [Uint8Array, RegExp][] = [
    [Buffer.alloc(0), /empty/],
    [Buffer.from('<html>'), /an HTML page came in the place of a gzip file/],
    [gzipSync(''), /no rows/],
    [gzipSync('cve,epss,percentile\nCVE-2030-0001,0.1,0.1\n'), /first line/],
    [gzipSync(HEAD.replace('percentile', 'rank')), /second line/],
    [gzipSync(HEAD.replace('2030-01-02', 'today')), /first line/],
    [scores('CVE-2030-0001,0.1,0.1\n'.repeat(100)).subarray(0, -9), /ends before it is complete/],
  ];
  for (const [content, message] of faults) {
    await assert.rejects(
      parseFeed(epssFeed, content),
      (error) => error instanceof FeedFormatError && message.test(error.message),
    );
  }
});
