import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { bulkCveLookup } from '../../src/operations/cve/bulk-cve-lookup.ts';
import { startService } from '../support/service.ts';
import { IDS } from './fixture-facts.ts';

const PATH = '/v1/cves/bulk';
const service = await startService({ after });
const lookUp = (cve_ids: unknown) => service.post(PATH, { cve_ids });

describe('bulk look-up of CVEs', () => {
  test('each id has its own outcome, in the order given', async () => {
    const { status, body } = await lookUp([IDS.log4shell, IDS.unknown, '8.8.8.8', IDS.rejected.toLowerCase()]);
    assert.equal(status, 200);
    assert.deepEqual(
      body.results.map((row: { cve_id: string; status: string }) => [row.cve_id, row.status]),
      [
        [IDS.log4shell, 'ok'],
        [IDS.unknown, 'not_found'],
        ['8.8.8.8', 'invalid_format'],
        [IDS.rejected, 'ok'],
      ],
    );
    assert.deepEqual([body.total, body.successful, body.failed, body.not_found], [4, 2, 2, 1]);
    assert.deepEqual(body.skipped_due_to_rate_limit, []);
  });

  test('a failed item has an error and no record, a good one the opposite', async () => {
    const { body } = await lookUp([IDS.log4shell, IDS.unknown]);
    const [good, bad] = body.results;
    assert.deepEqual([good.error, good.cve.cve_id], [null, IDS.log4shell]);
    assert.equal(bad.cve, null);
    assert.equal(bad.error.code, 'not_found');
  });

  test('the record is that of the single look-up', async () => {
    const single = (await service.get(`/v1/cve/${IDS.log4shell}`)).body;
    const { cve } = (await lookUp([IDS.log4shell])).body.results[0];
    const { verdict: _, next_calls: __, ...facts } = single;
    for (const [name, value] of Object.entries(facts)) assert.deepEqual(cve[name], value, name);
  });

  test('an empty list is 200 with zero counts, and costs nothing', async () => {
    const { status, body } = await lookUp([]);
    assert.deepEqual([status, body.total, body.successful, body.failed, body.results], [200, 0, 0, 0, []]);
    assert.equal(costOf([]), 0);
  });

  test('duplicates are answered at each place and charged once, however they are written', async () => {
    const twice = [IDS.log4shell, IDS.heartbleed, IDS.log4shell.toLowerCase(), IDS.log4shell];
    const { body } = await lookUp(twice);
    assert.deepEqual([body.total, body.successful], [4, 4]);
    assert.deepEqual(body.results[0], body.results[3]);
    assert.equal(costOf([IDS.log4shell, IDS.log4shell]), 1);
    assert.equal(costOf(twice), 2);
  });

  test('fifty are taken, fifty-one are not', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `CVE-2024-${10_000 + index}`);
    assert.equal((await lookUp(many(50))).body.failed, 50);
    const { status, body } = await lookUp(many(51));
    assert.deepEqual([status, body.error.code, body.detail[0].loc], [422, 'validation_error', ['body', 'cve_ids']]);
  });

  for (const [what, given] of [
    ['null', null],
    ['a text', IDS.log4shell],
    ['an object', { 0: IDS.log4shell }],
    ['a list with null', [IDS.log4shell, null]],
    ['a list with a number', [20_210_001]],
    ['a list in a list', [[IDS.log4shell]]],
    ['an id of 257 characters', ['C'.repeat(257)]],
  ] as const) {
    test(`${what} instead of ids is 422`, async () => {
      const { status, body } = await lookUp(given);
      assert.equal(status, 422);
      assert.deepEqual(body.detail[0].loc.slice(0, 2), ['body', 'cve_ids']);
    });
  }
});

function costOf(cve_ids: string[]): number {
  assert.ok(typeof bulkCveLookup.cost === 'function');
  return bulkCveLookup.cost({ cve_ids });
}
