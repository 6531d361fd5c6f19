import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { abuseipdb } from '../../src/sources/abuseipdb.ts';
import { hibp } from '../../src/sources/hibp.ts';
import type { HttpSource } from '../../src/sources/http-source.ts';
import { internetdb } from '../../src/sources/shodan-internetdb.ts';
import { malwarebazaar } from '../../src/sources/malwarebazaar.ts';
import { parseAbusechTime } from '../../src/sources/abusech.ts';
import { announcedPrefixes, announcedRoute, autonomousSystem } from '../../src/sources/ripestat.ts';
import { shodanHost } from '../../src/sources/shodan-host-api.ts';
import { threatfox } from '../../src/sources/threatfox.ts';
import { urlhausHost, urlhausUrl } from '../../src/sources/urlhaus.ts';
import { sharedPath } from '../support/shared.ts';

const feeds = sharedPath('feeds');
const recorded = (...parts: string[]): string => readFileSync(sharedPath('feeds', ...parts)!, 'utf8');
const read = <Q, F>(source: HttpSource<Q, F>, question: Q, body: string, status = 200): F =>
  source.read(status, body, question);

const SHA256 = '0661d87116f44cbd5b5c6bec7fb06c4e5cd5b6ecbc5455d959e65f1ee46c54c8';
const MD5 = '596b3dbf07a287dcf76860b5e54762c3';

