import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { cycloneDxSbom } from '../../scripts/package/sbom.ts';
import { parseXml } from '../../src/analysis/packages/parse-xml.ts';
import type { XmlElement } from '../../src/analysis/xml.ts';
import {
  gitlabCodeQuality,
  gitlabDependencyScanning,
  gitlabSast,
} from '../../src/operations/code/lib/report/gitlab.ts';
import { junitXml } from '../../src/operations/code/lib/report/junit.ts';
import type { Problem } from '../../src/operations/code/lib/report/problem.ts';
import { sarifLog } from '../../src/operations/code/lib/report/sarif.ts';
import { cycloneDxVex, openVexDocument } from '../../src/operations/code/lib/report/vex.ts';
import { problem } from '../../test/cli/check-problem.ts';
import { GITLAB_CODE_QUALITY, GITLAB_DEPENDENCY_SCANNING, GITLAB_SAST, JUNIT, OPENVEX } from './rules.ts';

const readJson = (path: string): object => JSON.parse(readFileSync(path, 'utf8')) as object;

/** RFC 3986: only these characters, and `%` only before two hexadecimal digits. */
const URI_CHARACTERS = /^(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[\da-fA-F]{2})*$/;
const isUriReference = (text: string): boolean => URI_CHARACTERS.test(text) && URL.canParse(text, 'https://a.example/');
const isUri = (text: string): boolean =>
  URI_CHARACTERS.test(text) && /^[a-z][a-z\d+.-]*:/i.test(text) && URL.canParse(text);
const ajv = new Ajv({
  strict: false,
  allErrors: true,
  // A pattern in the schema of SARIF is valid without it only.
  unicodeRegExp: false,
  formats: {
    uri: isUri,
    'uri-reference': isUriReference,
    'iri-reference': isUriReference,
    'date-time': (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(text),
    'idn-email': true,
  },
});

/** The schema of SARIF is of draft 4, whose keywords here are those of draft 7 but for `id`. */
function sarifSchema(): object {
  const {
    id: _id,
    $schema: _schema,
    ...schema
  } = readJson(join(import.meta.dirname, 'sarif-2.1.0-rtm.5.json')) as Record<string, unknown>;
  return schema;
}

function cycloneDxSchema(): object {
  const main = createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json');
  const load = (name: string): object => readJson(join(dirname(main), 'res/schema', name));
  for (const name of ['spdx.SNAPSHOT.schema.json', 'jsf-0.82.SNAPSHOT.schema.json'])
    ajv.addSchema({ ...load(name), $id: `http://cyclonedx.org/schema/${name}` });
  return load('bom-1.6.SNAPSHOT.schema.json');
}

const validators = {
  sarif: ajv.compile(sarifSchema()),
  cyclonedx: ajv.compile(cycloneDxSchema()),
  openvex: ajv.compile(OPENVEX),
  'gitlab-sast': ajv.compile(GITLAB_SAST),
  'gitlab-dependency-scanning': ajv.compile(GITLAB_DEPENDENCY_SCANNING),
  'gitlab-code-quality': ajv.compile(GITLAB_CODE_QUALITY),
};

/** What is wrong with a document, after it was written and read. */
function faultsOf(format: keyof typeof validators, document: unknown): unknown[] {
  const isValid = validators[format];
  return isValid(JSON.parse(JSON.stringify(document))) ? [] : (isValid.errors ?? []);
}

function junitFaults(xml: string): string[] {
  const faults: string[] = [];
  // XML 1.0, section 2.2; an ampersand begins an entity.
  if (/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(xml))
    faults.push('a character that XML does not allow');
  if (/&(?!(?:amp|lt|gt|quot|apos);)/.test(xml)) faults.push('an ampersand alone');
  const visit = ({ name, attributes, elements, ownText }: XmlElement, allowed: readonly string[]): void => {
    const rule = JUNIT[name];
    if (rule === undefined || !allowed.includes(name)) return void faults.push(`<${name}> where it does not belong`);
    const given = Object.keys(attributes);
    faults.push(
      ...rule.required.filter((one) => !given.includes(one)).map((one) => `<${name}> lacks ${one}`),
      ...given
        .filter((one) => ![...rule.required, ...rule.optional].includes(one))
        .map((one) => `<${name}> has ${one}`),
      ...(ownText !== '' && rule.hasText !== true ? [`text in <${name}>`] : []),
    );
    if (name === 'testsuite') {
      const casesWith = (outcome: string): number =>
        elements.filter((one) => one.elements.some((child) => child.name === outcome)).length;
      const counts = [elements.length, casesWith('failure'), casesWith('error'), casesWith('skipped')];
      const said = ['tests', 'failures', 'errors', 'skipped'].map((one) => Number(attributes[one]));
      if (counts.join() !== said.join()) faults.push(`${said.join()} is said, ${counts.join()} is there`);
    }
    for (const child of elements) visit(child, rule.children);
  };
  const [root, ...others] = parseXml(xml.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, ''));
  if (root === undefined || others.length > 0) return ['not one root'];
  visit(root, ['testsuites']);
  return faults;
}

