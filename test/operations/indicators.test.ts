import assert from 'node:assert/strict';
import { buildFixtureCatalog } from './fixture-catalog.ts';
import { createHash } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { NetworkClient } from '../../src/net/network-client.ts';
import type { Lab } from '../lab/lab.ts';
import { openLabNetwork } from '../support/lab-network.ts';
import { type ServiceOptions, startService, type TestService } from '../support/service.ts';
import { EMPTY_FILE } from './fixture-warning-lists.ts';
import { LISTED } from './fixture-networks.ts';

let lab: Lab;
let net: NetworkClient;
let service: TestService;
const ends: (() => void | Promise<void>)[] = [];
const owner = { after: (end: () => void | Promise<void>) => ends.push(end) };
/** The lab's one sample. */
const MALWARE_SHA256 = createHash('sha256').update('a sample of the lab').digest('hex');
const SOURCES = ['urlhaus', 'threatfox', 'malwarebazaar'] as const;

/** Synced an hour before the clock of these tests: no feed is stale. */
const fresh = buildFixtureCatalog([], undefined, {}, '2026-01-19T23:00:00Z');

const start = (options: Partial<ServiceOptions> = {}): Promise<TestService> =>
  startService(owner, {
    net,
    catalog: fresh,
    keys: { SEXTANT_ABUSECH_KEY: 'key-a' },
    sources: Object.fromEntries(lab.sourceUrls),
    patienceMs: lab.patienceMs,
    ...options,
  });

before(async () => {
  ({ lab, net } = await openLabNetwork(ends));
});
beforeEach(async () => {
  for (const id of SOURCES) lab.source(id).mode = 'ok';
  service = await start();
  service.clock.now = new Date('2026-01-20T00:00:00Z');
  lab.requests.clear();
});
after(async () => {
  for (const end of ends.toReversed()) await end();
});

const ok = async (path: string) => {
  const { status, body } = await service.get(path);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};

