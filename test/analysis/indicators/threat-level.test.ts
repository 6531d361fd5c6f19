import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  addressRiskLabel,
  type AddressRiskSignals,
  assessAddressRisk,
} from '../../../src/analysis/indicators/address-risk.ts';
import { assessThreat, type Sighting } from '../../../src/analysis/indicators/threat-level.ts';

const now = new Date('2026-01-20T00:00:00Z');
const sighting = (more: Partial<Sighting>): Sighting => ({
  source: 'A',
  description: 'seen',
  weight: 100,
  lastSeen: '2026-01-19T00:00:00Z',
  isCurrent: false,
  isExactMatch: false,
  ...more,
});
const judged = (sightings: Sighting[], more: Partial<Parameters<typeof assessThreat>[1]> = {}) =>
  assessThreat(sightings, { now, complete: true, benign: null, warnings: [], ...more });

describe('threat level', () => {
  test('nothing seen is "none" only when all have answered', () => {
    const parts = { sources: [], agreement: 0 };
    assert.deepEqual(judged([]), { level: 'none', score: 0, reasons: [], parts });
    assert.deepEqual(judged([], { complete: false }), { level: 'unknown', score: null, reasons: [], parts: null });
  });

  // The weights of the docstring, worked out by hand: 100 up to 30 days, 80 to 90, 60 to a year, 40 to two, then 20.
  for (const [lastSeen, score, level] of [
    ['2026-01-01T00:00:00Z', 100, 'critical'],
    ['2025-12-01T00:00:00Z', 80, 'critical'],
    ['2025-06-01T00:00:00Z', 60, 'high'],
    ['2024-06-01T00:00:00Z', 40, 'medium'],
    ['2020-12-06T09:10:23Z', 20, 'low'],
    [null, 50, 'medium'],
    ['2027-01-01T00:00:00Z', 100, 'critical'],
  ] as const) {
    test(`last seen ${lastSeen}: ${level}`, () => {
      const { score: own, level: given } = judged([sighting({ lastSeen })]);
      assert.deepEqual([own, given], [score, level]);
    });
  }

  test('what holds now does not age', () =>
    assert.equal(judged([sighting({ lastSeen: '2019-01-01T00:00:00Z', isCurrent: true })]).score, 100));

  test('sources that agree add five each, one source counts once', () => {
    assert.equal(judged([sighting({ weight: 50 }), sighting({ source: 'B', weight: 40 })]).score, 55);
    assert.equal(judged([sighting({ weight: 50 }), sighting({ weight: 50 })]).score, 50);
    assert.equal(judged([sighting({ weight: 50 }), sighting({ source: 'B', weight: 10 })]).score, 50);
    assert.equal(judged([sighting({}), sighting({ source: 'B' })]).score, 100);
  });

  test('on well-known infrastructure it counts less and says so, unless it is about that very URL', () => {
    const benign = { kind: 'cdn', name: 'Example CDN' } as const;
    const lowered = judged([sighting({})], { benign });
    assert.deepEqual([lowered.score, lowered.level], [40, 'medium']);
    assert.match(lowered.reasons.at(-1)!, /Example CDN .* false alarm/);
    assert.equal(judged([sighting({ isExactMatch: true })], { benign }).score, 100);
    assert.match(judged([], { benign }).reasons[0]!, /Example CDN/);
  });

  const warning = {
    name: 'Top sites',
    description: '',
    category: 'false_positive',
    as_of: null,
    value: 'a.example',
  } as const;
  test('in a warning list it counts less, by what the list says', () => {
    // docs/threat-levels.md, rule 3: 0.4 and 0.8, the lowest counts.
    const known = { ...warning, category: 'known', name: 'Clouds' } as const;
    assert.equal(judged([sighting({})], { warnings: [known] }).score, 80);
    assert.equal(judged([sighting({})], { warnings: [known, warning] }).score, 40);
    assert.equal(judged([sighting({ isExactMatch: true })], { warnings: [warning] }).score, 100);
    const { reasons } = judged([sighting({})], { warnings: [known, warning, warning] });
    assert.match(reasons[1]!, /"Top sites" and 1 more: .* false alarm/);
    assert.match(reasons[2]!, /"Clouds": many share it/);
  });
  test('a warning about the very hash lowers an entry about that hash', () => {
    const empty = { ...warning, value: 'd41d8cd98f00b204e9800998ecf8427e' };
    assert.equal(judged([sighting({ isExactMatch: true })], { warnings: [empty] }).score, 40);
  });

  test('the parts of the score are told, and make it', () => {
    const { score, parts } = judged(
      [
        sighting({ source: 'A', weight: 90, lastSeen: '2025-12-01T00:00:00Z' }),
        sighting({ source: 'A', weight: 10, isCurrent: true }),
        sighting({ source: 'B', weight: 50, isCurrent: true }),
      ],
      { warnings: [{ ...warning, category: 'known' }] },
    );
    // 90 × 0.8 (50 days) × 0.8, and 5 for B, whose 50 × 0.8 are at least 20.
    assert.deepEqual(parts, {
      sources: [
        { source: 'A', weight: 90, age_days: 50, age_factor: 0.8, warning_factor: 0.8, points: 57.6 },
        { source: 'B', weight: 50, age_days: null, age_factor: 1, warning_factor: 0.8, points: 40 },
      ],
      agreement: 5,
    });
    assert.equal(score, 63);
  });

  test('the strongest reason stands first', () => {
    const { reasons } = judged([sighting({ source: 'Weak', weight: 30 }), sighting({ source: 'Strong', weight: 90 })]);
    assert.deepEqual(
      reasons.map((reason) => reason.split(':')[0]),
      ['Strong', 'Weak'],
    );
    assert.match(reasons[0]!, /last seen 2026-01-19 \(90 of 100\)/);
  });
});