const TIMES = { start: new Date('2026-11-25T10:00:00.500Z'), end: new Date('2026-11-25T10:00:02Z') };
const VEX = { id: 'urn:uuid:3e671687-395b-41f5-a30f-a58921a69b79', now: TIMES.end };

interface Case {
  file: string;
  text: string;
  name: string;
  line: number | null;
}

/** Problems of every kind with these names and texts. Names of files are relative. */
function problemsOf({ file, text, name, line }: Case): Problem[] {
  const common = { file, message: text, title: text, remediation: text, line, column: line };
  const suppression = { kind: 'inSource', reason: text, until: null, source: `${file}:1` } as const;
  const inPackage = { ...common, package: { name, version: text, ecosystem: 'npm' }, aliases: ['GHSA-jfh8-c2jp-5v3q'] };
  return [
    problem({ ...inPackage }),
    problem({ ...inPackage, rule: 'PYSEC-2025-1', severity: 'UNKNOWN', score: null, aliases: [] }),
    problem({ ...common, check: 'secrets', rule: 'aws_access_key_id', package: null }),
    problem({ ...common, check: 'injection', rule: 'sql_injection', package: null, severity: 'LOW', suppression }),
    problem({ ...common, check: 'secrets', rule: 'private_key', package: null, known_before: true }),
  ];
}

/** Faults of all reports on these problems, by format. */
function allFaults(one: Case): Record<string, unknown[]> {
  const problems = problemsOf(one);
  const unread = [{ file: one.file, reason: one.text }];
  const packages = [{ package: one.name, version: one.text, ecosystem: 'npm' }];
  const input = { problems, unread, documents: [{ file: one.file, format: 'package-lock.json', packages }], ...TIMES };
  const finding = {
    ...packages[0]!,
    cve_id: 'CVE-2022-24999',
    aliases: ['CVE-2022-24999', 'GHSA-hrpp-h998-j3pp'],
    cvss_v3: 7.5,
    severity: 'HIGH',
    remediation: one.text,
  };
  const row = { ...packages[0]!, reason: one.text };
  const answer = {
    findings: [finding, { ...finding, cve_id: 'CVE-2022-2', ecosystem: null, suppression: { reason: one.text } }],
    undecided: [{ ...row, cve_id: 'CVE-2022-3' }],
    denied: [{ ...row, cve_id: 'CVE-2022-4' }],
    possible: [],
  } as unknown as Parameters<typeof openVexDocument>[0];
  const faults = {
    sarif: faultsOf('sarif', sarifLog({ problems, notes: [one.text], unread }, 1)),
    cyclonedx: faultsOf('cyclonedx', cycloneDxVex(answer, VEX, packages)),
    openvex: faultsOf('openvex', openVexDocument(answer, VEX)),
    'gitlab-sast': faultsOf('gitlab-sast', gitlabSast(input)),
    'gitlab-dependency-scanning': faultsOf('gitlab-dependency-scanning', gitlabDependencyScanning(input)),
    'gitlab-code-quality': faultsOf('gitlab-code-quality', gitlabCodeQuality(problems)),
    junit: junitFaults(junitXml({ problems, unread, failOn: 'HIGH' })),
  };
  return Object.fromEntries(Object.entries(faults).filter(([, of]) => of.length > 0));
}

