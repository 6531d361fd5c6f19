import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  decideAffected,
  decideByKev,
  withoutYieldingAdvisories,
  type CveStatements,
} from '../../../src/analysis/affected/decide-affected.ts';
import { prepareRecord } from '../../../src/analysis/affected/match-record.ts';
import { createSubject, type Subject, type SubjectInput } from '../../../src/analysis/affected/subject.ts';
import type { VexStatement } from '../../../src/analysis/affected/vex-statement.ts';
import type { CpeConfiguration, CveProduct } from '../../../src/analysis/cve/cve-facts.ts';
import { createAffectedRange } from '../../../src/analysis/packages/affected-range.ts';
import type { PackageAdvisory } from '../../../src/analysis/packages/match-advisory.ts';

const ID = 'CVE-2021-44228';

function subject(input: SubjectInput): Subject {
  const made = createSubject(input);
  assert.ok(!('problem' in made), JSON.stringify(made));
  return made;
}

function product(fields: Partial<CveProduct>): CveProduct {
  return {
    cpe: null,
    vendor: null,
    product: null,
    version: null,
    ecosystem: null,
    start_including: null,
    start_excluding: null,
    end_including: null,
    end_excluding: null,
    vulnerable: true,
    ...fields,
  };
}

const cpe = (start: string, fields: Partial<CveProduct> = {}): CveProduct =>
  product({ cpe: `cpe:2.3:${start}${':*'.repeat(11 - start.split(':').length)}`, ...fields });

const or = (...products: number[]): CpeConfiguration['nodes'][number] => ({ operator: 'OR', negate: false, products });

function nvd(products: CveProduct[], configurations?: CpeConfiguration[]): CveStatements {
  const all = { operator: 'OR' as const, negate: false, nodes: [or(...products.keys())] };
  return statements({ records: [prepareRecord({ source: 'nvd', products, configurations: configurations ?? [all] })] });
}

function statements(fields: Partial<CveStatements>): CveStatements {
  return { cve_id: ID, rejected: false, records: [], advisories: [], vex: [], ...fields };
}

const decide = (cve: CveStatements, input: SubjectInput) => decideAffected(cve, subject(input));

describe('a package under a less certain CPE name', () => {
  const named = (fields: Partial<Subject> = {}): Subject => {
    const one = subject({ purl: 'pkg:pypi/protobuf@4.25.5' });
    const names = { tokens: ['protobuf'], vendor: 'google', part: 'a' as const, targetSoftware: null };
    return { ...one, names, ...fields };
  };
  const before28 = { end_excluding: '28.2' };

  test('is not the one of another ecosystem, by its target software', () => {
    const of = (target: string) =>
      decideAffected(nvd([cpe(`a:google:protobuf:*:*:*:*:*:${target}`, before28)]), named()).rule.kind;
    assert.deepEqual(['node.js', 'wordpress', 'rust', 'java'].map(of), ['none', 'none', 'none', 'none']);
    assert.deepEqual(['python', '*', '-', 'kubernetes'].map(of), Array(4).fill('configuration'));
  });

  test('that other languages share is not compared, and not asked where an advisory names their packages alone', () => {
    const record = nvd([cpe('a:google:protobuf', before28)]);
    assert.equal(decideAffected(record, named()).status, 'affected');
    const shared = decideAffected(record, named({ isSharedName: true }));
    assert.deepEqual([shared.status, shared.unknown, shared.fixed_in === null], ['unknown', 'numbering', false]);
    assert.match(shared.reason, /number their versions otherwise; affected: before 28\.2/);
    const advisory = (ecosystem: string) =>
      prepareRecord({ source: 'ghsa', products: [product({ product: 'x', ecosystem })], configurations: [] });
    const kindWith = (ecosystem: string) =>
      decideAffected({ ...record, records: [...record.records, advisory(ecosystem)] }, named({ isSharedName: true }))
        .rule.kind;
    assert.deepEqual([kindWith('maven'), kindWith('pip')], ['none', 'configuration']);
  });
});

