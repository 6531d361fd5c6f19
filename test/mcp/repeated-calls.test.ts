import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { buildFixtureCatalog } from '../operations/fixture-catalog.ts';
import { IDS } from '../operations/fixture-facts.ts';
import { startService, type TestService } from '../support/service.ts';
import { ask } from './rpc.ts';
import { parseMarked } from './parse-marked.ts';

const CALL = { name: 'cve_lookup', arguments: { cve_id: IDS.log4shell } };
/** The SDK answers a call with a field that is unknown to us. */
const VIA_SDK = { ...CALL, unknownToUs: 1 };

const call = (service: TestService, params: object, headers: Record<string, string> = {}) =>
  ask(service, 'tools/call', params, headers);

describe('a tool call that was answered before', () => {
  test('is answered as the SDK answers it, with the age of the data now', async (t) => {
    const service = await startService(t);
    for (const seconds of [0, 0, 1, 9, 90_000]) {
      service.clock.now = new Date(service.clock.now.getTime() + seconds * 1000);
      for (let count = 0; count < 2; count++) {
        const { headers, body } = await call(service, CALL);
        const expected = await call(service, VIA_SDK);
        assert.deepEqual(body, expected.body);
        assert.deepEqual(parseMarked(body.result.content[0].text), body.result.structuredContent);
        assert.deepEqual(Object.keys(headers).sort(), Object.keys(expected.headers).sort());
      }
    }
    const { structuredContent } = (await call(service, CALL)).body.result;
    assert.equal(structuredContent.verdict.data_age_seconds, 3600 + 90_010);
  });

  test('is charged, recorded and logged like any other', async (t) => {
    const service = await startService(t, { quota: { keyless: 4, pro: 10 } });
    const left = async (headers: Record<string, string> = {}) => {
      const answer = await call(service, CALL, headers);
      return [answer.body.result.isError ?? false, answer.headers['x-ratelimit-remaining']];
    };
    for (const remaining of ['3', '2', '1', '0']) assert.deepEqual(await left(), [false, remaining]);
    assert.deepEqual(await left(), [true, '0']);
    const key = await service.proHeaders();
    for (const remaining of ['9', '8']) assert.deepEqual(await left(key), [false, remaining]);
    const refused = await left({ authorization: `Bearer sxt_${'0'.repeat(48)}` });
    assert.equal(refused[0], true);
    const outcomes = service
      .logLines()
      .map((line) => JSON.parse(line) as { tool?: string; outcome?: string })
      .filter(({ tool }) => tool === 'cve_lookup')
      .map(({ outcome }) => outcome);
    assert.deepEqual(outcomes, ['ok', 'ok', 'ok', 'ok', 'rate_limited', 'ok', 'ok', 'error']);
    const usage = await service.get('/v1/usage', key);
    assert.deepEqual(usage.body.top_endpoints[0], { endpoint: 'GET /v1/cve/{cve_id}', count: 2 });
  });

  test('is answered from a new catalog at once', async (t) => {
    const folder = buildFixtureCatalog();
    const service = await startService(t, { catalog: folder });
    const inKev = async () => (await call(service, CALL)).body.result.structuredContent.kev.in_kev;
    assert.deepEqual([await inKev(), await inKev()], [true, true]);
    buildFixtureCatalog(['kev'], folder);
    service.services.catalog.refresh();
    assert.deepEqual([await inKev(), await inKev()], [null, null]);
  });

  test('does not check its input again, but each form of an input is known apart', async (t) => {
    const service = await startService(t);
    // Every call whose input is checked goes through it.
    const run = t.mock.method(service.access.callRunner, 'run');
    for (const [given, references] of [
      [{ cve_id: IDS.log4shell }, 10],
      [{ cve_id: IDS.log4shell, include_full_references: true }, 32],
      [{ cve_id: IDS.log4shell.toLowerCase() }, 10],
      [{ cve_id: IDS.log4shell }, 10],
      [{ cve_id: IDS.log4shell, include_full_references: true }, 32],
    ] as const) {
      const { result } = (await call(service, { name: 'cve_lookup', arguments: given })).body;
      assert.equal(result.structuredContent.references.length, references);
    }
    assert.equal(run.mock.callCount(), 3);
  });
});