const HOSTILE = [
  'src/a b.py',
  'a%2fb#c?d=e&f.py',
  '../../etc/passwd',
  'C:\\work\\a.py',
  'http://evil.example/x',
  'a//evil.example/x.py',
  '"><script>alert(1)</script>]]>&amp;&#0;<!--',
  'line\nbreak\r\u2028\t\u0000\u001b[31m\u0007',
  '\u202egnp.exe \ud83d\ude00 \u00fc \ufffe\uffff',
  'a lone \ud800 surrogate',
  '::error file=a::b %0A | `c` [d](javascript:e)',
  "'; drop table findings; --",
  'x'.repeat(20_000),
  ' ',
];

describe('reports pass the schemas of their formats', () => {
  it('the schemas notice what is wrong', () => {
    const log = sarifLog({
      problems: problemsOf({ file: 'a.py', text: 'b', name: 'c', line: 1 }),
      notes: [],
      unread: [],
    });
    assert.equal(faultsOf('sarif', log).length, 0);
    assert.notEqual(faultsOf('sarif', { ...log, more: 1 }).length, 0);
    assert.notEqual(
      faultsOf('sarif', JSON.parse(JSON.stringify(log).replace('"uri":"a.py"', '"uri":"a b.py"'))).length,
      0,
    );
    assert.notEqual(faultsOf('cyclonedx', { bomFormat: 'CycloneDX', specVersion: '1.6', components: [{}] }).length, 0);
    assert.notEqual(faultsOf('openvex', {}).length, 0);
    assert.notEqual(
      junitFaults('<testsuites><testsuite name="a" tests="1" failures="0" errors="0"/></testsuites>').length,
      0,
    );
    assert.notEqual(junitFaults('<testsuites><testcase name="a"/></testsuites>').length, 0);
  });

  it('with usual names', () => {
    assert.deepEqual(allFaults({ file: 'src/a.py', text: 'It is bad.', name: '@x/qs', line: 3 }), {});
    assert.deepEqual(allFaults({ file: 'go.sum', text: '1.0.0', name: 'qs', line: null }), {});
  });

  it('with nothing to report', () => {
    const nothing = { problems: [], unread: [], documents: [], ...TIMES };
    const answer = { findings: [], undecided: [], denied: [], possible: [] } as unknown as Parameters<
      typeof openVexDocument
    >[0];
    assert.deepEqual(faultsOf('sarif', sarifLog({ problems: [], notes: [], unread: [] }, 0)), []);
    assert.deepEqual(faultsOf('cyclonedx', cycloneDxVex(answer, VEX)), []);
    assert.deepEqual(faultsOf('openvex', openVexDocument(answer, VEX)), []);
    assert.deepEqual(faultsOf('gitlab-sast', gitlabSast(nothing)), []);
    assert.deepEqual(faultsOf('gitlab-dependency-scanning', gitlabDependencyScanning(nothing)), []);
    assert.deepEqual(junitFaults(junitXml({ problems: [], unread: [], failOn: 'HIGH' })), []);
  });

  it('of the packages in a release', () => {
    assert.deepEqual(faultsOf('cyclonedx', cycloneDxSbom(new Set(['node_modules/fastify', 'node_modules/pg']))), []);
  });

  for (const hostile of HOSTILE)
    it(`with ${JSON.stringify(hostile.slice(0, 40))} as the name of a file and a package, and as a text`, () => {
      assert.deepEqual(allFaults({ file: hostile, text: hostile, name: hostile, line: 1 }), {});
    });

  it('with any names and texts', () => {
    const anyText = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 });
    const anyCase = fc.record({
      file: anyText.filter((text) => !/^(?:\.\/|\/)/.test(text)),
      text: anyText,
      name: anyText,
      line: fc.option(fc.integer({ min: 1, max: 1e6 }), { nil: null }),
    });
    fc.assert(
      fc.property(anyCase, (one) => assert.deepEqual(allFaults(one), {})),
      { numRuns: 150 },
    );
  });
});