describe('versions', () => {
  // As the NVD has it: 2.13.0 to before 2.15.0 (the first range of Log4Shell's configuration).
  const log4shell = nvd([cpe('a:apache:log4j', { start_including: '2.13.0', end_excluding: '2.15.0' })]);

  for (const [version, status] of [
    ['2.12.9', 'not_affected'],
    ['2.13.0', 'affected'],
    ['2.14.1', 'affected'],
    ['2.15.0-rc1', 'affected'],
    ['2.15.0', 'not_affected'],
  ] as const) {
    test(`${version}: ${status}`, () => {
      const found = decide(log4shell, { product: 'log4j', vendor: 'apache', version });
      assert.equal(found.status, status);
      assert.equal(found.rule.source, 'nvd');
      assert.match(
        found.rule.text,
        /configuration 1, node 1: cpe:2\.3:a:apache:log4j:.* from 2\.13\.0 and before 2\.15\.0/,
      );
      assert.equal(found.fixed_in, status === 'affected' ? '2.15.0' : null);
    });
  }

  test('no version, no version range and a version that cannot be compared are unknown, each with its cause', () => {
    assert.deepEqual(pick(decide(log4shell, { product: 'log4j' })), ['unknown', 'no_version']);
    assert.deepEqual(pick(decide(log4shell, { product: 'log4j', version: 'current' })), ['unknown', 'unreadable']);
    // CVE-2007-2627: the NVD names WordPress without a version.
    const sidebar = nvd([cpe('a:wordpress:wordpress')]);
    const found = decide(sidebar, { cpe: 'cpe:2.3:a:wordpress:wordpress:6.1.1:*:*:*:*:*:*:*' });
    assert.deepEqual(pick(found), ['unknown', 'no_range']);
    assert.equal(found.reason, 'named as affected, without its versions');
  });

  test('a product that no source names is unknown, and so is another vendor’s product of the same name', () => {
    assert.equal(decide(log4shell, { product: 'nginx', version: '1.18.0' }).rule.kind, 'none');
    assert.equal(decide(log4shell, { product: 'log4j', vendor: 'acme', version: '2.14.1' }).rule.kind, 'none');
  });

  test('a rejected CVE affects nothing', () => {
    const rejected = { ...log4shell, rejected: true };
    assert.equal(decide(rejected, { product: 'log4j', version: '2.14.1' }).status, 'not_affected');
  });
});

const pick = ({ status, unknown }: { status: string; unknown: string | null }) => [status, unknown];