describe('an indicator', () => {
  for (const [what, indicator, type, level, listed] of [
    ['a domain', 'malware.lab', 'domain', 'critical', ['threatfox', 'urlhaus']],
    ['a domain, defanged', 'malware[.]lab', 'domain', 'critical', ['threatfox', 'urlhaus']],
    ['a URL', 'http://malware.lab/bin/loader.exe', 'url', 'critical', ['urlhaus']],
    ['a URL, defanged', 'hxxp://malware[.]lab/bin/loader.exe', 'url', 'critical', ['urlhaus']],
    ['a URL, encoded whole', 'hxxp%3A%2F%2Fmalware%5B.%5Dlab%2Fbin%2Floader.exe', 'url', 'critical', ['urlhaus']],
    ['a sample', MALWARE_SHA256, 'hash', 'critical', ['malwarebazaar']],
    ['a botnet server online', LISTED.botnet, 'ip', 'critical', ['feodo']],
    // 80 for a server of Feodo's, last online over two years ago: a fifth of that.
    ['a botnet server of old', LISTED.oldBotnet, 'ip', 'low', ['feodo']],
    ['an attacker', LISTED.attacker, 'ip', 'medium', ['firehol']],
    ['a Tor exit', LISTED.torExit, 'ip', 'low', ['tor']],
    ['nobody', LISTED.quiet, 'ip', 'none', []],
    ['nobody, with its port', `${LISTED.quiet}:443`, 'ip', 'none', []],
    ['a quiet domain', 'kept.lab', 'domain', 'none', []],
    ['a quiet URL with a query', 'hxxps[:]//kept[.]lab/?a=b&c=d', 'url', 'none', []],
    ['a hash of nothing', 'd41d8cd98f00b204e9800998ecf8427e', 'hash', 'none', []],
  ] as const) {
    test(`${what} is ${type}, ${level}`, async () => {
      const body = await ok(`/v1/ioc/${indicator}`);
      const named = Object.entries(body.sources).filter(([, word]) => (word as { status: string }).status === 'listed');
      assert.deepEqual([body.type, body.threat_level, named.map(([id]) => id)], [type, level, listed]);
      assert.equal(body.threat_reasons.length > 0, listed.length > 0);
      assert.equal(body.verdict.completeness, 'complete');
    });
  }

  test('age takes from what was seen: Cobalt Strike of 2020 is little more than a memory', async (t) => {
    const body = await ok('/v1/ioc/139.180.203[.]104');
    if (body.sources.threatfox.count === 0) return t.skip('no feeds');
    // Confidence 75, over two years old: a fifth.
    assert.deepEqual([body.threat_level, body.threat_score], ['low', 15]);
    assert.match(body.threat_reasons[0], /Cobalt Strike.*2020-12-06/);
  });

  test('a text in another indicator is not that indicator', async () => {
    // ThreatFox finds all in which the text occurs: `malware.lab` occurs in it.
    assert.equal((await ok('/v1/ioc/alware.lab')).sources.threatfox.status, 'not_listed');
  });

  test('warning lists are named, and lower what others say', async () => {
    const hash = await ok(`/v1/ioc/${EMPTY_FILE}`);
    assert.deepEqual(hash.warning_lists, [
      {
        name: 'Empty files',
        category: 'false_positive',
        description: 'What is in it',
        as_of: '2026-01-10',
        matched: EMPTY_FILE,
      },
    ]);
    assert.deepEqual([hash.threat_level, hash.verdict.completeness], ['none', 'complete']);
    assert.deepEqual((await ok('/v1/ioc/kept.lab')).warning_lists, []);
    service = await start({ catalog: buildFixtureCatalog(['warninglists']) });
    const unknown = await ok('/v1/ioc/kept.lab');
    assert.equal(unknown.warning_lists, null);
    assert.ok(unknown.verdict.sources_unavailable.includes('warninglists'));
  });

  test('the parts of the confidence add up to it', async () => {
    const { confidence, threat_score } = await ok(`/v1/ioc/${LISTED.oldBotnet}`);
    // 80 for a server of Feodo's that is offline, 0.2 for over two years.
    assert.deepEqual(confidence, {
      value: 16,
      sources: [{ source: 'Feodo Tracker', weight: 80, age_days: 749, age_factor: 0.2, warning_factor: 1, points: 16 }],
      agreement: 0,
    });
    assert.equal(threat_score, 16);
  });

  test('as a STIX 2.1 bundle, by its page', async () => {
    const { status, text } = await service.get(`/indicator/${LISTED.botnet}?format=stix`);
    assert.equal(status, 200, text);
    const types = JSON.parse(text).objects.map(({ type }: { type: string }) => type);
    assert.deepEqual(types, ['identity', 'ipv4-addr', 'observed-data', 'indicator', 'relationship']);
  });

  test('well-known infrastructure is named', async () => {
    const body = await ok('/v1/ioc/1.1.1.1');
    assert.equal(body.known_benign.kind, 'public_resolver');
    assert.match(body.threat_reasons[0], /Cloudflare DNS/);
  });

  test('without a key nothing is clean', async () => {
    service = await start({ keys: {} });
    for (const indicator of ['kept.lab', LISTED.quiet, MALWARE_SHA256]) {
      const body = await ok(`/v1/ioc/${indicator}`);
      assert.deepEqual([body.threat_level, body.threat_score], ['unknown', null], indicator);
      assert.equal(body.sources.threatfox.status, 'not_configured');
      assert.ok(body.verdict.sources_unavailable.includes('threatfox'));
      assert.match(body.summary, /threatfox/);
    }
  });

  for (const mode of ['hang', 'status', 'garbage', 'wrong-shape', 'huge', 'reset'] as const) {
    test(`each source fails alone: ${mode}`, async () => {
      for (const id of ['threatfox', 'urlhaus'] as const) {
        service = await start();
        lab.source(id).mode = mode;
        const quiet = await ok('/v1/ioc/kept.lab');
        assert.deepEqual([quiet.threat_level, quiet.sources[id].status], ['unknown', 'unavailable']);
        assert.deepEqual(quiet.verdict.sources_unavailable, [id]);
        const bad = await ok('/v1/ioc/malware.lab');
        assert.deepEqual([bad.threat_level, bad.sources[id].status], ['critical', 'unavailable']);
        lab.source(id).mode = 'ok';
      }
    });
  }

  test('an answer is good for a day', async () => {
    const count = (): number => lab.requests.count('upstream', 'threatfox') + lab.requests.count('upstream', 'urlhaus');
    await ok('/v1/ioc/malware.lab');
    service.clock.now = new Date('2026-01-20T23:00:00Z');
    await ok('/v1/ioc/malware[.]lab');
    assert.equal(count(), 2);
    service.clock.now = new Date('2026-01-21T01:00:00Z');
    await ok('/v1/ioc/malware.lab');
    assert.equal(count(), 4);
  });

  for (const bad of [
    '10.0.0.1',
    'http://127.0.0.1/',
    'https://user:secret@evil.example/',
    'deadbeef',
    'hello',
    'javascript:alert(1)',
  ]) {
    test(`${bad} is 400, and nobody is asked`, async () => {
      const { status, text } = await service.get(`/v1/ioc/${bad}`);
      assert.equal(status, 400, text);
      assert.doesNotMatch(text, /secret/);
      assert.equal(lab.requests.rows().length, 0);
    });
  }
});

