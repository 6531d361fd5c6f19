import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { AdvisoryEntry } from '../../src/feeds/entries.ts';
import { FeedFormatError } from '../../src/feeds/feed.ts';
import { type AdvisoryPage, ghsaFeed } from '../../src/feeds/ghsa/ghsa.ts';
import { sharedPath } from '../support/shared.ts';
import { parseFeed, upstreamOf } from './parse-feed.ts';

const folder = sharedPath('feeds', 'ghsa');
const FIRST = 'advisories?type=reviewed&sort=updated&direction=desc&per_page=100';
const noMemory = { asOf: null, files: new Set<string>() };

function tally(keys: string[]): Record<string, number> {
  return keys.reduce<Record<string, number>>((counts, key) => ({ ...counts, [key]: (counts[key] ?? 0) + 1 }), {});
}

test('all real advisories are read', { skip: folder === null && 'no feeds' }, async () => {
  const names = readdirSync(folder!);
  const files = await ghsaFeed.files(upstreamOf('folder', { names }), noMemory);
  assert.deepEqual(
    files.map((file) => file.name),
    Array.from({ length: 53 }, (_, at) => `page-${at + 1}.json`),
  );
  const advisories: AdvisoryEntry[] = [];
  for (const file of files) {
    const { entries, told } = await parseFeed(ghsaFeed, join(folder!, file.path), file);
    assert.deepEqual(told.skipped, []);
    advisories.push(...entries);
  }
  assert.equal(advisories.length, 5298);
  assert.deepEqual(tally(advisories.map((advisory) => advisory.severity)), {
    medium: 1839,
    high: 1776,
    critical: 956,
    unknown: 465,
    low: 262,
  });
  const ecosystems = advisories.flatMap((advisory) => [...new Set(advisory.packages.map((pack) => pack.ecosystem))]);
  const expected = {
    npm: 1647,
    go: 1228,
    pip: 1210,
    maven: 1045,
    nuget: 155,
    rust: 76,
    composer: 10,
    rubygems: 10,
    swift: 3,
    erlang: 2,
    pub: 1,
    actions: 1,
  };
  assert.deepEqual(tally(ecosystems), expected);
  assert.equal(advisories.filter((advisory) => advisory.facts === null).length, 1045);
  assert.equal(advisories.filter((advisory) => advisory.withdrawn !== null).length, 1);
  assert.ok(advisories.every((advisory) => advisory.url === `https://github.com/advisories/${advisory.ghsa_id}`));

  const first = advisories[0]!;
  assert.equal(first.ghsa_id, 'GHSA-2jm2-2p35-rp3j');
  assert.deepEqual(first.packages, [
    { ecosystem: 'composer', name: 'devcode-it/openstamanager', vulnerable_range: '< 2.9.5', first_patched: '2.9.5' },
  ]);
  assert.deepEqual(first.facts?.metrics, [
    {
      version: '3.1',
      vector: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H',
      base_score: 8.8,
      base_severity: null,
      scorer: 'github',
      primary: false,
    },
  ]);
  assert.deepEqual(first.facts?.weaknesses, [{ cwe_id: 'CWE-89', source: 'github' }]);
  assert.equal(first.facts?.references.length, 3);
});

