import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type FakeNetOptions, fakeNet, type Zone } from '../support/fake-dns.ts';
import { startService } from '../support/service.ts';

const SOURCES = { rdap: 'https://iana.test/rdap/', whois: 'whois://root.test:4300/' };
const BOOTSTRAP = 'https://iana.test/rdap/dns.json';
const REGISTRY = 'https://rdap.nic.test/domain/example.test';
const ZONE: Zone = { 'example.test': { A: ['192.0.2.1'] }, 'example.other': { A: ['192.0.2.1'] } };

const bootstrap = { body: JSON.stringify({ services: [[['test'], ['https://rdap.nic.test/']]] }) };
const json = (body: unknown) => ({ body: JSON.stringify(body) });
const thin = {
  objectClassName: 'domain',
  ldhName: 'example.test',
  events: [{ eventAction: 'registration', eventDate: '2004-03-02T00:00:00Z' }],
  links: [{ rel: 'related', href: 'https://rdap.registrar.test/domain/example.test', type: 'application/rdap+json' }],
};
const registrars = {
  objectClassName: 'domain',
  ldhName: 'example.test',
  events: [
    { eventAction: 'registration', eventDate: '1999-09-09T00:00:00Z' },
    { eventAction: 'expiration', eventDate: '2030-03-02T00:00:00Z' },
  ],
  entities: [{ roles: ['registrar'], vcardArray: ['vcard', [['fn', {}, 'text', 'Registrar Example']]] }],
};

async function lookUp(
  t: Parameters<typeof startService>[0],
  options: FakeNetOptions,
  domain = 'example.test',
  zone: Zone = ZONE,
) {
  const net = fakeNet(zone, options);
  const service = await startService(t, { net, sources: SOURCES });
  const { status, body } = await service.get(`/v1/whois/${domain}`);
  return { status, body, asked: net.asked };
}

describe('registration', () => {
  test("the registrar's record fills what the registry leaves out, and changes nothing else", async (t) => {
    const pages = {
      [BOOTSTRAP]: bootstrap,
      [REGISTRY]: json(thin),
      'https://rdap.registrar.test/domain/example.test': json(registrars),
    };
    const { status, body } = await lookUp(t, { pages });
    assert.equal(status, 200);
    assert.equal(body.whois.registrar, 'Registrar Example');
    assert.equal(body.whois.creation_date, '2004-03-02T00:00:00Z');
    assert.equal(body.whois.expiry_date, '2030-03-02T00:00:00Z');
  });

  test('a registrar that does not answer leaves a gap', async (t) => {
    const { status, body } = await lookUp(t, { pages: { [BOOTSTRAP]: bootstrap, [REGISTRY]: json(thin) } });
    assert.equal(status, 200);
    assert.equal(body.whois.registrar, null);
    assert.equal(body.verdict.completeness, 'partial');
  });

  test('a redirect of the registry is followed', async (t) => {
    const pages = {
      [BOOTSTRAP]: bootstrap,
      [REGISTRY]: { status: 302, headers: { location: 'https://rdap2.nic.test/domain/example.test' } },
      'https://rdap2.nic.test/domain/example.test': json({ ...registrars, links: [] }),
    };
    assert.equal((await lookUp(t, { pages })).body.whois.registrar, 'Registrar Example');
  });

  test('a name that resolves and that the registry has not: 404, in those words', async (t) => {
    const { status, body } = await lookUp(t, { pages: { [BOOTSTRAP]: bootstrap, [REGISTRY]: { status: 404 } } });
    assert.equal(status, 404);
    assert.match(body.error.message, /example\.test is not registered/);
  });

  test('a name that is registered and not in the DNS: 404 that says both', async (t) => {
    const pages = {
      [BOOTSTRAP]: bootstrap,
      'https://rdap.nic.test/domain/held.test': json({ ...registrars, ldhName: 'held.test' }),
    };
    const { status, body } = await lookUp(t, { pages }, 'held.test');
    assert.equal(status, 404);
    assert.match(body.error.message, /NXDOMAIN.*registered with Registrar Example/);
  });

  for (const [what, page] of [
    ['429', { status: 429 }],
    ['an error of the server', { status: 500 }],
    ['a page', { body: '<html></html>' }],
    ['no connection', 'refused'],
  ] as const) {
    test(`WHOIS stands in for RDAP after ${what}`, async (t) => {
      const { status, body } = await lookUp(t, {
        pages: { [BOOTSTRAP]: bootstrap, [REGISTRY]: page },
        whois: {
          'root.test:4300 test': 'refer: whois.nic.test\n',
          'whois.nic.test:43 example.test':
            'domain: example.test\nregistrar: Registrar Example\ncreated: 2004-03-02\nexpires: 2030-03-02\n',
        },
      });
      assert.equal(status, 200);
      assert.equal(body.whois.source, 'whois');
      assert.equal(body.whois.expiry_date, '2030-03-02');
      assert.deepEqual(body.verdict.sources_unavailable, ['rdap']);
    });
  }

  const other = (text: string, more: Record<string, string> = {}) => ({
    pages: { [BOOTSTRAP]: bootstrap },
    whois: { 'root.test:4300 other': 'refer: whois.nic.other\n', 'whois.nic.other:43 example.other': text, ...more },
  });

  test('a registry without RDAP is asked by WHOIS, which is no failure', async (t) => {
    const { body } = await lookUp(
      t,
      other('domain: example.other\nregistrar: R\ncreated: 2004-03-02\nexpires: 2030-03-02\n'),
      'example.other',
    );
    assert.equal(body.whois.source, 'whois');
    assert.equal(body.verdict.completeness, 'complete');
  });

  test('a thin WHOIS refers to the registrar', async (t) => {
    const { body, asked } = await lookUp(
      t,
      other(
        'Domain Name: EXAMPLE.OTHER\nRegistrar WHOIS Server: whois.registrar.test\nRegistrar: Registrar Example\n',
        {
          'whois.registrar.test:43 example.other':
            'Domain Name: example.other\nCreation Date: 2004-03-02\nRegistrar Registration Expiration Date: 2030-03-02\nRegistrant Name: Jo Public\n',
        },
      ),
      'example.other',
    );
    assert.equal(body.whois.expiry_date, '2030-03-02');
    assert.ok(asked.includes('whois.registrar.test:43 example.other'));
    assert.doesNotMatch(JSON.stringify(body), /Public/);
  });

  test('free by WHOIS is 404', async (t) => {
    assert.equal((await lookUp(t, other('No match for "EXAMPLE.OTHER".\n'), 'example.other')).status, 404);
  });

  test('a server that declines is 502, not "free"', async (t) => {
    const { status, body } = await lookUp(t, other('Number of allowed queries exceeded.\n'), 'example.other');
    assert.equal(status, 502);
    assert.match(body.error.message, /could not be looked up/);
  });

  test('a registry that has neither is 502', async (t) => {
    const { status, body } = await lookUp(
      t,
      { pages: { [BOOTSTRAP]: bootstrap }, whois: { 'root.test:4300 other': '% 0 objects\n' } },
      'example.other',
    );
    assert.equal(status, 502);
    assert.match(body.error.message, /neither RDAP nor WHOIS/);
  });

  test('a text that cannot be read is shown for what it is', async (t) => {
    const { status, body } = await lookUp(
      t,
      other('Greetings from a new kind of registry\nJo Public <jo@example.other>\n'),
      'example.other',
    );
    assert.equal(status, 200);
    assert.equal(body.whois.outcome, 'unreadable');
    assert.equal(body.whois.raw_excerpt, 'Greetings from a new kind of registry');
    assert.deepEqual([body.whois.registrar, body.whois.expiry_date, body.whois.name_servers], [null, null, []]);
    assert.equal(body.verdict.completeness, 'partial');
  });

  test('a registry that declines to answer does not say that the name is free', async (t) => {
    const { status, body } = await lookUp(t, other('Request denied\n'), 'example.other');
    assert.deepEqual([status, body.error.code], [502, 'upstream_error']);
    assert.match(body.message, /could not be looked up/);
  });

  test('a reserved name is said to be that', async (t) => {
    const { status, body } = await lookUp(t, other('Reserved by Registry\n'), 'example.other');
    assert.equal(status, 200);
    assert.equal(body.whois.outcome, 'reserved');
    assert.match(body.summary, /reserved/);
  });

  test('the registry is asked for the name on its books', async (t) => {
    const zone: Zone = { 'a.b.example.co.uk': { A: ['192.0.2.1'] } };
    const { asked } = await lookUp(
      t,
      { pages: { [BOOTSTRAP]: bootstrap }, whois: { 'root.test:4300 uk': 'refer: whois.nic.uk\n' } },
      'a.b.example.co.uk',
      zone,
    );
    assert.ok(asked.includes('whois.nic.uk:43 example.co.uk'));
  });
});

