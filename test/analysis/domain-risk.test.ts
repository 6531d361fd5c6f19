import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assessDomainRisk, type OpenFinding, raiseRisk, type RiskSignals } from '../../src/analysis/domain-risk.ts';

const NOTHING: RiskSignals = {
  malware: { online: 0, listed: 0 },
  listedAddresses: [],
  vulnerabilities: { total: 0, exploited: 0 },
  ageDays: 5000,
  daysToExpiry: 200,
  status: [],
  tls: { grade: 'A', valid: true, daysRemaining: 60 },
  emailGrade: 'A',
  hasMail: true,
  nameServers: 2,
};
const open = (severity: OpenFinding['severity'], exploited = false): OpenFinding => ({
  title: `a ${severity} one`,
  severity,
  exploited,
});
const sum = ({ factors }: { factors: readonly { points: number }[] }): number =>
  factors.reduce((total, { points }) => total + points, 0);

describe('the risk of a domain', () => {
  for (const [what, findings, grade, factor] of [
    ['without findings', [], 'A', null],
    ['with what is of no weight', [open('LOW'), open('INFO'), open('UNKNOWN')], 'A', null],
    ['with a medium one', [open('LOW'), open('MEDIUM')], 'B', 'medium_finding'],
    ['with a high one', [open('MEDIUM'), open('HIGH')], 'C', 'high_finding'],
    ['with a critical one', [open('HIGH'), open('CRITICAL')], 'D', 'critical_finding'],
    ['with one known to be exploited, of any severity', [open('MEDIUM', true)], 'D', 'exploited_finding'],
  ] as const) {
    test(`${what} is ${grade}, and the cause is a factor`, () => {
      const risk = assessDomainRisk(NOTHING, findings);
      assert.equal(risk.grade, grade);
      assert.deepEqual(
        risk.factors.map(({ id }) => id),
        factor === null ? [] : [factor],
      );
      assert.equal(risk.score, sum(risk));
    });
  }

  test('what is worse by itself is not made better', () => {
    const risk = assessDomainRisk({ ...NOTHING, malware: { online: 2, listed: 2 } }, [open('CRITICAL')]);
    assert.deepEqual([risk.grade, risk.factors.map(({ id }) => id)], ['F', ['malware_online']]);
  });

  test('exploited vulnerabilities that an address may have are no low risk', () => {
    assert.equal(assessDomainRisk({ ...NOTHING, vulnerabilities: { total: 3, exploited: 1 } }).grade, 'C');
  });

  test('raised by further findings, it is as if all had been known at once; by milder ones, it stays', () => {
    const signals: RiskSignals = { ...NOTHING, emailGrade: 'F' };
    const first = assessDomainRisk(signals, [open('HIGH')]);
    const raised = raiseRisk(first, [open('CRITICAL'), open('HIGH')]);
    assert.deepEqual(raised.score, assessDomainRisk(signals, [open('HIGH'), open('CRITICAL')]).score);
    assert.deepEqual([raised.grade, raised.score], ['D', sum(raised)]);
    assert.equal(raised.factors.filter(({ id }) => id.endsWith('_finding')).length, 1);
    assert.deepEqual(raiseRisk(raised, [open('MEDIUM')]), raised);
    assert.deepEqual(raiseRisk(raised, []), raised);
  });
});
