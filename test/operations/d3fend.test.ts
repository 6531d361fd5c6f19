import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { recoverOrCreateCatalog } from '../../src/catalog/recover-or-create-catalog.ts';
import { newFolder } from '../feeds/d3fend-fixture.ts';
import { startService } from '../support/service.ts';
import { syncedCatalogs } from './catalogs-fixture.ts';
import { NOW } from './fixture-facts.ts';

const service = await startService({ after }, { catalog: await syncedCatalogs() });
async function got(path: string): Promise<any> {
  const { status, body, text } = await service.get(path);
  assert.equal(status, 200, text);
  return body;
}
const idsOf = (rows: any[]): string[] => rows.map(({ defense_id }) => defense_id);

describe('one defense', () => {
  for (const name of [
    'FileHashing',
    'filehashing',
    'd3f:FileHashing',
    'D3-FH',
    'd3-fh',
    'file-hashing',
    'file_hashing',
    'File%20Hashing',
    'http%3A%2F%2Fd3fend.mitre.org%2Fontologies%2Fd3fend.owl%23FileHashing',
  ]) {
    test(`by ${name}`, async () => assert.equal((await got(`/v1/d3fend/${name}`)).defense_id, 'FileHashing'));
  }

  test('with what the specification lists', async () => {
    const body = await got('/v1/d3fend/FileAnalysis');
    const { defense_id, label, uri, parent_label, description, tactic, artifact, attack_techniques } = body;
    assert.deepEqual(
      { defense_id, label, uri, parent_label, description, tactic, artifact, attack_techniques },
      {
        defense_id: 'FileAnalysis',
        label: 'File Analysis',
        uri: 'http://d3fend.mitre.org/ontologies/d3fend.owl#FileAnalysis',
        parent_label: null,
        description: 'What File Analysis is, in our words.',
        tactic: 'Detect',
        artifact: 'File',
        attack_techniques: ['T1059', 'T1566.001'],
      },
    );
    assert.equal(body.inherited_from, null);
    assert.ok(!('attack_mappings' in body));
    assert.deepEqual(body.verdict.sources_queried, ['d3fend']);
  });

  test('include=full says why', async () => {
    const { attack_mappings } = await got('/v1/d3fend/FileAnalysis?include=full');
    assert.equal(attack_mappings[1].relations.length, 2);
    assert.deepEqual(attack_mappings[0].relations[0], {
      relation: 'analyzes',
      artifact: 'File',
      attack_relation: 'modifies',
      attack_artifact: 'Executable File',
    });
  });

  test('one that nothing is mapped to has what the more general one has, and says so', async () => {
    const body = await got('/v1/d3fend/FileHashing');
    assert.equal(body.inherited_from, 'FileAnalysis');
    assert.deepEqual(body.attack_techniques, ['T1059', 'T1566.001']);
    assert.equal(body.parent_label, 'File Analysis');
    assert.match(body.summary, /as a kind of File Analysis/);
    const general = await got('/v1/d3fend/DecoyObject');
    assert.deepEqual([general.attack_techniques, general.inherited_from], [[], null]);
    assert.match(general.summary, /no ATT&CK technique mapped to it; see its 1 special form/);
  });

  test('unknown is 404, another kind of id 400 with where it belongs', async () => {
    for (const name of ['D3-XX', 'Nothing', 'linear-regression']) {
      assert.equal((await service.get(`/v1/d3fend/${name}`)).status, 404, name);
    }
    const attack = await service.get('/v1/d3fend/T1566.001');
    assert.equal(attack.status, 400);
    assert.match(attack.body.error.message, /GET \/v1\/d3fend\/attack\/\{attack_technique_id\}/);
    for (const name of [
      'https%3A%2F%2Fd3fend.mitre.org%2F',
      'x',
      '1.2.3.4',
      'CVE-2021-44228',
      '%00',
      '%22',
      'a'.repeat(200),
    ]) {
      assert.equal((await service.get(`/v1/d3fend/${name}`)).status, 400, name);
    }
  });
});

