import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { openNetworkClient } from '../../src/net/open-network-client.ts';
import { openLab } from '../lab/lab.ts';
import { startService } from '../support/service.ts';

const lab = await openLab();
const net = openNetworkClient({ ...lab.netOptions, allowedPrivate: [], proxy: null });
after(async () => {
  await net.close();
  await lab.close();
});
const service = await startService({ after }, { net, sources: Object.fromEntries(lab.sourceUrls) });

/** A service of its own, which remembers nothing, while a source of the lab behaves as `mode` says. */
async function whileSource(
  t: { after(end: () => void): void },
  id: string,
  mode: 'status' | 'garbage' | 'hang' | 'reset' | 'huge',
  status = 500,
) {
  const source = lab.source(id);
  source.mode = mode;
  source.status = status;
  t.after(() => {
    source.mode = 'ok';
  });
  return startService(t, {
    net,
    sources: Object.fromEntries(lab.sourceUrls),
    patienceMs: lab.patienceMs,
  });
}

describe('DNS', () => {
  test('all types of a name', async () => {
    const { status, body } = await service.get('/v1/dns/kept.lab');
    assert.equal(status, 200);
    assert.deepEqual(body.records.a, [lab.host('kept.lab').address]);
    assert.deepEqual(body.records.aaaa, [lab.host('kept.lab').address6]);
    assert.deepEqual(body.records.mx, [
      { priority: 10, exchange: 'mx1.kept.lab' },
      { priority: 20, exchange: 'mx2.kept.lab' },
    ]);
    assert.deepEqual(body.records.ns, ['ns1.lab', 'ns2.lab']);
    assert.ok(body.records.txt.includes('v=spf1 mx include:_spf.mail.lab -all'));
    assert.deepEqual(body.records.cname, []);
    assert.equal(body.records.soa.mname, 'ns1.lab');
    assert.equal(body.ttl.a, 300);
    assert.equal(body.verdict.completeness, 'complete');
  });

  test('a chain of aliases, in order', async () => {
    const { body } = await service.get('/v1/dns/alias-chain.lab');
    assert.deepEqual(body.records.cname, ['alias-two.lab', 'alias-three.lab', 'www.kept.lab']);
    assert.equal(body.records.a.length, 1);
  });

  test('an international name in either form', async () => {
    for (const form of ['xn--bcher-kva.lab', 'b%C3%BCcher.lab', 'B%C3%BCcher.LAB.']) {
      const { status, body } = await service.get(`/v1/dns/${form}`);
      assert.equal(status, 200, form);
      assert.equal(body.domain, 'xn--bcher-kva.lab');
    }
  });

  test('a name that does not exist is 404', async () => {
    const { status, body } = await service.get('/v1/dns/nowhere.lab');
    assert.equal(status, 404);
    assert.match(body.error.message, /NXDOMAIN/);
  });

  test('a name whose servers fail is 502', async () => {
    assert.equal((await service.get('/v1/dns/servfail.dns.lab')).status, 502);
  });

  for (const name of [
    'https%3A%2F%2Fkept.lab',
    'kept.lab%3A443',
    '192.0.2.1',
    '*.kept.lab',
    'a..lab',
    `${'a'.repeat(64)}.lab`,
    'lab',
  ]) {
    test(`${name} is no domain`, async () => assert.equal((await service.get(`/v1/dns/${name}`)).status, 400));
  }
});

