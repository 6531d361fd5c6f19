import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  evidenceFromPatterns,
  evidenceFromPeers,
  rankTechniques,
  type TechniqueEvidence,
} from '../../../src/analysis/detection/technique-evidence.ts';

const row = (technique_id: string, of: Partial<TechniqueEvidence>): TechniqueEvidence => ({
  technique_id,
  source: 'kev_mapping',
  role: 'exploitation_technique',
  via: '',
  weight: 1,
  ...of,
});
const ids = (evidence: TechniqueEvidence[]) => rankTechniques(evidence).map(({ technique_id }) => technique_id);

test('the way of exploitation comes before what it leads to, and analysts before tags of rules', () => {
  assert.deepEqual(
    ids([
      row('T1486', { role: 'secondary_impact' }),
      row('T1059', { source: 'sigma', role: null }),
      row('T1003', { role: 'primary_impact' }),
      row('T1190', { source: 'attack_to_cve' }),
      row('T1133', {}),
    ]),
    ['T1133', 'T1190', 'T1003', 'T1486', 'T1059'],
  );
});

test('inferences are left out where something is about the CVE itself', () => {
  const inferred = [row('T1027', { source: 'capec', role: null }), row('T1203', { source: 'kev_peers' })];
  assert.deepEqual(ids(inferred), ['T1203', 'T1027']);
  assert.deepEqual(
    rankTechniques(inferred).map(({ basis }) => basis),
    ['inferred', 'inferred'],
  );
  assert.deepEqual(ids([...inferred, row('T1059', { source: 'sigma', role: null })]), ['T1059']);
});

test('the evidence of one technique is joined, the strongest first', () => {
  const [only] = rankTechniques([
    row('T1190', { source: 'sigma', role: null }),
    row('T1190', { source: 'kev_peers' }),
    row('T1190', {}),
  ]);
  assert.deepEqual(
    only!.evidence.map(({ source }) => source),
    ['kev_mapping', 'sigma', 'kev_peers'],
  );
});

test('peers speak where at least three, and a quarter of them, agree', () => {
  const peers = (count: number, technique_ids: string[]) =>
    Array.from({ length: count }, (_, at) => ({ cve_id: `CVE-2024-1000${at}`, technique_ids }));
  assert.deepEqual(evidenceFromPeers('CWE-22', peers(2, ['T1190'])), []);
  assert.deepEqual(
    evidenceFromPeers('CWE-22', [...peers(3, ['T1190']), ...peers(10, ['T1005'])]).map((one) => one.technique_id),
    ['T1005'],
  );
  assert.deepEqual(evidenceFromPeers('CWE-22', [...peers(3, ['T1190', 'T1190']), ...peers(1, [])]), [
    row('T1190', { source: 'kev_peers', via: 'CWE-22: 3 of 4 mapped known-exploited CVEs with it', weight: 0.75 }),
  ]);
});

test('a weakness that leads to very many techniques leads to none', () => {
  const pattern = (count: number) => [
    {
      capec_id: 'CAPEC-1',
      cwe_ids: ['CWE-1', 'CWE-2'],
      technique_ids: Array.from({ length: count }, (_, at) => `T10${10 + at}`),
    },
  ];
  assert.equal(evidenceFromPatterns('CWE-1', pattern(12)).length, 12);
  assert.deepEqual(evidenceFromPatterns('CWE-1', pattern(13)), []);
  assert.deepEqual(
    evidenceFromPatterns('CWE-1', pattern(1))[0],
    row('T1010', { source: 'capec', role: null, via: 'CWE-1 > CAPEC-1', weight: 0.5 }),
  );
});
