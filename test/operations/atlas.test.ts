import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { recoverOrCreateCatalog } from '../../src/catalog/recover-or-create-catalog.ts';
import { atlasFeed } from '../../src/feeds/atlas/atlas.ts';
import { ATLAS_YAML } from '../feeds/atlas-fixture.ts';
import { newFolder, writeFiles } from '../feeds/d3fend-fixture.ts';
import { syncInto } from '../support/catalog-of.ts';
import { startService } from '../support/service.ts';
import { syncedCatalogs } from './catalogs-fixture.ts';
import { NOW } from './fixture-facts.ts';

const service = await startService({ after }, { catalog: await syncedCatalogs() });
const idsOf = (body: any, field = 'technique_id'): string[] => body.results.map((row: any) => row[field]);
async function search(path: string) {
  const { status, body, text } = await service.get(path);
  assert.equal(status, 200, text);
  return body;
}

describe('one technique', () => {
  test('in any case, with what the specification lists', async () => {
    const { status, body } = await service.get('/v1/atlas/aml.t0051.000');
    assert.equal(status, 200);
    const { technique_id, name, tactics, inherited_tactics, maturity, subtechnique_of, created_date, modified_date } =
      body;
    assert.deepEqual(
      { technique_id, name, tactics, inherited_tactics, maturity, subtechnique_of, created_date, modified_date },
      {
        technique_id: 'AML.T0051.000',
        name: 'Direct',
        tactics: [{ tactic_id: 'AML.TA0005', name: 'Execution' }],
        inherited_tactics: true,
        maturity: 'demonstrated',
        subtechnique_of: 'AML.T0051',
        created_date: '2023-10-25',
        modified_date: '2023-11-01',
      },
    );
    assert.deepEqual(body.verdict.sources_queried, ['atlas']);
    assert.equal(body.verdict.completeness, 'complete');
  });

  test('its counterpart in ATT&CK leads to the defenses', async () => {
    const { body } = await service.get('/v1/atlas/AML.T0052');
    assert.equal(body.attack_reference_id, 'T1566');
    assert.equal(body.attack_reference_url, 'https://attack.mitre.org/techniques/T1566/');
    assert.ok(body.next_calls.some((call: any) => call.tool === 'd3fend_defense_for_attack' && call.input === 'T1566'));
  });

  test('one that is not there is 404, one of the wrong form 400 with where it belongs', async () => {
    const unknown = await service.get('/v1/atlas/AML.T9999');
    assert.deepEqual([unknown.status, unknown.body.error.code], [404, 'not_found']);
    for (const id of ['AML.T51', 'AML.T0051.0000', 'T0051', 'AML.TA0005', 'AML.T0051%00']) {
      assert.equal((await service.get(`/v1/atlas/${id}`)).status, 400, id);
    }
    const study = await service.get('/v1/atlas/AML.CS0000');
    assert.equal(study.status, 400);
    assert.match(study.body.error.message, /GET \/v1\/atlas\/case-studies\/\{case_study_id\}/);
  });

  test('the searches beside it are reached, not taken for ids', async () => {
    for (const path of ['techniques', 'case-studies'])
      assert.ok('results' in (await search(`/v1/atlas/${path}`)), path);
  });
});

