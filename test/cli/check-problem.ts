import type { Problem } from '../../src/operations/code/lib/report/problem.ts';

/** A finding of a package, with other fields where they are given. */
export function problem(of: Partial<Problem> = {}): Problem {
  return {
    check: 'dependencies',
    rule: 'CVE-2021-44228',
    aliases: [],
    title: 'Names in messages are looked up',
    severity: 'CRITICAL',
    file: 'pom.xml',
    line: null,
    column: null,
    length: null,
    package: { name: 'a', version: '1.0', ecosystem: 'Maven' },
    message: 'a 1.0 has it.',
    remediation: 'Upgrade a to 2.0 or later.',
    score: 10,
    fingerprint: 'Maven:a:CVE-2021-44228:pom.xml',
    suppression: null,
    known_before: null,
    ...of,
  };
}
