import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { recoverOrCreateCatalog } from '../../src/catalog/recover-or-create-catalog.ts';
import { sigmaFeed } from '../../src/feeds/sigma/sigma.ts';
import { FIXTURE_FILES } from '../feeds/sigma-fixture.ts';
import { zipOf } from '../feeds/zip-of.ts';
import { syncInto } from '../support/catalog-of.ts';
import { startService } from '../support/service.ts';
import { buildFixtureCatalog, temporaryFolder } from './fixture-catalog.ts';
import { NOW } from './fixture-facts.ts';
import { missingPaths } from './paths.ts';

const LOG4SHELL = '5ea8faa8-db8b-45be-89b0-151b84c82702';
const HEADERS = '9be472ed-893c-4ec0-94da-312d2765f654';
const POWERSHELL = 'aaaaaaaa-0000-4000-8000-000000000001';
const SHELL = 'aaaaaaaa-0000-4000-8000-000000000002';
const HASHES = 'aaaaaaaa-0000-4000-8000-000000000003';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** Written down from the decisions, section 4. */
const RECORD = `rule_id title status level description author date modified tags logsource.product logsource.category
  logsource.service logsource.definition detection.selections detection.condition detection_summary references falsepositives
  license source_url attack_techniques cve_ids`.split(/\s+/);
const ENVELOPE = 'count total offset next_offset truncated query_echo results summary verdict'.split(' ');

async function catalogOfRules(): Promise<string> {
  const feeds = temporaryFolder();
  mkdirSync(join(feeds, 'sigma'));
  writeFileSync(join(feeds, 'sigma', 'sigma_all_rules.zip'), zipOf(FIXTURE_FILES));
  const folder = temporaryFolder();
  assert.deepEqual(await syncInto(folder, feeds, [sigmaFeed], NOW), []);
  return folder;
}

const service = await startService({ after }, { catalog: await catalogOfRules() });
const ids = (body: { results: { rule_id: string }[] }): string[] => body.results.map(({ rule_id }) => rule_id);
const search = async (query: string): Promise<string[]> =>
  ids((await service.get(`/v1/sigma/search?${query}`)).body).sort();

