import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { HandshakeResult } from '../../src/net/tls/handshake-types.ts';
import type { NetworkClient } from '../../src/net/network-client.ts';
import { NetError, type NetErrorCode } from '../../src/net/net-error.ts';
import { openNetworkClient } from '../../src/net/open-network-client.ts';
import { fakeNet, type Pages, type Zone } from '../support/fake-dns.ts';
import { Evidence } from '../../src/engine/evidence.ts';
import { findProductCves } from '../../src/operations/web/lib/product-cves.ts';
import { serve } from '../net/servers.ts';
import { startService, type TestService } from '../support/service.ts';

/** What a target says of itself, and what only the way to it or a source says, told apart. */

const A = ['93.184.216.34'];

interface World {
  zone: Zone;
  pages?: Pages;
  /** How the handshake with port 443 fails. */
  tls?: NetErrorCode;
  sources?: Readonly<Record<string, string>>;
}

async function serviceIn(t: TestContext, { zone, pages = {}, tls = 'refused', sources = {} }: World) {
  const fake = fakeNet(zone, { pages });
  const net: NetworkClient = {
    ...fake,
    async tlsHandshake(host): Promise<HandshakeResult> {
      throw new NetError(tls, host);
    },
  };
  return { service: await startService(t, { net, sources }), asked: fake.asked };
}

