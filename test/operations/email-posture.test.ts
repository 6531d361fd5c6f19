import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { fakeNet, type Pages, type Zone } from '../support/fake-dns.ts';
import { startService } from '../support/service.ts';

const POLICY_URL = 'https://mta-sts.good.example/.well-known/mta-sts.txt';
const POLICY = 'version: STSv1\r\nmode: enforce\r\nmx: *.mail.example\r\nmax_age: 1209600\r\n';
const TEXT = { 'content-type': 'text/plain; charset=utf-8' };

function rsaKey(bits: number): string {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  return publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
}

/** Mail servers of others. */
const SERVERS: Zone = Object.fromEntries(
  ['mx1.mail.example', 'mx2.mail.example', 'mx.other.example', 'mx.elsewhere.example'].map((host) => [
    host,
    { A: ['192.0.2.25'], AAAA: [] },
  ]),
);

/** A domain that does all that is asked, and its parts to take away. */
const GOOD: Zone = {
  'good.example': {
    MX: [
      [10, 'mx1.mail.example'],
      [20, 'mx2.mail.example'],
    ],
    TXT: ['v=spf1 include:_spf.mail.example -all'],
  },
  '_spf.mail.example': { TXT: ['v=spf1 ip4:192.0.2.0/24 ip6:2001:db8::/32 -all'] },
  '_dmarc.good.example': { TXT: ['v=DMARC1; p=reject; rua=mailto:dmarc@good.example'] },
  'google._domainkey.good.example': { TXT: [`v=DKIM1; k=rsa; p=${rsaKey(2048)}`] },
  '_mta-sts.good.example': { TXT: ['v=STSv1; id=20260101'] },
  '_smtp._tls.good.example': { TXT: ['v=TLSRPTv1; rua=mailto:tls@good.example'] },
  'default._bimi.good.example': { TXT: ['v=BIMI1; l=https://good.example/logo.svg; a='] },
  '_25._tcp.mx1.mail.example': { TLSA: [{ usage: 3, selector: 1, matchingType: 1, certificate: Buffer.alloc(32) }] },
};
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" version="1.2" baseProfile="tiny-ps" viewBox="0 0 8 8"><title>Good</title></svg>';
const PAGES: Pages = {
  [POLICY_URL]: { headers: TEXT, body: POLICY },
  'https://good.example/logo.svg': { headers: { 'content-type': 'image/svg+xml' }, body: LOGO },
};

async function ask(
  t: { after(end: () => void): void },
  zone: Zone,
  { pages = {} as Pages, path = 'security-posture/good.example' } = {},
) {
  const net = fakeNet(
    { ...SERVERS, ...zone },
    { pages: { ...PAGES, ...pages }, signed: ['_25._tcp.mx1.mail.example'] },
  );
  const service = await startService(t, { net });
  const reply = await service.get(`/v1/email/${path}`);
  return { ...reply, body: reply.body, asked: net.asked };
}

function ids(body: { all_findings: { id: string; status: string }[] }): string[] {
  return body.all_findings.filter(({ status }) => status === 'warn' || status === 'fail').map(({ id }) => id);
}