describe('look-up', () => {
  test('the record, whatever the case of the id', async () => {
    const { status, body } = await service.get(`/v1/sigma/${LOG4SHELL.toUpperCase()}`);
    assert.equal(status, 200);
    assert.deepEqual(
      missingPaths(body, ['summary', 'verdict', 'next_calls', ...RECORD.map((field) => `rule.${field}`)]),
      [],
    );
    assert.equal(body.rule.rule_id, LOG4SHELL);
    assert.equal(body.rule.title, 'Log4Shell Lookup In A Request');
    assert.equal(body.rule.modified, '2024-02-01');
    assert.deepEqual(body.rule.detection.selections, { keywords: ['${jndi:ldap:/', '${jndi:rmi:/'] });
    assert.equal(
      body.rule.detection_summary,
      'Matches events where the event contains any of "${jndi:ldap:/", "${jndi:rmi:/".',
    );
    assert.deepEqual(body.verdict.sources_queried, ['sigma']);
    assert.equal(body.verdict.completeness, 'complete');
    assert.equal(body.verdict.deterministic, true);
    assert.match(
      body.summary,
      /^Log4Shell Lookup In A Request \(level high, status test, webserver, CVE-2021-44228, T1190\)\./,
    );
  });

  test('leads on to the technique and the CVE', async () => {
    const calls = async (id: string) => (await service.get(`/v1/sigma/${id}`)).body.next_calls;
    assert.deepEqual(
      (await calls(LOG4SHELL)).map(({ tool, input }: Record<string, string>) => [tool, input]),
      [
        ['d3fend_defense_for_attack', 'T1190'],
        ['cve_lookup', 'CVE-2021-44228'],
      ],
    );
    const [one, all] = await calls(POWERSHELL);
    assert.equal(one.input, 'T1059.001');
    assert.deepEqual(all.params, { attack_techniques: ['T1059.001', 'T1027'] });
    assert.deepEqual(await calls(HASHES), []);
  });

  test('a long detection block is cut and says so; include=full has all of it', async () => {
    const cut = (await service.get(`/v1/sigma/${HASHES}`)).body.rule.detection;
    assert.equal(cut.truncated, true);
    assert.equal(cut.total_values, 900);
    const shown = cut.selections.selection['Hashes|contains'];
    assert.equal(shown.length, cut.list_limit);
    assert.ok(JSON.stringify(cut.selections).length <= 8000);
    const { truncated, list_limit, selections } = (await service.get(`/v1/sigma/${HASHES}?include=full`)).body.rule
      .detection;
    assert.deepEqual({ truncated, list_limit }, { truncated: false, list_limit: null });
    assert.equal(selections.selection['Hashes|contains'].length, 900);
    assert.deepEqual(selections.selection['Hashes|contains'].slice(0, shown.length), shown);
  });

  test('an id that no rule has is 404', async () => {
    const { status, body } = await service.get(`/v1/sigma/${UNKNOWN}`);
    assert.equal(status, 404);
    assert.equal(body.error.code, 'not_found');
    assert.match(body.error.message, new RegExp(UNKNOWN));
  });

  for (const [given, hint] of [
    ['CVE-2021-44228', /CVE id.*\/v1\/cve\/\{cve_id\}/],
    ['T1059.001', /ATT&CK technique/],
    ['d41d8cd98f00b204e9800998ecf8427e', /file hash/],
    ['192.0.2.1', /IP address/],
    ['5ea8faa8-db8b-45be-89b0-151b84c8270', /UUID/],
    [`${LOG4SHELL}0`, /UUID/],
    [`{${LOG4SHELL}}`, /UUID/],
    ['..%2f..%2fetc', /UUID/],
    ['%00', /UUID/],
    ['x'.repeat(3000), /UUID/],
  ] as const) {
    test(`${given.slice(0, 40)} is 400 and says what is accepted`, async () => {
      const { status, body } = await service.get(`/v1/sigma/${given}`);
      assert.ok(status === 400 || (given.length > 1000 && status === 404), String(status));
      if (status === 400) {
        assert.equal(body.error.code, 'invalid_argument');
        assert.match(body.error.message, hint);
        assert.ok(body.error.message.length < 400);
      }
    });
  }
});

describe('search', () => {
  test('the envelope, with slim rows', async () => {
    const { status, body } = await service.get('/v1/sigma/search');
    assert.equal(status, 200);
    assert.deepEqual(missingPaths(body, ENVELOPE), []);
    assert.equal(body.total, 5);
    const slim = RECORD.filter((field) => field !== 'references' && !field.startsWith('detection.'));
    assert.deepEqual(
      missingPaths(
        body,
        slim.map((field) => `results[].${field}`),
      ),
      [],
    );
    for (const row of body.results) assert.ok(!('detection' in row) && !('references' in row));
  });

  test('include=full adds detection block and references, long ones cut', async () => {
    const { body } = await service.get('/v1/sigma/search?include=full');
    assert.deepEqual(
      missingPaths(
        body,
        RECORD.map((field) => `results[].${field}`),
      ),
      [],
    );
    for (const { detection } of body.results) assert.ok(JSON.stringify(detection.selections).length <= 8000);
  });

  for (const [query, found] of [
    ['technique=T1190', [LOG4SHELL, HEADERS]],
    ['technique=T1059', [POWERSHELL, SHELL]],
    ['technique=t1059.001', [POWERSHELL]],
    ['technique=T1059.002', []],
    ['cve_id=cve-2021-44228', [LOG4SHELL, HEADERS]],
    ['cve_id=CVE-2021-44228&level=critical', [HEADERS]],
    ['logsource_product=Windows', [POWERSHELL, HASHES]],
    ['logsource_product=win', []],
    ['logsource_category=process_creation&logsource_product=linux', [SHELL]],
    ['status=EXPERIMENTAL', [SHELL]],
    ['level=informational', []],
    ['query=powershell', [POWERSHELL]],
    ['query=POWERSHELL+command', [POWERSHELL]],
    ['query=credential+dumping', [POWERSHELL]],
    ['query=credentials-dumps', [POWERSHELL]],
    ['query=jndi', [LOG4SHELL, HEADERS]],
    ['query=T1027', [POWERSHELL]],
    ['query=log4shell+nonsense', [LOG4SHELL, HEADERS]],
    ['query=nonsense', []],
    ['query=%22+OR+NOT+*+NEAR(', []],
  ] as const) {
    test(query, async () => assert.deepEqual(await search(query), [...found].sort()));
  }

  test('a word of the title ranks before one of the text', async () => {
    const { body } = await service.get('/v1/sigma/search?query=header+lookup');
    assert.equal(body.results[0].rule_id, HEADERS);
  });

  test('pages follow each other', async () => {
    const first = (await service.get('/v1/sigma/search?limit=3')).body;
    assert.equal(first.next_offset, 3);
    const second = (await service.get('/v1/sigma/search?limit=3&offset=3')).body;
    assert.equal(second.next_offset, null);
    assert.equal(new Set([...ids(first), ...ids(second)]).size, 5);
  });

  for (const [query, says] of [
    ['techniqe=T1059', /technique/],
    ['technique=1059', /technique id of ATT&CK/],
    ['technique=TA0002', /technique id of ATT&CK/],
    ['cve_id=44228', /CVE-2021-44228/],
    ['level=severe', /level/],
    ['status=testing', /status/],
    ['query=', /query/],
    ['query=%2A%2A', /letter or digit/],
    [`query=${'x'.repeat(201)}`, /query/],
    ['logsource_product=', /logsource_product/],
    ['limit=0', /limit/],
    ['limit=201', /limit/],
    ['offset=5001', /offset/],
    ['include=everything', /include/],
  ] as const) {
    test(`${query.slice(0, 30)} is 422`, async () => {
      const { status, body } = await service.get(`/v1/sigma/search?${query}`);
      assert.equal(status, 422);
      assert.equal(body.error.code, 'validation_error');
      assert.match(body.error.message, says);
    });
  }
});