describe('defense search', () => {
  for (const [query, expected] of [
    ['', ['DecoyFile', 'FileAnalysis']],
    ['include_unmapped=true', ['AllowlistingByName', 'DecoyFile', 'DecoyObject', 'FileAnalysis', 'FileHashing']],
    ['tactic=detect', ['FileAnalysis']],
    ['tactic=Detect&include_unmapped=true', ['FileAnalysis', 'FileHashing']],
    ['artifact=decoy document', ['DecoyFile']],
    ['artifact=FILES', ['DecoyFile', 'FileAnalysis']],
    ['keyword=file hash', ['FileHashing']],
    ['keyword=FileHashing', ['FileHashing']],
    ['keyword=D3F:FileHashing', ['FileHashing']],
    ['keyword=https://d3fend.mitre.org/ontologies/d3fend.owl%23FileHashing', ['FileHashing']],
    ['keyword=hash-matching', ['FileHashing']],
    ['keyword=allowlisting', ['AllowlistingByName']],
    ['keyword=allow-listings', ['AllowlistingByName']],
    ['keyword=D3-DO', ['DecoyObject']],
    ['keyword=hash&include_unmapped=false', []],
    ['exclude_id=D3-FA', ['DecoyFile']],
    ['exclude_id=file-analysis, nothing', ['DecoyFile']],
  ] as const) {
    test(query, async () => {
      const body = await got(`/v1/d3fend/defenses?${query.replaceAll(' ', '%20')}`);
      assert.deepEqual(idsOf(body.results), expected);
      assert.equal(body.total, expected.length);
    });
  }

  test('a list without the unmapped says how many it leaves out', async () => {
    assert.match((await got('/v1/d3fend/defenses')).summary, /3 more without a mapped ATT&CK technique/);
  });

  test('include=full restores the URI', async () => {
    const [slim] = (await got('/v1/d3fend/defenses')).results;
    const [full] = (await got('/v1/d3fend/defenses?include=full')).results;
    assert.ok(!('uri' in slim));
    assert.equal(full.uri, 'http://d3fend.mitre.org/ontologies/d3fend.owl#DecoyFile');
    assert.deepEqual({ ...full, ...slim }, full);
  });

  test('a tactic that there is not is said to be none', async () => {
    const { total, summary } = await got('/v1/d3fend/defenses?tactic=prevent');
    assert.equal(total, 0);
    assert.match(summary, /no such tactic; there are Model, Harden, Detect, Isolate, Deceive, Evict, Restore/);
  });
});

describe('defenses against an ATT&CK technique', () => {
  test('those mapped to it', async () => {
    const body = await got('/v1/d3fend/attack/t1059');
    assert.equal(body.attack_technique_id, 'T1059');
    assert.equal(body.attack_technique_name, 'Command and Scripting Interpreter');
    assert.deepEqual([body.count, body.total, body.inherited_from], [2, 2, null]);
    assert.deepEqual(body.defenses, [
      { defense_id: 'DecoyFile', name: 'Decoy File', tactic: 'Deceive', artifact: 'Decoy Document' },
      { defense_id: 'FileAnalysis', name: 'File Analysis', tactic: 'Detect', artifact: 'File' },
    ]);
  });

  test('a sub-technique that nothing is mapped to has those of its parent, marked', async () => {
    const body = await got('/v1/d3fend/attack/T1059.001');
    assert.deepEqual([body.inherited_from, idsOf(body.defenses)], ['T1059', ['DecoyFile', 'FileAnalysis']]);
    assert.equal(body.attack_technique_name, null);
    assert.match(body.summary, /parent of T1059\.001/);
  });

  test('a technique does not have those of its sub-techniques', async () => {
    const body = await got('/v1/d3fend/attack/T1566');
    assert.deepEqual([body.count, body.defenses], [0, []]);
    assert.equal(body.verdict.completeness, 'complete');
  });

  test('leaving some out, page by page, in full', async () => {
    assert.deepEqual(idsOf((await got('/v1/d3fend/attack/T1059?exclude_id=D3-DF')).defenses), ['FileAnalysis']);
    // What is left out does not make the parent stand in.
    const none = await got('/v1/d3fend/attack/T1566.001?exclude_id=FileAnalysis');
    assert.deepEqual([none.count, none.inherited_from], [0, null]);
    const page = await got('/v1/d3fend/attack/T1059?limit=1');
    assert.deepEqual([page.count, page.total, page.next_offset, page.truncated], [1, 2, 1, true]);
    const [full] = (await got('/v1/d3fend/attack/T1059?limit=1&include=full')).defenses;
    assert.equal(full.d3fend_id, 'D3-DF');
    assert.equal(full.relations[0].relation, 'spoofs');
  });

  test('of the wrong form is 400', async () => {
    for (const id of ['1059', 'T105', 'T1059.1', 'AML.T0051', 'TA0001']) {
      assert.equal((await service.get(`/v1/d3fend/attack/${id}`)).status, 400, id);
    }
  });
});

