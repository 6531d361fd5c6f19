import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parsePackagePattern } from '../../src/cli/check/package-pattern.ts';
import { applySuppressions, findInlineSuppressions, readSuppressionFile } from '../../src/cli/check/suppressions.ts';
import { CliError } from '../../src/exit-codes.ts';
import { CHECK_NAMES } from '../../src/operations/code/lib/report/problem.ts';
import { problem } from './check-problem.ts';
import { project } from './check-project.ts';

const TODAY: Parameters<typeof applySuppressions>[2] = { today: '2026-11-25', checks: CHECK_NAMES, isWholeTree: true };
const FILE = '.sextant-suppressions.yaml';
const inCode = (line: number, rule = 'sql_injection') =>
  problem({ check: 'injection', rule, package: null, file: 'a.py', line });

describe('a suppression in a comment', () => {
  const of = (text: string) => findInlineSuppressions('a.py', text);
  const isSuppressed = (text: string, line: number, rule?: string): boolean =>
    applySuppressions([inCode(line, rule)], of(text).suppressions, TODAY).problems[0]!.suppression !== null;

  it('beside code is about its line, alone about the next one', () => {
    assert.equal(isSuppressed('run(x)  # sextant-ignore sql_injection: a constant', 1), true);
    assert.equal(isSuppressed('run(x)  # sextant-ignore sql_injection: a constant', 2), false);
    assert.equal(isSuppressed('\n  // sextant-ignore sql_injection: a constant\nrun(x)', 3), true);
    assert.equal(isSuppressed('// sextant-ignore sql_injection: a constant\n\nrun(x)', 3), false);
  });

  it('is read in the comments of many languages, for several rules, with a day', () => {
    const words = 'sextant-ignore sql_injection, aws_access_key_id: made up for a test until 2027-01-31';
    for (const line of [
      `# ${words}`,
      `// ${words}`,
      `/* ${words} */`,
      `<!-- ${words} -->`,
      `-- ${words}`,
      `; ${words}`,
      `% ${words}`,
    ]) {
      const { suppressions, faults } = of(line);
      assert.deepEqual(faults, [], line);
      const [{ rules, reason, until }] = suppressions as [(typeof suppressions)[0]];
      assert.deepEqual(
        [rules, reason, until],
        [['sql_injection', 'aws_access_key_id'], 'made up for a test', '2027-01-31'],
        line,
      );
    }
  });

  it('that is malformed does not count, and what is right is said', () => {
    for (const [text, fault] of [
      ['# sextant-ignore', /write sextant-ignore <rule-id>.*: <reason>/],
      ['# sextant-ignore sql_injection', /<reason>/],
      ['# sextant-ignore sql_injection:', /<reason>/],
      ['# sextant-ignore sql_injecton: a constant', /no rule "sql_injecton"/],
      ['# sextant-ignore sql_injection: a constant until 2027-02-30', /no day of the form YYYY-MM-DD/],
      ['# sextant-ignore sql_injection: a constant until 31.1.2027', /no day of the form YYYY-MM-DD/],
    ] as const) {
      const { suppressions, faults } = of(text);
      assert.deepEqual(suppressions, [], text);
      assert.match(faults[0]!.reason, fault, text);
      assert.match(faults[0]!.reason, /^line 1: /);
    }
    assert.deepEqual(of('the word sextant-ignore in a text').faults, []);
  });
});

