import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endoflifeFeed } from '../../src/feeds/endoflife/endoflife.ts';
import type { SupportedProduct } from '../../src/analysis/support/find-support.ts';
import { FeedFormatError } from '../../src/feeds/feed.ts';
import { sharedPath } from '../support/shared.ts';
import { ENDOFLIFE, ENDOFLIFE_ENTRIES } from './endoflife-fixture.ts';
import { parseFeed } from './parse-feed.ts';

const product = (id: string) => ENDOFLIFE_ENTRIES.find((entry) => entry.id === id)!.body as SupportedProduct;
const skip = sharedPath('feeds', 'endoflife') === null && 'no feeds';

test('a product has its names of both CPE forms once, its package URLs and its cycles', () => {
  const { cpes, purls, cycles } = product('log4j');
  assert.deepEqual(cpes, ['apache:log4j']);
  assert.deepEqual(purls, ['pkg:maven/org.apache.logging.log4j/log4j-core']);
  assert.deepEqual(cycles[1], {
    name: '2.12',
    released: '2020-01-01',
    ends_at: '2021-12-14',
    has_ended: true,
    extended_ends_at: null,
    latest: '2.12.4',
  });
});

test('a broken product is skipped, another document refused', async () => {
  const result = [{ name: 'broken', label: 'x', identifiers: [], releases: [{ name: 7 }] }, ...ENDOFLIFE.result];
  const { entries, told } = await parseFeed(
    endoflifeFeed,
    Buffer.from(JSON.stringify({ ...ENDOFLIFE, result, total: 4 })),
  );
  assert.deepEqual([entries.length, told.skipped.length, told.announced], [3, 1, 4]);
  for (const content of ['[]', '<html></html>', '{"total":1}'])
    await assert.rejects(parseFeed(endoflifeFeed, Buffer.from(content)), FeedFormatError);
});

test('the published file: as many products and cycles as it counts', { skip }, async () => {
  const path = sharedPath('feeds', 'endoflife', 'api', 'v1', 'products', 'full.json.gz')!;
  const { entries, told } = await parseFeed(endoflifeFeed, path);
  const products = entries.map(({ body }) => body as SupportedProduct);
  assert.deepEqual(told.skipped, []);
  assert.deepEqual([products.length, products.flatMap(({ cycles }) => cycles).length], [464, 8351]);
  assert.equal(products.filter(({ purls }) => purls.length > 0).length, 188);
  assert.equal(products.filter(({ cpes }) => cpes.length > 0).length, 276);
});
