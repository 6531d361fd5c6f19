import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { FileParseStats, findRejection } from '../../src/catalog/sync/file-parse-stats.ts';
import type { FeedFile } from '../../src/feeds/feed.ts';

interface Seen {
  entries: number;
  skipped?: number;
  announced?: number;
  known?: number;
  extent?: FeedFile['extent'];
}

function refusal({ entries, skipped = 0, announced, known = 0, extent = 'whole' }: Seen): string | null {
  const tally = new FileParseStats();
  tally.entries = entries;
  for (let at = 0; at < skipped; at++) tally.skip(`record ${at}`, 'broken');
  if (announced !== undefined) tally.setExpectedCount(announced);
  return findRejection(tally, { name: 'f', path: 'f', fingerprint: null, extent, sha256: null }, known)?.reason ?? null;
}

suite('a file is refused', () => {
  for (const [what, seen, says] of [
    ['that holds nothing', { entries: 0 }, /no records/],
    ['that shrank by more than a tenth', { entries: 899, known: 1000 }, /shrank from 1000 to 899/],
    ['that holds fewer than it announces', { entries: 99, announced: 100 }, /holds 99 .* announces 100/],
    ['of which a tenth cannot be read', { entries: 90, skipped: 10 }, /10 of 100 .*record 0: broken/],
    ['a delta that holds fewer than it announces', { entries: 1, announced: 2, extent: 'delta' }, /announces 2/],
  ] as [string, Seen, RegExp][]) {
    test(what, () => assert.match(refusal(seen) ?? '', says));
  }
});

suite('a file is taken', () => {
  for (const [what, seen] of [
    ['that is new', { entries: 1 }],
    ['that shrank by a tenth', { entries: 900, known: 1000 }],
    ['that grew', { entries: 5000, known: 1000 }],
    ['that holds what it announces, broken ones counted', { entries: 99, skipped: 1, announced: 100 }],
    ['of which less than a tenth cannot be read', { entries: 91, skipped: 9 }],
    ['a delta with nothing new', { entries: 0, known: 1000, extent: 'delta' }],
    ['a delta smaller than the last', { entries: 5, known: 1000, extent: 'delta' }],
  ] as [string, Seen][]) {
    test(what, () => assert.equal(refusal(seen), null));
  }

  test('a small delta with one broken record: the good ones are wanted', () => {
    assert.equal(refusal({ entries: 3, skipped: 1, extent: 'delta' }), null);
  });
});

test('of many skips a few are told, all are counted', () => {
  const tally = new FileParseStats();
  for (let at = 0; at < 1000; at++) tally.skip(`record ${at}`, 'broken');
  assert.equal(tally.skipped, 1000);
  assert.ok(tally.skips.length <= 10);
});
