import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideAffected } from '../../../src/analysis/affected/decide-affected.ts';
import { type AffectedFacts, prepareRecord } from '../../../src/analysis/affected/match-record.ts';
import { createSubject } from '../../../src/analysis/affected/subject.ts';
import type { CveProduct, VersionRange } from '../../../src/analysis/cve/cve-facts.ts';
import { product as productRow } from '../../support/facts.ts';

const product = ({ cpe = null, ...fields }: Partial<CveProduct>): CveProduct => productRow(cpe, fields);

function record(source: 'nvd' | 'cvelist', products: CveProduct[]): AffectedFacts {
  return { source, products, configurations: [] };
}

function statusOf(vendor: string, name: string, version: string, records: readonly AffectedFacts[]): string {
  const subject = createSubject({ vendor, product: name, version });
  assert.ok(!('problem' in subject));
  const cve = { cve_id: 'CVE-2030-0001', rejected: false, advisories: [], vex: [] };
  return decideAffected({ ...cve, records: records.map(prepareRecord) }, subject).status;
}

/** Ranges of a CVE List record in Palo Alto's form; the NVD has only the first release of each branch. */
const PAN_OS = [
  record(
    'nvd',
    ['10.2.0', '11.0.0'].map((version) =>
      product({ cpe: `cpe:2.3:o:paloaltonetworks:pan-os:${version}:*:*:*:*:*:*:*` }),
    ),
  ),
  record(
    'cvelist',
    [
      ['10.2.0', '10.2.9-h1'],
      ['11.0.0', '11.0.4-h1'],
      ['11.1.0', '11.1.2-h3'],
    ].map(([start, end]) =>
      product({
        vendor: 'Palo Alto Networks',
        product: 'PAN-OS',
        ...({ start_including: start, end_excluding: end } as Partial<VersionRange>),
      }),
    ),
  ),
];

// CVE-2024-3400; the versions are those of Palo Alto's advisory.
for (const [version, status] of [
  ['10.2.0', 'affected'],
  ['10.2.9', 'affected'],
  ['10.2.9-h1', 'not_affected'],
  ['10.2.10', 'not_affected'],
  ['11.1.2-h2', 'affected'],
  ['11.1.2-h3', 'not_affected'],
  ['11.1.3', 'not_affected'],
  ['10.1.14', 'not_affected'],
] as const) {
  test(`PAN-OS ${version}: ${status}`, () => {
    // The plain vendor of the record is `Palo Alto Networks`, the CPE vendor `paloaltonetworks`.
    assert.equal(statusOf('paloaltonetworks', 'pan-os', version, PAN_OS), status);
  });
}

/** CVE-2023-34362 in the NVD, and as records before 2020 number MOVEit Transfer. */
const MOVEIT = record('nvd', [
  product({
    cpe: 'cpe:2.3:a:progress:moveit_transfer:*:*:*:*:*:*:*:*',
    start_including: '2023.0.0',
    end_excluding: '2023.0.2',
  }),
  product({ cpe: 'cpe:2.3:a:progress:moveit_transfer:*:*:*:*:*:*:*:*', end_including: '2020.1.6' }),
]);
const NUMBERED = record('nvd', [
  product({
    cpe: 'cpe:2.3:a:progress:moveit_transfer:*:*:*:*:*:*:*:*',
    start_including: '11.0',
    end_excluding: '11.0.2',
  }),
]);

// Progress names each release twice: MOVEit Transfer 2023.0.2 (15.0.2).
for (const [version, facts, status] of [
  ['15.0.1', MOVEIT, 'affected'],
  ['2023.0.1', MOVEIT, 'affected'],
  ['15.0.2', MOVEIT, 'not_affected'],
  ['2023.0.2', MOVEIT, 'not_affected'],
  ['12.1.6', MOVEIT, 'affected'],
  ['12.1.7', MOVEIT, 'not_affected'],
  ['2019.0.1', NUMBERED, 'affected'],
  ['2019.0.2', NUMBERED, 'not_affected'],
] as const) {
  test(`MOVEit Transfer ${version}: ${status}`, () => {
    assert.equal(statusOf('progress', 'moveit_transfer', version, [facts]), status);
  });
}

/** As a source converts "7.4.0 through 7.4.2, 7.2.0 through 7.2.6" (CVE-2024-21762): the first version of each release line is left. */
const FORTI_OS = [
  record(
    'nvd',
    ['6.0.0', '7.2.0', '7.4.0'].map((version) =>
      product({ cpe: `cpe:2.3:o:fortinet:fortios:${version}:*:*:*:*:*:*:*` }),
    ),
  ),
];

for (const [version, status, why] of [
  ['7.4.0', 'affected', 'it is named'],
  ['7.4.2', 'unknown', 'a later one of a named line: the vendor says that it is affected'],
  ['7.6.1', 'not_affected', 'another line'],
] as const) {
  test(`FortiOS ${version}, where only the first versions of release lines are named: ${status} (${why})`, () => {
    assert.equal(statusOf('fortinet', 'fortios', version, FORTI_OS), status);
  });
}

test('one named version, or several of a line, are what they say', () => {
  const named = (versions: string[]) => [
    record(
      'nvd',
      versions.map((version) => product({ cpe: `cpe:2.3:a:acme:shop:${version}:*:*:*:*:*:*:*` })),
    ),
  ];
  assert.equal(statusOf('acme', 'shop', '1.2.5', named(['1.2.0'])), 'not_affected');
  assert.equal(statusOf('acme', 'shop', '1.2.5', named(['1.1.0', '1.2.0', '1.2.1'])), 'not_affected');
});