describe('.sextant-suppressions.yaml', () => {
  const of = (text: string) => readSuppressionFile(project({ [FILE]: text }));

  it('names rules, packages and paths', () => {
    const suppressions = of(`suppressions:
  - rule: [CVE-2021-44228, GHSA-jfh8-c2jp-5v3q]
    package: pkg:maven/org.example/a@<2.0
    path: /legacy/
    reason: no message is logged
`);
    const named = { name: 'org.example:a', version: '1.5', ecosystem: 'Maven' };
    const judged = (of: Parameters<typeof problem>[0]) =>
      applySuppressions([problem({ package: named, file: 'legacy/pom.xml', ...of })], suppressions, TODAY).problems[0]!
        .suppression;
    assert.deepEqual(judged({}), {
      kind: 'external',
      reason: 'no message is logged',
      until: null,
      source: `${FILE}, entry 1`,
    });
    assert.notEqual(judged({ rule: 'CVE-2021-45046', aliases: ['GHSA-jfh8-c2jp-5v3q'] }), null, 'by another id');
    assert.equal(judged({ rule: 'CVE-2021-45046' }), null);
    assert.equal(judged({ package: { ...named, version: '2.0' } }), null);
    assert.equal(judged({ package: { ...named, ecosystem: 'npm' } }), null);
    assert.equal(judged({ file: 'pom.xml' }), null);
    assert.deepEqual(readSuppressionFile(project({})), []);
  });

  it('that is malformed is refused, and what is right is said', () => {
    const entry = (fields: string) => `suppressions:\n  - {${fields}}\n`;
    for (const [text, message] of [
      ['suppressions: [', /is no YAML/],
      ['- rule: CVE-2021-44228', /a list "suppressions"/],
      [entry('rule: CVE-2021-44228'), /entry 1, reason: .*"reason"/],
      [entry('rule: CVE-2021-44228, reason: " "'), /entry 1, reason/],
      [entry('rule: log4shell, reason: a'), /entry 1: there is no rule "log4shell"/],
      [entry('rule: CVE-2021-44228, reason: a, until: tomorrow'), /until "tomorrow" is no day/],
      [entry('rule: CVE-2021-44228, reason: a, package: "qs@^6"'), /package "qs@\^6" is not understood/],
      [entry('rule: CVE-2021-44228, reason: a, expires: 2027-01-01'), /expires/],
    ] as const) {
      assert.throws(
        () => of(text),
        (error) => error instanceof CliError && error.exit === 'usage' && message.test(error.message),
        text,
      );
    }
  });
});

describe('suppressions', () => {
  const until = (day: string) =>
    findInlineSuppressions('a.py', `# sextant-ignore sql_injection: a constant until ${day}`).suppressions;

  it('hold through their last day, and count no longer after it', () => {
    const [kept] = applySuppressions([inCode(2)], until('2026-11-25'), TODAY).problems;
    assert.equal(kept!.suppression?.until, '2026-11-25');
    const { problems, notes } = applySuppressions([inCode(2)], until('2026-11-24'), TODAY);
    assert.equal(problems[0]!.suppression, null);
    assert.deepEqual(notes, [
      'the suppression of sql_injection in a.py:1 expired on 2026-11-24: its findings count again',
    ]);
  });

  it('that no finding needs are named, if their check has run', () => {
    const notesOf = (given: Partial<typeof TODAY>) =>
      applySuppressions([], until('2027-01-01'), { ...TODAY, ...given }).notes;
    assert.deepEqual(notesOf({}), ['the suppression of sql_injection in a.py:1 is about no finding: remove it']);
    assert.deepEqual(notesOf({ checks: ['secrets'] }), []);
  });
});

describe('a package in a suppression', () => {
  it('is one by name or package URL, in versions that the order of its ecosystem compares', () => {
    const matches = (pattern: string, name: string, version: string, ecosystem: string | null) =>
      parsePackagePattern(pattern)?.({ name, version, ecosystem });
    assert.equal(matches('qs', 'qs', '6.5.1', 'npm'), true);
    assert.equal(matches('qs@6.5.1', 'qs', '6.5.2', 'npm'), false);
    assert.equal(matches('qs@>=6.5.0 <6.5.3', 'qs', '6.5.10', 'npm'), false, 'not as text');
    assert.equal(matches('qs@>= 6.5.0, < 6.5.3', 'qs', '6.5.2', 'npm'), true);
    assert.equal(matches('@babel/core', '@babel/core', '7.0.0', 'npm'), true);
    assert.equal(matches('@babel/core@7.0.0', '@babel/core', '7.0.0', 'npm'), true);
    assert.equal(matches('pkg:npm/%40babel/core@<8', '@babel/core', '7.0.0', 'npm'), true);
    assert.equal(matches('Zope_Interface', 'zope.interface', '5', 'PyPI'), true, 'PEP 503');
    assert.equal(matches('a@<1.0', 'a', '1.0rc1', 'PyPI'), true, 'PEP 440');
    for (const wrong of ['', 'qs@', 'qs@^6', 'qs@latest', 'pkg:nothing', 'a b'])
      assert.equal(parsePackagePattern(wrong), null, wrong);
  });
});
