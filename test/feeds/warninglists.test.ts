import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FeedFormatError } from '../../src/feeds/feed.ts';
import { warninglistsFeed } from '../../src/feeds/warninglists/warninglists.ts';
import { sharedPath } from '../support/shared.ts';
import { parseFeed } from './parse-feed.ts';
import { zipOf } from './zip-of.ts';

const archive = (lists: Record<string, object>): Buffer =>
  zipOf(
    Object.entries(lists).map(([id, list]) => ({
      name: `misp-warninglists-main/lists/${id}/list.json`,
      content: JSON.stringify(list),
    })),
  );
const only = async (list: object, id = 'a') => {
  const { entries, told } = await parseFeed(warninglistsFeed, archive({ [id]: list }));
  return { entry: entries[0], told };
};
const base = { name: 'A list.', description: 'What is in it', type: 'string', matching_attributes: ['domain'] };

describe('a warning list', () => {
  test('its values by what they are', async () => {
    const list = [
      'a.example',
      '.b.example',
      '*.c.example',
      '192.0.2.7',
      'D41D8CD98F00B204E9800998ECF8427E',
      'com',
      'x@y.example',
    ];
    const { entry } = await only({ ...base, list });
    assert.deepEqual(entry?.values, [
      { type: 'name', value: 'a.example', below: false },
      { type: 'name', value: 'b.example', below: true },
      { type: 'name', value: 'c.example', below: true },
      { type: 'network', value: '192.0.2.7' },
      { type: 'hash', value: 'd41d8cd98f00b204e9800998ecf8427e' },
    ]);
  });
  test('names of the type hostname stand for those below', async () => {
    const { entry } = await only({ ...base, type: 'hostname', list: ['a.example'] });
    assert.deepEqual(entry?.values, [{ type: 'name', value: 'a.example', below: true }]);
  });
  test('its day is its version where that is one', async () => {
    const { entry, told } = await only({ ...base, version: 20260811, list: ['a.example'] });
    assert.deepEqual([entry?.as_of, told.asOf], ['2026-08-11', '2026-08-11']);
    assert.equal((await only({ ...base, version: 7, list: ['a.example'] })).entry?.as_of, null);
  });
  test('its category is its own, or by what it is about', async () => {
    const list = ['a.example'];
    assert.equal((await only({ ...base, list })).entry?.category, 'false_positive');
    assert.equal((await only({ ...base, list }, 'dynamic-dns')).entry?.category, 'known');
    assert.equal((await only({ ...base, category: 'known', list })).entry?.category, 'known');
  });
  test('of other things than indicators is left out', async () => {
    const { entry, told } = await only({ ...base, matching_attributes: ['email-src'], list: ['a.example'] });
    assert.deepEqual([entry, told.skipped], [undefined, []]);
  });
  test('patterns: substrings, and regular expressions of bounded work', async () => {
    assert.deepEqual((await only({ ...base, type: 'substring', list: ['/Drill/', 'ab'] })).entry?.patterns, [
      { kind: 'substring', text: '/drill/' },
    ]);
    const { entry } = await only({
      ...base,
      type: 'regex',
      list: ['/^ad[0-9]+\\.example$/i', '(a+)+$', '.*a.*b.*c', '['],
    });
    assert.deepEqual(entry?.patterns, [{ kind: 'regex', text: '/^ad[0-9]+\\.example$/i' }]);
  });
  test('that is malformed is skipped', async () => {
    const { entries, told } = await parseFeed(
      warninglistsFeed,
      archive({ a: { ...base, list: ['a.example'] }, b: { name: 'B' } }),
    );
    assert.equal(entries.length, 1);
    assert.deepEqual(
      told.skipped.map(({ what }) => what),
      ['b'],
    );
  });
});

test('an archive without a list is refused', async () => {
  await assert.rejects(parseFeed(warninglistsFeed, zipOf([{ name: 'a/README.md', content: 'x' }])), FeedFormatError);
});

const real = sharedPath('feeds', 'warninglists', 'misp-warninglists-main.zip');
test('the real lists: all are read, as many as are about indicators', {
  skip: real === null && 'no feeds',
}, async () => {
  const { entries, told } = await parseFeed(warninglistsFeed, real!);
  assert.deepEqual(told.skipped, []);
  // 85 lists; one of mail addresses, one of top-level domains and one of mail domains are about nothing that is asked here.
  assert.equal(entries.length, 82);
  assert.ok(
    entries
      .find(({ id }) => id === 'empty-hashes')
      ?.values.some(({ value }) => value === 'd41d8cd98f00b204e9800998ecf8427e'),
  );
});
