import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { csafFeed } from '../../src/feeds/vex/csaf.ts';
import { CsafDocument, statementsOf as statementsOfCsaf } from '../../src/feeds/vex/csaf-advisory.ts';
import { OpenVexDocument, statementsOf } from '../../src/feeds/vex/openvex.ts';
import { vexFeed } from '../../src/feeds/vex/vex.ts';
import { sharedPath } from '../support/shared.ts';
import { parseFeed } from './parse-feed.ts';

// The example of the OpenVEX specification, with a second product.
const OPENVEX = {
  '@context': 'https://openvex.dev/ns/v0.2.0',
  '@id': 'https://openvex.dev/docs/example/vex-9fb3463de1b57',
  author: 'Wolfi J Inkinson',
  timestamp: '2023-01-08T18:02:03.647787998-06:00',
  version: 1,
  statements: [
    {
      vulnerability: { name: 'CVE-2023-12345', aliases: ['GHSA-aaaa-bbbb-cccc'] },
      products: [
        { '@id': 'pkg:apk/wolfi/git@2.39.0-r1?arch=armv7' },
        { '@id': 'pkg:apk/wolfi/git@2.39.0-r2' },
        { '@id': 'pkg:oci/git?repository_url=example.com%2Fgit' },
      ],
      status: 'not_affected',
      justification: 'component_not_present',
    },
    { vulnerability: { name: 'GHSA-aaaa-bbbb-cccc' }, products: [{ '@id': 'pkg:npm/a' }], status: 'fixed' },
    { vulnerability: { name: 'CVE-2023-12345' }, products: [], status: 'nonsense' },
  ],
};

test('OpenVEX: one statement for each product, with its versions', () => {
  const skipped: string[] = [];
  const found = statementsOf(OpenVexDocument.parse(OPENVEX), (why) => skipped.push(why));
  assert.deepEqual(
    found.map(({ cve_id, purl, affected }) => [cve_id, purl, affected?.versions ?? null]),
    [
      ['CVE-2023-12345', 'pkg:apk/wolfi/git', ['2.39.0-r1', '2.39.0-r2']],
      ['CVE-2023-12345', 'pkg:oci/git?repository_url=example.com/git', null],
    ],
  );
  assert.equal(skipped.length, 1);
});

test('OpenVEX: a statement is of its own day, else of that of the document, in UTC', () => {
  const [product, other] = OPENVEX.statements[0]!.products.map((one) => ({
    ...OPENVEX.statements[0]!,
    products: [one],
  }));
  const document = { ...OPENVEX, statements: [product, { ...other, timestamp: '2023-02-01T00:00:00Z' }] };
  const days = (of: object) => statementsOf(OpenVexDocument.parse(of), assert.fail).map(({ said_on }) => said_on);
  assert.deepEqual(days({ ...document, statements: [product] }), ['2023-01-09']);
  // Both are about one package: the newer day counts.
  assert.deepEqual(days(document), ['2023-02-01']);
  assert.deepEqual(days({ ...document, timestamp: null, statements: [product] }), [null]);
});

function csaf(branches: object[], statuses: object) {
  return CsafDocument.parse({
    document: {
      category: 'csaf_vex',
      publisher: { name: 'Example Company' },
      tracking: { id: '2022-EVD-1', current_release_date: '2022-03-03T11:00:00Z' },
    },
    product_tree: { branches: [{ category: 'vendor', name: 'Example Company', branches }] },
    vulnerabilities: [
      {
        cve: 'CVE-2021-44228',
        product_status: statuses,
        flags: [{ label: 'component_not_present', product_ids: ['P1'] }],
      },
    ],
  });
}

const productOf = (name: string, category: string, version: string, product_id: string) => ({
  category: 'product_name',
  name,
  branches: [{ category, name: version, product: { name: `${name} ${version}`, product_id } }],
});

test('CSAF: vendor, product and version are read from the branches; ranges in both spellings', () => {
  const document = csaf(
    [
      productOf('ABC', 'product_version', '4.2', 'P1'),
      productOf('DEF', 'product_version_range', 'vers:all/>=V1.0|<V2.4', 'P2'),
      productOf('GHI', 'product_version_range', 'vers:all/*', 'P3'),
      productOf('JKL', 'product_version_range', '<=the_first_5', 'P4'),
    ],
    { known_not_affected: ['P1'], known_affected: ['P2', 'P3', 'P4', 'unknown'] },
  );
  assert.deepEqual(new Set(statementsOfCsaf(document).map(({ said_on }) => said_on)), new Set(['2022-03-03']));
  assert.deepEqual(
    statementsOfCsaf(document).map(({ status, justification, product, affected }) => [
      status,
      justification,
      product,
      affected && [affected.start_including, affected.end_excluding, affected.end_including, affected.versions],
    ]),
    [
      ['not_affected', 'component_not_present', 'ABC', [null, null, null, ['4.2']]],
      ['affected', null, 'DEF', ['1.0', '2.4', null, []]],
      ['affected', null, 'GHI', null],
      ['affected', null, 'JKL', [null, null, 'the_first_5', []]],
    ],
  );
});

const vexArchive = sharedPath('feeds', 'vex', 'vexhub-main.tar.gz');
const csafArchive = sharedPath('feeds', 'csaf', 'CSAF-develop.zip');

describe('the archives', { skip: (vexArchive === null || csafArchive === null) && 'no feeds' }, () => {
  // Its index has 57 packages.
  test('VEX Hub: nothing is skipped, and Rancher says that RKE2 does not have CVE-2020-8911', async () => {
    const { entries, told } = await parseFeed(vexFeed, readFileSync(vexArchive!), { name: 'vexhub-main.tar.gz' });
    assert.deepEqual(told.skipped, []);
    assert.equal(new Set(entries.map(({ purl }) => purl)).size, 57);
    const rke2 = entries.find(
      ({ cve_id, purl }) => cve_id === 'CVE-2020-8911' && purl === 'pkg:golang/github.com/rancher/rke2',
    );
    assert.equal(rke2?.author, 'Rancher Security team');
    assert.equal(rke2.status, 'not_affected');
    assert.equal(rke2.justification, 'vulnerable_code_not_present');
    assert.equal(rke2.said_on, '2026-03-18');
  });

  test('CISA: 300 advisories, and what ICSA-19-274-01 says of VxWorks', async () => {
    const { entries, told } = await parseFeed(csafFeed, readFileSync(csafArchive!), { name: 'CSAF-develop.zip' });
    assert.deepEqual(told.skipped, []);
    const urgent = entries.filter(({ cve_id, product }) => cve_id === 'CVE-2019-12256' && product === 'VxWorks');
    assert.ok(urgent.some(({ status, affected }) => status === 'affected' && affected?.start_including === '6.5'));
    assert.equal(told.asOf?.slice(0, 10), '2024-10-24');
  });
});
