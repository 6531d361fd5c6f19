import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { assessCveRisk, type CveRiskInputs } from '../../../src/analysis/cve/cve-risk.ts';

const NOW = new Date('2025-09-01T12:00:00Z');

function inputs(given: Partial<CveRiskInputs>): CveRiskInputs {
  return {
    cvss: 0,
    epss_score: 0,
    in_kev: false,
    has_public_poc: false,
    published: '2020-01-01',
    now: NOW,
    ...given,
  };
}

/** Worked by hand from the specification: CVSS x 0.20 + EPSS x 0.35 + KEV x 0.30 + PoC x 0.15, each 0-100, then boosters. */
suite('hand-worked scores', () => {
  const cases: [what: string, given: Partial<CveRiskInputs>, score: number, label: string, boosters: string[]][] = [
    ['nothing', {}, 0, 'LOW', []],
    ['CVSS alone: 75 x 0.20', { cvss: 7.5 }, 15, 'LOW', []],
    ['EPSS alone: 40 x 0.35', { epss_score: 0.4 }, 14, 'LOW', []],
    ['known exploited alone: 100 x 0.30', { in_kev: true }, 30, 'LOW', []],
    ['a public exploit alone: 100 x 0.15', { has_public_poc: true }, 15, 'LOW', []],
    ['19.6 + 17.5 + 15', { cvss: 9.8, epss_score: 0.5, has_public_poc: true }, 52.1, 'MEDIUM', []],
    [
      '(10 + 3.5 + 30 + 15) x 1.15 = 67.275',
      { cvss: 5, epss_score: 0.1, in_kev: true, has_public_poc: true },
      67.3,
      'MEDIUM',
      ['kev_with_public_poc'],
    ],
    ['(18 + 24.85) x 1.10 = 47.135', { cvss: 9, epss_score: 0.71 }, 47.1, 'MEDIUM', ['critical_severity_high_epss']],
    ['EPSS must be over 0.7: 18 + 24.5', { cvss: 9, epss_score: 0.7 }, 42.5, 'MEDIUM', []],
    ['CVSS must reach 9: 17.8 + 31.5', { cvss: 8.9, epss_score: 0.9 }, 49.3, 'MEDIUM', []],
    [
      '(15 + 7) x 1.05 = 23.1',
      { cvss: 7.5, epss_score: 0.2, published: '2025-08-31T00:00:00Z' },
      23.1,
      'LOW',
      ['published_within_7_days'],
    ],
    [
      '(8 + 0.35 + 45) x 1.15 x 1.05 = 64.420125',
      { cvss: 4, epss_score: 0.01, in_kev: true, has_public_poc: true, published: '2025-08-30' },
      64.4,
      'MEDIUM',
      ['kev_with_public_poc', 'published_within_7_days'],
    ],
    [
      '(20 + 35 + 30) x 1.10 = 93.5',
      { cvss: 10, epss_score: 1, in_kev: true },
      93.5,
      'CRITICAL',
      ['critical_severity_high_epss'],
    ],
    [
      'Log4Shell: 99.1477 x 1.15 x 1.10 is clamped',
      { cvss: 10, epss_score: 0.94422, in_kev: true, has_public_poc: true },
      100,
      'CRITICAL',
      ['kev_with_public_poc', 'critical_severity_high_epss'],
    ],
    [
      'all three boosters',
      { cvss: 9, epss_score: 0.8, in_kev: true, has_public_poc: true, published: '2025-09-01' },
      100,
      'CRITICAL',
      ['kev_with_public_poc', 'critical_severity_high_epss', 'published_within_7_days'],
    ],
  ];
  for (const [what, given, score, label, boosters] of cases) {
    test(what, () => {
      const risk = assessCveRisk(inputs(given));
      assert.deepEqual([risk.score, risk.label, risk.boosters_applied], [score, label, boosters]);
      assert.deepEqual(risk.missing_inputs, []);
    });
  }
});