describe('bulk', () => {
  test('each id has its own outcome', async () => {
    const { status, body } = await service.post('/v1/sigma/bulk', {
      rule_ids: [LOG4SHELL, UNKNOWN, 'T1059', LOG4SHELL.toUpperCase(), HASHES],
    });
    assert.equal(status, 200);
    assert.deepEqual(
      body.results.map((item: Record<string, unknown>) => item['status']),
      ['ok', 'not_found', 'invalid_format', 'ok', 'ok'],
    );
    assert.deepEqual([body.total, body.successful, body.failed], [5, 3, 2]);
    const [first, , broken, again, long] = body.results;
    assert.deepEqual(missingPaths(first.rule, [...RECORD, 'summary']), []);
    assert.deepEqual(again, first);
    assert.equal(broken.rule, null);
    assert.match(broken.error.message, /UUID/);
    assert.equal(long.rule.detection.truncated, true);
  });

  test('an empty list is answered, one of 51 is 422', async () => {
    assert.equal((await service.post('/v1/sigma/bulk', { rule_ids: [] })).body.total, 0);
    assert.equal((await service.post('/v1/sigma/bulk', { rule_ids: Array(51).fill(LOG4SHELL) })).status, 422);
    assert.equal((await service.post('/v1/sigma/bulk', { ids: [LOG4SHELL] })).status, 422);
    assert.equal((await service.post('/v1/sigma/bulk', { rule_ids: LOG4SHELL })).status, 422);
  });
});

describe('where no rules were synced', async () => {
  const starter = temporaryFolder();
  await recoverOrCreateCatalog(starter, NOW);
  for (const [what, catalog] of Object.entries({
    'other feeds alone': buildFixtureCatalog(['sigma']),
    'the starter': starter,
  })) {
    const without = await startService({ after }, { catalog });
    test(`${what}: "not found" is not said, but that it cannot be known yet`, async () => {
      for (const path of [`/v1/sigma/${UNKNOWN}`, '/v1/sigma/search?query=powershell']) {
        const { status, body } = await without.get(path);
        assert.equal(status, 503, path);
        assert.equal(body.error.code, 'not_ready');
        assert.match(body.error.message, /sigma has not been synced/);
      }
    });
  }
});
