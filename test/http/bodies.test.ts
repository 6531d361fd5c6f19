import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { cpuMs } from '../support/cpu-time.ts';
import { startService } from '../support/service.ts';
import { assertError } from './error-shape.ts';

const PATH = '/v1/cves/bulk';
const MIB = 1024 * 1024;
const JSON_TYPE = { 'content-type': 'application/json' };
const service = await startService({ after });
const post = (body: string | Buffer | undefined, headers: Record<string, string> = JSON_TYPE, path = PATH) =>
  service.send('POST', path, body, headers);

describe('a body that is not JSON is 400', () => {
  for (const [what, body] of [
    ['empty', ''],
    ['blank', '  \n'],
    ['a word', 'CVE-2021-44228'],
    ['cut off', '{"cve_ids": ["CVE-20'],
    ['with single quotes', "{'cve_ids': []}"],
    ['with a comma too many', '{"cve_ids": [],}'],
    ['with a comment', '{"cve_ids": [] /* all */}'],
    ['two objects', '{}{}'],
    ['NaN', '{"cve_ids": NaN}'],
    ['XML', '<cve_ids/>'],
    ['a form', 'cve_ids=CVE-2021-44228'],
    ['zeros', Buffer.alloc(64)],
    ['not UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
  ] as const) {
    test(what, async () => assertError(await post(body), { status: 400, code: 'invalid_argument' }));
  }

  test('no body and no type', async () =>
    assertError(await post(undefined, {}), { status: 400, code: 'invalid_argument' }));
});

describe('JSON that is not the object wanted is 422', () => {
  for (const [what, body, loc] of [
    ['a list', '["CVE-2021-44228"]', ['body']],
    ['null', 'null', ['body']],
    ['a text', '"CVE-2021-44228"', ['body']],
    ['a number', '1', ['body']],
    ['an empty object', '{}', ['body', 'cve_ids']],
    ['an unknown field', '{"cve_ids": [], "ids": []}', ['body', 'ids']],
    ['an unknown field beside a missing one', '{"cve_id": []}', ['body', 'cve_ids']],
    ['__proto__', '{"cve_ids": [], "__proto__": {"admin": true}}', ['body', '__proto__']],
    ['constructor', '{"cve_ids": [], "constructor": {"prototype": {"admin": true}}}', ['body', 'constructor']],
  ] as const) {
    test(what, async () => {
      const reply = await post(body);
      assertError(reply, { status: 422, code: 'validation_error' });
      assert.deepEqual(reply.body.detail[0].loc, loc);
      assert.equal(({} as Record<string, unknown>)['admin'], undefined);
    });
  }

  test('__proto__ alone does not stand in for the object', async () => {
    assertError(await post('{"__proto__": {"cve_ids": ["CVE-2021-44228"]}}'), { status: 422 });
  });
});

describe('query parameters of a POST', () => {
  test('do not stand in for the body', async () => {
    assertError(await post('{}', JSON_TYPE, `${PATH}?cve_ids=CVE-2021-44228`), { status: 422 });
    assertError(await post('{"cve_ids": []}', JSON_TYPE, `${PATH}?cve_ids=CVE-2021-44228`), { status: 422 });
  });

  test('that are unknown are 422 in the query, not in the body', async () => {
    const reply = await post('{"cve_ids": []}', JSON_TYPE, `${PATH}?verbose=1`);
    assertError(reply, { status: 422 });
    assert.deepEqual(reply.body.detail[0].loc, ['query', 'verbose']);
  });
});

describe('content types', () => {
  const body = '{"cve_ids": []}';
  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/vnd.api+json',
  ]) {
    test(`${type} is taken`, async () => assert.equal((await post(body, { 'content-type': type })).status, 200));
  }

  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonp',
    'json',
    '*/*',
    'nonsense',
    '/',
  ]) {
    test(`${type} is 415`, async () => {
      assertError(await post(body, { 'content-type': type }), { status: 415, code: 'unsupported_media_type' });
    });
  }

  test('a body without a type is 415', async () => assertError(await post(body, {}), { status: 415 }));

  for (const coding of ['gzip', 'GZIP', 'br', 'deflate', 'gzip, identity', 'x']) {
    test(`a body with the content coding ${coding} is 415, which says what is taken (RFC 9110, 12.5.3)`, async () => {
      const reply = await post(gzipSync(body), { ...JSON_TYPE, 'content-encoding': coding });
      assertError(reply, { status: 415, code: 'unsupported_media_type' });
      assert.match(reply.body.error.message, /Content-Encoding/);
      assert.equal(reply.headers['accept-encoding'], 'identity');
    });
  }

  test('identity is no coding', async () => {
    assert.equal((await post(body, { ...JSON_TYPE, 'content-encoding': 'identity' })).status, 200);
  });

  test('a GET with a body is answered', async () => {
    assert.equal((await service.send('GET', '/v1/status', '{"a":1}', JSON_TYPE)).status, 200);
  });
});

describe('sizes', () => {
  test('1 MiB is read', async () => {
    const body = `{"cve_ids": []${' '.repeat(MIB - 15)}}`;
    assert.equal(Buffer.byteLength(body), MIB);
    assert.equal((await post(body)).status, 200);
  });

  test('one byte more is 413', async () => {
    assertError(await post(`{"cve_ids": []${' '.repeat(MIB - 14)}}`), { status: 413, code: 'body_too_large' });
  });

  for (const [what, body] of [
    ['300,000 items of the wrong type', `{"cve_ids": [${'1,'.repeat(300_000)}1]}`],
    ['60,000 unknown fields', `{${Array.from({ length: 60_000 }, (_, index) => `"f${index}":1`).join()}}`],
    ['an unknown field with a name of 900 kB', `{"${'f'.repeat(900_000)}": 1}`],
  ] as const) {
    test(`${what}: the answer stays small and quick`, async () => {
      const started = cpuMs();
      assertError(await post(body), { status: 422 });
      assert.ok(cpuMs() - started < 10_000);
    });
  }

  test('5,000 unknown query parameters: the answer stays small', async () => {
    const query = Array.from({ length: 5000 }, (_, index) => `p${index}=`).join('&');
    assertError(await service.get(`/v1/cves?${query}`), { status: 422 });
  });

  test('an unknown query parameter of 15 kB: its name is not repeated whole', async () => {
    assertError(await service.get(`/v1/cves?${'p'.repeat(15_000)}=1`), { status: 422 });
  });

  for (const [what, body] of [
    ['lists', `{"cve_ids": ${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
    ['objects', `{"cve_ids": [], "a": ${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`],
  ] as const) {
    test(`${what} nested very deep are 422`, async () => assertError(await post(body), { status: 422 }));
  }
});
