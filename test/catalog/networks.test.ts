import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { maskToPrefix, formatNetwork, parseIpNetwork, createNetworkMatcher } from '../../src/analysis/ip-network.ts';
import { createFeedUpstreams } from '../../src/catalog/create-feed-upstreams.ts';
import { CatalogHandle } from '../../src/catalog/catalog-handle.ts';
import { createNetworkLoader } from '../../src/catalog/loaders/list-loaders.ts';
import { NetworkReader } from '../../src/catalog/networks.ts';
import { createTables } from '../../src/catalog/schema.ts';
import { syncCatalog } from '../../src/catalog/sync.ts';
import { CatalogView } from '../../src/catalog/catalog-view.ts';
import type { NetworkEntry } from '../../src/feeds/entries.ts';
import type { Feed } from '../../src/feeds/feed.ts';
import { feodoFeed } from '../../src/feeds/ip-lists/feodo.ts';
import { torExitFeed } from '../../src/feeds/ip-lists/tor.ts';
import { buildFixtureCatalog, temporaryFolder } from '../operations/fixture-catalog.ts';
import { LISTED } from '../operations/fixture-networks.ts';
import { sharedPath } from '../support/shared.ts';

const entry = (cidr: string, label = ''): NetworkEntry => ({ cidr, label, region: null, country: null, server: null });

function filled(lists: Record<string, readonly NetworkEntry[]>): { db: DatabaseSync; networks: NetworkReader } {
  const db = new DatabaseSync(':memory:');
  createTables(db);
  for (const [list, entries] of Object.entries(lists)) {
    const store = createNetworkLoader(db, list);
    store.put(entries);
    store.finish?.(null);
  }
  return { db, networks: new NetworkReader(db) };
}

describe('networks as text and bytes', () => {
  test('bits past the prefix length are dropped', () => {
    assert.deepEqual(parseIpNetwork('198.51.100.77/24'), {
      family: 4,
      prefix: Uint8Array.from([198, 51, 100, 0]),
      bits: 24,
    });
    assert.deepEqual([...maskToPrefix(Uint8Array.from([255, 255, 255, 255]), 13)], [255, 248, 0, 0]);
    assert.deepEqual([...maskToPrefix(Uint8Array.from([255, 255]), 0)], [0, 0]);
  });
  test('an address is a network of one', () => {
    assert.equal(parseIpNetwork('8.8.8.8')?.bits, 32);
    assert.equal(parseIpNetwork('2001:db8::1')?.bits, 128);
  });
  test('they are written in their canonical form', () => {
    const { prefix, bits } = parseIpNetwork('2600:1F18:0000::1/33')!;
    assert.equal(formatNetwork(prefix, bits), '2600:1f18::/33');
  });
  for (const text of [
    '',
    '8.8.8',
    '8.8.8.8/33',
    '8.8.8.8/-1',
    '8.8.8.8/',
    '8.8.8.8/24/24',
    '::/129',
    '0x8.8.8.8',
    'a.b.c.d/8',
  ]) {
    test(`${JSON.stringify(text)} is none`, () => assert.equal(parseIpNetwork(text), null));
  }
});

describe('which lists hold an address', () => {
  const { networks } = filled({
    one: [entry('192.0.0.0/8'), entry('192.168.4.0/22', 'a'), entry('192.168.4.0/22', 'b'), entry('192.168.7.255')],
    two: [entry('2600::/12'), entry('2600:1f18::/33'), entry('0.0.0.0/0')],
  });
  const held = (ip: string): string[] =>
    networks.findContaining(ip).map(({ list, cidr, label }) => `${list} ${cidr} ${label}`.trim());

  test('the narrowest first, each row of it', () =>
    assert.deepEqual(held('192.168.7.255'), [
      'one 192.168.7.255/32',
      'one 192.168.4.0/22 a',
      'one 192.168.4.0/22 b',
      'one 192.0.0.0/8',
      'two 0.0.0.0/0',
    ]));
  test('the first and the last address of a network, and the ones beside it', () => {
    assert.equal(held('192.168.4.0').length, 4);
    assert.equal(held('192.168.3.255').length, 2);
    assert.equal(held('192.168.8.0').length, 2);
    assert.deepEqual(held('191.255.255.255'), ['two 0.0.0.0/0']);
  });
  test('families do not mix', () => {
    assert.deepEqual(held('2600:1f18:7fff::1'), ['two 2600:1f18::/33', 'two 2600::/12']);
    assert.deepEqual(held('2600:1f18:8000::1'), ['two 2600::/12']);
    assert.deepEqual(held('c0a8:7ff::'), []);
  });
  test('a list is replaced as a whole, and others stay', () => {
    const { db } = filled({ one: [entry('9.9.9.9')], two: [entry('9.9.9.9')] });
    createNetworkLoader(db, 'one').put([entry('8.8.8.8')]);
    const after = new NetworkReader(db);
    assert.deepEqual(
      after.findContaining('9.9.9.9').map(({ list }) => list),
      ['two'],
    );
    assert.deepEqual(
      after.findContaining('8.8.8.8').map(({ list }) => list),
      ['one'],
    );
  });
});

