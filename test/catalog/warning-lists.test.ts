import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { parseIndicator } from '../../src/analysis/indicators/parse-indicator.ts';
import { createTables } from '../../src/catalog/schema.ts';
import { createWarningListLoader, WarningListReader } from '../../src/catalog/warning-lists.ts';
import { EMPTY_FILE, WARNING_LISTS } from '../operations/fixture-warning-lists.ts';

function filled(): { db: DatabaseSync; find: (text: string) => string[] } {
  const db = new DatabaseSync(':memory:');
  createTables(db);
  createWarningListLoader(db).put(WARNING_LISTS);
  const reader = new WarningListReader(db);
  const find = (text: string) => reader.find(parseIndicator(text)!).map(({ name, value }) => `${name}: ${value}`);
  return { db, find };
}

const { db, find } = filled();
for (const [what, indicator, found] of [
  ['a name itself', 'popular.example', ['Top sites: popular.example']],
  ['a name below', 'www.popular.example', ['Top sites: popular.example']],
  ['the host of a URL', 'https://www.popular.example/x', ['Top sites: popular.example']],
  ['another name that ends alike', 'unpopular.example', []],
  ['an exact name', 'exact.example', ['Top sites: exact.example']],
  ['a name below an exact one', 'www.exact.example', []],
  ['a popular public suffix itself', 'github.io', ['Top sites: github.io']],
  ['a name of somebody below a public suffix', 'somebody.github.io', []],
  ['the same in a list that is about that', 'somebody.duckdns.org', ['Dynamic DNS: duckdns.org']],
  ['an address in a network', '203.1.5.5', ['Ranges of a network: 203.1.0.0/16']],
  ['an address by its narrowest entry', '203.1.113.7', ['Ranges of a network: 203.1.113.7/32']],
  ['an address in the next network', '203.2.0.1', []],
  ['an IPv6 address', '2a00:1::5', ['Ranges of a network: 2a00:1::/32']],
  ['a URL by address', 'http://203.1.5.5/', ['Ranges of a network: 203.1.0.0/16']],
  ['a hash', EMPTY_FILE.toUpperCase(), [`Empty files: ${EMPTY_FILE}`]],
  ['another hash', 'a'.repeat(64), []],
  ['a pattern in a URL', 'https://x.example/a/drill-of-ours/b', ['Phishing drills: /drill-of-ours/']],
] as const) {
  test(`${what}: ${found.length === 0 ? 'in no list' : 'found'}`, () => assert.deepEqual(find(indicator), found));
}

test('lists that come again replace those before', () => {
  createWarningListLoader(db).put([WARNING_LISTS[0]!]);
  assert.equal(db.prepare('SELECT count(*) AS count FROM warning_list').get()?.['count'], 1);
  assert.equal(db.prepare('SELECT count(*) AS count FROM warning_value').get()?.['count'], 3);
});
