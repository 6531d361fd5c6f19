import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ActionInputs, decideAction } from '../../../src/analysis/cve/remediation-action.ts';

const actionOf = (given: Partial<ActionInputs>) =>
  decideAction({
    rejected: false,
    in_kev: false,
    exposed: null,
    automatable: null,
    technical_impact: null,
    kev_date_added: null,
    kev_due_date: null,
    published: '2025-01-10T12:00:00Z',
    ssvc_decision: null,
    risk_urgency: 'routine',
    ...given,
  });
const KEV = { in_kev: true, kev_date_added: '2023-10-18', kev_due_date: '2023-11-08' } as const;

test('a known-exploited CVE is at least urgent, by its due date at the latest', () => {
  // CVE-2023-4966 with nothing known but its entry: the directive gives 14 days from the day it was added.
  const { urgency, deadline, rule } = actionOf(KEV);
  assert.deepEqual([urgency, deadline, rule], ['urgent', '2023-11-01', 'cisa_bod_26_04']);
  const sooner = actionOf({ ...KEV, kev_due_date: '2023-10-25' });
  assert.deepEqual([sooner.urgency, sooner.deadline, sooner.rule], ['urgent', '2023-10-25', 'kev_due_date']);
});

test('automatable, total impact and known exploited: three days, wherever it stands', () => {
  const action = actionOf({ ...KEV, automatable: 'yes', technical_impact: 'total' });
  assert.deepEqual([action.urgency, action.deadline], ['immediate', '2023-10-21']);
  assert.match(action.reason, /forensic/);
});

test('an exposure that is not known gives the latest deadline and names the earlier one', () => {
  const points = { automatable: 'yes', technical_impact: 'total' } as const;
  const unknown = actionOf(points);
  assert.deepEqual([unknown.urgency, unknown.deadline, unknown.exposed], ['scheduled', '2025-03-11', null]);
  assert.match(unknown.reason, /within 3 days if exposed to the internet/);
  const exposed = actionOf({ ...points, exposed: true });
  assert.deepEqual([exposed.urgency, exposed.deadline, exposed.exposed], ['immediate', '2025-01-13', true]);
});

test('the deadline is never after the due date of the catalog, whichever rule is stricter', () => {
  // Entries of the catalog: ProxyLogon and Zerologon were due by emergency directives before the catalog began, ToolShell on the next day.
  const entries = [
    ['2021-11-03', '2021-04-16'],
    ['2021-11-03', '2020-09-21'],
    ['2025-07-20', '2025-07-21'],
  ] as const;
  for (const [kev_date_added, kev_due_date] of entries) {
    const points = { automatable: 'yes', technical_impact: 'total' } as const;
    const action = actionOf({ in_kev: true, kev_date_added, kev_due_date, ...points });
    assert.deepEqual([action.urgency, action.deadline, action.rule], ['immediate', kev_due_date, 'kev_due_date']);
    assert.match(action.reason, /^Known to be exploited since .* CISA BOD 26-04: within 3 days/);
  }
});

test('a score that asks for more than the rules leaves their deadline', () => {
  // Heartbleed: added 2022-05-04, due 2022-05-25; automatable, partial impact: 14 days where it is not exposed.
  const heartbleed = { in_kev: true, kev_date_added: '2022-05-04', kev_due_date: '2022-05-25' } as const;
  const action = actionOf({
    ...heartbleed,
    automatable: 'yes',
    technical_impact: 'partial',
    risk_urgency: 'immediate',
  });
  assert.deepEqual([action.urgency, action.deadline, action.rule], ['immediate', '2022-05-18', 'cisa_bod_26_04']);
  assert.match(
    action.reason,
    /^Its risk score makes it immediate\. CISA BOD 26-04: within 14 days.*sets 2022-05-25\.$/,
  );
});

test('without decision points the score alone decides, and sets no day', () => {
  const action = actionOf({ risk_urgency: 'scheduled' });
  assert.deepEqual([action.urgency, action.deadline, action.rule], ['scheduled', null, 'risk_score']);
  assert.match(actionOf({ in_kev: null }).reason, /whether it is exploited is not known/);
});

test('a rejected CVE asks for nothing', () => {
  const action = actionOf({ ...KEV, rejected: true });
  assert.deepEqual([action.urgency, action.deadline, action.rule], ['none', null, 'rejected']);
});

test('an SSVC decision that differs from the rules is reconciled in the reason', () => {
  // CVE-2022-3602: not known exploited, so "track" by CISA's coordinator table, but three days by BOD 26-04 where it is exposed.
  const exposed = { exposed: true, automatable: 'yes', technical_impact: 'total', ssvc_decision: 'track' } as const;
  const action = actionOf(exposed);
  assert.equal(action.urgency, 'immediate');
  assert.match(action.reason, /SSVC's "track" is milder, .* the stricter rule holds\.$/);
  assert.doesNotMatch(actionOf({ ...exposed, ssvc_decision: 'act' }).reason, /SSVC/);
  assert.match(actionOf({ ssvc_decision: 'attend' }).reason, /SSVC's "attend" is stricter/);
  assert.doesNotMatch(
    actionOf({ ssvc_decision: 'track', automatable: 'no', technical_impact: 'partial', exposed: false }).reason,
    /SSVC/,
  );
  assert.doesNotMatch(actionOf({ risk_urgency: 'scheduled' }).reason, /SSVC/);
});

test('without any score how soon is not known, unless a rule of CISA says it', () => {
  const nothing = actionOf({ risk_urgency: 'unknown' });
  assert.deepEqual([nothing.urgency, nothing.deadline, nothing.rule], ['unknown', null, 'risk_score']);
  assert.match(nothing.reason, /not known/);
  assert.equal(actionOf({ ...KEV, risk_urgency: 'unknown' }).urgency, 'urgent');
  const assessed = { automatable: 'no', technical_impact: 'partial', exposed: false, risk_urgency: 'unknown' } as const;
  assert.equal(actionOf(assessed).urgency, 'routine');
});
