import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { ApiError } from '../../src/errors.ts';
import { errorPage } from '../../src/pages/error-page.ts';
import { PAGES } from '../../src/pages/list.ts';
import { startService } from '../support/service.ts';

const HTML = { accept: 'text/html' };
const service = await startService({ after });

describe('an address that does not exist', () => {
  for (const [path, offered] of [
    ['/serach', 'href="/search"'],
    ['/statsu', 'href="/status"'],
    ['/nothing/CVE-2021-44228', 'href="/cve/CVE-2021-44228"'],
    ['/CVE-2021-44228', 'href="/cve/CVE-2021-44228"'],
    ['/8.8.8.8', 'href="/ip/8.8.8.8"'],
    ['/CVE-2021-442', 'at least four digits'],
  ] as const) {
    test(`${path}: ${offered}`, async () => {
      const { status, text } = await service.get(path, HTML);
      assert.equal(status, 404);
      assert.ok(text.includes(offered), text.slice(text.indexOf('<main')));
      assert.match(text, /name="q" value="[^"]/);
      assert.match(text, /Request <code>[\w-]+<\/code>/);
    });
  }

  test('its own text is no markup', async () => {
    const { text } = await service.get('/%3Cscript%3Ealert(1)%3C/script%3E?q=%22%3E%3Cb%3E', HTML);
    assert.doesNotMatch(text, /<script>alert|"><b>/);
  });
});

describe('other errors say what to do', () => {
  const page = (error: ApiError): string =>
    String(errorPage(error, { url: '/status', query: new URLSearchParams() }, 'id-1', PAGES).main);

  test('quota: when again, and how to have more', () => {
    const text = page(
      new ApiError('rate_limit_exceeded', 'All 30 tokens of this hour are used.', { retryAfterSeconds: 600 }),
    );
    assert.match(text, /<h1>Too many questions: again in 10 minutes/);
    assert.match(text, /href="\/key"/);
    assert.match(text, /SEXTANT_QUOTA_KEYLESS=0/);
  });

  test('what was asked for by a good id is not said to be a bad one', () => {
    const request = { url: '/cve/CVE-2021-44228', query: new URLSearchParams() };
    const error = new ApiError('rate_limit_exceeded', 'All 30 tokens of this hour are used.', {
      retryAfterSeconds: 600,
    });
    assert.doesNotMatch(String(errorPage(error, request, 'id-1', PAGES).main), /looks like/);
  });

  test('not found: what that means, and no similar id', () => {
    const text = page(new ApiError('not_found', 'No source knows CVE-2021-4422.'));
    assert.match(text, /No source here knows it/);
    assert.match(text, /href="\/status"/);
  });

  test('a method, a body and a service that starts', async () => {
    const form = { ...HTML, 'content-type': 'application/x-www-form-urlencoded' };
    const method = await service.send('POST', '/status', 'a=1', form);
    assert.equal(method.status, 405);
    assert.match(method.text, /This page takes no such form/);
    const large = await service.send('POST', '/', `q=${'x'.repeat(1_100_000)}`, form);
    assert.equal(large.status, 413);
    assert.match(large.text, /up to 1 MiB/);
    assert.match(
      page(new ApiError('not_ready', 'Starting.', { retryAfterSeconds: 5 })),
      /Not ready: again in 5 seconds/,
    );
  });
});

describe('status, privacy, robots.txt', () => {
  test('the status names each source, problems first, and is also JSON', async () => {
    const { text } = await service.get('/status', HTML);
    assert.match(text, /id="kev"/);
    assert.match(text, /id="coverage"/);
    const { body } = await service.get('/status', { accept: 'application/json' });
    assert.ok(body.data_sources.kev.title.length > 0);
  });

  test('what is stored, at its old address, too', async () => {
    assert.match((await service.get('/privacy', HTML)).text, /HMAC-SHA-256/);
    assert.equal((await service.get('/docs/privacy', HTML)).headers['location'], '/privacy');
  });

  test('crawlers are kept off pages that ask others', async () => {
    const { text, headers } = await service.get('/robots.txt');
    assert.match(String(headers['content-type']), /^text\/plain/);
    for (const path of ['/domain/', '/ip/', '/indicator/', '/v1/'])
      assert.ok(text.includes(`Disallow: ${path}\n`), path);
    assert.doesNotMatch(text, /Disallow: \/\n|Disallow: \/cve/);
  });
});