describe('registration', () => {
  test('by RDAP, for any name below', async () => {
    const { status, body } = await service.get('/v1/whois/www.kept.lab');
    assert.equal(status, 200);
    assert.equal(body.domain, 'www.kept.lab');
    assert.equal(body.whois.name, 'kept.lab');
    assert.equal(body.whois.source, 'rdap');
    assert.equal(body.whois.outcome, 'registered');
    assert.equal(body.whois.registrar, 'Lab Registrar Ltd.');
    assert.equal(body.whois.registrar_iana_id, '9999');
    assert.equal(body.whois.creation_date, '2009-02-01T10:00:00Z');
    assert.equal(body.whois.expiry_date, '2031-02-01T10:00:00Z');
    assert.deepEqual(body.whois.name_servers, ['ns1.lab', 'ns2.lab']);
    assert.deepEqual(body.verdict.sources_queried.toSorted(), ['dns', 'rdap']);
  });

  test('a name that nobody has is 404', async () => {
    assert.equal((await service.get('/v1/whois/free.lab')).status, 404);
  });

  test('by WHOIS where the bootstrap fails, and says so', async (t) => {
    const alone = await whileSource(t, 'rdap', 'status');
    const { status, body } = await alone.get('/v1/whois/kept.lab');
    assert.equal(status, 200);
    assert.equal(body.whois.source, 'whois');
    assert.equal(body.whois.registrar, 'Lab Registrar Ltd.');
    assert.deepEqual(body.verdict.sources_unavailable, ['rdap']);
    assert.equal(body.verdict.completeness, 'partial');
  });
});

describe('certificates', () => {
  test('newest first, with what is still valid', async () => {
    const { status, body } = await service.get('/v1/certs/kept.lab');
    assert.equal(status, 200);
    assert.equal(body.total_certificates, body.certificates.length);
    const begins = body.certificates.map(({ not_before }: { not_before: string }) => not_before);
    assert.deepEqual(begins, begins.toSorted().toReversed());
    assert.equal(body.certificates[0].issuer, 'C=LA, O=Lab Authority, CN=Lab Intermediate CA');
  });

  test('none is a count of zero', async () => {
    const { body } = await service.get('/v1/certs/good.tls.lab');
    assert.equal(body.total_certificates, 0);
    assert.deepEqual(body.certificates, []);
    assert.equal(body.verdict.completeness, 'complete');
  });

  for (const mode of ['status', 'garbage', 'hang', 'reset', 'huge'] as const) {
    test(`a log that does not answer (${mode}) is not "none"`, async (t) => {
      const alone = await whileSource(t, 'crtsh', mode);
      const { status, body } = await alone.get('/v1/certs/kept.lab');
      assert.equal(status, 200);
      assert.equal(body.total_certificates, null);
      assert.equal(body.certificates, null);
      assert.deepEqual(body.verdict.sources_unavailable, ['crtsh']);
    });
  }
});

describe('archive', () => {
  test('a history', async () => {
    const { status, body } = await service.get('/v1/archive/kept.lab');
    assert.equal(status, 200);
    assert.equal(body.status, 'ok');
    assert.equal(body.total_snapshots, 7);
    assert.equal(body.first_seen, '2009-01-01T12:00:00Z');
    assert.equal(body.last_seen, '2026-07-01T12:00:00Z');
    assert.deepEqual([body.earliest, body.latest], [body.first_seen, body.last_seen]);
    assert.equal(body.years_online, 17.5);
    assert.equal(body.snapshots[0].url, 'https://web.archive.org/web/20090101120000/http://kept.lab/');
    assert.deepEqual(body.warnings, []);
  });

  test('never archived is zero', async () => {
    const { body } = await service.get('/v1/archive/good.tls.lab');
    assert.equal(body.status, 'ok');
    assert.equal(body.total_snapshots, 0);
    assert.deepEqual([body.first_seen, body.last_seen, body.years_online], [null, null, null]);
  });

  for (const [mode, status, reason] of [
    ['hang', 200, 'cdx_timeout'],
    ['status', 504, 'cdx_timeout'],
    ['status', 429, 'cdx_rate_limited'],
    ['status', 503, 'cdx_unavailable'],
    ['reset', 200, 'cdx_unavailable'],
    ['status', 403, 'cdx_error'],
    ['garbage', 200, 'cdx_parse_error'],
    ['huge', 200, 'cdx_body_too_large'],
  ] as const) {
    test(`${mode} ${status}: ${reason}, and no count`, async (t) => {
      const alone = await whileSource(t, 'wayback', mode, status);
      const { body } = await alone.get('/v1/archive/kept.lab');
      assert.equal(body.status, 'unavailable');
      assert.equal(body.reason, reason);
      assert.ok(!('total_snapshots' in body));
      assert.equal(body.snapshots, null);
      assert.match(body.warnings[0], new RegExp(reason));
      assert.deepEqual(body.verdict.sources_unavailable, ['wayback']);
    });
  }
});

