import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { issueApiKey } from '../../src/access/api-key-lifecycle.ts';
import { type Reply, startService, type TestService } from '../support/service.ts';

const HTML = { accept: 'text/html' };
const LOOPBACK = { ...HTML, host: 'localhost:8080' };
const SECURE = { ...HTML, host: 'sextant.example', 'x-forwarded-proto': 'https' };

const service = await startService({ after }, { quota: { keyless: 30, pro: 500 } });

async function newKey(of: TestService = service): Promise<string> {
  const { key } = await issueApiKey(of.access.accounts, { orderId: 'test', days: 30, now: of.clock.now });
  return key;
}

function submit(fields: Record<string, string>, headers: Record<string, string>): Promise<Reply> {
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  return service.send('POST', '/key', new URLSearchParams(fields).toString(), { ...type, ...headers });
}

describe('/key', () => {
  test('shows the quota of who asks', async () => {
    const { text } = await service.get('/key', HTML);
    assert.match(text, /You ask without a key/);
    assert.match(text, /30 of 30 tokens are left/);
  });

  test('a typed key shows its usage and signs nobody in', async () => {
    const key = await newKey();
    await service.get('/v1/cve/CVE-2021-44228', { authorization: `Bearer ${key}` });
    const { status, headers, text } = await submit({ key }, LOOPBACK);
    assert.equal(status, 200);
    assert.equal(headers['set-cookie'], undefined);
    assert.match(text, /<code>GET \/v1\/cve\/\{cve_id\}/);
    assert.match(text, /498 of 500 tokens/);
    assert.doesNotMatch(text, /sxt_/);
  });

  test('a wrong key is said at its field, and costs nothing', async () => {
    for (const key of ['nonsense', `sxt_${'0'.repeat(48)}`, '<script>']) {
      const { status, text } = await submit({ key, stay: '1' }, LOOPBACK);
      assert.equal(status, 401);
      assert.match(text, /role="alert"/);
      assert.doesNotMatch(text, /<script>/);
    }
  });
});

describe('staying signed in', () => {
  test('over TLS: a cookie of this host that no script reads', async () => {
    const key = await newKey();
    const { status, headers } = await submit({ key, stay: '1' }, SECURE);
    assert.deepEqual([status, headers['location']], [303, '/key']);
    const cookie = String(headers['set-cookie']);
    for (const part of [`__Host-sextant-key=${key}`, 'Secure', 'HttpOnly', 'SameSite=Strict', 'Path=/'])
      assert.ok(cookie.includes(part), part);
    assert.doesNotMatch(cookie, /Domain/i);
    const signedIn = { ...SECURE, cookie: `other=1; __Host-sextant-key=${key}` };
    assert.match((await service.get('/key', signedIn)).text, /You are signed in.*500 tokens/s);
    // A name that a subdomain could set is not believed over TLS.
    assert.match((await service.get('/key', { ...SECURE, cookie: `sextant-key=${key}` })).text, /without a key/);
    const out = await submit({ do: 'sign-out' }, signedIn);
    assert.match(String(out.headers['set-cookie']), /^__Host-sextant-key=; Max-Age=0/);
  });

  test('on loopback without TLS the name has no prefix; elsewhere without TLS there is none', async () => {
    const key = await newKey();
    const cookie = String((await submit({ key, stay: '1' }, LOOPBACK)).headers['set-cookie']);
    assert.match(cookie, /^sextant-key=sxt_/);
    assert.doesNotMatch(cookie, /Secure/);
    const plain = await submit({ key, stay: '1' }, { ...HTML, host: 'sextant.example' });
    assert.equal(plain.headers['set-cookie'], undefined);
    assert.match(plain.text, /You were not signed in/);
    assert.doesNotMatch((await service.get('/key', { ...HTML, host: 'sextant.example' })).text, /name="stay"/);
  });

  test('the cookie is for pages alone', async () => {
    const cookie = `sextant-key=${await newKey()}`;
    const { headers } = await service.get('/v1/cve/CVE-2021-44228', { host: 'localhost:8080', cookie });
    assert.equal(headers['x-ratelimit-tier'], 'keyless');
  });

  test('a key that is no longer valid is said once, and removed from the browser', async () => {
    for (const key of ['nonsense', `sxt_${'1'.repeat(48)}`]) {
      const { status, headers, text } = await service.get('/', { ...LOOPBACK, cookie: `sextant-key=${key}` });
      assert.equal(status, 200);
      assert.match(text, /You are no longer signed in/);
      assert.match(String(headers['set-cookie']), /^sextant-key=; Max-Age=0/);
    }
    const redirect = await service.get('/?q=CVE-2021-44228', { ...LOOPBACK, cookie: 'sextant-key=nonsense' });
    assert.deepEqual([redirect.status, redirect.headers['set-cookie']], [303, undefined]);
  });
});

describe('forms of other sites are refused on every installation', () => {
  const fields = { do: 'sign-out' };
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost.evil.example:8080' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: 'http://localhost:8080' },
  ]) {
    test(JSON.stringify(headers), async () => {
      const reply = await submit(fields, { ...LOOPBACK, ...(headers as Record<string, string>) });
      assert.equal(reply.status, 403);
      assert.equal(reply.headers['set-cookie'], undefined);
      assert.match(reply.text, /sent by another site/i);
    });
  }

  test('those of its own pages are not', async () => {
    for (const headers of [
      {},
      { origin: 'http://localhost:8080' },
      { origin: 'http://localhost:8080', 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
    ]) {
      assert.equal((await submit(fields, { ...LOOPBACK, ...(headers as Record<string, string>) })).status, 303);
    }
  });
});
