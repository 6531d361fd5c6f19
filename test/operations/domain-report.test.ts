import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { NetworkClient } from '../../src/net/network-client.ts';
import type { Lab } from '../lab/lab.ts';
import { openLabNetwork } from '../support/lab-network.ts';
import { startService, type TestService } from '../support/service.ts';

const KEYS = { SEXTANT_ABUSECH_KEY: 'lab', SEXTANT_ABUSEIPDB_KEY: 'lab', SEXTANT_SHODAN_KEY: 'lab' };
const UPSTREAMS = ['crtsh', 'internetdb', 'rdap', 'urlhaus', 'whois'];

let lab: Lab;
let net: NetworkClient;
let service: TestService;
const ends: (() => void | Promise<void>)[] = [];

async function start(): Promise<TestService> {
  const started = await startService(
    { after: (end) => ends.push(end) },
    { net, sources: Object.fromEntries(lab.sourceUrls), keys: KEYS },
  );
  started.clock.now = new Date();
  return started;
}

before(async () => {
  ({ lab, net } = await openLabNetwork(ends));
  service = await start();
});
afterEach(() => {
  for (const id of UPSTREAMS) if (id !== 'whois') lab.source(id).mode = 'ok';
});
after(async () => {
  for (const end of ends.toReversed()) await end();
});

const ok = async (path: string, of: TestService = service) => {
  const { status, body } = await of.get(path);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};

describe('the report of a well-kept domain', () => {
  test('has all its parts', async () => {
    const body = await ok('/v1/domain/kept.lab');
    assert.deepEqual(body.dns.a, [lab.host('kept.lab').address]);
    assert.deepEqual(body.reverse_dns[0], { ip: lab.host('kept.lab').address, ptr: 'kept.lab', confirmed: true });
    assert.equal(body.whois.creation_date, '2009-02-01T10:00:00Z');
    assert.deepEqual([body.ssl.valid, body.ssl.grade], [true, 'A']);
    assert.match(body.email_security.grade, /^A/);
    const names = body.subdomains.names.map(({ name }: { name: string }) => name);
    assert.ok(names.includes('www.kept.lab') && names.includes('mail.kept.lab'), names.join());
    assert.ok(body.certificates.total_certificates > 0);
    assert.equal(body.threat.urlhaus_status, 'not_listed');
    assert.equal(body.risk.grade, 'A');
  });

  test('shows records of mail alone, and counts all', async () => {
    const own = await ok('/v1/domain/kept.lab');
    assert.deepEqual(own.dns.txt, ['v=spf1 mx include:_spf.mail.lab -all']);
    const all = await ok('/v1/domain/kept.lab?include_all_txt=true');
    assert.equal(all.dns.txt.length, 8);
    assert.deepEqual([own.dns.total_txt_records, all.dns.total_txt_records], [8, 8]);
  });

  test('is short in lite mode, and asks nobody but DNS and TLS server', async () => {
    lab.requests.clear();
    const body = await ok('/v1/domain/kept.lab?lite=true', await start());
    for (const part of ['whois', 'subdomains', 'certificates', 'threat', 'reputation'])
      assert.equal(body[part], null, part);
    assert.equal(body.ssl.valid, true);
    const asked = new Set(lab.requests.rows().map(({ server }) => server));
    assert.deepEqual([...asked].sort(), ['dns']);
  });
});

describe('the report of', () => {
  test('a domain with malware on it has an F, malware first', async () => {
    const { risk, threat } = await ok('/v1/domain/malware.lab');
    assert.equal(threat.urlhaus_status, 'listed');
    assert.ok(threat.urls_online > 0);
    assert.deepEqual([risk.grade, risk.factors[0].id], ['F', 'malware_online']);
  });

  test('a neglected domain says what is neglected', async () => {
    const { risk, email_security } = await ok('/v1/domain/poor.lab');
    const ids = risk.factors.map(({ id }: { id: string }) => id);
    assert.ok(
      ids.some((id: string) => id.endsWith('_mail')),
      `${ids.join()} ${email_security.grade}`,
    );
    assert.equal(
      risk.score,
      risk.factors.reduce((sum: number, { points }: { points: number }) => sum + points, 0),
    );
  });

  test('a domain whose mail anybody can forge is no low risk, and says why', async () => {
    const { risk } = await ok('/v1/domain/mail-broken.lab');
    assert.ok(['C', 'D', 'F'].includes(risk.grade), risk.grade);
    assert.match(risk.factors[0].reason, /^Open, and high: The SPF record is broken/);
    // SPF with "+all" is a critical finding.
    assert.ok(['D', 'F'].includes((await ok('/v1/domain/poor.lab')).risk.grade));
  });

  test('a domain without TLS is told so', async () => {
    const body = await ok('/v1/domain/http-only.lab');
    assert.equal(body.ssl, null);
    assert.ok(body.risk.factors.some(({ id }: { id: string }) => id === 'no_tls'));
    assert.equal(body.risk_score, body.risk.score);
  });

  for (const [domain, status] of [
    ['no-such-name-at-all.lab', 404],
    ['127.0.0.1', 400],
    ['*.kept.lab', 400],
    ['https%3A%2F%2Fkept.lab', 400],
    ['kept.lab:443', 400],
    [`${'a'.repeat(64)}.lab`, 400],
    ['localhost', 400],
  ] as const) {
    test(`${domain} is ${status}`, async () =>
      assert.equal((await service.get(`/v1/domain/${domain}`)).status, status));
  }

  test('a name that leads to a private address asks nothing of it', async () => {
    const { body } = await service.get('/v1/domain/private.lab');
    assert.deepEqual(lab.escapes, []);
    assert.equal(body.ssl, null);
  });
});

