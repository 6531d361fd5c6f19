import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { z } from 'zod';
import { lookupOutputSchema, type Operation, defineOperation } from '../../src/engine/operation.ts';
import { parseRoute, restOperations } from '../../src/engine/route.ts';
import { OPERATIONS } from '../../src/operations/list.ts';
import { startService } from '../support/service.ts';
import { assertError } from './error-shape.ts';

const service = await startService({ after });
const NINES = '9'.repeat(20);

describe('identifiers of the wrong form', () => {
  const wrong: [what: string, text: string][] = [
    ['an IPv4 address', '8.8.8.8'],
    ['an IPv6 address', '2001%3Adb8%3A%3A1'],
    ['a domain', 'example.org'],
    ['a word', 'log4shell'],
    ['three digits', 'CVE-2021-442'],
    ['too many digits', `CVE-2021-${NINES}`],
    ['a two-digit year', 'CVE-21-44228'],
    ['no dashes', 'CVE202144228'],
    ['a blank inside', 'CVE-2021-%2044228'],
    ['full-width digits', encodeURIComponent('CVE-２０２１-44228')],
    ['Arabic digits', encodeURIComponent('CVE-2021-٤٤٢٢٨')],
    ['a look-alike letter', encodeURIComponent('СVE-2021-44228')],
    ['a combining mark', encodeURIComponent('CVE-2021-44228\u0301')],
    ['a zero-width space', encodeURIComponent('CVE-2021-\u200b44228')],
    ['a NUL at the end', 'CVE-2021-44228%00'],
    ['a line end at the end and more', 'CVE-2021-44228%0aX'],
    ['an encoded slash', 'CVE-2021-44228%2F..%2F..'],
    ['an encoded backslash', '..%5C..%5Cwindows'],
    ['a path upwards', '%2e%2e%2f%2e%2e%2fetc%2fpasswd'],
    ['SQL', encodeURIComponent("CVE-2021-44228' OR 1=1--")],
    ['markup', encodeURIComponent('<img src=x onerror=alert(1)>')],
    ['10 kB', 'A'.repeat(10_000)],
    ['17 kB', 'A'.repeat(17_000)],
    ['a lone percent', '%'],
    ['half an escape', 'CVE-2021-44228%2'],
    ['bytes that are not UTF-8', '%ff%fe'],
    ['an overlong form', '%c0%af'],
    ['a lone surrogate in UTF-8', '%ed%a0%80'],
    ['a name of Object', '__proto__'],
    ['another name of Object', 'constructor'],
  ];
  for (const path of ['/v1/cve/', '/v1/exploit/', '/v1/kev/', '/v1/epss/', '/v1/cwe/']) {
    for (const [what, text] of wrong) {
      test(`${path}{${what}} is 400`, async () => {
        assertError(await service.get(path + text), { status: 400, code: 'invalid_argument' });
      });
    }
  }

  test('the risk score too', async () => {
    for (const [, text] of wrong) assertError(await service.get(`/v1/cve/${text}/risk_score`), { status: 400 });
  });

  test('the message says what was wrong, what is accepted, and an example', async () => {
    const { body } = await service.get('/v1/cve/log4shell');
    assert.match(body.error.message, /"log4shell"/);
    assert.match(body.error.message, /CVE-/);
    assert.match(body.error.message, /for example CVE-\d{4}-\d{4,}/);
  });

  test('an identifier of another kind is sent to its own endpoint', async () => {
    for (const [path, endpoint] of [
      ['/v1/cve/CWE-79', '/v1/cwe/{cwe_id}'],
      ['/v1/kev/cwe-79', '/v1/cwe/{cwe_id}'],
      ['/v1/cwe/CVE-2021-44228', '/v1/cve/{cve_id}'],
    ] as const) {
      const { status, body } = await service.get(path);
      assert.equal(status, 400);
      assert.ok(body.error.message.includes(endpoint), body.error.message);
    }
    assert.match((await service.get('/v1/cve/8.8.8.8')).body.error.message, /IP address/);
    assert.match((await service.get('/v1/cve/example.org')).body.error.message, /domain/);
  });

  test('weaknesses: zero, six digits, words', async () => {
    for (const text of ['0', 'CWE-0', 'CWE-123456', 'CWE-', 'CWE-79a', 'XSS', '-79', '7.9', '1e3']) {
      assertError(await service.get(`/v1/cwe/${text}`), { status: 400 });
    }
  });
});

