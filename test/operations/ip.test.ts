import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { NetworkClient } from '../../src/net/network-client.ts';
import type { Lab } from '../lab/lab.ts';
import { openLabNetwork } from '../support/lab-network.ts';
import { type ServiceOptions, startService, type TestService } from '../support/service.ts';
import { buildFixtureCatalog } from './fixture-catalog.ts';
import { LISTED } from './fixture-networks.ts';

let lab: Lab;
let net: NetworkClient;
let service: TestService;
const ends: (() => void | Promise<void>)[] = [];
const owner = { after: (end: () => void | Promise<void>) => ends.push(end) };
const KEYS = { SEXTANT_ABUSECH_KEY: 'key-a', SEXTANT_ABUSEIPDB_KEY: 'key-b', SEXTANT_SHODAN_KEY: 'key-c' };
const MODES = ['internetdb', 'shodan', 'abuseipdb', 'ripestat', 'urlhaus', 'threatfox'] as const;

/** Synced an hour before the clock of these tests: no feed is stale. */
const fresh = buildFixtureCatalog([], undefined, {}, '2026-01-19T23:00:00Z');

const start = (options: Partial<ServiceOptions> = {}): Promise<TestService> =>
  startService(owner, {
    net,
    catalog: fresh,
    keys: KEYS,
    sources: Object.fromEntries(lab.sourceUrls),
    patienceMs: lab.patienceMs,
    ...options,
  });