const html = { headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>Shop</title><h1>Shop</h1>' };

/** A site that answers at `scheme` alone; the other fails as said. */
function siteAt(scheme: 'http' | 'https', failure: NetErrorCode): Pages {
  const other = scheme === 'http' ? 'https' : 'http';
  return {
    [`${scheme}://shop.example/`]: html,
    [`${scheme}://shop.example/robots.txt`]: { status: 404 },
    [`${scheme}://shop.example/llms.txt`]: { status: 404 },
    [`${other}://shop.example/`]: failure,
    [`${other}://shop.example/robots.txt`]: failure,
  };
}

describe('an alias that leads nowhere exists', () => {
  const zone = { 'old.example': { CNAME: ['gone.elsewhere.example'] } };
  for (const path of [
    '/v1/dns/old.example',
    '/v1/certs/old.example',
    '/v1/archive/old.example',
    '/v1/monitor/old.example',
    '/v1/subdomains/old.example',
    '/v1/threat/old.example',
    '/v1/email/mx/old.example',
    '/v1/email/security-posture/old.example',
    '/v1/email/disposable/jo@old.example',
    '/v1/email/verify/jo@old.example',
    '/v1/domain/old.example?lite=true',
    '/v1/whois/old.example',
    '/v1/scan/old.example',
  ]) {
    test(path, { timeout: 60_000 }, async (t) => {
      const { service } = await serviceIn(t, { zone, tls: 'dns' });
      const { status, text } = await service.get(path);
      assert.notEqual(status, 404, text);
      assert.doesNotMatch(text, /NXDOMAIN/);
      assert.doesNotMatch(text, /"domain_exists":false/);
    });
  }
});

describe('a name that does not exist', () => {
  for (const [path, status] of [
    ['/v1/dns/no.example', 404],
    ['/v1/ssl/no.example', 404],
    ['/v1/seo/no.example', 404],
    // Specification: 502 on hard fetch failure, of the DNS too.
    ['/v1/robots/no.example', 502],
    ['/v1/redirect/https://no.example/', 502],
  ] as const) {
    test(`${path} is ${status}`, async (t) => {
      const { service } = await serviceIn(t, { zone: {}, tls: 'no_such_name' });
      const reply = await service.get(path);
      assert.equal(reply.status, status, reply.text);
      assert.match(reply.body.error.message, /NXDOMAIN/);
    });
  }
});

describe('a source that is not there says nothing of the target', () => {
  for (const failure of ['no_such_name', 'refused_address', 'refused'] as const) {
    for (const target of ['AS15169', '8.8.8.8']) {
      test(`/v1/asn/${target}, RIPEstat ${failure}`, async (t) => {
        const base = fakeNet({});
        const net: NetworkClient = {
          ...base,
          async fetch(url) {
            throw new NetError(failure, url.hostname);
          },
        };
        const service = await startService(t, { net });
        const { status, body } = await service.get(`/v1/asn/${target}`);
        assert.equal(status, 502, JSON.stringify(body));
        assert.equal(body.error.code, 'upstream_error');
        assert.doesNotMatch(body.error.message, /NXDOMAIN|not public/);
      });
    }
  }
});

describe('a site without HTTPS', () => {
  const zone = { 'shop.example': { A } };
  for (const path of [
    '/v1/tech/shop.example',
    '/v1/seo/shop.example',
    '/v1/brand/shop.example',
    '/v1/robots/shop.example',
  ]) {
    for (const failure of ['refused', 'tls', 'reset'] as const) {
      test(`${path}, port 443 ${failure}: answered, and nothing is missing`, async (t) => {
        const { service } = await serviceIn(t, { zone, pages: siteAt('http', failure), tls: failure });
        const { status, body } = await service.get(path);
        assert.equal(status, 200, JSON.stringify(body));
        assert.deepEqual([body.verdict.sources_unavailable, body.verdict.completeness], [[], 'complete']);
      });
    }
    test(`${path}, port 443 silent: answered, and that is told`, async (t) => {
      const { service } = await serviceIn(t, { zone, pages: siteAt('http', 'timeout'), tls: 'timeout' });
      const { body } = await service.get(path);
      assert.deepEqual([body.verdict.sources_unavailable, body.verdict.completeness], [[], 'partial']);
      assert.match(body.verdict.gaps.join(), /HTTPS did not answer/);
    });
  }

  test('neither HTTPS nor HTTP is no answer', async (t) => {
    const pages = { ...siteAt('http', 'refused'), 'http://shop.example/robots.txt': 'refused' as const };
    const { service } = await serviceIn(t, { zone, pages });
    assert.equal((await service.get('/v1/tech/shop.example')).status, 502);
  });

  for (const [failure, words] of [
    ['refused', /No TLS on port 443/],
    ['tls', /No TLS on port 443/],
    ['timeout', /TLS was not found out/],
    ['unreachable', /TLS was not found out/],
  ] as const) {
    test(`the report of one whose handshake ends with ${failure}`, async (t) => {
      const { service } = await serviceIn(t, { zone, pages: siteAt('http', failure), tls: failure });
      const { body } = await service.get('/v1/domain/shop.example?lite=true');
      assert.match(body.summary, words);
      assert.equal(
        body.verdict.sources_unavailable.includes('tls'),
        failure === 'timeout' || failure === 'unreachable',
      );
    });
  }
});

describe('monitor', () => {
  const isUp = async (service: TestService) => (await service.get('/v1/monitor/shop.example')).body.is_up;

  test('an IPv6-only host and one without TLS are up; one where nothing listens is down', async (t) => {
    const v6 = { 'shop.example': { AAAA: ['2606:2800:220:1::1'] } };
    const open = siteAt('http', 'refused');
    assert.equal(await isUp((await serviceIn(t, { zone: v6, pages: open })).service), true);
    const v4 = { 'shop.example': { A } };
    assert.equal(await isUp((await serviceIn(t, { zone: v4, pages: open })).service), true);
    const closed = { 'http://shop.example/robots.txt': 'refused' as const };
    assert.equal(await isUp((await serviceIn(t, { zone: v4, pages: closed })).service), false);
    assert.equal(await isUp((await serviceIn(t, { zone: { 'shop.example': { TXT: ['x'] } } })).service), false);
  });

  test('what one caller asked is nothing to another', async (t) => {
    let addresses = A;
    const base = fakeNet({}, { pages: siteAt('http', 'refused') });
    const net: NetworkClient = {
      ...base,
      async queryDns(name, type) {
        const records = type === 'A' ? addresses.map((data) => ({ name, type, ttl: 1, data })) : [];
        return {
          exists: true,
          records,
          aliases: [],
          authenticated: false,
          answerSection: records,
          authoritySection: [],
        };
      },
    };
    const service = await startService(t, { net, trustedProxies: ['127.0.0.1'] });
    const changed = async (from: string) => {
      service.clock.now = new Date(service.clock.now.getTime() + 120_000);
      const { status, body } = await service.get('/v1/monitor/shop.example', { 'x-forwarded-for': from });
      assert.equal(status, 200, JSON.stringify(body));
      return body.dns_changed;
    };
    const [one, other] = ['198.51.100.1', '198.51.100.2'];
    assert.equal(await changed(one), null);
    addresses = ['93.184.216.35'];
    // Who never asked learns nothing, and takes nothing from who did.
    assert.equal(await changed(other), null);
    assert.equal(await changed(one), true);
    assert.equal(await changed(one), false);
    assert.equal(await changed(other), false);
  });
});

describe('a redirect chain that is cut off', () => {
  test('ends at the last address that answered, with each redirect counted', async (t) => {
    const to = (location: string) => ({ status: 302, headers: { location } });
    const pages: Pages = {
      'https://shop.example/robots.txt': { status: 404 },
      'https://shop.example/': to('https://shop.example/two'),
      'https://shop.example/two': to('https://inside.example/'),
      'https://inside.example/robots.txt': 'refused_address',
      'https://inside.example/': 'refused_address',
    };
    const { service } = await serviceIn(t, { zone: { 'shop.example': { A } }, pages });
    const { body } = await service.get('/v1/redirect/https://shop.example/');
    assert.deepEqual([body.final_url, body.final_status, body.hop_count], ['https://shop.example/two', 302, 2]);
    assert.match(body.summary, /^2 redirects/);
    assert.match(body.stopped_because, /not public/);
  });
});

test('a robots.txt that cannot be read is not "none"', async (t) => {
  const pages: Pages = { 'https://shop.example/robots.txt': { status: 503 } };
  const { service } = await serviceIn(t, { zone: { 'shop.example': { A } }, pages });
  const { body } = await service.get('/v1/robots/shop.example');
  assert.deepEqual([body.status_code, body.verdict.completeness], [503, 'partial']);
  assert.match(body.summary, /did not answer for its robots\.txt/);
});

test('the framework that the fingerprints see is the one that the GEO audit names', async (t) => {
  const script = '<script src="https://cdn.example/react.production.min.js"></script>';
  const pages: Pages = {
    ...siteAt('https', 'refused'),
    'https://shop.example/': { ...html, body: `${html.body}${script}` },
  };
  const { service } = await serviceIn(t, { zone: { 'shop.example': { A } }, pages });
  const { technologies } = (await service.get('/v1/tech/shop.example')).body;
  assert.ok(
    technologies.some(({ name }: { name: string }) => name === 'React'),
    JSON.stringify(technologies),
  );
  assert.equal((await service.get('/v1/geo/shop.example')).body.render_framework, 'React');
});

describe('a DNS that does not answer', () => {
  test('is asked a few times, not for every selector', { timeout: 60_000 }, async (t) => {
    const asked: string[] = [];
    const net: NetworkClient = {
      ...fakeNet({}),
      async queryDns(name, type) {
        asked.push(`${type} ${name}`);
        throw new NetError('timeout', name);
      },
    };
    const service = await startService(t, { net });
    const { status, body } = await service.get('/v1/email/security-posture/shop.example');
    assert.equal(status, 502, JSON.stringify(body));
    assert.ok(asked.length <= 4, asked.join());
  });

  test('but for some names only: the rest is answered, and what is missing is told', { timeout: 60_000 }, async (t) => {
    const fake = fakeNet({ 'shop.example': { MX: [[10, 'mx.shop.example']], TXT: ['v=spf1 -all'] } });
    let silent = 0;
    const net: NetworkClient = {
      ...fake,
      async queryDns(name, type, options) {
        if (!name.includes('_domainkey')) return fake.queryDns(name, type, options);
        silent++;
        throw new NetError('timeout', name);
      },
    };
    const service = await startService(t, { net });
    const { status, body } = await service.get('/v1/email/security-posture/shop.example');
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.spf.present, true);
    assert.equal(body.verdict.completeness, 'partial');
    assert.match(body.verdict.gaps.join(), /asked no further/);
    assert.ok(silent <= 24, `${silent} questions`);
  });
});

