import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { ATLAS_ENTRIES } from '../feeds/atlas-fixture.ts';
import { D3FEND_ENTRIES } from '../feeds/d3fend-fixture.ts';
import { buildFixtureCatalog } from '../operations/fixture-catalog.ts';
import { WEAKNESSES } from '../operations/fixture-facts.ts';
import { FEEDS_NOW, fullCatalog, noFeeds } from '../support/full-catalog.ts';
import { startService, type TestService } from '../support/service.ts';
import { ask } from './rpc.ts';
import { parseMarked } from './parse-marked.ts';

const service = await startService({ after });

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
async function read(uri: string, of: TestService = service): Promise<any> {
  const { contents } = (await ask(of, 'resources/read', { uri })).body.result;
  assert.equal(contents.length, 1);
  assert.equal(contents[0].uri, uri);
  assert.equal(contents[0].mimeType, 'application/json');
  return parseMarked(contents[0].text);
}

async function complete(template: string, value: string, of: TestService = service) {
  const params = { ref: { type: 'ref/resource', uri: template }, argument: { name: 'id', value } };
  return (await ask(of, 'completion/complete', params)).body.result.completion;
}

test('three catalogs and five templates are listed', async () => {
  const { resources } = (await ask(service, 'resources/list')).body.result;
  const { resourceTemplates } = (await ask(service, 'resources/templates/list')).body.result;
  assert.deepEqual(
    resources.map(({ uri }: { uri: string }) => uri),
    ['atlas://catalog', 'd3fend://catalog', 'cwe://catalog'],
  );
  assert.deepEqual(
    resourceTemplates.map(({ uriTemplate }: { uriTemplate: string }) => uriTemplate),
    [
      'atlas://technique/{id}',
      'atlas://case-study/{id}',
      'd3fend://defense/{id}',
      'cwe://weakness/{id}',
      'sextant://watches/{id}/events',
    ],
  );
  for (const listed of [...resources, ...resourceTemplates]) {
    assert.ok(listed.name && listed.title && listed.description && listed.mimeType === 'application/json');
  }
});

describe('catalogs', () => {
  test('atlas', async () => {
    const { techniques, case_studies, totals, truncated } = await read('atlas://catalog');
    const ids = (catalog: string) => ATLAS_ENTRIES.filter((entry) => entry.collection === catalog).map(({ id }) => id);
    assert.deepEqual(
      techniques.map(({ technique_id }: { technique_id: string }) => technique_id),
      ids('atlas_technique').toSorted(),
    );
    for (const technique of techniques) {
      assert.deepEqual(Object.keys(technique), ['technique_id', 'name', 'tactics', 'subtechnique_of']);
    }
    assert.deepEqual(Object.keys(case_studies[0]), ['case_study_id', 'name']);
    assert.deepEqual(totals, { techniques: techniques.length, case_studies: case_studies.length });
    assert.equal(truncated, false);
  });

  test('d3fend', async () => {
    const { defenses, totals, truncated } = await read('d3fend://catalog');
    assert.deepEqual(
      defenses.map(({ defense_id }: { defense_id: string }) => defense_id),
      D3FEND_ENTRIES.map(({ id }) => id).toSorted(),
    );
    for (const defense of defenses) {
      assert.deepEqual(Object.keys(defense), ['defense_id', 'label', 'tactic', 'artifact', 'parent_label']);
    }
    const hashing = defenses.find(({ defense_id }: { defense_id: string }) => defense_id === 'FileHashing');
    assert.equal(hashing.parent_label, 'File Analysis');
    assert.deepEqual(totals, { defenses: defenses.length });
    assert.equal(truncated, false);
  });

  test('cwe holds the weaknesses of view 1000, by number', async () => {
    const { weaknesses, totals } = await read('cwe://catalog');
    const expected = WEAKNESSES.filter(({ in_view_1000 }) => in_view_1000)
      .map(({ cwe_id, name, abstraction }) => ({ cwe_id, name, abstraction }))
      .toSorted((a, b) => Number(a.cwe_id.slice(4)) - Number(b.cwe_id.slice(4)));
    assert.deepEqual(weaknesses, expected);
    assert.deepEqual(totals, { weaknesses: expected.length });
  });

  test('of feeds that were never synced are not empty: they say so', async (t) => {
    const bare = await startService(t, { catalog: buildFixtureCatalog(['atlas', 'd3fend', 'cwe']) });
    for (const uri of ['atlas://catalog', 'd3fend://catalog', 'cwe://catalog']) {
      const { error } = (await ask(bare, 'resources/read', { uri })).body;
      assert.equal(error.code, -32000);
      assert.match(error.message, /not been synced/);
    }
    assert.deepEqual(await complete('atlas://technique/{id}', '', bare), { values: [], total: 0, hasMore: false });
  });

  test('without any catalog', async (t) => {
    const empty = await startService(t, { catalog: 'none' });
    const { error } = (await ask(empty, 'resources/read', { uri: 'cwe://catalog' })).body;
    assert.equal(error.code, -32000);
    assert.match(error.message, /no catalog yet/);
    assert.equal((await complete('cwe://weakness/{id}', '', empty)).total, 0);
  });
});