const advisory = {
  ghsa_id: 'GHSA-2222-3333-4444',
  cve_id: 'CVE-2030-0001',
  html_url: 'https://github.com/advisories/GHSA-2222-3333-4444',
  summary: 'A drop',
  description: 'Long\r\ntext',
  type: 'reviewed',
  severity: 'high',
  published_at: '2030-01-02T03:04:05Z',
  updated_at: '2030-01-03T03:04:05Z',
  withdrawn_at: null,
  novelty: [],
  vulnerabilities: [
    {
      package: { ecosystem: 'npm', name: '@acme/anvil' },
      vulnerable_version_range: '>= 2.0, < 2.15.0',
      first_patched_version: '2.15.0',
    },
    {
      package: { ecosystem: 'pip', name: 'anvil' },
      vulnerable_version_range: '= 1.2.3',
      first_patched_version: { identifier: '1.2.4' },
    },
    { package: { ecosystem: 'pip', name: 'b' }, vulnerable_version_range: '> 1, <= 4.0', first_patched_version: null },
    { package: { ecosystem: 'pip', name: 'c' }, vulnerable_version_range: null },
    { package: { ecosystem: 'pip', name: 'd' }, vulnerable_version_range: '1.x || 2.x' },
    { package: null, vulnerable_version_range: '< 1' },
  ],
  cvss: { vector_string: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H', score: 8.8 },
  cvss_severities: {
    cvss_v3: { vector_string: null, score: 0.0 },
    cvss_v4: { vector_string: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', score: 9.3 },
  },
  cwes: [{ cwe_id: 'CWE-79', name: 'XSS' }],
  references: ['https://acme.example/1', { url: 'https://acme.example/1' }, 'github.com/acme'],
};

function page(...advisories: unknown[]): Buffer {
  return Buffer.from(JSON.stringify(advisories));
}

test('an advisory becomes an entry and facts', async () => {
  const { entries, told } = await parseFeed(ghsaFeed, page(advisory));
  const { facts, packages, ...rest } = entries[0]!;
  assert.deepEqual(rest, {
    ghsa_id: 'GHSA-2222-3333-4444',
    cve_id: 'CVE-2030-0001',
    summary: 'A drop',
    severity: 'high',
    published: '2030-01-02T03:04:05.000Z',
    updated: '2030-01-03T03:04:05.000Z',
    withdrawn: null,
    url: 'https://github.com/advisories/GHSA-2222-3333-4444',
  });
  assert.deepEqual(
    packages.map((pack) => [pack.name, pack.vulnerable_range, pack.first_patched]),
    [
      ['@acme/anvil', '>= 2.0, < 2.15.0', '2.15.0'],
      ['anvil', '= 1.2.3', '1.2.4'],
      ['b', '> 1, <= 4.0', null],
      ['c', null, null],
      ['d', '1.x || 2.x', null],
    ],
  );
  const bounds = facts?.products.map((p) => [
    p.version,
    p.start_including,
    p.start_excluding,
    p.end_including,
    p.end_excluding,
  ]);
  assert.deepEqual(bounds, [
    [null, '2.0', null, null, '2.15.0'],
    ['1.2.3', null, null, null, null],
    [null, null, '1', '4.0', null],
    [null, null, null, null, null],
    ['1.x || 2.x', null, null, null, null],
  ]);
  assert.deepEqual(
    [facts?.source, facts?.status, facts?.rejected, facts?.description],
    ['ghsa', 'reviewed', false, 'Long\ntext'],
  );
  // `cvss` repeats a severity: counted once, and not at all where v3 or v4 is given on its own.
  assert.deepEqual(
    facts?.metrics.map((metric) => [metric.version, metric.base_score]),
    [['4.0', 9.3]],
  );
  assert.deepEqual(facts?.references, [{ url: 'https://acme.example/1', tags: [], source: 'github' }]);
  assert.equal(told.asOf, '2030-01-03T03:04:05.000Z');
  assert.deepEqual(told.notes, {});
});

test('without cvss_severities the score is that of `cvss`', async () => {
  const { entries } = await parseFeed(ghsaFeed, page({ ...advisory, cvss_severities: undefined }));
  assert.deepEqual(
    entries[0]?.facts?.metrics.map((metric) => [metric.version, metric.base_score]),
    [['3.1', 8.8]],
  );
});

test('a withdrawn advisory stands as rejected; one without a CVE has no facts', async () => {
  const withdrawn = { ...advisory, withdrawn_at: '2030-02-01T00:00:00Z' };
  const { entries } = await parseFeed(ghsaFeed, page(withdrawn, { ...advisory, cve_id: null }));
  assert.deepEqual([entries[0]?.facts?.status, entries[0]?.facts?.rejected], ['withdrawn', true]);
  assert.equal(entries[0]?.withdrawn, '2030-02-01T00:00:00.000Z');
  assert.equal(entries[1]?.facts, null);
});

test('broken advisories are skipped and named, good ones kept', async () => {
  const broken = [
    { ...advisory, ghsa_id: 'GHSA-1' },
    { ...advisory, updated_at: 'now' },
    { ...advisory, vulnerabilities: {} },
    null,
    'x',
  ];
  const { entries, told } = await parseFeed(ghsaFeed, page(...broken, advisory));
  assert.equal(entries.length, 1);
  assert.deepEqual(
    told.skipped.map(({ what }) => what),
    ['GHSA-1', 'GHSA-2222-3333-4444', 'GHSA-2222-3333-4444', 'advisory 4', 'advisory 5'],
  );
});

test('what is no page of advisories is refused', async () => {
  for (const content of ['', '<html>', '{"message": "API rate limit exceeded"}', '[{"ghsa_id": ']) {
    await assert.rejects(parseFeed(ghsaFeed, Buffer.from(content)), FeedFormatError);
  }
});

test('at the origin: page by page along the links until what is known', async () => {
  const next = (cursor: number) => `https://api.github.com/advisories?after=${cursor}`;
  const at = (day: string) => ({ ...advisory, updated_at: `2030-01-${day}T00:00:00Z` });
  const answers = {
    [FIRST]: { body: [at('09'), at('08')], next: next(1) },
    [next(1)]: { body: [at('07'), at('06')], next: next(2) },
    [next(2)]: { body: [at('05')], next: null },
  };
  const upstream = upstreamOf('origin', { answers });
  const all = (await ghsaFeed.files(upstream, noMemory)) as AdvisoryPage[];
  assert.deepEqual(
    all.map((file) => [file.name, file.path, file.olderPage]),
    [
      ['page-1.json', FIRST, null],
      ['page-2.json', next(1), null],
      ['page-3.json', next(2), null],
    ],
  );
  assert.deepEqual(JSON.parse(Buffer.from(all[1]!.content).toString()), answers[next(1)]!.body);
  assert.equal(new Set(all.map((file) => file.fingerprint)).size, 3);
  const { entries, told } = await parseFeed(ghsaFeed, all[0]!.content, all[0]);
  assert.equal(entries.length, 2);
  assert.equal(told.asOf, '2030-01-09T00:00:00.000Z');

  const some = await ghsaFeed.files(upstream, { asOf: '2030-01-06T00:00:00.000Z', files: new Set() });
  assert.equal(some.length, 2);
  const none = upstreamOf('origin', { answers: { [FIRST]: { body: { message: 'rate limit' }, next: null } } });
  await assert.rejects(ghsaFeed.files(none, noMemory), FeedFormatError);
});

test('at the origin: the pages of one sync are bounded, and the last one tells that more would follow', async () => {
  const endless = upstreamOf('origin', {});
  endless.readJson = async (path) => {
    endless.asked.push(path);
    return { body: [advisory], next: `https://api.github.com/advisories?after=${endless.asked.length}` };
  };
  const files = (await ghsaFeed.files(endless, noMemory)) as AdvisoryPage[];
  assert.equal(endless.asked.length, 50);
  assert.deepEqual(
    files.map((file) => file.olderPage),
    files.map((_, at) => (at === 49 ? 'https://api.github.com/advisories?after=50' : null)),
  );
  const { told } = await parseFeed(ghsaFeed, files[49]!.content, files[49]);
  assert.match(told.notes['missing_older'] ?? '', /older advisories/);
});

test('at the origin: older pages that were left are read by later syncs, after the new ones, until all are here', async () => {
  const upstream = upstreamOf('origin', {});
  const at = (day: string) => ({ ...advisory, updated_at: `2030-01-${day}T00:00:00Z` });
  const address = (page: number): string => `https://api.github.com/advisories?after=${page}`;
  const LAST = 70;
  upstream.readJson = async (path) => {
    upstream.asked.push(path);
    if (path === FIRST) return { body: [at('09'), at('08')], next: address(1) };
    const page = Number(path.split('=').at(-1));
    return { body: [{ ...at('01'), summary: `page ${page}` }], next: page < LAST ? address(page + 1) : null };
  };
  const memory = { asOf: '2030-01-08T00:00:00.000Z', files: new Set<string>(), notes: { older_page: address(10) } };
  const second = (await ghsaFeed.files(upstream, memory)) as AdvisoryPage[];
  assert.deepEqual(
    [second.length, second[1]!.path, second.at(-1)!.path, second.at(-1)!.olderPage],
    [50, address(10), address(58), address(59)],
  );
  const third = await ghsaFeed.files(upstream, { ...memory, notes: { older_page: address(59) } });
  const last = third.at(-1) as AdvisoryPage;
  assert.deepEqual([third.length, last.path, last.olderPage], [13, address(70), '']);
  const { told } = await parseFeed(ghsaFeed, last.content, last);
  assert.deepEqual(told.notes, { older_page: '', missing_older: '' });

  upstream.asked.length = 0;
  await ghsaFeed.files(upstream, { ...memory, notes: {} });
  assert.deepEqual(upstream.asked, [FIRST]);
});

test('at the origin: an older page that cannot be had keeps nobody from the new ones', async () => {
  const answers = { [FIRST]: { body: [advisory], next: null } };
  const memory = { asOf: null, files: new Set<string>(), notes: { older_page: 'https://api.github.com/gone' } };
  const pages = (await ghsaFeed.files(upstreamOf('origin', { answers }), memory)) as AdvisoryPage[];
  assert.deepEqual(
    pages.map(({ path, olderPage }) => [path, olderPage]),
    [[FIRST, null]],
  );
});