test('labels begin at 90, 70 and 40', () => {
  const at = (given: Partial<CveRiskInputs>) => assessCveRisk(inputs(given)).label;
  assert.equal(at({ cvss: 2.5, epss_score: 1, in_kev: true }), 'HIGH'); // 5 + 35 + 30 = 70
  assert.equal(at({ cvss: 2.4, epss_score: 1, in_kev: true }), 'MEDIUM'); // 69.8
  assert.equal(at({ cvss: 5, in_kev: true }), 'MEDIUM'); // 40
  assert.equal(at({ cvss: 4.9, in_kev: true }), 'LOW'); // 39.8
  assert.equal(at({ cvss: 8.5, epss_score: 0.9, in_kev: true, has_public_poc: true }), 'CRITICAL'); // 93.5 x 1.15
});

test('the breakdown holds what each input adds before boosters', () => {
  const { weighted_breakdown } = assessCveRisk(
    inputs({ cvss: 9.8, epss_score: 0.97565, in_kev: true, has_public_poc: true }),
  );
  assert.deepEqual(weighted_breakdown, { cvss: 19.6, epss: 34.15, kev: 30, poc: 15 });
});

test('published within seven days: to the moment, and not in the future', () => {
  const boosted = (published: string | null) => assessCveRisk(inputs({ published })).boosters_applied.length === 1;
  assert.equal(boosted('2025-08-25T12:00:00.000Z'), true);
  assert.equal(boosted('2025-08-25T11:59:59.999Z'), false);
  assert.equal(boosted('2025-09-01T12:00:00.001Z'), false);
  assert.equal(boosted('2025-08-26'), true);
  assert.equal(boosted(null), false);
  assert.equal(boosted('no time'), false);
});

suite('a missing input', () => {
  const all = { cvss: 9.8, epss_score: 0.9, in_kev: true, has_public_poc: true };
  for (const [name, rest] of [
    ['cvss_v3', 31.5 + 30 + 15],
    ['epss_score', 19.6 + 30 + 15],
    ['in_kev', 19.6 + 31.5 + 15],
    ['has_public_poc', 19.6 + 31.5 + 30],
  ] as const) {
    test(`${name} is named and counts as nothing`, () => {
      const risk = assessCveRisk(inputs({ ...all, [name === 'cvss_v3' ? 'cvss' : name]: null }));
      const factor = name === 'cvss_v3' || name === 'epss_score' ? 1.15 : 1.1;
      assert.equal(risk.score, Number((rest * factor).toFixed(1)));
      assert.deepEqual(risk.missing_inputs, [name]);
    });
  }

  test('all of them', () => {
    const risk = assessCveRisk(inputs({ cvss: null, epss_score: null, in_kev: null, has_public_poc: null }));
    assert.equal(risk.score, 0);
    assert.deepEqual(risk.missing_inputs, ['cvss_v3', 'epss_score', 'in_kev', 'has_public_poc']);
  });

  test('a score of zero and "not listed" are known, not missing', () => {
    assert.deepEqual(assessCveRisk(inputs({})).missing_inputs, []);
  });
});

suite('for any inputs', () => {
  const known = fc.record({
    cvss: fc.integer({ min: 0, max: 100 }).map((tenths) => tenths / 10),
    epss_score: fc.integer({ min: 0, max: 100_000 }).map((units) => units / 100_000),
    in_kev: fc.boolean(),
    has_public_poc: fc.boolean(),
    published: fc.constantFrom('2025-08-31', '2020-01-01', null),
    now: fc.constant(NOW),
  });

  test('the score is 0 to 100 with one decimal', () => {
    fc.assert(
      fc.property(known, (given) => {
        const { score } = assessCveRisk(given);
        assert.ok(score >= 0 && score <= 100);
        assert.equal(score, Number(score.toFixed(1)));
      }),
    );
  });

  test('with an input unknown the score is a lower bound indeed', () => {
    const names = ['cvss', 'epss_score', 'in_kev', 'has_public_poc'] as const;
    fc.assert(
      fc.property(known, fc.subarray([...names]), (given, unknown) => {
        const less = { ...given, ...Object.fromEntries(unknown.map((name) => [name, null])) };
        assert.ok(assessCveRisk(less).score <= assessCveRisk(given).score);
      }),
    );
  });
});