describe('query parameters out of range', () => {
  const wrong: [path: string, query: string, field: string][] = [
    ...[
      'limit=0',
      'limit=201',
      'limit=-1',
      'limit=1.5',
      'limit=ten',
      'limit=',
      'limit=1e2',
      'limit=0x10',
      'limit=99999999999999999999',
    ].map((query): [string, string, string] => ['/v1/cves', query, 'limit']),
    ...['offset=-1', 'offset=5001', 'offset=NaN'].map((query): [string, string, string] => [
      '/v1/cves',
      query,
      'offset',
    ]),
    ['/v1/cves', 'epss_min=1.01', 'epss_min'],
    ['/v1/cves', 'epss_min=-0.1', 'epss_min'],
    ['/v1/cves', 'epss_min=Infinity', 'epss_min'],
    ['/v1/cves', 'cvss_min=10.1', 'cvss_min'],
    ['/v1/cves', 'cvss_max=-1', 'cvss_max'],
    ['/v1/cves', 'severity=SEVERE', 'severity'],
    ['/v1/cves', 'severity=', 'severity'],
    ['/v1/cves', 'sort=random', 'sort'],
    ['/v1/cves', 'kev=maybe', 'kev'],
    ['/v1/cves', 'tagged=2', 'tagged'],
    ['/v1/cves', 'product=x', 'product'],
    ['/v1/cves', `product=${'x'.repeat(101)}`, 'product'],
    ['/v1/cves', 'vendor=y', 'vendor'],
    ['/v1/cves', 'published_after=2024-13-01', 'published_after'],
    ['/v1/cves', 'published_after=2024-02-30', 'published_after'],
    ['/v1/cves', 'published_before=yesterday', 'published_before'],
    ['/v1/cves', 'published_before=2024-1-1', 'published_before'],
    ['/v1/cves', 'published_before=2024-01-01T00:00:00Z', 'published_before'],
    ['/v1/cves', 'days=0', 'days'],
    ['/v1/cves', 'days=3651', 'days'],
    ['/v1/cves', 'cwe_id=XSS', 'cwe_id'],
    ['/v1/cve/leading', 'limit=500', 'limit'],
    ['/v1/cves/kev', 'offset=5001', 'offset'],
    ['/v1/cves/recent', 'hours=0', 'hours'],
    ['/v1/cves/recent', 'hours=721', 'hours'],
    ['/v1/cve/CVE-2021-44228', 'include_full_references=perhaps', 'include_full_references'],
    ['/v1/cwe/79', 'include=everything', 'include'],
  ];
  for (const [path, query, field] of wrong) {
    test(`${path}?${query.slice(0, 40)} is 422 at ${field}`, async () => {
      const reply = await service.get(`${path}?${query}`);
      assertError(reply, { status: 422, code: 'validation_error' });
      for (const { loc } of reply.body.detail) assert.deepEqual(loc, ['query', field]);
      assert.match(reply.body.error.message, new RegExp(field));
    });
  }

  test('every fault has its row', async () => {
    const { body } = await service.get('/v1/cves?limit=0&offset=-1&sort=x&epss_min=2');
    const fields = body.detail.map(({ loc }: { loc: string[] }) => loc[1]);
    assert.deepEqual(fields.toSorted(), ['epss_min', 'limit', 'offset', 'sort']);
  });

  for (const fine of [
    'kev=true',
    'kev=TRUE',
    'kev=1',
    'kev=0',
    'kev=yes',
    'kev=No',
    'kev=ON',
    'kev=off',
    'kev=t',
    'kev=F',
    'kev=Y',
    'kev=n',
    'severity=critical',
    'limit=200&offset=5000',
    'epss_min=0',
    'epss_min=1',
    'cvss_max=10.0',
  ]) {
    test(`${fine} is fine`, async () => assert.equal((await service.get(`/v1/cves?${fine}`)).status, 200));
  }
});

test('the words for true and false mean what they say', async () => {
  const total = async (kev: string): Promise<number> => (await service.get(`/v1/cves?kev=${kev}`)).body.total;
  const [known, others] = [await total('true'), await total('false')];
  assert.notEqual(known, others);
  for (const word of ['1', 'yes', 'on', 't', 'y', 'YES']) assert.equal(await total(word), known, word);
  for (const word of ['0', 'no', 'off', 'f', 'n', 'No']) assert.equal(await total(word), others, word);
  const { body } = await service.get('/v1/cve/CVE-2021-44228?include_reference_tags=yes');
  assert.ok('references_full' in body);
  assert.equal((await service.get('/v1/cve/CVE-2021-44228?include_full_references=yes')).status, 200);
});

test('an e-mail address has its article', async () => {
  const { body } = await service.get('/v1/email/verify/nonsense');
  assert.match(body.error.message, /is not an e-mail address\./);
  assert.match((await service.get('/v1/cve/nonsense')).body.error.message, /is not a CVE id\./);
});

test('a wrong path parameter without a message of its own is told by its name', async (t) => {
  const input = z.strictObject({ count: z.coerce.number().int() });
  const counting = defineOperation({
    id: 'count',
    area: 'service',
    title: 'Count',
    description: 'Counts.',
    route: 'GET /v1/count/:count',
    input,
    output: lookupOutputSchema('Count', {}),
    cost: 0,
    examples: [{ title: 'Three', input: { count: 3 } }],
    falsifiableFields: [],
    answer: () => ({ summary: 'Counted.' }),
  });
  const own = await startService(t, { operations: [counting as unknown as Operation] });
  const reply = await own.get('/v1/count/many');
  assertError(reply, { status: 400, code: 'invalid_argument' });
  assert.match(reply.body.error.message, /^count: /);
});

