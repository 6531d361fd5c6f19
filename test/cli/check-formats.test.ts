import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseXml } from '../../src/analysis/packages/parse-xml.ts';
import { githubAnnotations } from '../../src/operations/code/lib/report/github.ts';
import { markdownSummary } from '../../src/operations/code/lib/report/markdown.ts';
import {
  gitlabCodeQuality,
  gitlabDependencyScanning,
  gitlabSast,
} from '../../src/operations/code/lib/report/gitlab.ts';
import { junitXml } from '../../src/operations/code/lib/report/junit.ts';
import type { Problem } from '../../src/operations/code/lib/report/problem.ts';
import { cycloneDxVex } from '../../src/operations/code/lib/report/vex.ts';
import { upgradeCommand } from '../../src/operations/code/lib/upgrade-command.ts';
import { planUpgradeSteps } from '../../src/operations/code/lib/upgrade-steps.ts';
import { planUpgrades } from '../../src/cli/check/upgrade-plan.ts';
import { problem } from './check-problem.ts';

const suppression = { kind: 'external', reason: 'no message is logged', until: null, source: 'x' } as const;
const inCode = (of: Partial<Problem>) =>
  problem({ check: 'secrets', rule: 'aws_access_key_id', package: null, file: 'a.py', line: 3, column: 5, ...of });

describe('JUnit XML', () => {
  it('fails for what fails the command, and skips the rest with a reason', () => {
    const xml = junitXml({
      problems: [
        problem({ message: 'a < b & "c"\u0000\u001b' }),
        problem({ suppression }),
        problem({ known_before: true }),
        inCode({ severity: 'LOW' }),
      ],
      unread: [{ file: 'uv.lock', reason: 'it is no TOML' }],
      failOn: 'HIGH',
    });
    const [root] = parseXml(xml.replace(/^<\?.*\?>\n/, ''));
    assert.equal(root!.name, 'testsuites');
    assert.match(xml, /^<\?xml version="1\.0" encoding="UTF-8"\?>/);
    const suites = [
      ...xml.matchAll(/<testsuite name="([^"]*)" tests="(\d+)" failures="(\d+)" errors="(\d+)" skipped="(\d+)"/g),
    ];
    assert.deepEqual(
      suites.map(([, ...fields]) => fields),
      [
        ['sextant dependencies', '3', '1', '0', '2'],
        ['sextant secrets', '1', '0', '0', '1'],
        ['sextant not read', '1', '0', '1', '0'],
      ],
    );
    assert.match(xml, /<failure type="CRITICAL" message="a &lt; b &amp; &quot;c&quot;\ufffd\ufffd">/);
    assert.match(xml, /<skipped message="suppressed: no message is logged"\/>/);
    assert.match(xml, /<skipped message="known before"\/>/);
    assert.match(xml, /<skipped message="LOW, less severe than HIGH: /);
    assert.ok(!xml.includes('\u0000') && !xml.includes('\u001b'));
  });

  it('has a test where nothing was found', () => {
    assert.match(junitXml({ problems: [], unread: [], failOn: 'HIGH' }), /<testcase name="nothing was found"/);
  });
});

describe('workflow commands of GitHub Actions', () => {
  it('name the place, and hold no command of a text', () => {
    const lines = githubAnnotations([
      inCode({ file: 'a,b:c.py', message: '100%\n::error::x' }),
      problem({ suppression }),
    ]).split('\n');
    assert.deepEqual(lines, [
      '::error file=a%2Cb%3Ac.py,line=3,col=5,title=CRITICAL aws_access_key_id::100%25%0A::error::x Upgrade a to 2.0 or later.',
      '',
    ]);
  });

  it('are at most ten of each kind, the worst, and the rest is counted', () => {
    const many = [
      ...Array.from({ length: 12 }, (_, at) => inCode({ line: at + 1 })),
      ...Array.from({ length: 3 }, () => problem({ severity: 'MEDIUM' })),
    ];
    const lines = githubAnnotations(many).trimEnd().split('\n');
    assert.equal(lines.filter((line) => line.startsWith('::error ')).length, 10);
    assert.equal(lines.filter((line) => line.startsWith('::warning ')).length, 3);
    assert.match(lines.at(-1)!, /^2 findings more/);
  });
});