describe('what a product runs on', () => {
  // An application that is vulnerable before 2.0, on Windows alone.
  const products = [cpe('a:acme:agent', { end_excluding: '2.0' }), cpe('o:microsoft:windows:-', { vulnerable: false })];
  const and = (negated = false): CpeConfiguration => ({
    operator: 'AND',
    negate: false,
    nodes: [or(0), { ...or(1), negate: negated }],
  });
  const onWindows = nvd(products, [and()]);
  const input = { vendor: 'acme', product: 'agent' };

  for (const [version, platform, status] of [
    ['1.9', undefined, 'unknown'],
    ['1.9', 'windows', 'affected'],
    ['1.9', 'Windows Server 2019', 'affected'],
    ['1.9', 'linux', 'not_affected'],
    ['1.9', 'cpe:2.3:o:debian:debian_linux:12:*:*:*:*:*:*:*', 'not_affected'],
    ['1.9', 'some_rtos', 'unknown'],
    ['2.0', undefined, 'not_affected'],
    ['2.0', 'windows', 'not_affected'],
    [undefined, 'windows', 'unknown'],
    [undefined, 'linux', 'not_affected'],
  ] as const) {
    test(`${version ?? 'no version'} on ${platform ?? 'an unknown platform'}: ${status}`, () => {
      assert.equal(decide(onWindows, { ...input, version, platform }).status, status);
    });
  }

  test('a negated node turns its platform around', () => {
    const notOnWindows = nvd(products, [and(true)]);
    assert.equal(decide(notOnWindows, { ...input, version: '1.9', platform: 'windows' }).status, 'not_affected');
    assert.equal(decide(notOnWindows, { ...input, version: '1.9', platform: 'linux' }).status, 'affected');
    assert.equal(decide(notOnWindows, { ...input, version: '1.9' }).status, 'unknown');
  });

  test('the platform itself is not affected by what runs on it', () => {
    assert.equal(decide(onWindows, { product: 'windows', version: '11' }).rule.kind, 'none');
  });

  test('firmware runs on the hardware that it is named after', () => {
    const firmware = nvd(
      [cpe('o:dlink:dir-823_firmware', { end_including: '1.0' }), cpe('h:dlink:dir-823:-', { vulnerable: false })],
      [and()],
    );
    assert.equal(decide(firmware, { product: 'dir-823_firmware', version: '1.0' }).status, 'affected');
  });

  test('an operating system as target software is a condition, too; another edition is one', () => {
    const android = nvd([product({ cpe: 'cpe:2.3:a:acme:app:*:*:*:*:*:android:*:*', end_excluding: '2' })]);
    assert.deepEqual(pick(decide(android, { product: 'app', version: '1' })), ['unknown', 'condition']);
    assert.equal(decide(android, { product: 'app', version: '1', platform: 'android' }).status, 'affected');
    assert.equal(decide(android, { product: 'app', version: '1', platform: 'windows' }).status, 'not_affected');
    const enterprise = nvd([product({ cpe: 'cpe:2.3:a:acme:app:*:*:*:*:enterprise:*:*:*', end_excluding: '2' })]);
    assert.deepEqual(pick(decide(enterprise, { product: 'app', version: '1' })), ['unknown', 'condition']);
    assert.equal(decide(enterprise, { product: 'app', version: '3' }).status, 'not_affected');
    const named = { cpe: 'cpe:2.3:a:acme:app:1:*:*:*:community:*:*:*' };
    assert.equal(decide(enterprise, named).status, 'not_affected');
  });
});

describe('sources that say different things', () => {
  const advisory = (fields: Partial<PackageAdvisory>): PackageAdvisory => ({
    id: 'GHSA-4jqc-8m5r-9rpr',
    source: 'ghsa',
    aliases: ['CVE-2021-23440'],
    title: null,
    severity: null,
    cvss_v3: null,
    published: null,
    spans: [],
    versions: [],
    ...fields,
  });
  // set-value: GitHub says fixed in 2.0.1 and 4.0.1, the NVD says before 4.0.1.
  const setValue = statements({
    cve_id: 'CVE-2021-23440',
    records: nvd([
      product({ cpe: 'cpe:2.3:a:set-value_project:set-value:*:*:*:*:*:node.js:*:*', end_excluding: '4.0.1' }),
    ]).records,
    advisories: [
      advisory({
        spans: [
          createAffectedRange({ end_excluding: '2.0.1', fixed: '2.0.1' }),
          createAffectedRange({ start_including: '3.0.0', end_excluding: '4.0.1', fixed: '4.0.1' }),
        ],
      }),
    ],
  });

  test('a CPE name yields to the advisories of the package', () => {
    const found = decide(setValue, { purl: 'pkg:npm/set-value@2.0.1' });
    assert.equal(found.status, 'not_affected');
    assert.equal(found.rule.source, 'ghsa');
    assert.equal(decide(setValue, { purl: 'pkg:npm/set-value@2.0.0' }).fixed_in, '2.0.1');
    assert.equal(decide(setValue, { purl: 'pkg:npm/set-value@3.0.2' }).fixed_in, '4.0.1');
  });

  test('an advisory withdrawn by its title does not count', () => {
    const withdrawn = { ...setValue, advisories: [advisory({ title: 'Withdrawn: not a flaw', versions: ['2.0.1'] })] };
    const found = decide(withdrawn, { purl: 'pkg:npm/set-value@2.0.1' });
    assert.equal(found.rule.source, 'nvd');
  });

  test('what the maker says of its product goes before both; of another version it says nothing', () => {
    const statement: VexStatement = {
      cve_id: 'CVE-2021-23440',
      source: 'vex',
      document: 'https://example.com/vex-1',
      author: 'Acme',
      status: 'not_affected',
      justification: 'component_not_present',
      note: null,
      purl: 'pkg:npm/set-value',
      vendor: null,
      product: null,
      affected: { ...createAffectedRange({}), versions: ['2.0.0'] },
      said_on: null,
    };
    const withVex = { ...setValue, vex: [statement] };
    const found = decide(withVex, { purl: 'pkg:npm/set-value@2.0.0' });
    assert.equal(found.status, 'not_affected');
    assert.equal(found.reason, 'not affected: component not present, says Acme');
    assert.deepEqual([found.rule.source, found.rule.kind], ['vex', 'vex']);
    assert.equal(decide(withVex, { purl: 'pkg:npm/set-value@1.0.0' }).status, 'affected');
  });

  test('a range decides before a record without one', () => {
    const records = [
      ...nvd([cpe('a:acme:app', { end_excluding: '2' })]).records,
      prepareRecord({
        source: 'cvelist',
        products: [product({ vendor: 'Acme Inc.', product: 'App' })],
        configurations: [],
      }),
    ];
    assert.equal(
      decide(statements({ records }), { vendor: 'acme', product: 'app', version: '3' }).status,
      'not_affected',
    );
    assert.equal(decide(statements({ records }), { vendor: 'acme', product: 'app', version: '1' }).status, 'affected');
    const [, plain] = records;
    const found = decide(statements({ records: [plain!] }), { vendor: 'acme', product: 'app', version: '1' });
    assert.deepEqual(pick(found), ['unknown', 'no_range']);
  });
});

