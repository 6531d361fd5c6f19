import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { FeedFormatError } from '../../src/feeds/feed.ts';
import { purl2cpeFeed } from '../../src/feeds/purl2cpe/purl2cpe.ts';
import { sharedPath } from '../support/shared.ts';
import { parseFeed } from './parse-feed.ts';
import { tarOf } from './tar-of.ts';

const skip = sharedPath('feeds', 'purl2cpe') === null && 'no feeds';
const at = (product: string, file = 'purls.yml') => `purl2cpe-main/data/${product}/${file}`;

test('the package URLs of a product are those of its folder, in one spelling and without versions', async () => {
  const archive = tarOf([
    { name: 'purl2cpe-main/README.md', content: '- pkg:npm/not-this' },
    { name: at('Nginx/nginx', 'cpes.yml'), content: 'cpes:\n  - cpe:2.3:a:nginx:nginx:1.0:*:*:*:*:*:*:*\n' },
    {
      name: at('Nginx/nginx'),
      content:
        'purls:\n  - pkg:github/NGINX/nginx\n  - "pkg:Deb/debian/nginx@1.0"\n  - pkg:github/nginx/nginx\n  - nothing\n',
    },
    { name: at(`${'v'.repeat(60)}/${'p'.repeat(80)}`), content: 'purls:\n  - pkg:npm/@scope/name\n' },
    { name: at('empty/empty'), content: 'purls:\n' },
  ]);
  const { entries, told } = await parseFeed(purl2cpeFeed, gzipSync(archive));
  assert.deepEqual(entries, [
    { vendor: 'nginx', product: 'nginx', purls: ['pkg:github/nginx/nginx', 'pkg:deb/debian/nginx'] },
    { vendor: 'v'.repeat(60), product: 'p'.repeat(80), purls: ['pkg:npm/@scope/name'] },
  ]);
  assert.deepEqual(told.skipped, [{ what: 'empty/empty', why: 'it has no package URL' }]);
});

test('an archive that ends early, or is none, is refused', async () => {
  const archive = tarOf([{ name: at('a/b'), content: 'purls:\n  - pkg:npm/b\n' }]);
  const cases = [archive.subarray(0, 700), archive.subarray(0, 1024), Buffer.alloc(1024), Buffer.alloc(1024, 'x')];
  for (const content of cases) await assert.rejects(parseFeed(purl2cpeFeed, gzipSync(content)), FeedFormatError);
  await assert.rejects(parseFeed(purl2cpeFeed, Buffer.from('<html>')), FeedFormatError);
});

test('the published archive: as many products as folders, nearly as many package URLs as lines', { skip }, async () => {
  const { entries, told } = await parseFeed(purl2cpeFeed, sharedPath('feeds', 'purl2cpe', 'purl2cpe-main.tar.gz')!);
  assert.deepEqual(told.skipped, []);
  assert.equal(entries.length, 21_971);
  const nginx = entries.filter(({ purls }) => purls.includes('pkg:github/nginx/nginx'));
  assert.ok(nginx.some(({ vendor, product }) => vendor === 'nginx' && product === 'nginx'));
});