describe('unknown and repeated parameters', () => {
  for (const [path, name, nearest] of [
    ['/v1/cves', 'limt', 'limit'],
    ['/v1/cves', 'Severity', 'severity'],
    ['/v1/cves', 'published_aftr', 'published_after'],
    ['/v1/cves', 'cwe', 'cwe_id'],
    ['/v1/cve/CVE-2021-44228', 'include_full_reference', 'include_full_references'],
    ['/v1/cves/recent', 'hour', 'hours'],
  ] as const) {
    test(`${path}?${name}= is 422 and names ${nearest}`, async () => {
      const reply = await service.get(`${path}?${name}=1`);
      assertError(reply, { status: 422 });
      const [row] = reply.body.detail;
      assert.deepEqual(row.loc, ['query', name]);
      assert.match(row.msg, new RegExp(`\\b${nearest}\\b`));
    });
  }

  for (const name of [
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    '__proto__[admin]',
    'hasOwnProperty',
    '',
    'a'.repeat(2000),
  ]) {
    test(`"${name.slice(0, 20)}" is no parameter: 422`, async () => {
      assertError(await service.get(`/v1/cves?${encodeURIComponent(name)}=1`), { status: 422 });
      assert.equal(({} as Record<string, unknown>)['admin'], undefined);
    });
  }

  test('where none is taken, any is 422', async () => {
    for (const path of [
      '/v1/status',
      '/v1/cve/CVE-2021-44228/risk_score',
      '/v1/kev/CVE-2021-44228',
      '/v1/exploit/CVE-2021-44228',
    ]) {
      assertError(await service.get(`${path}?verbose=1`), { status: 422 });
    }
  });

  test('the path identifier in the query is not silently ignored', async () => {
    assertError(await service.get('/v1/cve/CVE-2021-44228?cve_id=CVE-2014-0160'), { status: 422 });
  });

  test('given twice it is 422 at its name', async () => {
    const reply = await service.get('/v1/cves?limit=1&limit=2&kev=true');
    assertError(reply, { status: 422 });
    assert.deepEqual(
      reply.body.detail.map(({ loc }: { loc: string[] }) => loc),
      [['query', 'limit']],
    );
  });

  test('a required one that is missing is 422 at its name', async () => {
    const reply = await service.get('/v1/cvss/details');
    assertError(reply, { status: 422 });
    assert.deepEqual(reply.body.detail[0].loc, ['query', 'vector']);
  });
});

describe('all faults of one request are told in one answer', () => {
  const rowsOf = (body: { detail: { loc: unknown[] }[] }): string[] => body.detail.map(({ loc }) => loc.join('.'));

  test('a wrong identifier, an unknown parameter and one out of range', async () => {
    const reply = await service.get('/v1/d3fend/attack/nothing?no_such=1&limit=0');
    assertError(reply, { status: 422 });
    const [first, ...others] = rowsOf(reply.body);
    assert.deepEqual([first, ...others.toSorted()], ['path.attack_technique_id', 'query.limit', 'query.no_such']);
    assert.match(reply.body.error.message, /^attack_technique_id: .*and 2 more/);
  });

  test('an unknown parameter, one given twice and one out of range', async () => {
    const reply = await service.get('/v1/cves?no_such=1&offset=0&offset=1&limit=x');
    assertError(reply, { status: 422 });
    assert.deepEqual(rowsOf(reply.body).toSorted(), ['query.limit', 'query.no_such', 'query.offset']);
    assert.match(reply.body.error.message, /and 2 more/);
  });

  test('a parameter that is a field of the body, and a body that breaks its schema', async () => {
    const reply = await service.post('/v1/cves/bulk?cve_ids=CVE-2021-44228', { cve_ids: [1] });
    assertError(reply, { status: 422 });
    assert.deepEqual(rowsOf(reply.body).toSorted(), ['body.cve_ids.0', 'query.cve_ids']);
  });

  for (const { id, route } of restOperations(OPERATIONS)) {
    const { method, path, pathParameters, catchAllParameter } = parseRoute(route);
    // A user name may be any text.
    if (method !== 'GET' || catchAllParameter !== null || pathParameters.length === 0 || id === 'username_lookup')
      continue;
    test(`${id}: of the path and of the query`, async () => {
      const reply = await service.get(`${path.replace(/:\w+/g, '%00')}?no_such_parameter=1`);
      assertError(reply, { status: 422 });
      const rows = rowsOf(reply.body);
      assert.ok(rows.includes('query.no_such_parameter'), reply.text);
      for (const name of pathParameters) assert.ok(rows.includes(`path.${name}`), reply.text);
    });
  }
});