before(async () => {
  ({ lab, net } = await openLabNetwork(ends));
});
beforeEach(async () => {
  for (const id of MODES) lab.source(id).mode = 'ok';
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
const asked = (): number => lab.requests.rows().length;

describe('an address', () => {
  test('with all that is known of it', async () => {
    const { address } = lab.host('poor.lab');
    const body = await ok(`/v1/ip/${address}`);
    assert.deepEqual([body.ptr, body.ptr_confirmed], ['poor.lab', true]);
    assert.deepEqual([body.ports, body.hostnames], [[21, 22, 80, 443, 3306], ['poor.lab']]);
    assert.deepEqual([body.asn, body.prefix, body.country], [215_000, '5.57.0.0/16', 'CH']);
    assert.match(body.asn_name, /^LAB-AS/);
    assert.deepEqual([body.tor_exit, body.cloud_provider, body.is_datacenter], [false, null, true]);
    assert.equal(body.reputation.shodan.org, 'Lab');
    assert.equal(body.verdict.completeness, 'complete');
  });

  test('its vulnerabilities are joined with the catalog, the worst first, those it lacks are unknown', async () => {
    const { vulns, total_vulns, risk_factors, severity_label } = await ok(`/v1/ip/${lab.host('poor.lab').address}`);
    // As fixture-facts.ts has it: Log4Shell is rated 10.0 and known to be exploited; the other is not in it.
    assert.deepEqual(vulns, [
      { cve_id: 'CVE-2021-44228', severity: 'CRITICAL', cvss_v3: 10, in_kev: true },
      { cve_id: 'CVE-2019-0211', severity: 'UNKNOWN', cvss_v3: null, in_kev: false },
    ]);
    assert.equal(total_vulns, 2);
    const ids = risk_factors.map(({ id }: { id: string }) => id);
    assert.deepEqual(ids, ['known_exploited', 'vulnerable', 'exposed_service', 'end_of_life']);
    assert.equal(severity_label, 'CRITICAL');
  });

  for (const [name, ip, expected] of [
    ['a Tor exit', LISTED.torExit, { tor_exit: true, cloud_provider: null }],
    ['an attacker', LISTED.attacker, { tor_exit: false, severity_label: 'MEDIUM' }],
    ['a botnet server', LISTED.botnet, { severity_label: 'CRITICAL', country: 'CH' }],
    ['a cloud', LISTED.aws, { cloud_provider: 'Amazon Web Services', cloud_region: 'us-east-1', cloud_service: 'EC2' }],
    ['a cloud by IPv6', LISTED.awsIpv6, { cloud_provider: 'Amazon Web Services', is_datacenter: true }],
    ['another cloud', LISTED.droplet, { cloud_provider: 'DigitalOcean', cloud_service: null, cloud_region: 'GB-SLG' }],
    ['nothing', LISTED.quiet, { tor_exit: false, severity_label: 'LOW', risk_score: 0, ports: [], vulns: [] }],
  ] as const) {
    test(`in the lists as ${name}`, async () => {
      const body = await ok(`/v1/ip/${ip}`);
      assert.deepEqual(Object.fromEntries(Object.keys(expected).map((field) => [field, body[field]])), expected);
    });
  }

  test('its country is what the lists say where no source with a key does', async () => {
    service = await start({ keys: {} });
    assert.equal((await ok(`/v1/ip/${LISTED.droplet}`)).country, 'GB');
    const quiet = await ok(`/v1/ip/${LISTED.quiet}`);
    assert.deepEqual([quiet.country, quiet.is_datacenter], [null, null]);
  });

  test('without keys the reputation says so, and the rest stands', async () => {
    service = await start({ keys: {} });
    const { reputation, ports, verdict } = await ok(`/v1/ip/${lab.host('poor.lab').address}`);
    assert.deepEqual([reputation.abuseipdb.status, reputation.abuseipdb.score], ['not_configured', null]);
    assert.equal(reputation.shodan.status, 'not_configured');
    assert.equal(ports.length, 5);
    assert.deepEqual(verdict.sources_unavailable.toSorted(), ['abuseipdb', 'shodan']);
    assert.equal(verdict.completeness, 'partial');
  });

  test('lists that were never synced are unknown, not clean', async () => {
    service = await start({ catalog: buildFixtureCatalog(['tor', 'firehol', 'feodo', 'cloud']) });
    const body = await ok(`/v1/ip/${LISTED.quiet}`);
    assert.deepEqual([body.tor_exit, body.reputation.firehol.status, body.cloud_provider], [null, 'not_synced', null]);
    for (const id of ['tor', 'firehol', 'feodo', 'cloud']) assert.ok(body.verdict.sources_unavailable.includes(id), id);
  });

  test('a name that does not lead back is not confirmed', async () => {
    const reply = await ok(`/v1/ip/${LISTED.quiet}`);
    assert.deepEqual([reply.ptr, reply.ptr_confirmed], [null, null]);
  });
});

describe('each source fails alone', () => {
  const fields: Record<string, (body: any) => unknown[]> = {
    internetdb: (body) => [body.ports, body.vulns, body.total_vulns, body.cpes],
    shodan: (body) => [body.reputation.shodan.org],
    abuseipdb: (body) => [body.reputation.abuseipdb.score],
    ripestat: (body) => [body.asn, body.asn_name, body.prefix],
  };
  for (const [id, of] of Object.entries(fields)) {
    for (const mode of ['hang', 'status', 'garbage', 'wrong-shape', 'huge', 'reset', 'cut'] as const) {
      test(`${id}: ${mode}`, async () => {
        lab.source(id).mode = mode;
        const body = await ok(`/v1/ip/${lab.host('poor.lab').address}`);
        for (const value of of(body)) assert.equal(value, null, JSON.stringify(body));
        assert.deepEqual(body.verdict.sources_unavailable, [id]);
        assert.equal(body.verdict.completeness, 'partial');
        for (const [other, values] of Object.entries(fields)) {
          if (other !== id)
            assert.ok(
              values(body).every((value) => value !== null),
              `${other} went with it`,
            );
        }
      });
    }
  }
});

describe('addresses that are not public', () => {
  for (const ip of [
    '10.0.0.1',
    '172.16.5.4',
    '192.168.1.1',
    '127.0.0.1',
    '169.254.169.254',
    '0.0.0.0',
    '100.64.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    'ff02::1',
    '2001:db8::1',
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::a00:1',
    '2002:a00:1::',
    '2130706433',
    '0x7f.0.0.1',
    '010.0.0.1',
    '8.8.8',
    '8.8.8.8/32',
    'example.com',
    'fe80::1%25eth0',
  ]) {
    test(`${ip} is 400, and nothing is asked`, async () => {
      for (const path of ['ip', 'threat-report']) {
        const { status, body } = await service.get(`/v1/${path}/${encodeURIComponent(ip)}`);
        assert.deepEqual([status, body.error.code], [400, 'invalid_argument'], ip);
      }
      const isName = ip === 'example.com';
      if (/[.:]/.test(ip) && !isName)
        assert.equal((await service.get(`/v1/asn/${encodeURIComponent(ip)}`)).status, 400);
      assert.equal(asked(), 0);
      assert.deepEqual(lab.escapes, []);
    });
  }
});

describe('a threat report', () => {
  test('of a host that delivers malware', async () => {
    const body = await ok(`/v1/threat-report/${lab.host('malware.lab').address}`);
    assert.deepEqual([body.threat_level, body.abuseipdb.score, body.abuseipdb.total_reports], ['critical', 96, 41]);
    assert.equal(body.sources.urlhaus.status, 'listed');
    assert.deepEqual(body.asn, { asn: 215_000, prefix: '5.57.0.0/16', name: 'LAB-AS A laboratory on loopback' });
    assert.ok(body.threat_reasons.length >= 2);
    const { risk_score, severity_label } = await ok(`/v1/ip/${lab.host('malware.lab').address}`);
    assert.deepEqual([body.risk_score, body.severity_label], [risk_score, severity_label]);
    assert.equal(body.verdict.completeness, 'complete');
  });

  test('of one that nobody names is "none", and "unknown" once a source did not answer', async () => {
    assert.equal((await ok(`/v1/threat-report/${LISTED.quiet}`)).threat_level, 'none');
    for (const id of ['abuseipdb', 'threatfox', 'urlhaus']) {
      lab.source(id).mode = 'status';
      service = await start();
      const body = await ok(`/v1/threat-report/${LISTED.quiet}`);
      assert.deepEqual(
        [body.threat_level, body.threat_score, body.verdict.sources_unavailable],
        ['unknown', null, [id]],
      );
      lab.source(id).mode = 'ok';
    }
  });

  test('of a public resolver says what it is', async () => {
    const body = await ok('/v1/threat-report/8.8.8.8');
    assert.deepEqual(body.known_benign, { kind: 'public_resolver', name: 'Google Public DNS' });
  });

  test('costs six', async () => {
    service = await start({ quota: { keyless: 30 } });
    const { headers } = await service.get(`/v1/threat-report/${LISTED.quiet}`);
    assert.deepEqual([headers['x-ratelimit-cost'], headers['x-ratelimit-remaining']], ['6', '24']);
  });
});

describe('an autonomous system', () => {
  test('by number, in each of its forms, and by an address in it', async () => {
    for (const target of ['AS215000', 'as215000', '215000', '0215000', lab.host('kept.lab').address]) {
      const body = await ok(`/v1/asn/${target}`);
      assert.deepEqual([body.asn, body.ipv4_count, body.ipv6_count], [215_000, 1, 1], target);
      assert.deepEqual(body.ipv4_prefixes, ['5.57.0.0/16']);
      assert.deepEqual(body.ipv6_prefixes, ['2a00:5700::/32']);
      assert.equal(body.resolved_ip, target.includes('.') ? target : null);
    }
  });

  test('by a domain in it, whose address is shown', async () => {
    const body = await ok('/v1/asn/kept.lab');
    assert.deepEqual([body.target, body.resolved_ip], ['kept.lab', lab.host('kept.lab').address]);
    assert.deepEqual([body.asn, body.prefix_count], [215_000, 2]);
  });

  for (const [domain, status, words] of [
    ['no-such-name-at-all.lab', 404, /NXDOMAIN/],
    ['private.lab', 400, /not public/],
    ['_dmarc.kept.lab', 404, /has no address/],
  ] as const) {
    test(`${domain} is ${status}`, async () => {
      const answer = await service.get(`/v1/asn/${domain}`);
      assert.equal(answer.status, status);
      assert.match(answer.body.message, words);
    });
  }

  test('an address that nobody announces', async () => {
    const body = await ok(`/v1/asn/${LISTED.quiet}`);
    assert.deepEqual([body.asn, body.ipv4_count, body.announced], [null, 0, false]);
  });

  test('without its prefixes the counts are unknown; without anything there is no answer', async () => {
    lab.source('ripestat').mode = 'status';
    for (const target of ['AS215000', '8.8.8.8']) {
      const { status, body } = await service.get(`/v1/asn/${target}`);
      assert.deepEqual([status, body.error.code], [502, 'upstream_error'], target);
    }
  });

  for (const target of ['AS0', '0', 'AS4294967296', 'ASN1', 'AS', 'AS-1', '1.2', 'localhost', 'AS99999999999']) {
    test(`${target} is 400`, async () => {
      assert.equal((await service.get(`/v1/asn/${target}`)).status, 400);
      assert.equal(asked(), 0);
    });
  }
});

test('no key goes into an answer or a log', async () => {
  for (const id of MODES) lab.source(id).mode = 'status';
  const replies = [await service.get(`/v1/ip/${LISTED.quiet}`), await service.get(`/v1/threat-report/${LISTED.quiet}`)];
  for (const text of [...replies.map((reply) => reply.text), ...service.logLines()]) {
    for (const key of Object.values(KEYS)) assert.ok(!text.includes(key), text);
  }
  for (const line of service.logLines()) assert.ok(!line.includes(LISTED.quiet), line);
});