describe('coverage', () => {
  const cover = async (body: unknown) => service.post('/v1/d3fend/coverage', body);

  test('defenses of each technique, by tactic, and the undefended', async () => {
    const { status, body } = await cover({ attack_techniques: ['t1059', 'T1059.001', 'T1005', 'T1486', 'T1059'] });
    assert.equal(status, 200);
    assert.deepEqual(
      body.coverage.map((row: any) => [
        row.attack_technique_id,
        row.inherited_from,
        row.defense_count,
        idsOf(row.defenses),
      ]),
      [
        ['T1059', null, 2, ['DecoyFile', 'FileAnalysis']],
        ['T1059.001', 'T1059', 2, ['DecoyFile', 'FileAnalysis']],
        ['T1005', null, 1, ['DecoyFile']],
        ['T1486', null, 0, []],
      ],
    );
    assert.deepEqual([body.total, body.defended, body.total_defenses], [4, 3, 2]);
    assert.deepEqual(body.queried_techniques, ['T1059', 'T1059.001', 'T1005', 'T1486']);
    assert.deepEqual(body.undefended, ['T1486']);
    assert.deepEqual(body.count_by_tactic, {
      Model: 0,
      Harden: 0,
      Detect: 1,
      Isolate: 0,
      Deceive: 1,
      Evict: 0,
      Restore: 0,
    });
    assert.deepEqual(body.next_calls[0].input, 'DecoyFile');
  });

  test('the look-up of each technique says the same', async () => {
    const attack_techniques = ['T1059', 'T1059.001', 'T1005', 'T1566', 'T1566.001', 'T1566.002'];
    const { body } = await cover({ attack_techniques });
    for (const row of body.coverage) {
      const alone = await got(`/v1/d3fend/attack/${row.attack_technique_id}`);
      assert.deepEqual([alone.defenses, alone.inherited_from], [row.defenses, row.inherited_from]);
    }
  });

  test('under its other name, but not under both', async () => {
    assert.equal((await cover({ attack_technique_ids: ['T1059'] })).body.total, 1);
    for (const body of [{}, { attack_techniques: ['T1059'], attack_technique_ids: ['T1059'] }]) {
      const reply = await cover(body);
      assert.equal(reply.status, 422);
      assert.deepEqual(reply.body.detail[0].loc, ['body', 'attack_techniques']);
    }
  });

  test('none asked is an empty answer; a malformed one is 422 and named; 500 go, 501 do not', async () => {
    const none = (await cover({ attack_techniques: [] })).body;
    assert.deepEqual([none.total, none.coverage, none.undefended], [0, [], []]);
    const malformed = await cover({ attack_techniques: ['T1059', 'powershell'] });
    assert.equal(malformed.status, 422);
    assert.deepEqual(malformed.body.detail[0].loc, ['body', 'attack_techniques', 1]);
    const many = Array.from({ length: 501 }, (_, n) => `T${1000 + n}`);
    assert.equal((await cover({ attack_techniques: many })).status, 422);
    const most = await cover({ attack_techniques: many.slice(0, 500) });
    assert.deepEqual([most.status, most.body.total, most.body.undefended.length], [200, 500, 498]);
  });
});

describe('where D3FEND has not been synced', () => {
  const starter = fileURLToPath(new URL('../../starter/catalog.json', import.meta.url));

  test('no list is empty and nothing undefended: it is not ready', {
    skip: !existsSync(starter) && 'no starter',
  }, async (t) => {
    const folder = newFolder();
    await recoverOrCreateCatalog(folder, NOW);
    const other = await startService(t, { catalog: folder });
    const replies = [
      ...(await Promise.all(
        ['FileAnalysis', 'defenses', 'attack/T1059'].map((path) => other.get(`/v1/d3fend/${path}`)),
      )),
      await other.post('/v1/d3fend/coverage', { attack_techniques: ['T1059'] }),
    ];
    for (const { status, body } of replies) assert.deepEqual([status, body.error.code], [503, 'not_ready']);
  });
});
