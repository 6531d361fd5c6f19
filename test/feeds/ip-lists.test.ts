import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FeedFormatError } from '../../src/feeds/feed.ts';
import { cloudFeed } from '../../src/feeds/ip-lists/cloud.ts';
import { feodoFeed } from '../../src/feeds/ip-lists/feodo.ts';
import { fireholFeed } from '../../src/feeds/ip-lists/firehol.ts';
import { torExitFeed } from '../../src/feeds/ip-lists/tor.ts';
import type { Upstream } from '../../src/feeds/upstream.ts';
import { sharedPath } from '../support/shared.ts';
import { parseFeed, upstreamOf } from './parse-feed.ts';

const feeds = sharedPath('feeds');
const real = (...parts: string[]): string => sharedPath('feeds', ...parts)!;
const noFeeds = feeds === null && 'no feeds';

describe('the real lists, with the counts that their catalog of feeds names', { skip: noFeeds }, () => {
  test('Tor exits: 1,363 addresses', async () => {
    const { entries, told } = await parseFeed(torExitFeed, real('tor', 'torbulkexitlist'));
    assert.equal(entries.length, 1363);
    assert.deepEqual(told.skipped, []);
    assert.ok(entries.some(({ cidr }) => cidr === '5.2.67.226'));
  });

  test('FireHOL level 1: 2,511 subnets, as its header announces, of the day that it names', async () => {
    const { entries, told } = await parseFeed(fireholFeed, real('firehol', 'firehol_level1.netset'));
    assert.equal(entries.length, 2511);
    assert.equal(told.announced, 2511);
    assert.equal(told.asOf, '2022-01-24T01:40:48.000Z');
    const addresses = entries.reduce((sum, { cidr }) => sum + 2 ** (32 - Number(cidr.split('/')[1] ?? 32)), 0);
    assert.equal(addresses, 618_830_080);
  });

  test('Feodo: servers with port, state and malware', async () => {
    const { entries } = await parseFeed(feodoFeed, real('abusech', 'feodotracker', 'downloads', 'ipblocklist.json'));
    assert.deepEqual(
      entries.find(({ cidr }) => cidr === '50.16.16.211'),
      {
        cidr: '50.16.16.211',
        label: '443',
        region: null,
        country: 'US',
        server: {
          port: 443,
          online: true,
          malware: 'QakBot',
          first_seen: '2025-12-30T13:56:31.000Z',
          last_online: '2026-03-12',
        },
      },
    );
    const empty = await parseFeed(feodoFeed, real('abusech', 'feodotracker', 'downloads', 'ipblocklist.empty.json'));
    assert.deepEqual([empty.entries, empty.told.skipped], [[], []]);
  });

  for (const [id, file, count, cidr, expected] of [
    ['aws', 'aws-ip-ranges.json', 8971 + 4373, '3.5.140.0/22', { label: 'AMAZON', region: 'ap-northeast-2' }],
    ['gcp', 'gcp-cloud.json', 782, '34.35.0.0/16', { label: 'Google Cloud', region: 'africa-south1' }],
    ['azure', 'azure-service-tags.json', 90_493, '4.145.74.52/30', { label: 'ActionGroup', region: null }],
    ['cloudflare', 'cloudflare-ips.json', 22, '104.16.0.0/13', { label: '', region: null }],
    ['fastly', 'fastly-public-ip-list.json', 21, '151.101.0.0/16', { label: '', region: null }],
    ['oracle', 'oracle-public_ip_ranges.json', null, '129.80.0.0/16', { label: 'OCI', region: 'us-ashburn-1' }],
    ['digitalocean', 'digitalocean-google.csv', 1182, '5.101.96.0/21', { region: 'NL-NH', country: 'NL' }],
    ['linode', 'linode-geofeed.csv', 4552, '2600:3c00::/32', { region: 'US-TX', country: 'US' }],
  ] as const) {
    test(`cloud ranges of ${id}`, async () => {
      const { entries, told } = await parseFeed(cloudFeed, real('cloud', file), { name: `cloud/${id}` });
      assert.deepEqual(told.skipped, []);
      if (count !== null) assert.equal(entries.length, count);
      const found = entries.filter((entry) => entry.cidr === cidr);
      assert.ok(
        found.some((entry) =>
          Object.entries(expected).every(([name, value]) => entry[name as keyof typeof entry] === value),
        ),
        JSON.stringify(found),
      );
    });
  }
});