const firehol = sharedPath('feeds', 'firehol', 'firehol_level1.netset');
test('the same as when every network of a real list is tried', { skip: firehol === null && 'no feeds' }, () => {
  const cidrs = readFileSync(firehol!, 'utf8')
    .split('\n')
    .filter((line) => /^\d/.test(line))
    .slice(0, 800);
  const { networks } = filled({ firehol: cidrs.map((cidr) => entry(cidr)) });
  const holds = createNetworkMatcher(cidrs);
  let inside = 0;
  for (let at = 0; at < 3000; at++) {
    // Half of them near a network's edge.
    const base = parseIpNetwork(cidrs[(at * 7) % cidrs.length]!)!.prefix;
    const ip = [...base]
      .map((byte, index) => (byte + (index === 3 || (at & 1 && index === 1) ? (at * 31) % 3 : 0)) % 256)
      .join('.');
    const found = networks.findContaining(ip).length > 0;
    assert.equal(found, holds(ip), ip);
    if (found) inside++;
  }
  assert.ok(inside > 300 && inside < 2900, `${inside} inside: the addresses tell nothing`);
});

describe('the view of the lists', () => {
  const view = (without: Parameters<typeof buildFixtureCatalog>[0]) => {
    const handle = new CatalogHandle(buildFixtureCatalog(without), assert.fail);
    const used: string[] = [];
    return {
      view: new CatalogView(handle.current!, {
        recordUsedFeed: (source) => used.push(source),
        recordConsultedFeed: () => {},
      }),
      used,
    };
  };
  test('a list that was never synced is null, not empty', () => {
    const all = view([]).view.networksContaining(LISTED.quiet, ['tor', 'firehol', 'feodo', 'cloud']);
    assert.deepEqual(all, { tor: [], firehol: [], feodo: [], cloud: [] });
    const { view: some, used } = view(['tor']);
    assert.equal(some.networksContaining(LISTED.torExit, ['tor', 'firehol']).tor, null);
    assert.deepEqual(used, ['tor', 'firehol']);
  });
  test('rows come under the feed of their list', () => {
    const found = view([]).view.networksContaining(LISTED.aws, ['cloud', 'tor']);
    assert.deepEqual(
      found.cloud?.map(({ list, label }) => [list, label]),
      [
        ['cloud/aws', 'AMAZON'],
        ['cloud/aws', 'EC2'],
      ],
    );
    assert.deepEqual(found.tor, []);
  });
});

describe('a list from sync to sync', () => {
  const copyOf = (contents: Record<string, string>) => {
    const root = temporaryFolder();
    const write = (files: Record<string, string>): void => {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(join(root, path, '..'), { recursive: true });
        writeFileSync(join(root, path), text);
      }
    };
    write(contents);
    return { feeds: `${pathToFileURL(root).href}/`, write };
  };
  const feodo = (ips: readonly string[]): string =>
    JSON.stringify(ips.map((ip_address) => ({ ip_address, port: 443 })));
  const BLOCKLIST = 'abusech/feodotracker/downloads/ipblocklist.json';

  const sync = async (folder: string, feeds: string, feed: Feed<'network'>) => {
    const given = feed as unknown as Feed;
    const upstreams = createFeedUpstreams(given, { feeds, sourceUrls: new Map(), githubToken: null });
    const { generation, failed } = await syncCatalog({
      folder,
      feeds: [{ feed: given, upstreams: () => upstreams }],
      now: () => new Date('2026-01-20T00:00:00Z'),
      report: () => {},
    });
    const db = new DatabaseSync(join(folder, generation!.file), { readOnly: true });
    const holds = (ip: string): boolean => new NetworkReader(db).findContaining(ip).length > 0;
    return {
      state: generation!.sources[feed.id]!,
      failed,
      holds,
      searchable: db.prepare('SELECT count(*) AS n FROM facet').get()!['n'],
    };
  };

  test('Feodo’s may shrink to nothing, and that is no failure', async () => {
    const folder = temporaryFolder();
    const { feeds, write } = copyOf({ [BLOCKLIST]: feodo(['8.8.8.8', '8.8.4.4', '9.9.9.9']) });
    const first = await sync(folder, feeds, feodoFeed);
    assert.deepEqual([first.state.records, first.failed, first.holds('8.8.4.4')], [3, [], true]);
    assert.ok(Number(first.searchable) > 0, 'a new catalog is searchable');
    write({ [BLOCKLIST]: '[]\n' });
    const second = await sync(folder, feeds, feodoFeed);
    assert.deepEqual([second.state.records, second.failed, second.holds('8.8.4.4')], [0, [], false]);
    assert.deepEqual(second.searchable, first.searchable);
  });

  test('a page in its place leaves the old list, and the state says so', async () => {
    const folder = temporaryFolder();
    const { feeds, write } = copyOf({ 'tor/torbulkexitlist': '8.8.8.8\n9.9.9.9\n' });
    await sync(folder, feeds, torExitFeed);
    write({ 'tor/torbulkexitlist': '<html>\nnothing here\n</html>\n' });
    const { state, failed, holds } = await sync(folder, feeds, torExitFeed);
    assert.deepEqual([state.records, failed, holds('9.9.9.9')], [2, ['tor'], true]);
    assert.ok(state.last_error);
  });
});