const NO_THREAT: AddressRiskSignals['threat'] = { level: 'none', score: 0, reasons: [] };
const BOTNET: AddressRiskSignals['threat'] = {
  level: 'critical',
  score: 95,
  reasons: ['Feodo Tracker: a botnet server'],
};

describe('risk of an address', () => {
  const quiet: AddressRiskSignals = {
    worstSeverity: null,
    unratedCount: 0,
    exploitedCount: 0,
    ports: [80, 443],
    tags: [],
    threat: NO_THREAT,
  };
  const risk = (more: Partial<AddressRiskSignals>) => assessAddressRisk({ ...quiet, ...more });
  test('a web server without anything against it has none', () =>
    assert.deepEqual(risk({}), { score: 0, factors: [] }));
  test('the score is the sum of its factors, at most 100', () => {
    const { score, factors } = risk({
      worstSeverity: 'CRITICAL',
      exploitedCount: 2,
      ports: [23, 3389, 6379],
      threat: BOTNET,
    });
    assert.deepEqual(
      factors.map(({ id, points }) => [id, points]),
      [
        ['threat_sources', 95],
        ['known_exploited', 40],
        ['vulnerable', 35],
        ['exposed_service', 20],
      ],
    );
    assert.equal(score, 100);
    assert.match(factors.at(-1)!.reason, /Telnet \(23\), RDP \(3389\), Redis \(6379\)/);
  });
  test('vulnerabilities that nobody rated here count as middling ones', () => {
    assert.equal(risk({ unratedCount: 3 }).score, risk({ worstSeverity: 'MEDIUM' }).score);
    assert.equal(risk({ worstSeverity: 'LOW', unratedCount: 3 }).score, risk({ worstSeverity: 'LOW' }).score);
  });
  test('each fact alone adds to it', () => {
    for (const more of [{ threat: BOTNET }, { tags: ['c2'] }, { tags: ['eol-os'] }, { exploitedCount: 1 }]) {
      const { score, factors } = risk(more);
      assert.equal(factors.length, 1);
      assert.equal(score, factors[0]!.points);
      assert.ok(score > 0);
    }
    assert.equal(risk({ threat: { level: 'unknown', score: null, reasons: [] } }).score, 0);
  });
  test('the label is never milder than the threat level', () => {
    assert.equal(addressRiskLabel(85, 'critical'), 'CRITICAL');
    assert.equal(addressRiskLabel(95, 'low'), 'CRITICAL');
    assert.equal(addressRiskLabel(null, 'critical'), 'UNKNOWN');
  });
  test('labels by the scale of all risk labels', () => {
    const labels = [90, 89, 70, 69, 40, 39, 0, null].map((score) => addressRiskLabel(score, 'none'));
    assert.deepEqual(labels, ['CRITICAL', 'HIGH', 'HIGH', 'MEDIUM', 'MEDIUM', 'LOW', 'LOW', 'UNKNOWN']);
  });
});