describe('records are those of REST, in full', () => {
  for (const [uri, path] of [
    ['atlas://technique/AML.T0051', '/v1/atlas/AML.T0051'],
    ['atlas://technique/aml.t0051', '/v1/atlas/AML.T0051'],
    ['atlas://case-study/AML.CS0000', '/v1/atlas/case-studies/AML.CS0000?include=full'],
    ['d3fend://defense/FileHashing', '/v1/d3fend/FileHashing?include=full'],
    ['d3fend://defense/D3-FH', '/v1/d3fend/FileHashing?include=full'],
    ['cwe://weakness/79', '/v1/cwe/79?include=full'],
    ['cwe://weakness/CWE-79', '/v1/cwe/79?include=full'],
    ['cwe://weakness/CWE%2079', '/v1/cwe/79?include=full'],
  ] as const) {
    test(uri, async () => {
      const { status, body } = await service.get(path);
      assert.equal(status, 200, path);
      assert.deepEqual(await read(uri), body);
    });
  }
});

describe('what is no resource is an error of the protocol', () => {
  for (const [uri, says] of [
    ['cwe://weakness/99999', /CWE-99999/],
    ['cwe://weakness/nonsense', /is not a CWE id/],
    ['cwe://weakness/', /no such resource/],
    ['cwe://weakness/79/80', /no such resource/],
    ['cwe://weakness/%E0%A4%A', /is not a CWE id/],
    ['cwe://weaknesses/79', /no such resource/],
    ['cwe://catalog/', /no such resource/],
    ['CWE://catalog', /no such resource/],
    ['atlas://technique/AML.T9999', /AML\.T9999/],
    ['atlas://technique/T1190', /not a technique id of ATLAS/],
    ['atlas://case-study/AML.T0051', /./],
    ['d3fend://defense/NoSuchDefense', /./],
    ['file:///etc/passwd', /no such resource/],
    ['', /no such resource/],
    [`cwe://weakness/${'9'.repeat(5000)}`, /no such resource/],
  ] as const) {
    test(uri.slice(0, 60), async () => {
      const { status, body, text } = await ask(service, 'resources/read', { uri });
      assert.equal(status, 200);
      assert.equal(body.error.code, -32602, text);
      assert.match(body.error.message, says);
      assert.equal(body.error.data.uri, uri);
    });
  }

  test('an id that is not found carries nothing but its address, as the protocol has it', async () => {
    const { error } = (await ask(service, 'resources/read', { uri: 'cwe://weakness/99999' })).body;
    assert.deepEqual(error.data, { uri: 'cwe://weakness/99999' });
  });
});

describe('completion', () => {
  test('goes on from what is there, in any case', async () => {
    assert.deepEqual((await complete('atlas://technique/{id}', 'aml.t005')).values, [
      'AML.T0051',
      'AML.T0051.000',
      'AML.T0052',
    ]);
    assert.ok((await complete('cwe://weakness/{id}', 'CWE-7')).values.includes('CWE-79'));
    assert.equal((await complete('atlas://technique/{id}', 'cwe-')).total, 0);
    assert.deepEqual(await complete('cwe://weakness/{id}', 'x'), { values: [], total: 0, hasMore: false });
    assert.deepEqual((await complete('d3fend://defense/{id}', 'file')).values, ['FileAnalysis', 'FileHashing']);
  });

  test('of the side of a triage', async () => {
    const params = {
      ref: { type: 'ref/prompt', name: 'contrast_triage' },
      argument: { name: 'perspective', value: 'r' },
    };
    const { completion } = (await ask(service, 'completion/complete', params)).body.result;
    assert.deepEqual(completion, { values: ['red'], total: 1, hasMore: false });
  });

  test('of nothing that exists is an error', async () => {
    for (const ref of [
      { type: 'ref/resource', uri: 'nope://{id}' },
      { type: 'ref/prompt', name: 'nope' },
    ]) {
      const { error } = (await ask(service, 'completion/complete', { ref, argument: { name: 'id', value: '' } })).body;
      assert.equal(error.code, -32602);
    }
  });
});

describe('over all feeds', { skip: noFeeds }, () => {
  test('the catalogs count what the feeds hold', async (t) => {
    const full = await startService(t, { catalog: (await fullCatalog()).folder });
    full.clock.now = FEEDS_NOW;
    assert.deepEqual((await read('atlas://catalog', full)).totals, { techniques: 170, case_studies: 57 });
    const { defenses } = await read('d3fend://catalog', full);
    assert.ok(defenses.length >= 127, `${defenses.length} defenses`);
    const { weaknesses } = await read('cwe://catalog', full);
    assert.ok(weaknesses.length > 900 && weaknesses.length < 1000, `${weaknesses.length} weaknesses`);
  });

  test('a completion holds at most 100 values and says how many there are', async (t) => {
    const full = await startService(t, { catalog: (await fullCatalog()).folder });
    const { values, total, hasMore } = await complete('atlas://technique/{id}', 'AML.T', full);
    assert.deepEqual([values.length, total, hasMore], [100, 170, true]);
  });
});
