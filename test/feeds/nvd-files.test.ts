import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type PreviousSync, FeedFormatError } from '../../src/feeds/feed.ts';
import { nvdFeed } from '../../src/feeds/nvd/nvd.ts';
import type { Upstream } from '../../src/feeds/upstream.ts';

const SHA = '0123456789ABCDEF'.repeat(4);
const NOTHING: PreviousSync = { asOf: null, files: new Set() };

/** An upstream with these `.meta` files. */
function upstreamWith(metas: Record<string, string>): Upstream {
  return {
    layout: 'origin',
    readText: async (path) => metas[/^nvdcve-2\.0-(.*)\.meta$/.exec(path)?.[1] ?? ''] ?? null,
    readJson: async () => null,
    listFiles: async () => [],
    openFile: async () => ({ status: 'missing' }),
    readFrom: async () => null,
  };
}

/** As NVD writes it. */
const META = `lastModifiedDate:2025-05-19T00:00:02-04:00\r\nsize:1\r\nzipSize:1\r\ngzSize:1\r\nsha256:${SHA}\r\n`;

function metas(...parts: (string | number)[]): Record<string, string> {
  return Object.fromEntries(parts.map((part) => [String(part), META]));
}

test('a file for each year and for the changes, known by the checksum of its content', async () => {
  const files = await nvdFeed.files(upstreamWith(metas(2002, 2003, 2004, 'modified', 'recent')), NOTHING);
  assert.deepEqual(
    files.map(({ name, extent }) => `${name} ${extent}`),
    [
      'nvdcve-2.0-2002.json.gz whole',
      'nvdcve-2.0-2003.json.gz whole',
      'nvdcve-2.0-2004.json.gz whole',
      'nvdcve-2.0-modified.json.gz delta',
      'nvdcve-2.0-recent.json.gz delta',
    ],
  );
  for (const { path, name, fingerprint, sha256 } of files) {
    assert.equal(path, name);
    assert.deepEqual([fingerprint, sha256], [SHA.toLowerCase(), SHA.toLowerCase()]);
  }
});

test('a new year appears by itself', async () => {
  const years = Array.from({ length: 40 }, (_, index) => 2002 + index);
  assert.equal((await nvdFeed.files(upstreamWith(metas(...years)), NOTHING)).length, 40);
});

suite('what is no list of files', () => {
  for (const [what, given] of Object.entries({
    'nothing there': {},
    'no first year': metas(2003, 2004),
    'a .meta without a checksum': { ...metas(2002, 2003), 2004: 'size:1\r\n' },
    'an HTML page for a .meta': { ...metas(2002), 2003: '<!DOCTYPE html><title>503</title>' },
    'an empty .meta': { ...metas(2002), 2003: '' },
    'a checksum cut short': { ...metas(2002), 2003: META.slice(0, -10) },
    'a year missing in the middle': metas(2002, 2003, 2005, 2006),
  })) {
    test(what, async () => {
      await assert.rejects(nvdFeed.files(upstreamWith(given), NOTHING), FeedFormatError);
    });
  }

  test('years missing at the end that were there before', async () => {
    const memory = {
      asOf: null,
      files: new Set(['nvdcve-2.0-2002.json.gz', 'nvdcve-2.0-2003.json.gz', 'nvdcve-2.0-2004.json.gz']),
    };
    await assert.rejects(nvdFeed.files(upstreamWith(metas(2002, 2003)), memory), FeedFormatError);
  });
});