describe('subdomains', () => {
  test('from the logs and by name, each with its source', async () => {
    const { status, body } = await service.get('/v1/subdomains/kept.lab');
    assert.equal(status, 200);
    const of = (name: string) => body.subdomains.find((entry: { name: string }) => entry.name === name);
    assert.equal(of('www.kept.lab').source, 'both');
    assert.equal(of('mail.kept.lab').source, 'dns');
    assert.deepEqual(of('mail.kept.lab').ips, ['5.57.251.1']);
    // In a certificate, and no longer in the DNS.
    assert.deepEqual(of('old.kept.lab'), { name: 'old.kept.lab', source: 'ct', ips: null, wildcard: false });
    assert.equal(body.count, body.subdomains.length);
    assert.equal(body.wildcard, false);
    assert.ok(body.names_tried >= 1000);
    assert.equal(body.verdict.completeness, 'complete');
  });

  test('where any name resolves, none of the usual ones is found', async () => {
    const { body } = await service.get('/v1/subdomains/wildcard.lab');
    assert.equal(body.wildcard, true);
    assert.equal(body.from_dns, 0);
    assert.deepEqual(body.subdomains, []);
    assert.match(body.summary, /wildcard/);
  });

  test('an alias of a name that does not exist may be taken over', async () => {
    const { body } = await service.get('/v1/subdomains/kept.lab');
    // What the zone has `blog` an alias of (test/lab/zones.ts) is a name of nobody.
    assert.deepEqual(
      body.takeovers.map(({ name, alias, service: at }: Record<string, unknown>) => [name, alias, at]),
      [['blog.kept.lab', 'kept-lab.hosted.example', null]],
    );
  });

  test('a list that is cut has the true count', async () => {
    const { body } = await service.get('/v1/subdomains/kept.lab?limit=2');
    assert.equal(body.subdomains.length, 2);
    assert.ok(body.count > 2);
    assert.equal(body.truncated, true);
  });

  test('a log that does not answer leaves what the DNS says', async (t) => {
    const alone = await whileSource(t, 'crtsh', 'status', 502);
    const { body } = await alone.get('/v1/subdomains/kept.lab');
    assert.equal(body.from_ct, null);
    assert.ok(body.from_dns > 3);
    assert.deepEqual(body.verdict.sources_unavailable, ['crtsh']);
  });

  test('of a name that does not exist: 404, and no sweep', async () => {
    const before = lab.requests.count('dns');
    assert.equal((await service.get('/v1/subdomains/nowhere.lab')).status, 404);
    assert.ok(lab.requests.count('dns') - before < 5);
  });
});

describe('look-alikes', () => {
  test('those that exist, with what stands behind them', async () => {
    const { status, body } = await service.get('/v1/look-alikes/kept.lab?pages=false');
    assert.equal(status, 200);
    const found = new Map(body.look_alikes.map((row: { domain: string }) => [row.domain, row]));
    assert.deepEqual([...found.keys()], ['keept.lab', 'kept-login.lab']);
    const { kind, concern, signals, ips, mail_servers } = body.look_alikes[0];
    assert.deepEqual(
      { kind, concern, signals, ips, mail_servers },
      {
        kind: 'repetition',
        concern: 'medium',
        // All zones of the lab have the same name servers.
        signals: ['shares_name_servers', 'takes_mail'],
        ips: ['5.57.253.40'],
        mail_servers: ['mx1.mail.lab'],
      },
    );
    assert.equal(body.look_alikes[1].concern, 'low');
    assert.ok(body.names_tried > 300);
    assert.equal(body.names_unknown, 0);
  });
});

test('nothing of all this went anywhere but the lab', () => assert.deepEqual(lab.escapes, []));
