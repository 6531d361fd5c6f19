import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sortWithUniqueFingerprints, type Problem } from '../../src/operations/code/lib/report/problem.ts';
import { sarifLog } from '../../src/operations/code/lib/report/sarif.ts';

function problem(of: Partial<Problem>): Problem {
  return {
    check: 'dependencies',
    rule: 'CVE-2021-44228',
    title: 'Names in messages are looked up',
    severity: 'CRITICAL',
    file: 'pom.xml',
    line: null,
    message: 'a 1.0 has it.',
    remediation: 'Upgrade a to 2.0 or later.',
    score: 10,
    fingerprint: 'Maven:a:CVE-2021-44228:pom.xml',
    ...of,
  };
}

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