describe('email_security_posture', () => {
  for (const [what, zone, expected] of [
    [
      'two SPF records',
      { 'good.example': { TXT: ['v=spf1 -all', 'v=spf1 mx -all'] } },
      'SPF permerror (several records), DMARC reject',
    ],
    ['a broken SPF record', { 'good.example': { TXT: ['v=spf1 ip4:1.2.3 -all'] } }, 'SPF permerror (broken record)'],
    [
      'a redirect that depends on the message',
      { 'good.example': { TXT: ['v=spf1 redirect=%{i}.x.example'] } },
      'SPF all: unknown',
    ],
    ['a malformed DMARC record', { '_dmarc.good.example': { TXT: ['p=reject; v=DMARC1'] } }, 'DMARC malformed'],
    [
      'two DMARC records',
      { '_dmarc.good.example': { TXT: ['v=DMARC1; p=none', 'v=DMARC1; p=reject'] } },
      'DMARC without effect (several records)',
    ],
  ] as const) {
    test(`the summary of ${what}`, async (t) => {
      const { body } = await ask(t, { ...GOOD, ...(zone as unknown as Zone) });
      assert.ok(body.summary.includes(expected), body.summary);
    });
  }

  test('a domain that does everything: 100, A+, nothing found', async (t) => {
    const { status, body } = await ask(t, GOOD);
    assert.equal(status, 200);
    assert.equal(body.posture_score, 100);
    assert.equal(body.posture_grade, 'A+');
    assert.deepEqual(ids(body), []);
    assert.deepEqual(body.spf, {
      present: true,
      record: 'v=spf1 include:_spf.mail.example -all',
      all_policy: 'fail',
      mechanisms: ['include:_spf.mail.example', '-all'],
      lookup_count: 1,
      senders: [
        {
          term: 'include:_spf.mail.example',
          service: null,
          networks: ['192.0.2.0/24', '2001:db8::/32'],
          network_count: 2,
          ipv4_addresses: 256,
          complete: true,
        },
      ],
      ipv4_addresses: 256,
    });
    assert.equal(body.dmarc.policy, 'reject');
    assert.equal(body.dmarc.subdomain_policy, 'reject');
    assert.deepEqual(body.dmarc.rua_uris, ['mailto:dmarc@good.example']);
    assert.deepEqual(body.dkim.verified_selectors, ['google']);
    assert.deepEqual(body.dkim.keys, [
      { selector: 'google', key_type: 'rsa', bits: 2048, revoked: false, testing: false, strength: 'strong' },
    ]);
    assert.equal(body.mta_sts.mode, 'enforce');
    assert.deepEqual(body.bimi.logo_problems, []);
    const row = { unsigned_reason: null, problems: [], matches: null };
    assert.deepEqual(body.dane, [
      { ...row, host: 'mx1.mail.example', records: 1, signed: true, tlsa: [`3 1 1 ${'00'.repeat(32)}`] },
      { ...row, host: 'mx2.mail.example', records: 0, signed: false, tlsa: [] },
    ]);
    assert.equal(body.verdict.completeness, 'complete');
    assert.deepEqual(body.verdict.sources_unavailable, []);
  });

  test('the points of the findings are what is missing from 100', async (t) => {
    const { body } = await ask(t, { 'good.example': { MX: [[10, 'mx.other.example']], A: ['192.0.2.1'] } });
    const lost = body.all_findings.reduce((sum: number, { points }: { points: number }) => sum + points, 0);
    assert.equal(body.posture_score, 100 - lost);
    assert.equal(body.posture_grade, 'F');
    assert.deepEqual(ids(body), ['spf_missing', 'dmarc_missing', 'mta_sts_missing', 'tls_rpt_missing']);
    for (const { status, fix_hint } of body.all_findings)
      if (status === 'warn' || status === 'fail') assert.ok(fix_hint);
    assert.equal(body.dkim.status, 'unknown', 'no selector found is not "none"');
  });

  test('selectors that are given are tried, and named', async (t) => {
    const { body } = await ask(
      t,
      { ...GOOD, 'mine2026._domainkey.good.example': { TXT: [`k=rsa; p=${rsaKey(1024)}`] } },
      { path: 'security-posture/good.example?selectors=Mine2026,%20other' },
    );
    assert.deepEqual(body.dkim.verified_selectors, ['mine2026', 'google']);
    assert.deepEqual(body.dkim.tested_selectors.slice(0, 2), ['mine2026', 'other']);
    assert.deepEqual(ids(body), ['dkim_key_short']);
  });

  test('a zone that answers to every selector verifies none', async (t) => {
    const { body } = await ask(t, {
      ...GOOD,
      'google._domainkey.good.example': {},
      '*._domainkey.good.example': { TXT: ['v=DKIM1; p='] },
    });
    assert.equal(body.dkim.status, 'unknown');
    assert.deepEqual(body.dkim.verified_selectors, []);
    assert.ok(body.all_findings.some(({ id }: { id: string }) => id === 'dkim_wildcard'));
  });

  for (const [what, page, words] of [
    ['redirected', { status: 301, headers: { location: 'https://good.example/' } }, /redirect/],
    ['with a bad certificate', 'tls', /valid certificate/],
    ['absent', { status: 404, headers: TEXT }, /status 404/],
    ['of another type', { headers: { 'content-type': 'text/html' }, body: POLICY }, /text\/plain/],
    ['without mx', { headers: TEXT, body: 'version: STSv1\nmode: enforce\nmax_age: 86400\n' }, /names no mail server/],
  ] as const) {
    test(`an MTA-STS policy ${what} is a finding about the domain`, async (t) => {
      const { body } = await ask(t, GOOD, { pages: { [POLICY_URL]: page } as Pages });
      assert.deepEqual(ids(body), ['mta_sts_no_policy']);
      assert.match(body.all_findings[0].description, words);
      assert.equal(body.verdict.completeness, 'complete');
    });
  }

  test('an MTA-STS policy that does not answer in time is not known, and takes nothing off', async (t) => {
    const { body } = await ask(t, GOOD, { pages: { [POLICY_URL]: 'timeout' } });
    assert.deepEqual(ids(body), []);
    assert.equal(body.posture_score, 100);
    assert.equal(body.verdict.completeness, 'partial');
    assert.deepEqual(body.verdict.sources_unavailable, ['mta_sts']);
  });

  test('mail servers that the policy leaves out', async (t) => {
    const { body } = await ask(t, {
      ...GOOD,
      'good.example': { ...(GOOD['good.example'] as object), MX: [[5, 'mx.elsewhere.example']] },
    });
    assert.deepEqual(ids(body), ['mta_sts_mx_uncovered']);
  });

  test('an SPF record that could not be read is not a missing one', async (t) => {
    const { status, body } = await ask(t, {
      ...GOOD,
      'good.example': { MX: [[10, 'mx1.mail.example']], TXT: 'fails' },
    });
    assert.equal(status, 200);
    assert.equal(body.spf.present, null);
    assert.equal(body.posture_score, null);
    assert.equal(body.posture_grade, null);
    assert.deepEqual(ids(body), []);
    assert.equal(body.verdict.completeness, 'partial');
    assert.ok(body.verdict.sources_unavailable.includes('dns'));
  });

  test('a name that does not exist: 404 after the first two questions', async (t) => {
    const { status, body, asked } = await ask(t, GOOD, { path: 'security-posture/absent.example' });
    assert.equal(status, 404);
    assert.equal(body.error.code, 'not_found');
    assert.deepEqual(asked, ['MX absent.example', 'TXT absent.example']);
  });

  test('a resolver that answers nothing: 502', async (t) => {
    const { status, body } = await ask(t, { 'good.example': 'fails', '_dmarc.good.example': 'fails' });
    assert.equal(status, 502);
    assert.equal(body.error.code, 'upstream_error');
  });

  for (const selectors of ['a..b', '-x', 'a b', Array.from({ length: 21 }, (_, index) => `s${index}`).join()]) {
    test(`selectors that are none: 422 (${selectors.slice(0, 10)})`, async (t) => {
      const { status } = await ask(t, GOOD, {
        path: `security-posture/good.example?selectors=${encodeURIComponent(selectors)}`,
      });
      assert.equal(status, 422);
    });
  }

  test('what a target writes is shown without control and direction characters', async (t) => {
    const { text } = await ask(t, {
      ...GOOD,
      '_dmarc.good.example': { TXT: ['v=DMARC1; p=reject; n=\u202eevil\u0007'] },
    });
    assert.doesNotMatch(text, /\u202e|\\u0007|\\u202e/);
  });
});

