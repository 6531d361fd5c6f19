import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { attackFeed } from '../../src/feeds/attack/attack.ts';
import type { AttackTechnique, CapecPattern, CveTechniqueMapping } from '../../src/feeds/attack/attack-entries.ts';
import { FeedFormatError } from '../../src/feeds/feed.ts';
import { sharedPath } from '../support/shared.ts';
import { ATTACK_BUNDLE, ATTACK_ENTRIES, CAPEC_BUNDLE } from './attack-fixture.ts';
import { parseFeed, upstreamOf } from './parse-feed.ts';

const body = <Body>(id: string): Body => ATTACK_ENTRIES.flat().find((entry) => entry.id === id)!.body as Body;
const skip = sharedPath('feeds', 'attack') === null && 'no feeds';
const KEV = ['mappings', 'kev', 'attack-16.1', 'kev-07.28.2025'];

test('a technique has tactics, mitigations and detection strategies with their log sources', () => {
  const technique = body<AttackTechnique>('T1190');
  assert.equal(technique.description, 'Adversaries do this.');
  assert.deepEqual(technique.tactics, ['Initial Access']);
  assert.deepEqual(technique.mitigations, [{ mitigation_id: 'M1051', name: 'Update Software' }]);
  assert.deepEqual(
    technique.detection_strategies.map(({ strategy_id, analytics }) => [strategy_id, analytics.length]),
    [['DET0080', 1]],
  );
  assert.deepEqual(technique.detection_strategies[0]!.analytics[0]!.log_sources, [
    {
      data_component_id: 'DC0038',
      data_component: 'Application Log Content',
      name: 'nginx:access',
      channel: 'odd requests',
    },
  ]);
});

test('revoked techniques lead to those that replace them, deprecated objects and relations are left out', () => {
  assert.equal(body<AttackTechnique>('T1574.002').revoked_by, 'T1574.001');
  assert.equal(body<AttackTechnique>('T1059.007').subtechnique_of, 'T1059');
  assert.equal(
    ATTACK_ENTRIES.flat().some(({ id }) => id === 'T1000'),
    false,
  );
  assert.deepEqual(body<AttackTechnique>('T1059').mitigations, []);
});

test('CAPEC patterns name each weakness once; withdrawn patterns are left out', () => {
  assert.deepEqual(body<CapecPattern>('CAPEC-66').cwe_ids, ['CWE-89']);
  assert.deepEqual(body<CapecPattern>('CAPEC-63').technique_ids, ['T1059.007']);
  assert.equal(
    ATTACK_ENTRIES.flat().some(({ id }) => id === 'CAPEC-1000'),
    false,
  );
});

test('mappings are one document for each CVE; a CVE that is mapped to nothing has none', () => {
  assert.deepEqual(
    body<CveTechniqueMapping>('CVE-2021-44228').techniques.map(({ technique_id, role }) => [technique_id, role]),
    [
      ['T1190', 'exploitation_technique'],
      ['T1059', 'secondary_impact'],
    ],
  );
  assert.deepEqual(
    body<CveTechniqueMapping>('CVE-2014-0160').techniques.map(({ technique_id, role }) => [technique_id, role]),
    [
      ['T1190', 'exploitation_technique'],
      ['T1078', 'exploitation_technique'],
      ['T1005', 'primary_impact'],
    ],
  );
});

test('packed and plain bundles are the same; what is no bundle is refused', async () => {
  const plain = Buffer.from(JSON.stringify(CAPEC_BUNDLE));
  const name = 'capec';
  const { entries } = await parseFeed(attackFeed, gzipSync(plain), { name });
  assert.deepEqual(entries, (await parseFeed(attackFeed, plain, { name })).entries);
  for (const content of [
    '',
    '<html><body>',
    '{"objects":[]}',
    '{"type":"report","objects":[{"type":"x"}]}',
    '{"type":"bundle","objects":[{',
  ])
    await assert.rejects(parseFeed(attackFeed, Buffer.from(content), { name }), FeedFormatError, content);
  const objects = [{ name: 'no type' }, ...ATTACK_BUNDLE.objects];
  const { told } = await parseFeed(attackFeed, Buffer.from(JSON.stringify({ ...ATTACK_BUNDLE, objects })), {
    name: 'enterprise-attack',
  });
  assert.deepEqual(told.skipped, [{ what: 'object 1', why: 'not a STIX object' }]);
});

test('at the origin the newest mappings are found by listing the repository', async () => {
  const folders = (...names: string[]) => ({ body: names.map((name) => ({ name, type: 'dir' })), next: null });
  const listing =
    'https://api.github.com/repos/center-for-threat-informed-defense/mappings-explorer/contents/mappings/kev';
  const upstream = upstreamOf('origin', {
    answers: {
      [listing]: folders('attack-9.0', 'attack-16.1', 'notes'),
      [`${listing}/attack-16.1`]: folders('kev-12.31.2024', 'kev-07.28.2025'),
    },
  });
  const paths = (await attackFeed.files(upstream, { asOf: null, files: new Set() })).map(({ path }) => path);
  assert.deepEqual(paths, [
    'enterprise-attack/enterprise-attack.json',
    'capec/2.1/stix-capec.json',
    ...['enterprise', 'mobile'].map(
      (domain) =>
        `https://raw.githubusercontent.com/center-for-threat-informed-defense/mappings-explorer/main/mappings/kev/attack-16.1/kev-07.28.2025/${domain}/kev-07.28.2025_attack-16.1-${domain}.json`,
    ),
    'https://raw.githubusercontent.com/center-for-threat-informed-defense/attack_to_cve/master/Att&ckToCveMappings.csv',
  ]);
});

test('the published files: as many as their publishers count', { skip }, async () => {
  const read = async (name: string, ...path: string[]) => {
    const { entries, told } = await parseFeed(attackFeed, sharedPath('feeds', 'attack', ...path)!, { name });
    assert.deepEqual(told.skipped, []);
    return entries;
  };
  const techniques = (await read('enterprise-attack', 'enterprise-attack', 'enterprise-attack-18.1.json.gz')).map(
    (entry) => entry.body as AttackTechnique,
  );
  const live = techniques.filter(({ revoked_by }) => revoked_by === null);
  const subtechniques = live.filter(({ technique_id }) => technique_id.includes('.'));
  assert.deepEqual([live.length - subtechniques.length, subtechniques.length], [216, 475]);
  assert.equal(live.filter((one) => one.detection_strategies.length === 1).length, 691);
  assert.equal((await read('capec', 'capec', '2.1', 'stix-capec.json.gz')).length, 615 - 56 - 1);
  assert.equal(
    (await read('kev-enterprise', ...KEV, 'enterprise', 'kev-07.28.2025_attack-16.1-enterprise.json.gz')).length,
    419,
  );
  assert.equal((await read('kev-mobile', ...KEV, 'mobile', 'kev-07.28.2025_attack-16.1-mobile.json.gz')).length, 14);
});
