import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  compareSeverities,
  selectSeverity,
  leadingAssessment,
  type SourcedAssessment,
  severityOfAssessment,
} from '../../../src/analysis/cve/select-severity.ts';

const NVD = 'nvd@nist.gov';
const CNA = 'psirt@example.com';
const CISA = 'CISA-ADP';

function assessed(
  version: SourcedAssessment['version'],
  score: number | null,
  scorer: string,
  more: Partial<SourcedAssessment> = {},
): SourcedAssessment {
  return {
    version,
    vector: `vector of ${scorer}`,
    base_score: score,
    base_severity: null,
    scorer,
    primary: false,
    source: 'nvd',
    ...more,
  };
}

suite('whose assessment stands for a CVE', () => {
  const cases: [
    what: string,
    metrics: SourcedAssessment[],
    severity: string | null,
    scorer: string | null,
    version: string | null,
  ][] = [
    ['nobody scored', [], null, null, null],
    ['only its CNA', [assessed('3.1', 7.5, CNA, { primary: true })], 'HIGH', CNA, '3.1'],
    ['only another than NVD and CNA', [assessed('3.1', 5.3, CISA)], 'MEDIUM', CISA, '3.1'],
    ['only v4.0', [assessed('4.0', 9.3, CNA)], 'CRITICAL', CNA, '4.0'],
    ['only v2.0', [assessed('2.0', 10, NVD)], 'HIGH', NVD, '2.0'],
    [
      'the NVD before the CNA',
      [assessed('3.1', 9.8, CNA, { primary: true }), assessed('3.1', 6.5, NVD)],
      'MEDIUM',
      NVD,
      '3.1',
    ],
    [
      'the CNA before others',
      [assessed('3.1', 9.8, CISA), assessed('3.1', 6.5, CNA, { primary: true })],
      'MEDIUM',
      CNA,
      '3.1',
    ],
    [
      'v3.1 before v3.0 of the same scorer',
      [assessed('3.0', 9.8, NVD), assessed('3.1', 6.5, NVD)],
      'MEDIUM',
      NVD,
      '3.1',
    ],
    [
      "the NVD's v3.0 before a CNA's v3.1",
      [assessed('3.1', 9.8, CNA), assessed('3.0', 6.5, NVD)],
      'MEDIUM',
      NVD,
      '3.0',
    ],
    ['v3 before v4.0', [assessed('4.0', 9.3, CNA), assessed('3.1', 6.5, CISA)], 'MEDIUM', CISA, '3.1'],
    ['v4.0 before v2.0', [assessed('2.0', 10, NVD), assessed('4.0', 5.1, CNA)], 'MEDIUM', CNA, '4.0'],
    ['a 0.0 that nobody gainsays', [assessed('3.1', 0, NVD)], null, NVD, '3.1'],
  ];
  for (const [what, metrics, severity, scorer, version] of cases) {
    test(what, () => {
      const { severity: judged, basis } = selectSeverity(metrics);
      assert.deepEqual([judged, basis?.scorer ?? null, basis?.version ?? null], [severity, scorer, version]);
    });
  }

  test('a 0.0 under one version does not take away the severity under another (CVE-2024-9124)', () => {
    const judged = selectSeverity([assessed('4.0', 8.2, CNA), assessed('3.1', 0, CISA)]);
    assert.deepEqual([judged.severity, judged.basis?.scorer], ['HIGH', CNA]);
  });

  test('within the versions asked for', () => {
    const metrics = [assessed('2.0', 10, NVD), assessed('3.1', 6.5, CNA)];
    assert.equal(leadingAssessment(metrics, ['2.0'])?.base_score, 10);
    assert.equal(leadingAssessment(metrics, ['3.1', '3.0'])?.base_score, 6.5);
    assert.equal(leadingAssessment(metrics, ['4.0']), null);
  });
});

test('the severity as published, else by the rating scale of its version', () => {
  // FIRST: CVSS v3.1 section 5, v4.0 section 6. NVD for v2.0: https://nvd.nist.gov/vuln-metrics/cvss
  const scale: [SourcedAssessment['version'], number, string | null][] = [
    ['3.1', 0, null],
    ['3.1', 0.1, 'LOW'],
    ['3.0', 3.9, 'LOW'],
    ['3.1', 4, 'MEDIUM'],
    ['3.1', 6.9, 'MEDIUM'],
    ['3.1', 7, 'HIGH'],
    ['3.1', 8.9, 'HIGH'],
    ['4.0', 9, 'CRITICAL'],
    ['2.0', 0.1, 'LOW'],
    ['2.0', 3.9, 'LOW'],
    ['2.0', 4, 'MEDIUM'],
    ['2.0', 6.9, 'MEDIUM'],
    ['2.0', 7, 'HIGH'],
    ['2.0', 10, 'HIGH'],
  ];
  for (const [version, score, severity] of scale) {
    assert.equal(severityOfAssessment(assessed(version, score, NVD)), severity, `${version} ${score}`);
  }
  assert.equal(severityOfAssessment(assessed('3.1', 9.8, NVD, { base_severity: 'LOW' })), 'LOW');
  assert.equal(severityOfAssessment(assessed('3.1', null, NVD)), null);
});

test("NVD's scale of v2.0 begins with LOW at 0.0", () => {
  assert.equal(severityOfAssessment(assessed('2.0', 0, NVD)), 'LOW');
});

suite('do the scorers agree', () => {
  test('one, or several that say the same', () => {
    assert.deepEqual(compareSeverities([assessed('3.1', 7.5, NVD)]), { consensus: 'HIGH', disagreement: false });
    assert.deepEqual(compareSeverities([assessed('3.1', 7.5, NVD), assessed('3.0', 8.8, CNA)]), {
      consensus: 'HIGH',
      disagreement: false,
    });
  });

  test('nobody', () => {
    assert.deepEqual(compareSeverities([]), { consensus: null, disagreement: false });
  });

  test('different ones', () => {
    assert.deepEqual(compareSeverities([assessed('3.1', 7.5, NVD), assessed('3.1', 9.8, CNA)]), {
      consensus: null,
      disagreement: true,
    });
  });

  test('v2.0, which has no CRITICAL, is no voice beside a newer version', () => {
    assert.deepEqual(compareSeverities([assessed('2.0', 10, NVD), assessed('3.1', 9.8, NVD)]), {
      consensus: 'CRITICAL',
      disagreement: false,
    });
    assert.deepEqual(compareSeverities([assessed('2.0', 10, NVD), assessed('2.0', 5, CNA)]), {
      consensus: null,
      disagreement: true,
    });
  });

  test('NONE is an opinion too', () => {
    const metrics = [assessed('3.1', 0, CISA), assessed('3.1', 5.3, CNA)];
    assert.deepEqual(compareSeverities(metrics), { consensus: null, disagreement: true });
  });
});