describe('a source that fails', () => {
  for (const [id, part, mode] of [
    ['crtsh', 'certificates.certificates', 'status'],
    ['crtsh', 'certificates.certificates', 'garbage'],
    ['urlhaus', 'threat.urls', 'reset'],
    ['urlhaus', 'threat.urls', 'huge'],
  ] as const) {
    test(`${id} (${mode}) leaves ${part} unknown, and the rest as it is`, async () => {
      lab.source(id).mode = mode;
      const body = await ok('/v1/domain/kept.lab', await start());
      const value = part.split('.').reduce((at, key) => at?.[key], body);
      assert.equal(value, null);
      assert.equal(body.verdict.completeness, 'partial');
      assert.ok(body.verdict.sources_unavailable.includes(id), JSON.stringify(body.verdict));
      assert.equal(body.ssl.valid, true);
    });
  }

  test('all of them hanging at once: the report comes in its time, with what the target itself told', async () => {
    for (const id of UPSTREAMS) if (id !== 'whois') lab.source(id).mode = 'hang';
    const started = performance.now();
    const body = await ok('/v1/domain/kept.lab', await start());
    assert.ok(performance.now() - started < 60_000);
    assert.equal(body.ssl.valid, true);
    assert.deepEqual([body.certificates.certificates, body.threat.urls], [null, null]);
  });
});

describe('monitor', () => {
  test('tells what changed, and the risk of the last report', async () => {
    const own = await start();
    const first = await ok('/v1/monitor/kept.lab', own);
    assert.deepEqual([first.is_up, first.dns_changed, first.ssl_valid, first.risk_grade], [true, null, true, null]);
    const report = await ok('/v1/domain/kept.lab', own);
    const second = await ok('/v1/monitor/kept.lab', own);
    assert.deepEqual([second.dns_changed, second.risk_score], [false, report.risk.score]);
    // By the day: when others ask is not told.
    assert.equal(second.risk_checked_at, own.clock.now.toISOString().slice(0, 10));
  });

  test('of a name that is gone is 404', async () => {
    assert.equal((await service.get('/v1/monitor/no-such-name-at-all.lab')).status, 404);
  });
});

describe('an audit', () => {
  test('has the report, the technologies and the headers of the site', async () => {
    const body = await ok('/v1/audit/www.kept.lab');
    assert.equal(body.report.domain, 'www.kept.lab');
    assert.equal(body.live_headers.url, 'https://www.kept.lab/');
    assert.equal(body.live_headers.grade, 'A');
    assert.equal(body.technologies.count, body.technologies.technologies.length);
    const wordpress = await ok('/v1/audit/wordpress.lab');
    const names = wordpress.technologies.technologies.map(({ name }: { name: string }) => name);
    assert.ok(names.includes('WordPress'), names.join());
  });

  test('of a site that keeps us out has the report alone, and says why', async () => {
    const body = await ok('/v1/audit/robots-all.lab');
    assert.deepEqual([body.technologies, body.live_headers], [null, null]);
    assert.equal(body.report.ssl.valid, true);
    assert.ok(
      body.verdict.gaps.some((gap: string) => /robots\.txt/.test(gap)),
      JSON.stringify(body.verdict),
    );
    assert.equal(lab.requests.count('https', 'robots-all.lab', '/'), 0);
  });
});

test('many domains: each with an outcome of its own', async () => {
  const domains = ['kept.lab', 'no-such-name-at-all.lab', 'not a domain', 'kept.lab'];
  const { status, body } = await service.post('/v1/domains/bulk', { domains });
  assert.equal(status, 200, JSON.stringify(body));
  const outcomes = body.results.map(({ status: each }: { status: string }) => each);
  assert.deepEqual(outcomes, ['ok', 'error', 'invalid_format', 'ok']);
  assert.equal(body.results[1].error.code, 'not_found');
  assert.deepEqual([body.total, body.successful, body.failed, body.timed_out], [4, 2, 2, 0]);
});