describe('the advisory of one package and a product of several lines', () => {
  // CVE-2021-44228: log4j-core has no 1.x, the product Log4j has.
  const ghsa = prepareRecord({
    source: 'ghsa',
    products: [product({ product: 'org.apache.logging.log4j:log4j-core', ecosystem: 'maven', end_excluding: '2.3.1' })],
    configurations: [],
  });
  const ranges = prepareRecord({
    source: 'nvd',
    products: [cpe('a:apache:log4j', { start_including: '2.0.1', end_excluding: '2.3.1' })],
    configurations: [],
  });
  const noRange = prepareRecord({ source: 'nvd', products: [cpe('a:apache:log4j')], configurations: [] });
  const log4j = subject({ vendor: 'apache', product: 'log4j', version: '1.2.17' });

  test('ranges of the product decide', () => {
    assert.deepEqual(withoutYieldingAdvisories([ranges, ghsa], [log4j]), [ranges]);
    assert.deepEqual(withoutYieldingAdvisories([noRange, ghsa], [log4j]), [noRange, ghsa]);
    assert.deepEqual(withoutYieldingAdvisories([ghsa], [log4j]), [ghsa]);
  });

  test('of the package its advisory decides', () => {
    const core = subject({ purl: 'pkg:maven/org.apache.logging.log4j/log4j-core@2.3.0' });
    assert.deepEqual(withoutYieldingAdvisories([ranges, ghsa], [core]), [ranges, ghsa]);
  });
});

describe('what the known-exploited catalog alone ties to a product', () => {
  // CVE-2021-41773 in CISA's words.
  const kev = { vendor_project: 'Apache', product: 'HTTP Server' };
  const httpd = [subject({ vendor: 'apache', product: 'http_server', version: '2.4.49' })];

  test('is not known, for it names no version', () => {
    const decided = decideByKev([], kev, httpd);
    assert.deepEqual([decided?.status, decided?.rule.source], ['unknown', 'kev']);
  });

  test('is nothing for another product, and nothing where a record names products', () => {
    const other = [subject({ vendor: 'oracle', product: 'http_server', version: '12' })];
    assert.equal(decideByKev([], kev, other), null);
    const record = prepareRecord({ source: 'nvd', products: [cpe('a:apache:tomcat')], configurations: [] });
    assert.equal(decideByKev([record], kev, httpd), null);
    assert.equal(decideByKev([], null, httpd), null);
  });
});
