import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fakeNet, type Zone } from '../support/fake-dns.ts';
import { startService } from '../support/service.ts';

const ZONE: Zone = {
  'gmail.com': { MX: [[5, 'gmail-smtp-in.l.google.com']] },
  'fresh-domain.example': { MX: [[1, 'mail.mailinator.com']] },
  'web.example': { A: ['192.0.2.1'] },
  'six.example': { AAAA: ['2001:db8::1'] },
  'quiet.example': { MX: [[0, '.']], A: ['192.0.2.1'] },
  'empty.example': { TXT: ['nothing'] },
  'broken.example': 'fails',
  'xn--bcher-kva.example': { MX: [[1, 'mx.web.example']] },
  'mailinator.com': { MX: [[1, 'mail.mailinator.com']] },
};

async function ask(t: { after(end: () => void): void }, path: string) {
  const net = fakeNet(ZONE);
  const service = await startService(t, { net });
  const { status, body } = await service.get(`/v1/email/${path}`);
  return { status, body, asked: net.asked };
}

describe('email_verify', () => {
  const verify = (t: { after(end: () => void): void }, email: string) => ask(t, `verify/${encodeURIComponent(email)}`);

  test('an address at a free provider', async (t) => {
    const { body } = await verify(t, 'Support+x@GMail.com');
    assert.equal(body.email, 'support+x@gmail.com');
    assert.equal(body.domain, 'gmail.com');
    assert.equal(body.syntax_valid, true);
    assert.deepEqual(body.mx_records, [{ priority: 5, exchange: 'gmail-smtp-in.l.google.com' }]);
    assert.equal(body.accepts_mail, true);
    assert.equal(body.disposable, false);
    assert.equal(body.role_address, true);
    assert.equal(body.role_type, 'support');
    assert.equal(body.free_provider, true);
  });

  test('nothing but the DNS is asked: no mail server is ever connected to', async (t) => {
    const { asked } = await verify(t, 'a@web.example');
    assert.deepEqual(asked, ['MX web.example', 'A web.example', 'AAAA web.example']);
  });

  for (const [domain, exists, accepts] of [
    ['web.example', true, true],
    ['six.example', true, true],
    ['quiet.example', true, false],
    ['empty.example', true, false],
    ['absent.example', false, false],
    ['broken.example', null, null],
  ] as const) {
    test(`does ${domain} take mail: ${accepts}`, async (t) => {
      const { status, body } = await verify(t, `a@${domain}`);
      assert.equal(status, 200);
      assert.equal(body.domain_exists, exists);
      assert.equal(body.accepts_mail, accepts);
      assert.deepEqual(body.mx_records, accepts === null ? null : []);
      assert.equal(body.disposable, accepts === null ? null : false);
      assert.equal(body.verdict.completeness, accepts === null ? 'partial' : 'complete');
    });
  }

  test('an internationalised domain, in ASCII', async (t) => {
    const { body } = await verify(t, 'a@b\u00fccher.example');
    assert.equal(body.email, 'a@xn--bcher-kva.example');
    assert.equal(body.mx_records.length, 1);
  });

  for (const email of [
    'some..one@gmail.com',
    '.a@gmail.com',
    'a@-gmail.com',
    'a b@gmail.com',
    'a@gmail..com',
    `${'a'.repeat(65)}@gmail.com`,
    'a(b)@gmail.com',
    'a@localhost',
  ]) {
    test(`not an address that mail can be sent to: ${email.slice(0, 20)}`, async (t) => {
      const { status, body } = await verify(t, email);
      assert.equal(status, 200);
      assert.equal(body.syntax_valid, false);
      assert.ok(body.syntax_note);
    });
  }

  test('an address literal is one, without a domain', async (t) => {
    const { body, asked } = await verify(t, 'a@[192.0.2.1]');
    assert.equal(body.syntax_valid, true);
    assert.equal(body.domain, null);
    assert.equal(body.mx_records, null);
    assert.deepEqual(asked, []);
  });

  for (const bad of ['gmail.com', '@gmail.com', 'a@', 'https://a@gmail.com', `${'a'.repeat(320)}@b.example`]) {
    test(`400: ${bad.slice(0, 20)}`, async (t) => {
      const { status, body } = await verify(t, bad);
      assert.equal(status, 400);
      assert.equal(body.error.code, 'invalid_argument');
    });
  }
});

describe('email_disposable', () => {
  test('by the list, whatever stands before the @', async (t) => {
    const { body } = await ask(t, 'disposable/Some.One%40mailinator.com');
    assert.equal(body.email, 'some.one@mailinator.com');
    assert.equal(body.disposable, true);
    assert.equal(body.provider, 'mailinator.com');
    assert.equal(body.mx_disposable, true);
    assert.equal(body.risk_level, 'high');
  });

  test('by its mail servers, although it is not listed', async (t) => {
    const { body } = await ask(t, 'disposable/fresh-domain.example');
    assert.equal(body.email, null);
    assert.equal(body.disposable, true);
    assert.equal(body.provider, 'mailinator.com');
    assert.equal(body.risk_level, 'high');
  });

  test('neither; with and without mail servers', async (t) => {
    assert.equal((await ask(t, 'disposable/a%40gmail.com')).body.risk_level, 'low');
    assert.equal((await ask(t, 'disposable/empty.example')).body.risk_level, 'medium');
  });

  test('not listed, and the DNS did not answer: not known', async (t) => {
    const { body } = await ask(t, 'disposable/broken.example');
    assert.deepEqual([body.disposable, body.mx_disposable, body.risk_level], [null, null, null]);
    assert.equal(body.verdict.completeness, 'partial');
  });

  test('the verdict names the list and its age', async (t) => {
    const { body } = await ask(t, 'disposable/gmail.com');
    assert.deepEqual(body.verdict.sources_queried, ['disposable_domains', 'dns']);
    assert.ok(body.verdict.data_age_seconds === null || body.verdict.data_age_seconds >= 0);
  });

  for (const bad of [
    '192.0.2.1',
    'a%40%40b.example',
    'a%40192.0.2.1',
    'a..b%40gmail.com',
    'localhost',
    'a%40[192.0.2.1]',
  ]) {
    test(`400: ${bad}`, async (t) => assert.equal((await ask(t, `disposable/${bad}`)).status, 400));
  }
});
