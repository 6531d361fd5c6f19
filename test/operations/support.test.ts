import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startService } from '../support/service.ts';
import { buildFixtureCatalog } from './fixture-catalog.ts';
import { IDS } from './fixture-facts.ts';

const service = await startService({ after });
const packages = ['pkg:maven/org.apache.logging.log4j/log4j-core@2.12.1', 'pkg:npm/lodash@4.17.20'];

test('a finding of an unsupported release says that no fix will come; of other products nothing', async () => {
  const { body } = await service.post('/v1/check/dependencies', { packages });
  const [log4j] = body.findings.filter(({ cve_id }: any) => cve_id === IDS.log4shell);
  assert.deepEqual(log4j.support, {
    product: 'log4j',
    cycle: '2.12',
    is_supported: false,
    ends_at: '2021-12-14',
    source: 'endoflife',
  });
  assert.match(log4j.remediation, /log4j 2\.12 has had no support since 2021-12-14: no fix will come/);
  assert.deepEqual(body.unsupported, [
    { package: 'org.apache.logging.log4j:log4j-core', version: '2.12.1', support: log4j.support },
  ]);
  assert.match(body.summary, /1 package without support/);
  assert.ok(body.findings.some(({ package: name, support }: any) => name === 'lodash' && support === null));
});

test('without the feed, support is not known, and nothing else changes', async (t) => {
  const other = await startService(t, { catalog: buildFixtureCatalog(['endoflife']) });
  const { body } = await other.post('/v1/check/dependencies', { packages });
  assert.ok(body.findings.every(({ support }: any) => support === null));
  const record = (await other.get(`/v1/cve/${IDS.log4shell}`)).body;
  assert.ok(record.affected_products.every(({ support }: any) => support === null));
  assert.equal(record.verdict.sources_unavailable.includes('endoflife'), false);
});

test('a row of a record has the support of the release that it ends with', async () => {
  const { body } = await service.get(`/v1/cve/${IDS.log4shell}`);
  const cycles = body.affected_products.map(({ product, support }: any) => [product, support?.cycle ?? null]);
  assert.ok(
    cycles.some(([product, cycle]: any) => product === 'log4j' && cycle !== null),
    JSON.stringify(cycles),
  );
});