describe('a file hash', () => {
  test('of a sample, in either case', async () => {
    const body = await ok(`/v1/hash/${MALWARE_SHA256.toUpperCase()}`);
    assert.deepEqual([body.hash, body.hash_type, body.found], [MALWARE_SHA256, 'sha256', true]);
    assert.deepEqual([body.malware_family, body.file_name, body.file_size], ['LabLoader', 'loader.exe', 19]);
  });
  test('that nobody has', async () => {
    const body = await ok('/v1/hash/da39a3ee5e6b4b0d3255bfef95601890afd80709');
    assert.deepEqual([body.hash_type, body.found, body.status], ['sha1', false, 'not_listed']);
    assert.equal(body.verdict.completeness, 'complete');
  });
  test('without a key, or without an answer, is not known', async () => {
    lab.source('malwarebazaar').mode = 'garbage';
    const silent = await ok(`/v1/hash/${MALWARE_SHA256}`);
    assert.deepEqual(
      [silent.found, silent.status, silent.verdict.sources_unavailable],
      [null, 'unavailable', ['malwarebazaar']],
    );
    service = await start({ keys: {} });
    const keyless = await ok(`/v1/hash/${MALWARE_SHA256}`);
    assert.deepEqual([keyless.found, keyless.status], [null, 'not_configured']);
  });
  for (const bad of ['xyz', 'a'.repeat(31), 'a'.repeat(65), 'g'.repeat(32), '0x' + 'a'.repeat(30)]) {
    test(`${bad.length} characters "${bad[0]}…" are 400`, async () => {
      assert.equal((await service.get(`/v1/hash/${bad}`)).status, 400);
    });
  }
});

describe('a URL', () => {
  test('that is listed', async () => {
    for (const url of [
      'http://malware.lab/bin/loader.exe',
      'http:/malware.lab/bin/loader.exe',
      'hxxp://malware[.]lab/bin/loader.exe',
    ]) {
      const body = await ok(`/v1/phishing/${url}`);
      assert.deepEqual([body.url, body.host], ['http://malware.lab/bin/loader.exe', 'malware.lab']);
      assert.deepEqual([body.is_malicious, body.is_stale, body.threat_level], [true, false, 'critical']);
      assert.deepEqual(
        [body.urlhaus_url.found, body.urlhaus_url.threat, body.urlhaus_url.tags],
        [true, 'malware_download', ['exe', 'lab']],
      );
    }
  });
  test('of which only the host is listed', async () => {
    const body = await ok('/v1/phishing/https://malware.lab/other?x=1');
    assert.deepEqual(
      [body.urlhaus_url.found, body.urlhaus_host.found, body.urlhaus_host.urls_online],
      [false, true, 1],
    );
    assert.deepEqual([body.is_malicious, body.threat_level], [true, 'high']);
  });
  test('that nobody lists', async () => {
    const body = await ok('/v1/phishing/https://kept.lab/login');
    assert.deepEqual([body.is_malicious, body.threat_level], [false, 'none']);
  });
  test('of which nobody could tell', async () => {
    for (const options of [{ keys: {} }, {}]) {
      service = await start(options);
      lab.source('urlhaus').mode = 'status';
      const body = await ok('/v1/phishing/https://kept.lab/login');
      assert.deepEqual([body.is_malicious, body.is_stale, body.threat_level], [null, null, 'unknown']);
      assert.deepEqual(
        [body.urlhaus_host.found, body.urlhaus_host.url_count, body.urlhaus_url.found],
        [null, null, null],
      );
      assert.deepEqual(body.verdict.sources_unavailable, ['urlhaus']);
    }
  });
  test('is not opened', async () => {
    await ok('/v1/phishing/http://malware.lab/bin/loader.exe');
    assert.equal(lab.requests.count('http'), 0);
    assert.equal(lab.requests.count('https'), 0);
  });
  for (const bad of [
    'ftp://evil.example/',
    'evil.example',
    'https://user:secret@evil.example/',
    'http://192.168.1.1/',
    'http://[::1]/',
  ]) {
    test(`${bad} is 400`, async () => {
      const { status, text } = await service.get(`/v1/phishing/${bad}`);
      assert.equal(status, 400, text);
      assert.doesNotMatch(text, /secret/);
      assert.equal(lab.requests.rows().length, 0);
    });
  }
});

