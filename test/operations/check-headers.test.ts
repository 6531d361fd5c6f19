import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startService } from '../support/service.ts';

const service = await startService({ after });
const check = (headers: unknown, query = '') => service.post(`/v1/check/headers${query}`, { headers });

test('judges headers by score, grade and what to mend first', async () => {
  const { status, body } = await check({ 'X-Frame-Options': 'DENY', 'x-content-type-options': ['nosniff'] });
  assert.equal(status, 200);
  // No CSP and no HSTS at 25 points, no Referrer-Policy and no Permissions-Policy at 10.
  assert.equal(body.score, 30);
  assert.equal(body.grade, 'F');
  assert.deepEqual(body.by_severity, { CRITICAL: 0, HIGH: 2, MEDIUM: 0, LOW: 2, INFO: 3 });
  assert.deepEqual(body.headers_present, ['X-Frame-Options', 'X-Content-Type-Options']);
  assert.deepEqual(body.findings[0].issues, ['csp_missing']);
  assert.equal(body.findings[0].present, false);
  assert.match(
    body.summary,
    /^Grade F \(30 of 100, higher is better\): 4 findings, 7 recommended headers missing\. First: Content-Security-Policy/,
  );
  assert.deepEqual(body.verdict.sources_queried, []);
  assert.equal(body.verdict.completeness, 'complete');
});

test('no headers at all are headers that are missing', async () => {
  const { status, body } = await check({});
  assert.equal(status, 200);
  assert.equal(body.grade, 'F');
});

test('a long value is cut, and whole with include=full', async () => {
  const value = `default-src 'self' ${'https://a.example '.repeat(60)}`;
  const finding = async (query: string) =>
    (await check({ 'Content-Security-Policy': value }, query)).body.findings.find(
      ({ header }: { header: string }) => header === 'Content-Security-Policy',
    );
  const [cut, full] = [await finding(''), await finding('?include=full')];
  assert.equal(cut.value.length, 500);
  assert.equal(cut.total_value_length, value.trim().length);
  assert.equal(full.value, value.trim());
  assert.ok(!('total_value_length' in full));
});

test('what is no map of headers is refused', async () => {
  const many = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`x-${at}`, '']));
  for (const headers of [
    undefined,
    'X: y',
    ['X: y'],
    { 'X-Y': 1 },
    { 'X-Y': null },
    { 'X-Y': 'z'.repeat(140_000) },
    many,
  ]) {
    const { status, body } = await check(headers);
    assert.equal(status, 422, JSON.stringify(headers)?.slice(0, 40));
    assert.equal(body.error.code, 'validation_error');
  }
  assert.equal((await check({}, '?include=everything')).status, 422);
});
