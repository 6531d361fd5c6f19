import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeWhat, describeWhy, type WatchedDecision } from '../../../src/analysis/watch/describe-event.ts';
import type { ToldChange, WatchSubject } from '../../../src/analysis/watch/watch.ts';

const told = (change: Partial<ToldChange>): ToldChange => ({
  kind: 'score',
  change: 'changed',
  at: null,
  field: '',
  before: null,
  after: null,
  source: 'nvd',
  seen_at: '2026-11-26T08:00:00.000Z',
  ...change,
});
const kevEntry = {
  vulnerability_name: 'Log4Shell',
  date_added: '2021-12-10',
  due_date: '2021-12-24',
  known_ransomware_use: true,
};
const decision = (more: Partial<WatchedDecision>): WatchedDecision => ({
  name: 'lodash',
  version: '4.17.20',
  status: 'affected',
  reason: '4.17.20 is before the fix in 4.17.21',
  rule: { source: 'ghsa', kind: 'advisory', text: 'GHSA-35jh-r3h4-6jhm: lodash, before 4.17.21' },
  fixed_in: '4.17.21',
  ...more,
});
const LODASH: WatchSubject = { kind: 'package', purl: 'pkg:npm/lodash', version: '4.17.20' };

describe('what changed', () => {
  const cases: [Partial<ToldChange>, string][] = [
    [
      { kind: 'kev', change: 'added', field: 'entry', after: kevEntry, source: 'kev' },
      'Known exploited since 2021-12-10, to be mended by 2021-12-24. Used by ransomware.',
    ],
    [{ kind: 'kev', change: 'removed', field: 'entry', before: kevEntry }, 'No longer in the known-exploited catalog.'],
    [
      { kind: 'kev', field: 'due_date', before: '2024-05-22', after: '2024-05-15' },
      'Due date for mending changed from 2024-05-22 to 2024-05-15.',
    ],
    [
      { kind: 'epss', field: 'score', before: 0.12, after: 0.71, at: '2026-11-24', source: 'epss' },
      'EPSS rose from 12.0 % to 71.0 % on 2026-11-24.',
    ],
    [
      {
        field: 'nvd@nist.gov CVSS 3.1',
        before: { score: 7.5, severity: 'HIGH', vector: '' },
        after: { score: 9.8, severity: 'CRITICAL', vector: '' },
      },
      'nvd@nist.gov CVSS 3.1 changed from 7.5 (HIGH) to 9.8 (CRITICAL).',
    ],
    [
      { kind: 'exploit', field: 'EDB-50592', after: { title: 'Log4j RCE', date_published: '2021-12-14' } },
      'Public exploit EDB-50592 of 2021-12-14: Log4j RCE.',
    ],
    [
      { kind: 'status', field: 'status', before: 'PUBLISHED', after: 'REJECTED', source: 'cvelist' },
      'Rejected, says CVE List.',
    ],
    [
      { kind: 'fix', change: 'added', field: 'npm:lodash', after: ['4.17.21'], source: 'ghsa' },
      'Fixed for npm:lodash in 4.17.21.',
    ],
    [
      { kind: 'ssvc', field: 'exploitation', before: 'none', after: 'active' },
      "CISA's assessment (SSVC): exploitation from none to active.",
    ],
    [
      { kind: 'record', change: 'added', at: '2026-11-20T01:02:03.000Z', after: { status: 'x' } },
      'New in NVD, 2026-11-20.',
    ],
  ];
  for (const [change, sentence] of cases) it(sentence, () => assert.equal(describeWhat([told(change)]), sentence));

  it('most urgent first, and how many more', () => {
    const changes = [
      told({ kind: 'reference', field: 'patch', after: 'https://a.example/' }),
      told({ kind: 'epss', before: 0.1, after: 0.3 }),
      told({ kind: 'record', change: 'added', after: {} }),
      told({ kind: 'weakness', change: 'added', after: 'CWE-79' }),
      told({ kind: 'kev', change: 'added', after: { ...kevEntry, due_date: null, known_ransomware_use: false } }),
    ];
    assert.equal(
      describeWhat(changes),
      'Known exploited since 2021-12-10. EPSS rose from 10.0 % to 30.0 %. New in NVD. And 2 more changes.',
    );
  });

  it('texts of others cannot reorder or split the sentence', () => {
    const after = { title: `a\u202eb\r\nc${'d'.repeat(5000)}`, date_published: null };
    const text = describeWhat([told({ kind: 'exploit', field: 'EDB-1', after })]);
    assert.match(text, /^Public exploit EDB-1: ab cd+\.\.\.\.?$/);
    assert.ok(text.length < 250);
  });
});

describe('why it concerns the owner', () => {
  it('names the version, the rule and the fix', () => {
    assert.equal(
      describeWhy('CVE-2021-23337', LODASH, [decision({})], false),
      'lodash 4.17.20 is affected: 4.17.20 is before the fix in 4.17.21 (advisory GHSA-35jh-r3h4-6jhm), fixed in 4.17.21.',
    );
    const unknown = decision({ status: 'unknown', reason: 'no version range known', fixed_in: null });
    assert.equal(
      describeWhy('CVE-2021-23337', LODASH, [unknown], false),
      'Whether lodash 4.17.20 is affected is not known: no version range known.',
    );
    const gone = decision({ status: 'not_affected', reason: 'the CVE was rejected', fixed_in: null });
    assert.equal(
      describeWhy('CVE-2021-23337', LODASH, [gone], true),
      'lodash 4.17.20 is no longer affected: the CVE was rejected.',
    );
  });

  it('counts components', () => {
    const components: WatchSubject = { kind: 'components', components: [] };
    const decisions = [
      decision({}),
      decision({ name: 'lodash-es', version: '4.17.19' }),
      decision({ status: 'not_affected' }),
    ];
    assert.equal(
      describeWhy('CVE-2021-23337', components, decisions, false),
      '2 of 3 named components are affected: lodash 4.17.20 (fixed in 4.17.21), lodash-es 4.17.19 (fixed in 4.17.21).',
    );
  });

  it('says which vendor, and which search', () => {
    assert.equal(
      describeWhy('CVE-2021-44228', { kind: 'vendor', vendor: 'apache' }, [], false),
      'CVE-2021-44228 names a product of apache.',
    );
    assert.equal(
      describeWhy('CVE-2021-44228', { kind: 'search', filters: { kev: true, vendor: 'apache' } }, [], false),
      'CVE-2021-44228 matches the search kev true, vendor apache.',
    );
  });
});
