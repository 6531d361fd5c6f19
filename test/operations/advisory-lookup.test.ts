import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { startService } from '../support/service.ts';
import { buildFixtureCatalog } from './fixture-catalog.ts';
import { IDS } from './fixture-facts.ts';

const service = await startService({ after });

describe('a GitHub advisory', () => {
  test('names its CVE, in any case of letters', async () => {
    const { status, body } = await service.get('/v1/advisory/ghsa-2222-3333-4444');
    assert.equal(status, 200);
    assert.deepEqual(
      [body.ghsa_id, body.cve_id, body.severity, body.withdrawn],
      ['GHSA-2222-3333-4444', IDS.awaitingAnalysis, 'HIGH', null],
    );
    assert.deepEqual(
      body.next_calls.map(({ tool, input }: { tool: string; input: string }) => [tool, input]),
      [['cve_lookup', IDS.awaitingAnalysis]],
    );
  });

  test('that was withdrawn says so first', async () => {
    const { body } = await service.get('/v1/advisory/GHSA-5555-6666-7777');
    assert.equal(body.withdrawn, '2026-01-12T09:00:00.000Z');
    assert.match(body.summary, /^GHSA-5555-6666-7777, withdrawn: HIGH/);
  });

  test('that is not known is 404, an id of another form 400', async () => {
    assert.equal((await service.get('/v1/advisory/GHSA-9999-9999-9999')).status, 404);
    const { status, body } = await service.get('/v1/advisory/GHSA-999');
    assert.equal(status, 400);
    assert.match(body.error.message, /GHSA-jfh8-c2jp-5v3q/);
  });

  test('is not known where advisories were never synced, which is not "none"', async () => {
    const without = await startService({ after }, { catalog: buildFixtureCatalog(['ghsa']) });
    const { status, body } = await without.get('/v1/advisory/GHSA-2222-3333-4444');
    assert.deepEqual([status, body.error.code], [503, 'not_ready']);
  });
});
