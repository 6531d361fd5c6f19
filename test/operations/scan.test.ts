import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { openNetworkClient } from '../../src/net/open-network-client.ts';
import { type Lab, openLab } from '../lab/lab.ts';
import { startService, type TestService } from '../support/service.ts';

let lab: Lab;
let service: TestService;
const ends: (() => void | Promise<void>)[] = [];

before(async () => {
  lab = await openLab();
  const net = openNetworkClient({ ...lab.netOptions, allowedPrivate: [], proxy: null });
  ends.push(
    () => lab.close(),
    () => net.close(),
  );
  service = await startService({ after: (end) => ends.push(end) }, { net });
  // Certificates of the lab are of today, by the machine's clock.
  service.clock.now = new Date();
});
beforeEach(() => lab.requests.clear());
after(async () => {
  for (const end of ends.toReversed()) await end();
});

/** Bidirectional and zero-width characters, and controls as JSON writes them. */
const UNSEEN = /[\u202a-\u202e\u2066-\u2069\u200b]|\\u00[01]/;
const MODULES = 'headers ssl dns redirect disclosure cookies dnssec methods cors html csp_analysis'.split(' ');

const scan = async (host: string) => {
  const { status, body } = await service.get(`/v1/scan/${host}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};
// biome-ignore lint/suspicious/noExplicitAny: bodies of answers.
const ids = (body: any, module?: string): string[] =>
  body.findings
    .filter((finding: { module: string }) => module === undefined || finding.module === module)
    .map(({ id }: { id: string }) => id);
const requestsOfSite = (host: string) => lab.requests.count('https', host) + lab.requests.count('http', host);

describe('a well-kept site', () => {
  test('has nothing to mend', async () => {
    const body = await scan('kept.lab');
    assert.deepEqual([body.grade, ids(body), body.max_score], ['A', [], 100]);
    assert.deepEqual(body.findings_count, { critical: 0, high: 0, medium: 0, low: 0 });
    assert.equal(body.resolved_ip, lab.host('kept.lab').address);
    assert.equal(body.verdict.completeness, 'complete');
    assert.ok(body.dnssec.details.includes('DNSSEC: secure.'));
  });

  test('is asked for a handful of things', async () => {
    await scan('example.com');
    const asked = lab.requests
      .rows()
      .filter(({ server, host }) => host === 'example.com' && (server === 'https' || server === 'http'))
      .map(({ server, path, count }) => `${server} ${path} ${count}`)
      .sort();
    // The page, OPTIONS, TRACE and two foreign origins; what is shown for a page that is not there; the way from HTTP.
    assert.deepEqual(asked, [
      'http / 1',
      'http /robots.txt 1',
      'https / 5',
      'https /no-such-page-a7f3 1',
      'https /robots.txt 1',
    ]);
    lab.requests.clear();
    await scan('example.com');
    assert.equal(requestsOfSite('example.com'), 0, 'within minutes it is not asked again');
  });
});

describe('a poor site', () => {
  test('every fault is found, in the order to mend them', async () => {
    const body = await scan('poor.lab');
    assert.deepEqual(ids(body, 'redirect'), ['redirect_missing', 'hsts_missing']);
    assert.deepEqual(ids(body, 'html'), ['html_mixed_active', 'html_insecure_form', 'html_mixed_passive']);
    assert.deepEqual(ids(body, 'cookies'), [
      'cookie_session_without_secure',
      'cookie_session_without_httponly',
      'cookie_without_secure',
      'cookie_session_without_samesite',
    ]);
    assert.deepEqual(ids(body, 'csp_analysis'), ['csp_missing']);
    assert.deepEqual(ids(body, 'dns'), ['dns_spf_anybody', 'dns_dmarc_none', 'dns_caa_missing']);
    assert.deepEqual(ids(body, 'dnssec'), ['dnssec_unsigned']);
    assert.deepEqual(ids(body, 'methods'), ['methods_trace', 'methods_writing']);
    assert.deepEqual(
      body.findings
        .filter(({ id }: { id: string }) => id === 'discloses_version')
        .map((one: { evidence: string }) => one.evidence),
      ['Apache/2.4.29 (Ubuntu) OpenSSL/1.0.2k', 'PHP/5.6.40', '4.0.30319'],
    );
    assert.equal(body.findings[0].id, 'redirect_missing');
    const order = body.findings.map(({ severity }: { severity: string }) =>
      ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'].indexOf(severity),
    );
    assert.deepEqual(order, order.toSorted());
    assert.match(
      body.summary,
      /First: Redirect: no redirect to HTTPS\. Answer every request over HTTP with a redirect/,
    );
  });

  test('its points are those of its modules', async () => {
    const body = await scan('poor.lab');
    const sum = MODULES.reduce((total, id) => total + body[id].score, 0);
    assert.ok(Math.abs(sum - body.total_score) < 0.05);
    // One finding of high severity of 13 points: 60 % are gone.
    assert.deepEqual([body.csp_analysis.score, body.csp_analysis.max], [5.2, 13]);
    assert.deepEqual([body.redirect.score, body.html.score, body.cookies.score], [0, 0, 0]);
    assert.equal(body.grade, 'D');
  });
});

describe('one fault each', () => {
  for (const [host, module, expected] of [
    ['cors.lab', 'cors', ['cors_reflects_origin_with_credentials']],
    ['cors-any.lab', 'cors', []],
    ['trace.lab', 'methods', ['methods_trace', 'methods_writing']],
    ['signed-bogus.lab', 'dnssec', ['dnssec_bogus']],
    ['signed-expired.lab', 'dnssec', ['dnssec_bogus']],
    ['signed-no-ds.lab', 'dnssec', ['dnssec_no_ds']],
    ['signed-nsec3.lab', 'dnssec', []],
    ['unsigned.lab', 'dnssec', ['dnssec_unsigned']],
    ['expired.tls.lab', 'ssl', ['tls_expired']],
    ['wrong-name.tls.lab', 'ssl', ['tls_name_mismatch']],
    ['tls10.tls.lab', 'ssl', ['tls_no_tls12', 'tls_old_protocol', 'tls_no_aead', 'tls_no_tls13']],
    ['mail-two-spf.lab', 'dns', ['dns_spf_several', 'dns_dmarc_missing', 'dns_caa_missing']],
    ['next.lab', 'redirect', ['hsts_missing']],
    ['wordpress.lab', 'disclosure', ['discloses_version', 'discloses_version', 'generator_version']],
  ] as const) {
    test(`${host}, ${module}: ${expected.join(', ') || 'none'}`, async () => {
      assert.deepEqual(ids(await scan(host), module), expected);
    });
  }

  test('a critical one is an F, whatever the points', async () => {
    const body = await scan('expired.tls.lab');
    assert.deepEqual([body.grade, body.findings_count.critical, body.ssl.score], ['F', 1, 0]);
    assert.match(body.summary, /First: TLS: expired\./);
  });

  test('a site without HTTPS', async () => {
    const body = await scan('http-only.lab');
    assert.deepEqual([ids(body, 'ssl'), body.grade, body.ssl.score], [['tls_none'], 'F', 0]);
    assert.ok(ids(body, 'redirect').includes('redirect_missing'));
  });

  test('an alias of a name that does not exist is no NXDOMAIN', async () => {
    const body = await scan('alias-nowhere.lab');
    assert.ok(ids(body, 'dns').includes('dns_dangling_alias'));
    assert.equal(body.findings[0].evidence, 'nowhere-at-all.lab');
    assert.deepEqual([body.headers.score, body.ssl.score, body.grade], [null, null, null]);
  });
});

describe('what could not be looked at', () => {
  test('JSON has no markup: null, and not part of the score', async () => {
    const body = await scan('json.lab');
    assert.deepEqual([body.html.score, body.html.max, body.max_score], [null, 10, 90]);
    assert.equal(body.verdict.completeness, 'partial');
    assert.ok(
      body.verdict.gaps.some((gap: string) => gap.endsWith('not part of the score: html')),
      body.verdict.gaps,
    );
  });

  test('a name without a web server has no grade', async () => {
    const body = await scan('mail-nothing.lab');
    assert.deepEqual([body.max_score, body.grade, body.redirect.score], [10, null, null]);
    assert.deepEqual(ids(body, 'dns'), ['dns_spf_missing', 'dns_dmarc_missing', 'dns_caa_missing']);
    assert.match(body.summary, /9 modules of 11 could not be looked at/);
  });
});

describe('the ethical floor', () => {
  for (const name of ['all', 'us', '500', 'others', 'redirect']) {
    test(`robots-${name}.lab is not scanned`, async () => {
      for (const path of [`/v1/scan/robots-${name}.lab`, `/v1/scan/headers/robots-${name}.lab`]) {
        const { status, body } = await service.get(path);
        assert.deepEqual([status, body.error?.code], [403, 'robots_txt_disallow'], path);
      }
      assert.equal(lab.requests.count('https', `robots-${name}.lab`, '/'), 0);
      assert.equal(lab.requests.count('http', `robots-${name}.lab`, '/'), 0);
      assert.equal(lab.requests.count('https', `robots-${name}.lab`, '/no-such-page-a7f3'), 0);
    });
  }

  for (const [domain, status] of [
    ['no-such-name-at-all.lab', 404],
    ['private.lab', 400],
    ['127.0.0.1', 400],
    ['https:%2F%2Fkept.lab', 400],
  ] as const) {
    test(`${domain} is ${status}`, async () => {
      for (const path of [`/v1/scan/${domain}`, `/v1/scan/headers/${domain}`]) {
        const { status: got, body } = await service.get(path);
        assert.equal(got, status, JSON.stringify(body));
      }
      assert.deepEqual(lab.escapes, []);
    });
  }
});

describe('sites that nobody should have to read', () => {
  const HOSTS = [
    'large endless nested unclosed bomb reset-in-body many-interim flood long cookies long-csp control private downgrade',
    'latin1-as-utf8 utf16 unknown-charset nulls bidi instructions base-javascript',
  ].flatMap((names) => names.split(' '));
  for (const name of HOSTS) {
    test(`${name}.evil.lab`, async () => {
      const { status, body, text } = await service.get(`/v1/scan/${name}.evil.lab`);
      assert.equal(status, 200, text);
      assert.deepEqual(lab.escapes, []);
      assert.doesNotMatch(JSON.stringify(body), UNSEEN);
      assert.ok(text.length < 60_000, `${text.length} characters`);
      for (const module of MODULES) assert.ok(body[module].details.length <= 12);
      for (const finding of body.findings) assert.ok((finding.evidence ?? '').length <= 500, finding.id);
    });
  }

  test('a page of 50 MB is judged by its beginning, and says so', async () => {
    const body = await scan('large.evil.lab');
    assert.ok(body.verdict.gaps.includes('the page is longer than what was read of it'));
    assert.notEqual(body.html.score, null);
  });

  test('of 400 cookies each fault is told once', async () => {
    const body = await scan('cookies.evil.lab');
    assert.deepEqual(ids(body, 'cookies'), ['cookie_without_secure']);
    assert.equal(body.cookies.details[0], 'Cookies set: 400.');
  });
});

test('a page that never ends costs its time, and what is not of the page is there all the same', async (t) => {
  const net = openNetworkClient({ ...lab.netOptions, allowedPrivate: [], proxy: null });
  const impatient = await startService(t, { net, patienceMs: () => 4000 });
  t.after(() => net.close());
  const started = performance.now();
  const { status, body } = await impatient.get('/v1/scan/slow-body.evil.lab');
  assert.ok(performance.now() - started < 30_000);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual([body.headers.score, body.html.score, body.redirect.score, body.grade], [null, null, null, null]);
  assert.notEqual(body.dns.score, null);
  assert.ok(body.verdict.sources_unavailable.includes('web'));
});

describe('the headers alone', () => {
  test('are judged by the one grader', async () => {
    const { body } = await service.get('/v1/scan/headers/kept.lab');
    assert.deepEqual([body.status_code, body.url, body.grade], [200, 'https://www.kept.lab/', 'A']);
    const { body: given } = await service.post('/v1/check/headers', {
      headers: { 'Content-Security-Policy': "default-src 'self'", Server: 'nginx/1.18.0' },
    });
    assert.deepEqual(Object.keys(body.findings[0]).sort(), Object.keys(given.findings[0]).sort());
  });

  test('long values are cut at 500 characters, unless all of them is asked for', async () => {
    const find = (body: { findings: { header: string; value: string; total_value_length?: number }[] }) =>
      body.findings.find(({ header }) => header === 'Content-Security-Policy')!;
    const cut = find((await service.get('/v1/scan/headers/long-csp.evil.lab')).body);
    // `script-src ` and 500 times `https://a.lab `, without the last space.
    assert.deepEqual([cut.value.length, cut.total_value_length], [500, 7010]);
    const full = find((await service.get('/v1/scan/headers/long-csp.evil.lab?include=full')).body);
    assert.deepEqual([full.value.length, full.total_value_length], [7010, undefined]);
  });

  test('over HTTP where nobody speaks HTTPS, which the answer says', async () => {
    const { body } = await service.get('/v1/scan/headers/http-only.lab');
    assert.equal(body.url, 'http://http-only.lab/');
    assert.match(body.summary, /^Not served over HTTPS\./);
    // A closed port is an answer: nothing is missing.
    assert.deepEqual([body.verdict.completeness, body.verdict.gaps], ['complete', []]);
  });

  test('nothing answers there: 502', async () => {
    assert.equal((await service.get('/v1/scan/headers/mail-nothing.lab')).status, 502);
  });
});
