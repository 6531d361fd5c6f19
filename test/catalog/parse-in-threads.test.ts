import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { cveKey } from '../../src/analysis/cve/cve-id.ts';
import { recordId } from '../../src/catalog/record-id.ts';
import { FileParseStats } from '../../src/catalog/sync/file-parse-stats.ts';
import { RecordThreads } from '../../src/catalog/sync/parse-in-threads.ts';
import { feedFile, FeedFormatError } from '../../src/feeds/feed.ts';
import { nvdFeed } from '../../src/feeds/nvd/nvd.ts';

const RECORDS = 3000;
/** Long enough that most of the file is beyond what is read without threads. */
const DESCRIPTION = 'A flaw in the parser lets an attacker read what is not theirs. '.repeat(30);
const BROKEN = new Set([10, 2500]);

const idOf = (index: number): string => `CVE-2021-${10_000 + index}`;

function nvdFile(end = ']}'): Uint8Array {
  const records = Array.from({ length: RECORDS }, (_, index) =>
    JSON.stringify({
      cve: BROKEN.has(index)
        ? { id: idOf(index), descriptions: 5 }
        : {
            id: idOf(index),
            published: '2021-03-04T05:06:07.000',
            lastModified: '2022-03-04T05:06:07.000',
            vulnStatus: 'Analyzed',
            descriptions: [{ lang: 'en', value: `${index}: ${DESCRIPTION}` }],
            references: [],
            metrics: {},
          },
    }),
  );
  const head = `{"format": "NVD_CVE", "totalResults": ${RECORDS}, "timestamp": "2026-01-02T03:04:05", "vulnerabilities": [`;
  return gzipSync(`${head}${records.join(',\n')}${end}`);
}

async function* chunksOf(content: Uint8Array): AsyncIterable<Uint8Array> {
  for (let at = 0; at < content.length; at += 10_000) yield content.subarray(at, at + 10_000);
}

suite('records that are parsed in threads', () => {
  const threads = new RecordThreads();
  after(() => threads.close());

  async function parse(content: Uint8Array): Promise<{ ids: number[]; stats: FileParseStats }> {
    const stats = new FileParseStats();
    const ids: number[] = [];
    for await (const { batch, entries } of threads.parse(
      'nvd',
      nvdFeed.records!,
      chunksOf(content),
      feedFile('f'),
      stats,
    )) {
      ids.push(...batch.rows.map(({ id }) => id));
      stats.entries += entries;
    }
    return { ids, stats };
  }

  test('come in the order of the file, and broken ones are named wherever they stand', async () => {
    const { ids, stats } = await parse(nvdFile());
    const expected = [...Array(RECORDS).keys()].filter((index) => !BROKEN.has(index));
    assert.deepEqual(
      ids,
      expected.map((index) => recordId(cveKey(idOf(index))!, 'nvd')),
    );
    assert.equal(stats.entries, RECORDS - BROKEN.size);
    assert.equal(stats.skipped, BROKEN.size);
    assert.deepEqual(
      stats.skips.map((skip) => skip.split(':')[0]),
      ['CVE-2021-10010', 'CVE-2021-12500'],
    );
    assert.equal(stats.expectedCount, RECORDS);
    assert.equal(stats.dataTime, '2026-01-02T03:04:05Z');
  });

  test('of a file that ends too early are refused with it', async () => {
    await assert.rejects(parse(nvdFile('')), FeedFormatError);
  });

  test('of the next file are parsed by the same threads', async () => {
    const { ids } = await parse(nvdFile());
    assert.equal(ids.length, RECORDS - BROKEN.size);
  });
});
