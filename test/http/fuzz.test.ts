import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { OPERATIONS } from '../../src/operations/list.ts';
import { parseRoute, restOperations } from '../../src/engine/route.ts';
import { startService } from '../support/service.ts';
import { assertError } from './error-shape.ts';

/** Whatever is asked, the answer is one of these, JSON, and has a request id. */
/** 403 to 504: of targets that keep us out, were asked about too often, or do not answer. */
const STATUSES = new Set([200, 400, 401, 403, 404, 405, 413, 415, 422, 429, 502, 504]);
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const;

const service = await startService({ after });
const names = [...new Set(OPERATIONS.flatMap(({ input }) => Object.keys(input.shape)))];

const identifier = fc.oneof(
  fc.constantFrom(
    'CVE-2021-44228',
    'cve-2014-0160',
    'CVE-2025-90002',
    'CVE-2023-90004',
    'CVE-2022-90005',
    'CWE-79',
    '79',
    '16',
  ),
  fc
    .tuple(fc.integer({ min: 0, max: 9999 }), fc.bigInt({ min: 0n, max: 10n ** 20n }))
    .map(([year, number]) => `CVE-${year}-${number}`),
  fc.ipV4(),
  fc.domain(),
  fc.string({ unit: 'binary', maxLength: 60 }),
);
/** As a client encodes it, or as a careless one does not. */
const segment = fc.oneof(
  { weight: 4, arbitrary: identifier.map((text) => encodeURIComponent(text.toWellFormed())) },
  { weight: 1, arbitrary: fc.stringMatching(/^[!-~]{0,40}$/) },
);
const value = fc.oneof(
  fc.constantFrom(
    '',
    'true',
    'false',
    '1',
    '0',
    'full',
    'HIGH',
    '2024-01-01',
    'epss_desc',
    'log4j',
    '79',
    '-1',
    '1e9',
    'null',
    '[]',
    '{}',
    '0.5',
  ),
  fc.integer().map(String),
  fc.double().map(String),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
  fc.string({ unit: 'binary', maxLength: 30 }),
);
const name = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...names) },
  { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'limit[]', 'limit[0]', 'LIMIT', 'x') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
);
const query = fc
  .array(fc.tuple(name, value), { maxLength: 5 })
  .map((pairs) => pairs.map(([key, text]) => `${encode(key)}=${encode(text)}`).join('&'));
const rawQuery = fc.stringMatching(/^[!-~]{0,60}$/).map((text) => text.replaceAll('#', ''));
const path = fc
  .tuple(fc.constantFrom(...restOperations(OPERATIONS)), segment)
  .map(([operation, text]) => parseRoute(operation.route).path.replace(/[:*][a-z_0-9]+/, () => text));
const body = fc.oneof(
  fc.constant(undefined),
  fc.json().map((text) => ({ text, type: 'application/json' })),
  fc
    .dictionary(
      fc.constantFrom('cve_ids', 'ids', '__proto__'),
      fc.oneof(fc.array(identifier, { maxLength: 8 }), fc.jsonValue()),
    )
    .map((object) => ({ text: JSON.stringify(object), type: 'application/json' })),
  fc
    .tuple(fc.string(), fc.constantFrom('application/json', 'text/plain', '', 'x/y'))
    .map(([text, type]) => ({ text, type })),
);
const anyRequest = fc.record({
  method: fc.oneof({ weight: 6, arbitrary: fc.constantFrom('GET' as const) }, fc.constantFrom(...METHODS)),
  path,
  query: fc.oneof({ weight: 4, arbitrary: query }, { weight: 1, arbitrary: rawQuery }),
  body,
});

test('1000 requests of every kind: never a fault of ours', async () => {
  const seen = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(anyRequest, async (given) => {
      const reply = await send(given);
      seen.set(reply.status, (seen.get(reply.status) ?? 0) + 1);
      assert.ok(STATUSES.has(reply.status), `${reply.status} ${reply.text.slice(0, 200)}`);
      assert.ok(reply.headers['x-request-id']);
      if (reply.status === 200) assert.equal(typeof reply.body, 'object');
      else assertError(reply);
    }),
    { numRuns: 1000 },
  );
  // A fuzz that only ever meets one refusal would show nothing.
  for (const status of [200, 400, 404, 405, 422])
    assert.ok((seen.get(status) ?? 0) > 5, `${status}: ${seen.get(status)}`);
  assert.deepEqual(
    service.logLines().filter((line) => line.includes('"level":50')),
    [],
  );
});

test('300 GETs with well-formed parameters: 200, or 422 with a reason', async () => {
  const number = (max: number) => fc.double({ min: 0, max, noNaN: true }).map((given) => given.toFixed(2));
  const day = fc
    .date({ min: new Date('1990-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
  const some = fc.record(
    {
      product: fc.constantFrom('anvil', 'log4j', 'wordpress', 'windows 10', 'none'),
      vendor: fc.constantFrom('acme', 'apache', 'nobody'),
      severity: fc.constantFrom('CRITICAL', 'high', 'Medium', 'LOW'),
      published_after: day,
      published_before: day,
      days: fc.integer({ min: 1, max: 3650 }),
      kev: fc.boolean(),
      epss_min: number(1),
      cvss_min: number(10),
      cvss_max: number(10),
      cwe_id: fc.constantFrom('CWE-79', 'cwe 89', '20'),
      sort: fc.constantFrom('epss_desc', 'cvss_desc', 'published_desc'),
      tagged: fc.boolean(),
      include: fc.constant('full'),
      limit: fc.integer({ min: 1, max: 200 }),
      offset: fc.integer({ min: 0, max: 5000 }),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(some, async (parameters) => {
      const pairs = Object.entries(parameters).map(([key, given]) => `${key}=${encode(String(given))}`);
      const reply = await service.get(`/v1/cves?${pairs.join('&')}`);
      if (reply.status !== 200) {
        assertError(reply, { status: 422 });
        assert.equal(reply.body.detail[0].type, 'contradiction');
        return;
      }
      const { count, total, results, offset, next_offset } = reply.body;
      assert.equal(count, results.length);
      assert.ok(count <= (parameters.limit ?? 50) && offset + count <= Math.max(total, offset));
      assert.equal(next_offset, offset + count < total && count > 0 ? offset + count : null);
      const ids = results.map((item: { cve_id: string }) => item.cve_id);
      assert.equal(new Set(ids).size, ids.length);
    }),
    { numRuns: 300 },
  );
});

function send({
  method,
  path,
  query,
  body,
}: {
  method: string;
  path: string;
  query: string;
  body: { text: string; type: string } | undefined;
}) {
  const url = query === '' ? path : `${path}?${query}`;
  if (method === 'GET' || body === undefined) return service.send(method, url);
  return service.send(method, url, body.text, body.type === '' ? {} : { 'content-type': body.type });
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