describe('email_mx', () => {
  test('mail servers by preference, provider, and the grade of the posture', async (t) => {
    const { body } = await ask(
      t,
      {
        'shop.example': {
          MX: [
            [10, 'alt1.aspmx.l.google.com'],
            [1, 'aspmx.l.google.com'],
          ],
        },
        '_dmarc.shop.example': { TXT: ['v=DMARC1; p=none'] },
      },
      { path: 'mx/shop.example' },
    );
    assert.deepEqual(body.mx_records, [
      { priority: 1, exchange: 'aspmx.l.google.com' },
      { priority: 10, exchange: 'alt1.aspmx.l.google.com' },
    ]);
    assert.equal(body.mail_provider, 'Google Workspace');
    assert.equal(body.email_security.spf.present, false);
    assert.equal(body.email_security.dmarc.policy, 'none');
    assert.equal(body.email_security.dkim_status, 'unknown');
    assert.equal(body.email_security.issues.length > 0, true);
  });

  test('the same grade as the posture endpoint', async (t) => {
    const posture = await ask(t, GOOD);
    const mx = await ask(t, GOOD, { path: 'mx/good.example' });
    assert.equal(mx.body.email_security.grade, posture.body.posture_grade);
  });

  test('the null MX (RFC 7505) is no mail server', async (t) => {
    const { body } = await ask(
      t,
      {
        'quiet.example': { MX: [[0, '.']], TXT: ['v=spf1 -all'] },
        '_dmarc.quiet.example': { TXT: ['v=DMARC1; p=reject; rua=mailto:d@quiet.example'] },
      },
      { path: 'mx/quiet.example' },
    );
    assert.deepEqual(body.mx_records, []);
    assert.equal(body.null_mx, true);
    assert.equal(
      body.email_security.grade,
      'A+',
      'a domain that neither sends nor receives needs no DKIM and no MTA-STS',
    );
  });

  test('an existing name without MX records', async (t) => {
    const { status, body } = await ask(t, { 'web.example': { A: ['192.0.2.1'] } }, { path: 'mx/web.example' });
    assert.equal(status, 200);
    assert.deepEqual(body.mx_records, []);
    assert.equal(body.null_mx, false);
  });

  test('mail servers that could not be asked for are null', async (t) => {
    const { body } = await ask(
      t,
      { ...GOOD, 'good.example': { MX: 'fails', TXT: ['v=spf1 -all'] } },
      { path: 'mx/good.example' },
    );
    assert.equal(body.mx_records, null);
    assert.equal(body.mail_provider, null);
  });

  for (const bad of ['192.0.2.1', 'https%3A%2F%2Fgood.example', '*.good.example', 'localhost']) {
    test(`400 for ${bad}`, async (t) => assert.equal((await ask(t, GOOD, { path: `mx/${bad}` })).status, 400));
  }
});
