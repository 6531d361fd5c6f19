import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { join } from 'node:path';
import { POINTER_FILE, publishGeneration, readCurrentGeneration } from '../../src/catalog/generation.ts';
import { ResponseCache } from '../../src/engine/response-cache.ts';
import { OPERATIONS } from '../../src/operations/list.ts';
import { startService } from '../support/service.ts';
import { buildFixtureCatalog } from './fixture-catalog.ts';
import { IDS } from './fixture-facts.ts';
import { ask } from './request-of.ts';

const PATH = `/v1/cve/${IDS.log4shell}`;

describe('answers that are kept', () => {
  for (const operation of OPERATIONS.filter(({ cacheable }) => cacheable)) {
    test(`${operation.id}: the second is the first, but for the age of the data`, async (t) => {
      const service = await startService(t);
      const input = operation.examples[0]!.input;
      const first = await ask(service, operation, input);
      service.clock.now = new Date(service.clock.now.getTime() + 90_000);
      const second = await ask(service, operation, input);
      const age = first.body.verdict.data_age_seconds;
      first.body.verdict.data_age_seconds = null;
      const later = second.body;
      assert.equal(later.verdict.data_age_seconds, age === null ? null : age + 90);
      assert.deepEqual({ ...later, verdict: null }, { ...first.body, verdict: null });
      assert.deepEqual(second.headers['content-type'], first.headers['content-type']);
    });

    test(`${operation.id}: reads no clock`, async (t) => {
      const service = await startService(t);
      const input = operation.examples[0]!.input;
      const now = (await ask(service, operation, input)).body;
      const fresh = await startService(t);
      fresh.clock.now = new Date('2031-05-05T05:05:05Z');
      const later = (await ask(fresh, operation, input)).body;
      assert.deepEqual({ ...later, verdict: null }, { ...now, verdict: null });
    });
  }

  test('flags and forms of an id are not mixed up', async (t) => {
    const { get } = await startService(t);
    const plain = (await get(PATH)).body;
    const full = (await get(`${PATH}?include_full_references=true`)).body;
    const again = (await get(PATH.toLowerCase())).body;
    assert.deepEqual([plain.references.length, full.references.length, again.references.length], [10, 32, 10]);
    const slim = (await get('/v1/cwe/79')).body;
    const whole = (await get('/v1/cwe/CWE-79?include=full')).body;
    assert.deepEqual([slim.mitigations.length, whole.mitigations.length], [3, 5]);
  });

  test('an X-Request-ID is not kept with the answer', async (t) => {
    const { get } = await startService(t);
    await get(PATH, { 'x-request-id': 'first' });
    assert.equal((await get(PATH, { 'x-request-id': 'second' })).headers['x-request-id'], 'second');
  });

  test('a text in a record that looks like the age changes nothing', async (t) => {
    const { get, clock } = await startService(t);
    const path = `/v1/cvss/details?vector=${encodeURIComponent('"data_age_seconds":0')}`;
    assert.equal((await get(path)).status, 400);
    const before = (await get(`/v1/cve/${IDS.v4Only}`)).text;
    clock.now = new Date(clock.now.getTime() + 1000);
    const after = (await get(`/v1/cve/${IDS.v4Only}`)).text;
    assert.equal(after, before.replace('"data_age_seconds":3600', '"data_age_seconds":3601'));
  });

  test('a new generation of the catalog is answered from at once', async (t) => {
    const folder = buildFixtureCatalog();
    const { get, services } = await startService(t, { catalog: folder });
    assert.equal((await get(PATH)).body.kev.in_kev, true);
    buildFixtureCatalog(['kev'], folder);
    services.catalog.refresh();
    assert.equal((await get(PATH)).body.kev.in_kev, null);
  });

  test('a sync that found nothing new makes the data younger', async (t) => {
    const folder = buildFixtureCatalog();
    const { get, services } = await startService(t, { catalog: folder });
    assert.equal((await get(PATH)).body.verdict.data_age_seconds, 3600);
    const current = readCurrentGeneration(folder)!;
    for (const state of Object.values(current.sources)) state.last_success_at = '2026-01-15T11:59:00.000Z';
    publishGeneration(folder, current);
    services.catalog.refresh();
    assert.equal((await get(PATH)).body.verdict.data_age_seconds, 60);
  });

  test('a pointer that cannot be read leaves the old answers', async (t) => {
    const folder = buildFixtureCatalog();
    const problems: Error[] = [];
    const { get, services } = await startService(t, {
      catalog: folder,
      onProblem: (problem) => problems.push(problem),
    });
    const good = readFileSync(join(folder, POINTER_FILE), 'utf8');
    writeFileSync(join(folder, POINTER_FILE), '{"file": "cat');
    services.catalog.refresh();
    assert.equal((await get(PATH)).status, 200);
    assert.equal(problems.length, 1);
    writeFileSync(join(folder, POINTER_FILE), good);
    services.catalog.refresh();
    assert.equal((await get(PATH)).status, 200);
  });
});

test('a kept answer holds no more memory than its bytes: a part of a pool would keep the whole pool', () => {
  const cache = new ResponseCache();
  const now = new Date('2026-01-01T00:00:00Z');
  const answer = { summary: 'short' };
  cache.put('1', 'key', answer, JSON.stringify(answer), now);
  const bytes = cache.get('1', 'key', now)!.json(now);
  assert.deepEqual([bytes.length, bytes.buffer.byteLength], [19, 19]);
});
