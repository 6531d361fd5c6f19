import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FeedFormatError } from '../../src/feeds/feed.ts';
import { kevFeed } from '../../src/feeds/kev.ts';
import { sharedPath } from '../support/shared.ts';
import { parseFeed } from './parse-feed.ts';

const real = sharedPath('feeds', 'kev', 'known_exploited_vulnerabilities.json');

const row = {
  cveID: 'CVE-2030-0001',
  vendorProject: 'Acme',
  product: 'Anvil',
  vulnerabilityName: 'Acme Anvil Drop Vulnerability',
  dateAdded: '2030-01-02',
  shortDescription: 'It drops.',
  requiredAction: 'Hold it.',
  dueDate: '2030-01-23',
  knownRansomwareCampaignUse: 'Known',
  notes: '',
  cwes: ['CWE-79', 'none'],
};

function catalog(rows: unknown[], more: object = {}): Buffer {
  const head = { catalogVersion: '2030.01.02', dateReleased: '2030-01-02T17:04:19.9796Z', count: rows.length };
  return Buffer.from(JSON.stringify({ ...head, vulnerabilities: rows, ...more }));
}

test('all of the real catalog is read', { skip: real === null && 'no feeds' }, async () => {
  const { entries, told } = await parseFeed(kevFeed, real!);
  assert.equal(entries.length, 1404);
  assert.deepEqual(told.skipped, []);
  assert.equal(told.announced, 1404);
  assert.equal(told.asOf, '2025-08-25T17:04:19.979Z');
  assert.equal(told.notes['catalog_version'], '2025.08.25');
  const git = entries.find((entry) => entry.cve_id === 'CVE-2025-48384');
  assert.equal(git?.vendor_project, 'Git');
  assert.equal(git?.date_added, '2025-08-25');
  assert.equal(git?.due_date, '2025-09-15');
  assert.equal(git?.known_ransomware_use, false);
  assert.deepEqual(git?.cwes, ['CWE-59', 'CWE-436']);
  const log4shell = entries.find((entry) => entry.cve_id === 'CVE-2021-44228');
  assert.equal(log4shell?.date_added, '2021-12-10');
  assert.equal(log4shell?.known_ransomware_use, true);
});

test('a row becomes an entry; fields that are new to us are let be', async () => {
  const { entries, told } = await parseFeed(kevFeed, catalog([{ ...row, novelty: { a: 1 } }], { schemaVersion: 9 }));
  assert.deepEqual(told.skipped, []);
  assert.deepEqual(entries, [
    {
      cve_id: 'CVE-2030-0001',
      vendor_project: 'Acme',
      product: 'Anvil',
      vulnerability_name: 'Acme Anvil Drop Vulnerability',
      date_added: '2030-01-02',
      due_date: '2030-01-23',
      required_action: 'Hold it.',
      short_description: 'It drops.',
      known_ransomware_use: true,
      notes: null,
      cwes: ['CWE-79'],
    },
  ]);
});

test('broken rows are skipped and named, good ones kept', async () => {
  const rows = [
    row,
    { ...row, cveID: 'CVE-X' },
    { ...row, cveID: 'CVE-2030-0002', dateAdded: 'soon' },
    null,
    7,
    { ...row, product: 5 },
  ];
  const { entries, told } = await parseFeed(kevFeed, catalog(rows));
  assert.equal(entries.length, 1);
  assert.deepEqual(
    told.skipped.map(({ what }) => what),
    ['CVE-X', 'CVE-2030-0002', 'row 4', 'row 5', 'CVE-2030-0001'],
  );
  assert.match(told.skipped[1]!.why, /^dateAdded: /);
  assert.equal(told.announced, 6);
});

test('control and invisible characters are not taken over', async () => {
  const { entries } = await parseFeed(kevFeed, catalog([{ ...row, product: ' An\u202evil\u0007 ' }]));
  assert.equal(entries[0]?.product, 'Anvil');
});

test('what is no catalog is refused', async () => {
  const faults: [string | Buffer, RegExp][] = [
    ['', /empty/],
    ['<!doctype html><title>Access denied</title>', /an HTML page came in the place of JSON/],
    ['{"vulnerabilities": []}', /not a KEV catalog/],
    ['[]', /not a KEV catalog/],
    [catalog([row]).subarray(0, 200), /malformed or ends early/],
    [catalog([], { vulnerabilities: {} }), /not a KEV catalog: vulnerabilities/],
  ];
  for (const [content, message] of faults) {
    const parsing = parseFeed(kevFeed, Buffer.from(content));
    await assert.rejects(parsing, (error) => error instanceof FeedFormatError && message.test(error.message));
  }
});
