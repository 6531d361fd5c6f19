import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { cvelistFeed } from '../../../src/feeds/cvelist/cvelist.ts';
import { type CvelistFile, cvelistFiles } from '../../../src/feeds/cvelist/releases.ts';
import { FeedFormatError, type PreviousSync } from '../../../src/feeds/feed.ts';
import { parseFeed, upstreamOf } from '../parse-feed.ts';
import { zipOf } from '../zip-of.ts';

const FIRST: PreviousSync = { asOf: null, files: new Set() };
const delta = (day: string, until = 'end_of_day'): string => `${day}_delta_CVEs_at_${until}.zip`;
const baseline = (day: string): string => `${day}_all_CVEs_at_midnight.zip.zip`;
const asset = (name: string) => ({ name, size: 7, browser_download_url: `https://github.example/d/${name}` });
const originOf = (names: readonly string[]) =>
  upstreamOf('origin', {
    answers: { 'releases?per_page=100': { body: names.map((name) => ({ assets: [asset(name)] })), next: null } },
  });
const synced = (asOf: string, notes: Record<string, string> = {}): PreviousSync => ({ asOf, files: new Set(), notes });
const namesOf = (files: readonly CvelistFile[]) => files.map(({ name }) => name);
const notesOf = (files: readonly CvelistFile[]) => Object.assign({}, ...files.map(({ notes }) => notes));

suite('without a baseline', () => {
  test('in a folder: the last delta of each day, oldest first, and a note that the baseline is missing', async () => {
    const names = [
      delta('2030-01-03', '0200Z'),
      delta('2030-01-02'),
      delta('2030-01-02', '2300Z'),
      delta('2030-01-03', '1000Z'),
      'README.md',
    ];
    const files = await cvelistFiles(upstreamOf('folder', { names }), FIRST);
    assert.deepEqual(
      files.map((file) => [file.name, file.path, file.extent, file.fingerprint]),
      [names[1], names[3]].map((name) => [name, name, 'delta', null]),
    );
    assert.match(notesOf(files).no_baseline, /changed since 2030-01-02/);
  });

  test('at the origin: deltas that are newer than what is known', async () => {
    const upstream = originOf([
      delta('2030-01-03', '0200Z'),
      delta('2030-01-02'),
      delta('2030-01-02', '2300Z'),
      delta('2030-01-01'),
    ]);
    const all = await cvelistFiles(upstream, FIRST);
    assert.deepEqual(namesOf(all), [delta('2030-01-01'), delta('2030-01-02'), delta('2030-01-03', '0200Z')]);
    assert.equal(all[2]?.path, `https://github.example/d/${delta('2030-01-03', '0200Z')}`);
    assert.equal(all[2]?.fingerprint, `${delta('2030-01-03', '0200Z')}:7`);
    const later = await cvelistFiles(upstream, synced('2030-01-02T23:00:00.000Z'));
    assert.deepEqual(namesOf(later), [delta('2030-01-02'), delta('2030-01-03', '0200Z')]);
    const none = upstreamOf('origin', {
      answers: { 'releases?per_page=100': { body: { message: 'Not Found' }, next: null } },
    });
    await assert.rejects(cvelistFiles(none, FIRST), FeedFormatError);
  });

  test('days of which no changes are listed any more are a gap, noted with the file after it', async () => {
    const listed = ['2030-01-08', '2030-01-09', '2030-01-12'].map((day) => delta(day));
    const gaps = async (asOf: string | null, layout: 'origin' | 'mirror' = 'mirror') => {
      const upstream = layout === 'origin' ? originOf(listed) : upstreamOf(layout, { names: listed });
      const files = await cvelistFiles(upstream, { asOf, files: new Set() });
      return files.flatMap(({ name, notes }) => {
        const gap = notes[`missing_before_${name.slice(0, 10)}`];
        return gap === undefined ? [] : [[name.slice(0, 10), /changes of (.*) \(UTC\)/.exec(gap)?.[1]]];
      });
    };
    const middle = ['2030-01-12', '2030-01-10 to 2030-01-11'];
    // A first sync looks back on what is listed; before it nothing is known that could have a gap.
    assert.deepEqual(await gaps(null), []);
    const early = ['2030-01-08', '2030-01-03 to 2030-01-07'];
    assert.deepEqual(await gaps('2030-01-03T22:00:00.000Z'), [early, middle]);
    assert.deepEqual(await gaps('2030-01-07T23:59:59.000Z'), [middle]);
    assert.deepEqual(await gaps('2030-01-09T12:00:00.000Z'), [middle]);
    assert.deepEqual(await gaps('2030-01-12T23:59:59.000Z'), []);
    // The origin lists all releases since the oldest one listed: a day without one had no changes.
    assert.deepEqual(await gaps('2030-01-03T22:00:00.000Z', 'origin'), [early]);
    assert.deepEqual(await gaps('2030-01-07T23:59:59.000Z', 'origin'), []);
    assert.deepEqual(await gaps('2030-01-09T12:00:00.000Z', 'origin'), []);
  });
});