it('the summary in Markdown has the text of others as text', () => {
  const upgrades = [
    {
      package: 'qs',
      version: '6.5.1',
      ecosystem: 'npm',
      to: '6.5.3',
      fixes: 2,
      fixes_exploited: 1,
      remaining: 0,
      worst_severity: null,
      max_epss: null,
      jump: null,
    },
  ];
  const title = '<img src=x> | **bold** [a](javascript:b) `c`';
  const text = markdownSummary({
    problems: [problem({ message: title }), problem({ suppression })],
    upgrades,
    plan: planUpgradeSteps(
      upgrades.map((upgrade) => ({ upgrade, broughtBy: null, releasedWith: [] })),
      () => null,
    ),
    possible: [],
    data: [],
    notes: [],
    totals: ['1 finding.'],
  });
  assert.match(text, /^- qs 6\.5\.1 to \*\*6\.5\.3\*\*: fixes 2 of 2 findings, 1 of them known exploited$/m);
  const rows = text.split('\n').filter((line) => line.startsWith('| CRITICAL'));
  assert.equal(rows.length, 1);
  assert.match(rows[0]!, /&lt;img src=x\\> \\\| \\\*\\\*bold/);
  assert.match(rows[0]!, /\\\[a\\\]\\\(javascript:b\\\) \\`c\\`/);
});

describe('reports of GitLab', () => {
  const times = { start: new Date('2026-11-25T10:00:00.500Z'), end: new Date('2026-11-25T10:00:02Z') };
  const documents = [{ file: 'pom.xml', format: 'pom.xml', packages: [{ package: 'a', version: '1.0' }] }];
  const input = {
    problems: [problem({ aliases: ['GHSA-jfh8-c2jp-5v3q'] }), inCode({}), problem({ suppression })],
    unread: [],
    documents,
    ...times,
  };

  it('have what Code Quality reads', () => {
    assert.deepEqual(gitlabCodeQuality([inCode({}), problem({ known_before: true })]), [
      {
        description: 'a 1.0 has it. Upgrade a to 2.0 or later.',
        check_name: 'aws_access_key_id',
        fingerprint: 'Maven:a:CVE-2021-44228:pom.xml',
        severity: 'blocker',
        location: { path: 'a.py', lines: { begin: 3 } },
      },
    ]);
  });

  it('have the ids of a vulnerability and of a rule, and only what counts', () => {
    const idsOf = (report: object) =>
      (report as { vulnerabilities: { identifiers: { type: string; value: string }[] }[] }).vulnerabilities.map(
        ({ identifiers }) => identifiers.map(({ type, value }) => `${type} ${value}`),
      );
    assert.deepEqual(idsOf(gitlabDependencyScanning(input)), [['cve CVE-2021-44228', 'ghsa GHSA-jfh8-c2jp-5v3q']]);
    assert.deepEqual(idsOf(gitlabSast(input)), [['sextant_rule aws_access_key_id', 'cwe 798']]);
  });
});

const FINDING = {
  package: '@x/qs',
  version: '6.5.1',
  ecosystem: 'npm',
  cve_id: 'CVE-2022-24999',
  severity: 'HIGH',
  cvss_v3: 7.5,
  epss_score: null,
  in_kev: false,
  fixed_in: '6.5.3',
  remediation: 'Upgrade.',
  title: null,
  aliases: ['GHSA-hrpp-h998-j3pp'],
  matched_by: ['osv'],
  confidence: 'high',
  evidence: [],
  support: null,
} as const;
const finding = (of: object) =>
  ({ ...structuredClone(FINDING), released_with: [], ...of }) as unknown as Parameters<typeof planUpgrades>[0][number];

