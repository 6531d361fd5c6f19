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

test('without decision points the score alone decides, and sets no day', () => {
  const action = actionOf({ risk_urgency: 'scheduled' });
  assert.deepEqual([action.urgency, action.deadline, action.rule], ['scheduled', null, 'risk_score']);
  assert.match(actionOf({ in_kev: null }).reason, /whether it is exploited is not known/);
});

test('a rejected CVE asks for nothing', () => {
  const action = actionOf({ ...KEV, rejected: true });
  assert.deepEqual([action.urgency, action.deadline, action.rule], ['none', null, 'rejected']);
});
