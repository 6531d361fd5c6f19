import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startService } from '../support/service.ts';
import { buildFixtureCatalog } from './fixture-catalog.ts';

const service = await startService({ after });
const get = async (path: string) => (await service.get(`/v1/attack/${path}`)).body;

test('a technique, what sees it and what has nothing against it', async () => {
  const body = await get('t1190');
  assert.deepEqual([body.technique_id, body.name], ['T1190', 'Exploit Public-Facing Application']);
  assert.deepEqual(body.mitigations, [{ mitigation_id: 'M1051', name: 'Update Software' }]);
  assert.equal(body.detection_strategies[0].strategy_id, 'DET0080');
  assert.deepEqual(body.missing, ['d3fend']);
  assert.deepEqual(body.exploited_cves, [{ cve_id: 'CVE-2021-44228', role: 'exploitation_technique' }]);
});

test('sub-techniques, and the weaknesses that attack patterns lead from', async () => {
  const parent = await get('T1059');
  assert.deepEqual(parent.subtechniques, [{ technique_id: 'T1059.007', name: 'JavaScript' }]);
  const child = await get('T1059.007');
  assert.equal(child.subtechnique_of, 'T1059');
  assert.deepEqual(child.weaknesses, ['CWE-79']);
  assert.deepEqual(
    child.attack_patterns.map(({ capec_id }: any) => capec_id),
    ['CAPEC-63'],
  );
});

test('a revoked id names its successor', async () => {
  const body = await get('T1574.002');
  assert.equal(body.revoked_by, 'T1574.001');
  assert.match(body.summary, /Revoked: see T1574\.001/);
});

test('an unknown technique is 404 with a hint', async () => {
  const { status, body } = await service.get('/v1/attack/T9999');
  assert.equal(status, 404);
  assert.match(body.message, /GET \/v1\/attack\/techniques/);
});

test('techniques by words', async () => {
  const body = await get('techniques?keyword=public-facing');
  assert.deepEqual(
    body.results.map(({ technique_id }: any) => technique_id),
    ['T1190'],
  );
});

test('coverage of a list: each once, unknown ones are named, what nothing covers is listed', async () => {
  const body = await get('coverage?techniques=T1190,t1190,T1499,T9999');
  assert.equal(body.total, 3);
  const [first, second, unknown] = body.techniques;
  assert.deepEqual([first.technique_id, first.missing], ['T1190', ['d3fend']]);
  assert.equal(second.name, 'Endpoint Denial of Service');
  assert.equal(unknown.name, null);
  assert.deepEqual(body.unknown, ['T9999']);
  assert.ok(!body.uncovered.includes('T9999'), 'what is not known is no gap');
  assert.match(body.summary, /Not in ATT&CK Enterprise: T9999/);
  assert.equal((await service.get('/v1/attack/coverage?techniques=nonsense')).status, 422);
});

test('the matrix: techniques by tactic, with what covers each', async () => {
  const body = await get('matrix');
  assert.deepEqual([body.total, body.total_subtechniques], [4, 1]);
  assert.deepEqual(body.counts, { both: 1, sigma: 1, d3fend: 0, neither: 2 });
  assert.deepEqual(body.tactics, [{ tactic: 'Initial Access', total: 4, both: 1, sigma: 1, d3fend: 0, neither: 2 }]);
  assert.deepEqual(
    body.techniques.map(({ technique_id, coverage }: any) => [technique_id, coverage]),
    [
      ['T1059', 'both'],
      ['T1190', 'sigma'],
      ['T1499', 'neither'],
      ['T1574.001', 'neither'],
    ],
  );
});

test('the matrix counts what the coverage of a list counts', async () => {
  const { techniques } = await get('matrix?include_subtechniques=true');
  const ids = techniques.map(({ technique_id }: any) => technique_id).join(',');
  const columns = (row: any) => [
    row.technique_id,
    row.total_sigma_rules,
    row.total_defenses,
    row.inherited_from,
    row.coverage,
  ];
  const list = await get(`coverage?techniques=${ids}`);
  assert.ok(techniques.some((row: any) => row.inherited_from === 'T1059'));
  assert.deepEqual(list.techniques.map(columns), techniques.map(columns));
});

test('the matrix of one platform, and of one kind of coverage', async () => {
  const linux = await get('matrix?platform=linux&coverage=neither');
  assert.ok(linux.techniques.every(({ coverage }: any) => coverage === 'neither'));
  assert.equal(linux.counts.neither, linux.techniques.length);
  const { status, body } = await service.get('/v1/attack/matrix?platform=Amiga');
  assert.equal(status, 422);
  assert.match(body.message, /Platforms: Linux, Windows/);
  assert.deepEqual(body.detail[0].loc, ['query', 'platform']);
  assert.equal((await service.get('/v1/attack/matrix?coverage=some')).status, 422);
});

test('a source that was never synced is not known, and not missing', async (t) => {
  const without = await startService(t, { catalog: buildFixtureCatalog(['sigma', 'd3fend']) });
  const { body } = await without.get('/v1/attack/T1190');
  assert.deepEqual([body.sigma_rules, body.total_sigma_rules, body.defenses], [null, null, null]);
  assert.deepEqual(body.missing, []);
  const matrix = (await without.get('/v1/attack/matrix')).body;
  assert.deepEqual(matrix.counts, { both: null, sigma: null, d3fend: null, neither: null });
  assert.equal(matrix.techniques[0].coverage, null);
});

test('a weakness names the attack patterns on it', async () => {
  const { body } = await service.get('/v1/cwe/79');
  assert.deepEqual(
    body.attack_patterns.map(({ capec_id, technique_ids }: any) => [capec_id, technique_ids]),
    [['CAPEC-63', ['T1059.007']]],
  );
});

test('rules are counted by level and product, for all that match', async () => {
  const all = (await service.get('/v1/sigma/search?facets=true&limit=1')).body;
  const sum = all.facets.level.reduce((total: number, { count }: any) => total + count, 0);
  assert.equal(sum, all.total);
  const { value, count } = all.facets.logsource_product[0];
  assert.equal((await service.get(`/v1/sigma/search?logsource_product=${value}`)).body.total, count);
  assert.equal((await service.get('/v1/sigma/search')).body.facets, undefined);
});
