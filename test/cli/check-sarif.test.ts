import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sortWithUniqueFingerprints, type Problem } from '../../src/operations/code/lib/report/problem.ts';
import { sarifLog } from '../../src/operations/code/lib/report/sarif.ts';
import { problem } from './check-problem.ts';

function runOf(problems: Problem[]) {
  const log = sarifLog({ problems, notes: [], unread: [] }, 1) as {
    runs: [{ tool: { driver: { rules: Rule[] } }; results: { partialFingerprints: Record<string, string> }[] }];
  };
  return log.runs[0];
}

interface Rule {
  shortDescription: { text: string };
  help: { text: string };
  properties: Record<string, string>;
}

test('the score of a rule is the CVSS score of its flaw, not the middle of a band', () => {
  const rules = runOf([
    problem({}),
    problem({ rule: 'CVE-2020-1', severity: 'MEDIUM', score: 4.3 }),
    problem({ rule: 'GHSA-x', severity: 'HIGH', score: null }),
  ]).tool.driver.rules;
  assert.deepEqual(
    rules.map(({ properties }) => properties['security-severity']),
    ['10.0', '4.3', '8.0'],
  );
});

test('the text of a rule does not depend on which of its findings stands first', () => {
  const one = problem({
    check: 'injection',
    rule: 'sql_injection',
    title: 'name (line 3) reaches execute.',
    file: 'a.py',
  });
  const other = problem({
    check: 'injection',
    rule: 'sql_injection',
    title: 'id (line 9) reaches query.',
    file: 'b.py',
  });
  const textsOf = (problems: Problem[]) =>
    runOf(problems).tool.driver.rules.map(({ shortDescription, help }) => [shortDescription.text, help.text]);
  assert.deepEqual(textsOf([one, other]), textsOf([other, one]));
});

test('fingerprints are of one result each, and stay when lines move and other findings come', () => {
  const twice = [3, 9].map((line) =>
    problem({ check: 'secrets', rule: 'password', file: 'a.py', line, fingerprint: 'password:a.py:k9****' }),
  );
  const fingerprints = (problems: Problem[]): string[] =>
    runOf(sortWithUniqueFingerprints(problems)).results.map(
      ({ partialFingerprints }) => partialFingerprints['sextant/v1']!,
    );
  const before = fingerprints(twice);
  assert.equal(new Set(before).size, 2);
  const moved = twice.map((one) => ({ ...one, line: one.line! + 5 })).toReversed();
  assert.deepEqual(fingerprints(moved), before);
  assert.deepEqual(fingerprints([problem({}), ...twice]).slice(0, 2), before);
});

test('what is suppressed stays in the log, with the reason and where it stands', () => {
  const suppression = {
    kind: 'inSource',
    reason: 'the table is a constant',
    until: '2027-01-31',
    source: 'a.py:3',
  } as const;
  const [one, other] = runOf([problem({ suppression }), problem({ rule: 'CVE-2020-1', known_before: true })])
    .results as object[];
  assert.deepEqual((one as { suppressions: object[] }).suppressions, [
    {
      kind: 'inSource',
      status: 'accepted',
      justification: 'the table is a constant',
      properties: { source: 'a.py:3', until: '2027-01-31' },
    },
  ]);
  assert.ok(!('suppressions' in other!));
  assert.equal((other as { baselineState: string }).baselineState, 'unchanged');
});
