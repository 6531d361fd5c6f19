import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { PAGES } from '../../../src/pages/list.ts';
import { startService } from '../../support/service.ts';
import { requireCleanPage } from './page-walk.ts';
import { fillPath, pathsOf } from './page-paths.ts';
import { HOSTILE_URLS, LONG_PAYLOAD, PAYLOAD } from './payloads.ts';

/** What a caller sends comes back as text only, and leads nowhere else: others make people follow such links. */

const HTML = { accept: 'text/html' };
const FORM = { ...HTML, 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
/** Names of fields that pages have, and one that none has. */
const FIELDS = [
  'q',
  'as',
  'sort',
  'page',
  'cursor',
  'severity',
  'vendor',
  'product',
  'version',
  'source',
  'year',
  'tab',
  'part',
  'since',
  'kind',
  'report',
  'view',
  'next',
  'url',
  'return',
  'text',
  'input',
  'indicators',
  'format',
  'zq9',
];
const service = await startService({ after }, { timeScale: 0.05 });

const fieldsWith = (value: string): string => new URLSearchParams(FIELDS.map((name) => [name, value])).toString();

describe('what a caller sends', () => {
  for (const page of PAGES) {
    test(`is text in the path of ${page.path}`, async () => {
      for (const value of [
        PAYLOAD,
        PAYLOAD.slice(0, 60),
        '"><zq9x>',
        "'onload='zq9()",
        '${zq9()}',
        '\u202ezq9',
        '%00',
        '..%2f..%2f',
      ]) {
        const path = fillPath(page.path, value);
        requireCleanPage(await service.get(path, HTML), path);
      }
    });

    test(`is text in the query of ${page.path}`, async () => {
      const [path = '/'] = pathsOf(page);
      const address = path.split('?')[0]!;
      for (const name of FIELDS) {
        for (const value of [PAYLOAD, 'javascript:zq9()', '"><zq9x>']) {
          const asked = `${address}?${new URLSearchParams([[name, value]]).toString()}`;
          requireCleanPage(await service.get(asked, HTML), asked);
        }
      }
      requireCleanPage(await service.get(`${address}?${fieldsWith(PAYLOAD.slice(0, 100))}`, HTML), path);
      // As nobody's browser sends it.
      requireCleanPage(await service.get(`${address}?q="><zq9x>&q=<script>zq9()</script>`, HTML), path);
    });

    if (page.methods?.includes('POST') === true) {
      test(`is text in a form of ${page.path}`, async () => {
        const [path = '/'] = pathsOf(page);
        for (const value of [PAYLOAD, LONG_PAYLOAD, '"><zq9x>', ...HOSTILE_URLS.slice(0, 6)]) {
          const reply = await service.send('POST', path.split('?')[0]!, fieldsWith(value.slice(0, 20_000)), FORM);
          requireCleanPage(reply, `${path} with ${value.slice(0, 40)}`);
        }
      });

      test(`is a file of any name and text in a form of ${page.path}`, async () => {
        const [path = '/'] = pathsOf(page);
        const boundary = 'zq9boundary';
        const parts = FIELDS.map(
          (name) =>
            `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="%22><zq9x>.json"\r\nContent-Type: text/html\r\n\r\n${PAYLOAD}\r\n`,
        );
        const headers = { ...FORM, 'content-type': `multipart/form-data; boundary=${boundary}` };
        requireCleanPage(
          await service.send('POST', path.split('?')[0]!, `${parts.join('')}--${boundary}--\r\n`, headers),
          path,
        );
      });
    }
  }

  test('is text on the page of an error', async () => {
    for (const path of [
      '/zq9"><zq9x>',
      `/${encodeURIComponent(PAYLOAD)}`,
      '/%00',
      '/%E0%A4%A',
      '/assets/"><zq9x>',
      '/v1/"><zq9x>',
      `/no/${'a'.repeat(5000)}`,
    ]) {
      const reply = await service.get(path, HTML);
      assert.ok(reply.status >= 400 && reply.status < 500, `${path}: ${reply.status}`);
      requireCleanPage(reply, path);
    }
  });
});

describe('a redirect', () => {
  const targets = [
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/%2F/evil.example',
    '/%5Cevil.example',
    'https:evil.example',
    'https://evil.example/',
    'http:/evil.example',
    'javascript:zq9()',
    '/\tevil.example',
    '/\n/evil.example',
    'evil.example\r\nset-cookie: zq9=1',
    '%0d%0aset-cookie:%20zq9=1',
    './/evil.example',
    '/..//evil.example',
    '@evil.example',
    'CVE-2021-44228/../../..//evil.example',
  ];
  test('leads to a path of this service only, whatever is asked for', async () => {
    for (const target of targets) {
      for (const name of ['q', 'next', 'url', 'return']) {
        for (const value of [target, encodeURIComponent(target)]) {
          const { status, headers } = await service.get(`/?${name}=${encodeURIComponent(value)}`, HTML);
          assert.ok(status < 500, `${name}=${value}: ${status}`);
          if (status >= 300 && status < 400) assertOwnPath(String(headers.location), value);
          assert.equal(headers['set-cookie'], undefined);
        }
      }
    }
  });

  test('is not what a path with two slashes or a backslash leads to', async () => {
    for (const path of [
      '//evil.example',
      '//evil.example/%2f..',
      '/\\evil.example',
      '/%5cevil.example',
      '/%2fevil.example',
      '///evil.example/',
      '/evil.example//',
      '/.//evil.example',
      '/search/',
      '/ip//evil.example',
    ]) {
      const { status, headers } = await service.get(path, HTML);
      assert.ok(status < 500, `${path}: ${status}`);
      if (status >= 300 && status < 400) assertOwnPath(String(headers.location), path);
    }
  });
});

function assertOwnPath(location: string, where: string): void {
  assert.match(location, /^\/(?![/\\])[\x21-\x7e]*$/, where);
  assert.equal(new URL(location, 'https://own.example/').host, 'own.example', where);
  assert.doesNotMatch(location, /\\/, where);
}