suite('with a baseline', () => {
  const names = [
    delta('2030-01-01'),
    baseline('2030-01-01'),
    baseline('2030-01-02'),
    delta('2030-01-02', '0300Z'),
    delta('2030-01-02'),
    delta('2030-01-03', '0200Z'),
  ];
  for (const [layout, upstream] of [
    ['folder', upstreamOf('folder', { names })],
    ['origin', originOf(names)],
  ] as const) {
    test(`${layout}: the newest one first, then the deltas of its day and later`, async () => {
      const expected = [baseline('2030-01-02'), delta('2030-01-02'), delta('2030-01-03', '0200Z')];
      const files = await cvelistFiles(upstream, FIRST);
      assert.deepEqual(namesOf(files), expected);
      assert.deepEqual(notesOf(files), { baseline: '2030-01-02', no_baseline: '' });
      // Deltas alone were loaded before, by a version that knew no baseline or from a mirror that had none.
      assert.deepEqual(namesOf(await cvelistFiles(upstream, synced('2030-01-02T10:00:00.000Z'))), expected);
    });
    test(`${layout}: it is loaded once`, async () => {
      const known = synced('2030-01-02T23:59:59.000Z', { baseline: '2030-01-01' });
      const files = await cvelistFiles(upstream, known);
      assert.equal(
        namesOf(files).some((name) => name.includes('_all_')),
        false,
      );
      assert.equal(namesOf(files).at(-1), delta('2030-01-03', '0200Z'));
      assert.deepEqual(notesOf(files), {});
    });
    test(`${layout}: a gap of deltas is closed by a newer one`, async () => {
      const known = synced('2029-12-20T10:00:00.000Z', {
        baseline: '2029-12-01',
        'missing_before_2029-12-10': 'the changes of 2029-12-08 to 2029-12-09 (UTC)',
        'missing_before_2030-02-01': 'later',
      });
      const files = await cvelistFiles(upstream, known);
      assert.equal(files[0]?.name, baseline('2030-01-02'));
      assert.deepEqual(notesOf(files), { baseline: '2030-01-02', no_baseline: '', 'missing_before_2029-12-10': '' });
    });
  }

  test('a gap after it is noted', async () => {
    const upstream = upstreamOf('folder', {
      names: [baseline('2030-01-01'), delta('2030-01-01'), delta('2030-01-05')],
    });
    assert.match(notesOf(await cvelistFiles(upstream, FIRST))['missing_before_2030-01-05'], /2030-01-02 to 2030-01-04/);
  });
});

suite('a baseline file', () => {
  const record = (id: string) =>
    JSON.stringify({
      dataType: 'CVE_RECORD',
      cveMetadata: { cveId: id, state: 'PUBLISHED' },
      containers: { cna: { descriptions: [{ lang: 'en', value: 'A flaw' }] } },
    });
  const inner = zipOf([
    { name: 'cves/', content: '' },
    { name: 'cves/2030/0xxx/CVE-2030-0001.json', content: record('CVE-2030-0001') },
    { name: 'cves/2030/0xxx/CVE-2030-0002.json', content: '{"broken' },
    { name: 'cves/2030/10xxx/CVE-2030-10001.json', content: record('CVE-2030-10001') },
    { name: 'cves/delta.json', content: '{}' },
  ]);
  const file: Partial<CvelistFile> = { name: baseline('2030-01-02'), notes: { baseline: '2030-01-02' } };

  test('all records of the zip in the zip; its data is of midnight', async () => {
    const { entries, told } = await parseFeed(cvelistFeed, zipOf([{ name: 'cves.zip', content: inner }]), file);
    assert.deepEqual(
      entries.map(({ cve_id }) => cve_id),
      ['CVE-2030-0001', 'CVE-2030-10001'],
    );
    assert.deepEqual(
      told.skipped.map(({ what }) => what),
      ['CVE-2030-0002.json'],
    );
    assert.equal(told.asOf, '2030-01-02T00:00:00.000Z');
    assert.deepEqual(told.notes, { baseline: '2030-01-02' });
  });

  test('one that ends early, holds nothing or is a page is refused, and sets no note', async () => {
    const whole = zipOf([{ name: 'cves.zip', content: inner }]);
    const cut = zipOf([{ name: 'cves.zip', content: inner.subarray(0, inner.length - 30) }]);
    const empty = zipOf([{ name: 'cves.zip', content: zipOf([{ name: 'cves/delta.json', content: '{}' }]) }]);
    for (const content of [whole.subarray(0, whole.length - 4), cut, empty, Buffer.from('<html>'), Buffer.alloc(0)]) {
      await assert.rejects(parseFeed(cvelistFeed, content, file), FeedFormatError);
    }
  });
});