describe('a domain at URLhaus', () => {
  test('that is listed', async () => {
    const body = await ok('/v1/threat/malware.lab');
    assert.deepEqual([body.urlhaus_status, body.url_count, body.urls_online], ['listed', 1, 1]);
    assert.deepEqual([body.threat_types, body.tags], [['malware_download'], ['exe', 'lab']]);
    assert.equal(body.urls[0].url, 'http://malware.lab/bin/loader.exe');
  });
  test('that is not', async () => {
    const body = await ok('/v1/threat/kept.lab');
    assert.deepEqual([body.urlhaus_status, body.url_count, body.urls], ['not_listed', 0, []]);
  });
  test('that is gone from the DNS, but not forgotten', async (t) => {
    const reply = await service.get('/v1/threat/vektorex.com');
    if (reply.status === 404) return t.skip('no feeds');
    assert.deepEqual([reply.body.urlhaus_status, reply.body.url_count], ['listed', 120]);
  });
  test('that never was is 404', async () =>
    assert.equal((await service.get('/v1/threat/no-such-name-at-all.lab')).status, 404));
  test('of which nothing is known is null, not zero', async () => {
    service = await start({ keys: {} });
    const body = await ok('/v1/threat/kept.lab');
    assert.deepEqual([body.urlhaus_status, body.url_count, body.urls, body.tags], ['not_configured', null, null, null]);
  });
});

describe('many indicators', () => {
  const bulk = async (indicators: unknown) => service.post('/v1/iocs/bulk', { indicators });
  test('each with its own outcome, at its place', async () => {
    const given = ['malware[.]lab', LISTED.quiet, '10.0.0.1', 'nonsense', 'malware.lab', MALWARE_SHA256];
    const { status, body } = await bulk(given);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(
      body.results.map((row: any) => [row.indicator, row.status, row.ioc?.threat_level ?? null]),
      [
        ['malware.lab', 'ok', 'critical'],
        [LISTED.quiet, 'ok', 'none'],
        ['10.0.0.1', 'invalid_format', null],
        ['nonsense', 'invalid_format', null],
        ['malware.lab', 'ok', 'critical'],
        [MALWARE_SHA256, 'ok', 'critical'],
      ],
    );
    assert.deepEqual([body.total, body.successful, body.failed, body.timed_out, body.partial], [6, 4, 2, 0, false]);
    assert.equal(lab.requests.count('upstream', 'urlhaus'), 2, 'the same domain is asked once');
  });

  test('a long URL is taken', async () => {
    const url = `http://evil.example/${'a'.repeat(1500)}`;
    const { body } = await bulk([url]);
    assert.deepEqual([body.results[0].status, body.results[0].indicator], ['ok', url]);
  });

  test('a source that hangs holds up nobody: fifty are answered side by side, with what there is', async () => {
    lab.source('threatfox').mode = 'hang';
    const started = performance.now();
    const { body } = await bulk(Array.from({ length: 50 }, (_, at) => `host-${at}.example`));
    assert.ok(performance.now() - started < 30_000);
    assert.deepEqual([body.successful, body.timed_out], [50, 0]);
    assert.ok(body.results.every((row: any) => row.ioc.sources.threatfox.status === 'unavailable'));
    assert.ok(body.results.every((row: any) => row.ioc.threat_level === 'unknown'));
    assert.ok(body.verdict.sources_unavailable.includes('threatfox'));
  });

  test('none, too many, and what is no list', async () => {
    assert.deepEqual([(await bulk([])).status, (await bulk([])).body.total], [200, 0]);
    for (const bad of [Array(51).fill('8.8.8.8'), 'x', [1], [null], ['a'.repeat(3000)]]) {
      assert.equal((await bulk(bad)).status, 422);
    }
  });

  test('over the quota the rest is named', async () => {
    service = await start({ quota: { keyless: 2 } });
    const { body } = await bulk([LISTED.quiet, LISTED.torExit, LISTED.attacker]);
    assert.deepEqual([body.total, body.skipped_due_to_rate_limit, body.partial], [2, [LISTED.attacker], true]);
  });
});