describe('what is no list is refused', () => {
  const page = Buffer.from('<!doctype html>\n<html><body>Down for maintenance</body></html>\n');
  test('a page in the place of a cloud list', async () => {
    for (const id of ['aws', 'gcp', 'azure', 'cloudflare', 'oracle', 'fastly', 'digitalocean', 'linode']) {
      await assert.rejects(parseFeed(cloudFeed, page, { name: `cloud/${id}` }), FeedFormatError, id);
      await assert.rejects(parseFeed(cloudFeed, Buffer.from('{}'), { name: `cloud/${id}` }), FeedFormatError, id);
    }
  });
  test('a page or an object in the place of servers', async () => {
    await assert.rejects(parseFeed(feodoFeed, page), FeedFormatError);
    await assert.rejects(parseFeed(feodoFeed, Buffer.from('{"error":"x"}')), FeedFormatError);
  });
  test('an empty list of exits', async () => {
    await assert.rejects(parseFeed(torExitFeed, Buffer.from('\n# nothing\n')), FeedFormatError);
  });
  test('lines of a page are no addresses', async () => {
    const { entries, told } = await parseFeed(torExitFeed, page);
    assert.deepEqual([entries.length, told.skipped.length], [0, 2]);
  });
});

test('rows that cannot be read are skipped and named', async () => {
  const list = await parseFeed(torExitFeed, Buffer.from('8.8.8.8\r\n300.1.1.1\n8.8.4.0/33\n 9.9.9.0/24 \n'));
  assert.deepEqual(
    list.entries.map(({ cidr }) => cidr),
    ['8.8.8.8', '9.9.9.0/24'],
  );
  assert.equal(list.told.skipped.length, 2);
  const rows = [
    { ip_address: 'x' },
    { ip_address: '8.8.8.8', port: null, status: null, country: 'usa', malware: 'a\u202eb' },
  ];
  const servers = await parseFeed(feodoFeed, Buffer.from(JSON.stringify(rows)));
  assert.equal(servers.told.skipped.length, 1);
  assert.deepEqual(servers.entries[0]?.country, null);
  assert.equal(servers.entries[0]?.server?.malware, 'ab');
  assert.equal(servers.entries[0]?.server?.online, null);
});

describe('the files of the clouds', () => {
  test('in a copy they have the names of the copy, at the origin each its own address', async () => {
    const copy = await cloudFeed.files(upstreamOf('folder', {}), { asOf: null, files: new Set() });
    assert.ok(copy.every(({ path, open }) => !path.includes('/') && open === undefined));
    const origin = await cloudFeed.files(upstreamOf('origin', {}), { asOf: null, files: new Set() });
    assert.ok(origin.every(({ path }) => path.startsWith('https://')));
    assert.deepEqual(new Set(copy.map(({ name }) => name)).size, 8);
  });

  test('Azure’s file of the day is the one that its page names', async () => {
    const link = 'https://download.microsoft.com/download/7/1/d/71d8-13da/ServiceTags_Public_20260119.json';
    const opened: string[] = [];
    const upstream: Upstream = {
      ...upstreamOf('origin', {}),
      readText: async () => `<a href="${link}" data-x>download</a>`,
      openFile: async (path) => {
        opened.push(path);
        return { status: 'missing' };
      },
    };
    const azure = (await cloudFeed.files(upstream, { asOf: null, files: new Set() })).find(
      ({ name }) => name === 'cloud/azure',
    );
    await azure!.open!(null);
    assert.deepEqual(opened, [link]);
    const [changed] = (
      await cloudFeed.files({ ...upstream, readText: async () => '<html>' }, { asOf: null, files: new Set() })
    ).filter(({ name }) => name === 'cloud/azure');
    await assert.rejects(changed!.open!(null), FeedFormatError);
  });
});