describe('technique search', () => {
  test('all, by id, with the envelope of lists', async () => {
    const body = await search('/v1/atlas/techniques?limit=3');
    assert.deepEqual(idsOf(body), ['AML.T0043', 'AML.T0051', 'AML.T0051.000']);
    assert.deepEqual([body.count, body.total, body.next_offset, body.truncated], [3, 4, 3, true]);
    const rest = await search('/v1/atlas/techniques?limit=3&offset=3');
    assert.deepEqual([idsOf(rest), rest.next_offset, rest.truncated], [['AML.T0052'], null, false]);
  });

  test('slim rows; include=full adds the description and nothing is lost', async () => {
    const [slim] = (await search('/v1/atlas/techniques?limit=1')).results;
    const [full] = (await search('/v1/atlas/techniques?limit=1&include=full')).results;
    assert.ok(!('description' in slim));
    assert.deepEqual({ ...full, ...slim }, full);
    assert.match(full.description, /classifier/);
  });

  for (const [query, expected] of [
    ['keyword=prompt injection', ['AML.T0051']],
    ['keyword=PROMPT-INJECTIONS', ['AML.T0051']],
    ['keyword=multistep classifiers', ['AML.T0043']],
    ['keyword=multi-step', ['AML.T0043']],
    ['keyword=aml.t0052', ['AML.T0052']],
    ['keyword=zebra', []],
    ['tactic=Execution', ['AML.T0051', 'AML.T0051.000']],
    ['tactic=aml.ta0005', ['AML.T0051', 'AML.T0051.000']],
    ['tactic=ai-attack-staging', ['AML.T0043']],
    ['maturity=REALIZED', ['AML.T0051', 'AML.T0052']],
    ['tactic=execution&maturity=realized', ['AML.T0051']],
    ['tactic=execution&exclude_id=aml.t0051', ['AML.T0051.000']],
    ['exclude_id=AML.T0051,AML.T0043 , AML.T9999', ['AML.T0051.000', 'AML.T0052']],
  ] as const) {
    test(query, async () => {
      const body = await search(`/v1/atlas/techniques?${query.replaceAll(' ', '%20')}`);
      assert.deepEqual(body.query, body.query_echo);
      assert.deepEqual(idsOf(body), expected);
      assert.equal(body.total, expected.length);
    });
  }

  test('the best match comes first; where none has all words, those with any', async () => {
    assert.equal(idsOf(await search('/v1/atlas/techniques?keyword=prompt'))[0], 'AML.T0051');
    assert.deepEqual(idsOf(await search('/v1/atlas/techniques?keyword=phishing%20zebra')), ['AML.T0052']);
  });

  test('a tactic that there is not is said to be none, and which there are', async () => {
    const { total, summary } = await search('/v1/atlas/techniques?tactic=exfil');
    assert.equal(total, 0);
    assert.match(summary, /no such tactic; there are .*Execution/);
    const none = await search('/v1/atlas/techniques?tactic=execution&maturity=feasible');
    assert.doesNotMatch(none.summary, /no such/);
  });

  test('what no search can mean is 422', async () => {
    for (const query of [
      'keyword=',
      'keyword=%20-%20',
      'tactic=',
      'maturity=proven',
      'exclude_id=T1566',
      'limit=0',
      'technique_id=x',
    ]) {
      assert.equal((await service.get(`/v1/atlas/techniques?${query}`)).status, 422, query);
    }
    const long = await service.get(`/v1/atlas/techniques?keyword=${'a'.repeat(201)}`);
    assert.equal(long.status, 422);
  });

  test('words that an index could take for its own language are words', async () => {
    for (const words of [
      '"',
      'a" OR "b',
      'NEAR(a b)',
      '*',
      'title:x',
      '-- drop',
      'a AND',
      'NOT prompt',
      '{a b}:c',
      '^prompt',
    ]) {
      const { status } = await service.get(`/v1/atlas/techniques?keyword=${encodeURIComponent(words)}`);
      assert.ok([200, 422].includes(status), `${words}: ${status}`);
    }
  });
});

describe('techniques in bulk', () => {
  test('each item has its own outcome; the unknown are counted', async () => {
    const technique_ids = ['aml.t0051', 'AML.T9999', 'T1566', 'AML.T0051'];
    const { status, body } = await service.post('/v1/atlas/techniques/bulk', { technique_ids });
    assert.equal(status, 200);
    assert.deepEqual(
      body.results.map((item: any) => [item.technique_id, item.status, item.technique?.name ?? null]),
      [
        ['AML.T0051', 'ok', 'LLM Prompt Injection'],
        ['AML.T9999', 'not_found', null],
        ['T1566', 'invalid_format', null],
        ['AML.T0051', 'ok', 'LLM Prompt Injection'],
      ],
    );
    assert.deepEqual([body.total, body.successful, body.failed, body.not_found], [4, 2, 2, 1]);
  });

  test('nothing asked is nothing answered; more than 50 is 422', async () => {
    const none = await service.post('/v1/atlas/techniques/bulk', { technique_ids: [] });
    assert.deepEqual([none.status, none.body.total, none.body.not_found], [200, 0, 0]);
    const many = Array.from({ length: 51 }, () => 'AML.T0051');
    assert.equal((await service.post('/v1/atlas/techniques/bulk', { technique_ids: many })).status, 422);
  });
});