describe('long lists of a scan', () => {
  const ip = '8.8.4.4';

  test('all open ports count and are listed; other lists are cut with a gap', async (t) => {
    const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
    const record = {
      ip,
      ports: range(300),
      hostnames: range(150).map((index) => `h${index}.shop.example`),
      cpes: [],
      tags: [],
      vulns: [],
    };
    const server = await serve(t, (_request, response) => response.end(JSON.stringify(record)));
    const net: NetworkClient = { ...fakeNet({}), fetch: (url, options) => direct.fetch(url, options) };
    const direct = openNetworkClient({ dnsServers: [], allowedPrivate: [], proxy: null, extraCa: [] });
    t.after(() => direct.close());
    const service = await startService(t, { net, sources: { internetdb: server.url } });
    const { body } = await service.get(`/v1/ip/${ip}`);
    assert.equal(body.ports.length, 300);
    assert.match(body.summary, /300 open ports/);
    assert.equal(body.hostnames.length, 100);
    assert.match(body.verdict.gaps.join(), /only 100 of its 150 host names/);
  });
});

describe('a list of a source that was not asked is not known', () => {
  for (const [path, of] of [
    ['/v1/hash/' + 'a'.repeat(64), (body: { tags: unknown }) => body.tags],
    ['/v1/phishing/https://shop.example/', (body: { urlhaus_url: { tags: unknown } }) => body.urlhaus_url.tags],
  ] as const) {
    test(path, async (t) => {
      const service = await startService(t, { net: fakeNet({}) });
      const { body } = await service.get(path);
      assert.equal(of(body), null);
      assert.equal(body.verdict.completeness, 'partial');
    });
  }
});

test('products whose time is over are a gap, not a fault', async () => {
  const now = new Date();
  const evidence = new Evidence({}, now);
  const product = { name: 'nginx', version: '1.18.0', cpe: { vendor: 'f5', product: 'nginx' } };
  const ground = { catalog: null, evidence, now, signal: AbortSignal.abort() };
  assert.deepEqual(await findProductCves([product] as never, 5, ground as never), { rows: [], lookedUp: [] });
  assert.match(evidence.verdict([]).gaps.join(), /the time was enough for 0 of 1 product/);
});