describe('recorded answers', { skip: feeds === null && 'no feeds' }, () => {
  test('InternetDB', () => {
    const seen = read(internetdb, '1.2.3.4', recorded('samples', 'shodan-internetdb', '1.2.3.4.with-vulns.json'));
    assert.deepEqual(seen?.ports, [25, 80, 443]);
    assert.deepEqual(seen?.vulns, ['CVE-2021-26857', 'CVE-2021-26855']);
    assert.deepEqual(seen?.tags, ['starttls', 'self-signed', 'eol-os']);
    assert.equal(seen?.hostnames.length, 2);
    const cloudflare = read(internetdb, '1.1.1.1', recorded('samples', 'shodan-internetdb', '1.1.1.1.json'));
    assert.equal(cloudflare?.ports.length, 11);
    assert.ok(cloudflare?.hostnames.includes('one.one.one.one'));
    assert.equal(read(internetdb, '9.9.9.9', recorded('samples', 'shodan-internetdb', '404.json'), 404), null);
  });

  test('Shodan host', () => {
    const host = read(shodanHost, '8.8.8.8', recorded('samples', 'shodan', 'host.8.8.8.8.json'));
    assert.deepEqual([host?.org, host?.country, host?.ports], ['Google', 'US', [53]]);
    assert.deepEqual([host?.hostnames, host?.last_update], [['dns.google'], '2021-01-22T08:49:35.000Z']);
    assert.equal(read(shodanHost, '8.8.8.8', recorded('samples', 'shodan', 'host.404.json'), 404), null);
  });

  test('AbuseIPDB', () => {
    const bad = read(abuseipdb, '103.74.116.73', recorded('samples', 'abuseipdb', 'check.103.74.116.73.verbose.json'));
    assert.deepEqual([bad.score, bad.total_reports, bad.distinct_users, bad.country], [100, 252, 105, 'VN']);
    assert.deepEqual([bad.last_reported_at, bad.whitelisted, bad.tor], ['2026-03-08T06:12:11.000Z', false, false]);
    const clean = read(abuseipdb, '8.8.8.8', recorded('samples', 'abuseipdb', 'check.8.8.8.8.clean.json'));
    assert.deepEqual([clean.score, clean.whitelisted, clean.usage_type], [0, true, 'Content Delivery Network']);
    for (const status of [401, 422, 429]) {
      const body = recorded('samples', 'abuseipdb', `check.error-${status}.json`);
      assert.throws(() => read(abuseipdb, '8.8.8.8', body, status), { name: 'SourceStatusError', status });
    }
  });

  test('RIPEstat', () => {
    const ripestat = (name: string): string => recorded('samples', 'ripestat', name);
    const google = read(announcedRoute, { routeOf: '8.8.8.8' }, ripestat('network-info.8.8.8.8.json'));
    assert.deepEqual(google, { asns: [15169], prefix: '8.8.8.0/24' });
    const none = read(announcedRoute, { routeOf: '10.0.0.1' }, ripestat('network-info.10.0.0.1.not-announced.json'));
    assert.deepEqual(none, { asns: [], prefix: null });
    assert.throws(() => read(announcedRoute, { routeOf: 'x' }, ripestat('network-info.error-400.json'), 400), {
      name: 'SourceStatusError',
      status: 400,
    });
    const ncc = read(autonomousSystem, { systemOf: 3333 }, ripestat('as-overview.AS3333.json'));
    assert.deepEqual(ncc, {
      holder: 'RIPE-NCC-AS - Reseaux IP Europeens Network Coordination Centre (RIPE NCC)',
      announced: true,
    });
    const prefixes = read(announcedPrefixes, { prefixesOf: 3333 }, ripestat('announced-prefixes.AS3333.json'));
    assert.deepEqual(prefixes, ['193.0.0.0/21', '193.0.10.0/23']);
    const hetzner = ripestat('announced-prefixes.AS24940.starttime-2020-12-12.json');
    assert.equal(read(announcedPrefixes, { prefixesOf: 24940 }, hetzner).length, 4);
    assert.throws(() => read(announcedPrefixes, { prefixesOf: 3333 }, hetzner), /another AS/);
  });

  test('URLhaus, by host', () => {
    const urlhaus = (name: string): string => recorded('abusech', 'urlhaus', name);
    const domain = read(urlhausHost, { host: 'vektorex.com' }, urlhaus('v1-host.ok.domain.json'));
    assert.deepEqual([domain?.url_count, domain?.urls_online, domain?.urls.length], [120, 2, 2]);
    assert.equal(domain?.first_seen, '2019-01-15T07:09:01.000Z');
    assert.deepEqual(domain?.urls[0]?.tags, ['AZORult', 'exe']);
    const other = read(urlhausHost, { host: 'reunionesdecabales.com' }, urlhaus('v1-host.ok.domain-2.json'));
    assert.deepEqual([other?.url_count, other?.urls_online], [2, 1]);
    const ip = read(urlhausHost, { host: '187.107.132.33' }, urlhaus('v1-host.ok.ip.json'));
    assert.deepEqual(ip?.urls[0]?.tags, ['elf', 'hajime']);
    assert.equal(read(urlhausHost, { host: 'example.com' }, urlhaus('v1-host.no_results.json')), null);
    assert.equal(read(urlhausHost, { host: 'a_b.example' }, urlhaus('v1-host.invalid_host.json')), null);
    assert.throws(() => read(urlhausHost, { host: 'example.com' }, urlhaus('v1.http_post_expected.json')));
    assert.throws(() => read(urlhausHost, { host: 'example.com' }, urlhaus('v1-host.ok.domain.json')), /another host/);
  });

  test('URLhaus, by URL', () => {
    const url = 'http://sskymedia.com/VMYB-ht_JAQo-gi/INV/99401FORPO/20673114777/US/Outstanding-Invoices/';
    const found = read(urlhausUrl, { url }, recorded('abusech', 'urlhaus', 'v1-url.ok.json'));
    assert.deepEqual([found?.url, found?.online, found?.threat], [url, true, 'malware_download']);
    assert.deepEqual([found?.tags, found?.date_added], [['emotet', 'epoch2', 'heodo'], '2019-01-19T01:33:26.000Z']);
    assert.equal(read(urlhausUrl, { url }, recorded('abusech', 'urlhaus', 'v1-url.no_results.json')), null);
    assert.equal(read(urlhausUrl, { url }, recorded('abusech', 'urlhaus', 'v1-url.invalid_url.json')), null);
  });

  test('ThreatFox', () => {
    const fox = (name: string) => read(threatfox, { search: 'x' }, recorded('abusech', 'threatfox', name));
    const [ip] = fox('search_ioc.ok.ip.json');
    assert.deepEqual(
      [ip?.ioc, ip?.threat_type, ip?.malware, ip?.confidence],
      ['139.180.203.104:443', 'botnet_cc', 'Cobalt Strike', 75],
    );
    assert.deepEqual([ip?.first_seen, ip?.last_seen, ip?.tags], ['2020-12-06T09:10:23.000Z', null, []]);
    assert.equal(ip?.reference, 'https://threatfox.abuse.ch/ioc/12/');
    assert.equal(fox('search_ioc.ok.domain.json')[0]?.last_seen, '2026-03-13T21:47:41.000Z');
    assert.equal(fox('search_ioc.ok.url.json')[0]?.malware, 'Emotet');
    assert.equal(fox('get_iocs.ok.json').length, 10);
    assert.deepEqual([fox('search_ioc.no_result.json'), fox('search_ioc.illegal_search_term.json')], [[], []]);
  });

  test('MalwareBazaar', () => {
    const bazaar = (hash: string, name: string) =>
      read(malwarebazaar, { hash }, recorded('abusech', 'malwarebazaar', name));
    for (const hash of [SHA256, MD5, 'a34fd5e57d75d17bc2d84055ca4752e5ee2e92f5']) {
      const sample = bazaar(hash, 'get_info.ok.json');
      assert.deepEqual(
        [sample?.sha256, sample?.malware, sample?.file_type, sample?.file_size],
        [SHA256, 'AgentTesla', 'exe', 836_096],
      );
      assert.equal(sample?.first_seen, '2021-04-06T19:47:13.000Z');
    }
    assert.throws(() => bazaar('0'.repeat(64), 'get_info.ok.json'), /another hash/);
    assert.equal(bazaar(MD5, 'get_info.hash_not_found.json'), null);
    assert.throws(() => bazaar(MD5, 'get_info.illegal_hash.json'));
    assert.throws(() => bazaar(MD5, 'get_info.no_hash_provided.json'));
    assert.equal(bazaar('61e20085728e09523f4b81d33a441c379eb8ef0c', 'get_recent.ok.json')?.file_name, 'mirai.i586');
  });

  test('Have I Been Pwned: "password" is 5BAA6 1E4C9…, 3,303,003 times', () => {
    const range = read(hibp, { prefix: '5BAA6' }, recorded('samples', 'hibp', 'range', '5BAA6'));
    assert.equal(range.size, 466);
    assert.equal(range.get('1E4C9B93F3F0682250B6CF8331B7EE68FD8'), 3_303_003);
  });
});