it('CycloneDX 1.6 has every package', () => {
  const other = { package: 'left-pad', version: '1.3.0', ecosystem: 'npm' };
  const undecided = [{ ...other, cve_id: 'CVE-2020-1', reason: 'no range' }];
  const answer = {
    findings: [finding({}), finding({ suppression: { reason: 'x' } })],
    possible: [],
    undecided,
    denied: [],
  };
  const bom = cycloneDxVex(answer, { id: 'urn:uuid:3e671687-395b-41f5-a30f-a58921a69b79', now: new Date(0) }, [
    { package: '@x/qs', version: '6.5.1', ecosystem: 'npm' },
    { package: 'once', version: '1.4.0', ecosystem: 'npm' },
  ]) as { components: { purl: string }[]; vulnerabilities: { analysis: { state: string } }[] };
  assert.deepEqual(
    bom.components.map(({ purl }) => purl),
    ['pkg:npm/%40x/qs@6.5.1', 'pkg:npm/once@1.4.0', 'pkg:npm/left-pad@1.3.0'],
  );
  assert.deepEqual(
    bom.vulnerabilities.map(({ analysis }) => analysis.state),
    ['exploitable', 'in_triage'],
    'one product, which one document does not suppress',
  );
});

describe('the plan of upgrades', () => {
  it('says what brings a package, and types the command where one is sure', () => {
    const documents = [
      { file: 'web/package-lock.json', format: 'package-lock.json', packages: 2, fault: null },
      { file: 'yarn.lock', format: 'yarn.lock', packages: 2, fault: null },
    ];
    const place = { line: null, scope: null };
    const plan = planUpgrades(
      [
        finding({ ...place, file: 'web/package-lock.json', brought_by: [] }),
        finding({ ...place, file: 'web/package-lock.json', brought_by: [], cve_id: 'CVE-2020-2', fixed_in: '6.5.2' }),
        finding({ ...place, file: 'yarn.lock', brought_by: ['express > body-parser > @x/qs', 'express > @x/qs'] }),
      ],
      documents,
    );
    assert.deepEqual(plan, [
      {
        package: '@x/qs',
        version: '6.5.1',
        ecosystem: 'npm',
        to: '6.5.3',
        fixes: 3,
        fixes_exploited: 0,
        remaining: 0,
        worst_severity: 'HIGH',
        max_epss: null,
        jump: null,
        places: [
          { file: 'web/package-lock.json', brought_by: [], released_with: [], command: 'npm install @x/qs@6.5.3' },
          { file: 'yarn.lock', brought_by: ['express'], released_with: [], command: null },
        ],
      },
    ]);
  });

  it('begins with what is known to be exploited, however little it is', () => {
    const qs = { brought_by: null, in_kev: false };
    const log4j = { brought_by: null, in_kev: true, package: 'log4j', fixed_in: '2.15.0' };
    const plan = planUpgrades([finding(qs), finding({ ...qs, cve_id: 'CVE-2020-2' }), finding(log4j)], []);
    assert.deepEqual(
      plan.map(({ package: name, fixes, fixes_exploited }) => [name, fixes, fixes_exploited]),
      [
        ['log4j', 1, 1],
        ['@x/qs', 2, 0],
      ],
    );
  });

  it('types what each package manager documents', () => {
    const upgrade = { package: 'a', version: '1.0.0', to: '1.2.0' };
    for (const [format, direct, brought] of [
      ['package-lock.json', 'npm install a@1.2.0', null],
      ['pnpm-lock.yaml', 'pnpm update a@1.2.0', null],
      ['uv.lock', 'uv lock --upgrade-package a==1.2.0', 'uv lock --upgrade-package a==1.2.0'],
      ['Cargo.lock', 'cargo update a@1.0.0 --precise 1.2.0', 'cargo update a@1.0.0 --precise 1.2.0'],
      ['go.mod', 'go get a@v1.2.0', 'go get a@v1.2.0'],
      ['composer.lock', 'composer require a:^1.2.0', null],
      ['packages.lock.json', 'dotnet add package a --version 1.2.0', 'dotnet add package a --version 1.2.0'],
      ['requirements.txt', null, null],
    ] as const) {
      assert.equal(upgradeCommand(upgrade, format, true), direct, format);
      assert.equal(upgradeCommand(upgrade, format, false), brought, format);
    }
  });

  it('types nothing that a shell would read otherwise', () => {
    for (const name of ['a; rm -rf .', '$(id)', '--registry=x', 'a b', '`id`'])
      assert.equal(upgradeCommand({ package: name, version: '1', to: '2' }, 'package-lock.json', true), null, name);
    assert.equal(upgradeCommand({ package: 'a', version: '1', to: '2;id' }, 'package-lock.json', true), null);
  });
});