describe('case studies', () => {
  test('one, with its techniques and what can be looked up from it', async () => {
    const { status, body } = await service.get('/v1/atlas/case-studies/aml.cs0000');
    assert.equal(status, 200);
    assert.equal(body.case_study_id, 'AML.CS0000');
    assert.equal(body.target, 'Malware detectors of Example Corp');
    assert.deepEqual(
      body.techniques_used.map((used: any) => used.technique_id),
      ['AML.T0043', 'AML.T0052'],
    );
    assert.deepEqual(
      body.pivot_hints.map(({ type, value }: any) => [type, value]),
      [
        ['cve', 'CVE-2019-20634'],
        ['attack_technique', 'T1566'],
      ],
    );
    assert.equal(body.total_steps, 3);
    assert.ok(!('procedure' in body));
    assert.match(body.summary, /exercise; 2020-03;/);
  });

  test('include=full adds the procedure', async () => {
    const { body } = await service.get('/v1/atlas/case-studies/AML.CS0000?include=full');
    assert.equal(body.procedure.length, 3);
    assert.deepEqual(body.procedure[1], {
      tactic: { tactic_id: 'AML.TA0004', name: 'Initial Access' },
      technique: { technique_id: 'AML.T0052', name: 'Phishing' },
      description: 'They mailed the file.',
    });
  });

  test('unknown is 404, of the wrong form 400', async () => {
    assert.equal((await service.get('/v1/atlas/case-studies/AML.CS9999')).status, 404);
    assert.equal((await service.get('/v1/atlas/case-studies/CS0000')).status, 400);
  });

  for (const [query, expected] of [
    ['', ['AML.CS0000', 'AML.CS0001']],
    ['keyword=detector', ['AML.CS0000']],
    ['keyword=example university', ['AML.CS0000']],
    ['technique_id=aml.t0052', ['AML.CS0000']],
    ['technique_id=AML.T0051', ['AML.CS0001']],
    ['technique_id=AML.T0051&include_subtechniques=false', []],
    ['technique_id=AML.T9999', []],
    ['target_type=chatbots', ['AML.CS0001']],
    ['target_type=malware detector', ['AML.CS0000']],
    ['target_type=malware chatbot', []],
  ] as const) {
    test(`search ${query}`, async () => {
      const body = await search(`/v1/atlas/case-studies?${query.replaceAll(' ', '%20')}`);
      assert.deepEqual(idsOf(body, 'case_study_id'), expected);
    });
  }

  test('a search through sub-techniques says how many use the technique itself', async () => {
    const { summary } = await search('/v1/atlas/case-studies?technique_id=AML.T0051');
    assert.match(summary, /0 with AML\.T0051 itself/);
  });

  test('include=full adds the description', async () => {
    const [row] = (await search('/v1/atlas/case-studies?limit=1&include=full')).results;
    assert.match(row.description, /until the detector let it pass/);
    assert.equal(row.references.length, 2);
  });
});

test('a catalog that replaces another leaves nothing of it to be found', async (t) => {
  const feeds = newFolder();
  const folder = newFolder();
  for (const yaml of [ATLAS_YAML, ATLAS_YAML.replaceAll('Phishing', 'Fishing').replace('reader', 'quokka')]) {
    writeFiles({ 'ATLAS.yaml': yaml }, join(feeds, 'atlas'));
    assert.deepEqual(await syncInto(folder, feeds, [atlasFeed], NOW), []);
  }
  const after = await startService(t, { catalog: folder });
  const found = async (word: string) => (await after.get(`/v1/atlas/techniques?keyword=${word}`)).body.total;
  assert.deepEqual([await found('phishing'), await found('fishing'), await found('quokka')], [0, 1, 1]);
  assert.equal((await after.get('/v1/atlas/techniques')).body.total, 4);
});

describe('where ATLAS has not been synced', () => {
  const paths = ['AML.T0051', 'techniques', 'case-studies', 'case-studies/AML.CS0000'].map(
    (path) => `/v1/atlas/${path}`,
  );
  const starter = fileURLToPath(new URL('../../starter/catalog.json', import.meta.url));

  test('nothing is said to be missing, neither by look-up nor by search', {
    skip: !existsSync(starter) && 'no starter',
  }, async (t) => {
    const folder = newFolder();
    await recoverOrCreateCatalog(folder, NOW);
    const other = await startService(t, { catalog: folder });
    for (const path of paths) {
      const { status, body } = await other.get(path);
      assert.deepEqual([status, body.error.code], [503, 'not_ready'], path);
      assert.match(body.error.message, /atlas has not been synced yet/);
      assert.doesNotMatch(body.error.message, /starter/);
    }
    const bulk = await other.post('/v1/atlas/techniques/bulk', { technique_ids: ['AML.T0051'] });
    assert.deepEqual([bulk.status, bulk.body.results[0].status, bulk.body.not_found], [200, 'error', 0]);
  });
});