describe('what goes out', () => {
  test('of a password five digits of its hash, and a wish for padding', () => {
    assert.deepEqual(hibp.request({ prefix: '5BAA6' }, null), {
      path: 'range/5BAA6',
      headers: { 'add-padding': 'true' },
    });
    assert.equal(hibp.policy.ttlSeconds, 0);
  });
  test('to abuse.ch the key in a header, the question in the body', () => {
    const { path, headers, body } = urlhausUrl.request({ url: 'http://a.example/?b=c&d' }, 'secret');
    assert.equal(path, 'v1/url/');
    assert.equal(headers?.['auth-key'], 'secret');
    assert.equal(new URLSearchParams(body).get('url'), 'http://a.example/?b=c&d');
    assert.deepEqual(JSON.parse(threatfox.request({ search: 'evil.example' }, 'secret').body!), {
      query: 'search_ioc',
      search_term: 'evil.example',
    });
    assert.equal(malwarebazaar.request({ hash: MD5 }, 'secret').body, `query=get_info&hash=${MD5}`);
  });
  test('an IPv6 address as one part of a path', () => {
    assert.equal(internetdb.request('2001:db8::1', null).path, '2001%3Adb8%3A%3A1');
  });
});

test('padding counts as nothing', () => {
  const lines = [`${'A'.repeat(35)}:7`, `${'B'.repeat(35)}:0`, `${'C'.repeat(35)}:0`];
  assert.deepEqual([...read(hibp, { prefix: '00000' }, lines.join('\r\n'))], [['A'.repeat(35), 7]]);
});

test('times of abuse.ch', () => {
  assert.equal(parseAbusechTime('2019-01-19 01:33:26 UTC'), '2019-01-19T01:33:26.000Z');
  assert.equal(parseAbusechTime('2021-04-06 19:47:13'), '2021-04-06T19:47:13.000Z');
  for (const no of ['', null, undefined, 'yesterday', '2021-13-40 99:00:00', '2021-04-06'])
    assert.equal(parseAbusechTime(no), null);
});

describe('what is no answer is not read as "not listed"', () => {
  const sources: [string, (body: string, status: number) => unknown][] = [
    ['internetdb', (body, status) => read(internetdb, '8.8.8.8', body, status)],
    ['shodan', (body, status) => read(shodanHost, '8.8.8.8', body, status)],
    ['abuseipdb', (body, status) => read(abuseipdb, '8.8.8.8', body, status)],
    ['network-info', (body, status) => read(announcedRoute, { routeOf: '8.8.8.8' }, body, status)],
    ['as-overview', (body, status) => read(autonomousSystem, { systemOf: 1 }, body, status)],
    ['announced-prefixes', (body, status) => read(announcedPrefixes, { prefixesOf: 1 }, body, status)],
    ['urlhaus host', (body, status) => read(urlhausHost, { host: 'a.example' }, body, status)],
    ['urlhaus url', (body, status) => read(urlhausUrl, { url: 'http://a.example/' }, body, status)],
    ['threatfox', (body, status) => read(threatfox, { search: 'a.example' }, body, status)],
    ['malwarebazaar', (body, status) => read(malwarebazaar, { hash: MD5 }, body, status)],
    ['hibp', (body, status) => read(hibp, { prefix: '00000' }, body, status)],
  ];
  for (const [name, ask] of sources) {
    test(name, () => {
      for (const body of [
        '',
        '<html>Down</html>',
        '{}',
        '[]',
        'null',
        '{"query_status":"ok"}',
        '{"query_status":"unknown_auth_key"}',
        '{"data":{}}',
      ]) {
        assert.throws(() => ask(body, 200), name + body);
      }
      for (const status of [401, 403, 429, 500, 503])
        assert.throws(() => ask('{}', status), { name: 'SourceStatusError', status });
    });
  }
});

test('text of third parties is fit to be shown', () => {
  const nasty = 'a\u202eb\u0000c\u001b[31md';
  const body = JSON.stringify({
    query_status: 'ok',
    data: [
      { id: '../1', ioc: 'x.example', threat_type: nasty, malware_printable: nasty.repeat(1000), tags: [nasty, nasty] },
    ],
  });
  const [threat] = read(threatfox, { search: 'x' }, body);
  assert.equal(threat?.threat_type, 'abc[31md');
  assert.ok(threat!.malware!.length <= 100);
  assert.deepEqual(threat?.tags, ['abc[31md']);
  assert.equal(threat?.reference, null);
});