describe('DNS records', () => {
  test('a type whose query fails is null, and the answer partial', async (t) => {
    const net = fakeNet({ 'example.test': { A: ['192.0.2.1'], MX: 'fails', TXT: ['a\u202eb'] } });
    const service = await startService(t, { net });
    const { status, body } = await service.get('/v1/dns/example.test');
    assert.equal(status, 200);
    assert.equal(body.records.mx, null);
    assert.deepEqual(body.records.ns, []);
    assert.deepEqual(body.records.txt, ['ab']);
    assert.equal(body.verdict.completeness, 'partial');
    assert.ok(body.verdict.gaps.includes('no answer about MX records'));
  });
});

describe('subdomains', () => {
  const entry = (name_value: string) => ({
    issuer_name: 'CN=Example CA',
    common_name: null,
    name_value,
    id: 1,
    not_before: '2026-01-01T00:00:00',
    not_after: '2026-04-01T00:00:00',
  });

  test('wildcards are recognised level by level', async (t) => {
    const net = fakeNet(
      {
        'example.test': { A: ['192.0.2.1'] },
        'www.example.test': { A: ['192.0.2.2'] },
        '*.pages.example.test': { A: ['192.0.2.9'] },
        'real.pages.example.test': { A: ['192.0.2.3'] },
      },
      {
        pages: {
          'https://crt.test/?q=%25.example.test&output=json': {
            body: JSON.stringify([entry('one.pages.example.test\nreal.pages.example.test\nexample.test\nother.test')]),
          },
        },
      },
    );
    const service = await startService(t, { net, sources: { crtsh: 'https://crt.test/' } });
    const { body } = await service.get('/v1/subdomains/example.test');
    assert.deepEqual(body.subdomains, [
      { name: 'one.pages.example.test', source: 'ct', ips: ['192.0.2.9'], wildcard: true },
      { name: 'real.pages.example.test', source: 'ct', ips: ['192.0.2.3'], wildcard: false },
      { name: 'www.example.test', source: 'dns', ips: ['192.0.2.2'], wildcard: false },
    ]);
    assert.equal(body.wildcard, false);
  });

  test('a sweep whose questions fail is named as missing', async (t) => {
    const net = fakeNet({ 'example.test': { A: ['192.0.2.1'] }, '*.example.test': 'fails' });
    const service = await startService(t, { net });
    const { body } = await service.get('/v1/subdomains/example.test');
    assert.equal(body.wildcard, null);
    assert.deepEqual(body.verdict.sources_unavailable.toSorted(), ['crtsh', 'dns_sweep']);
    assert.equal(body.from_ct, null);
  });
});
