import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { test } from 'node:test';
import type { CveFacts, CveProduct } from '../../../src/analysis/cve/cve-facts.ts';
import { cvelistFeed } from '../../../src/feeds/cvelist/cvelist.ts';
import { FeedFormatError } from '../../../src/feeds/feed.ts';
import { sharedPath } from '../../support/shared.ts';
import { parseFeed } from '../parse-feed.ts';
import { zipOf } from '../zip-of.ts';

const real = sharedPath('feeds', 'cvelistV5', '2024-10-24_delta_CVEs_at_2200Z.zip');

function row(product: CveProduct): string {
  const name = product.cpe ?? `${product.vendor}/${product.product}`;
  const start = product.start_including ?? product.start_excluding ?? '';
  const end = product.end_including ?? product.end_excluding ?? '';
  return `${name} ${product.version ?? `${start}..${end}`}`;
}

test('the real delta is read', { skip: real === null && 'no feeds' }, async () => {
  const { entries, told } = await parseFeed(cvelistFeed, real!, { name: basename(real!) });
  const byId = new Map(entries.map((facts) => [facts.cve_id, facts]));
  assert.equal(entries.length, 1500);
  assert.equal(byId.size, 1500);
  assert.deepEqual(told.skipped, []);
  assert.equal(told.asOf, '2024-10-24T22:00:00.000Z');
  for (const facts of entries) {
    for (const time of [facts.published, facts.modified]) assert.match(time ?? '', /^2024-10-\d\dT[\d:.]+Z$/);
    assert.ok(facts.description !== null && facts.description !== '');
  }

  // CVE-2024-20481, compared by hand with the record.
  const cisco = byId.get('CVE-2024-20481')!;
  const { products, description, ...rest } = cisco;
  assert.match(description ?? '', /^A vulnerability in the Remote Access VPN \(RAVPN\) service of Cisco/);
  assert.deepEqual(rest, {
    cve_id: 'CVE-2024-20481',
    source: 'cvelist',
    status: 'PUBLISHED',
    rejected: false,
    published: '2024-10-23T17:51:38.649Z',
    modified: '2024-10-24T16:20:23.198Z',
    title: null,
    assigner: 'cisco',
    tags: [],
    metrics: [
      {
        version: '3.1',
        vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:N/I:N/A:L',
        base_score: 5.8,
        base_severity: 'MEDIUM',
        scorer: 'cisco',
        primary: true,
      },
    ],
    ssvc: {
      exploitation: 'active',
      automatable: 'yes',
      technical_impact: 'partial',
      source: 'CISA-ADP',
      at: '2024-10-24T14:25:32.911Z',
    },
    weaknesses: [{ cwe_id: 'CWE-772', source: 'cisco' }],
    references: [
      {
        url: 'https://sec.cloudapps.cisco.com/security/center/content/CiscoSecurityAdvisory/cisco-sa-asaftd-bf-dos-vDZhLqrW',
        tags: [],
        source: 'cisco',
      },
    ],
    configurations: [],
  } satisfies Omit<CveFacts, 'products' | 'description'>);
  // The CNA lists 199 versions of ASA and 90 of FTD by name, CISA 287 of them as CPE names: each version is one row.
  const ofProduct = (name: string) => products.filter(({ cpe }) => cpe?.split(':')[4] === name).length;
  assert.equal(ofProduct('adaptive_security_appliance_software'), 199);
  assert.equal(ofProduct('firepower_threat_defense_software'), 88);
  assert.equal(products.length, 199 + 90);
  const plain = products.filter((product) => product.cpe === null);
  assert.deepEqual(
    plain.map(({ product }) => product),
    Array(2).fill('Cisco Firepower Threat Defense Software'),
  );
  assert.ok(products.every((product) => product.vulnerable && product.end_excluding === null));

  const bitdefender = byId.get('CVE-2023-49567')!;
  assert.deepEqual(bitdefender.products.map(row), [
    'cpe:2.3:a:bitdefender:total_security:*:*:*:*:*:*:*:* ..27.0.25.115',
  ]);

  const forti = byId.get('CVE-2024-47575')!;
  assert.deepEqual(forti.products.map(row).slice(0, 2), [
    'cpe:2.3:o:fortinet:fortimanager:7.6.0:*:*:*:*:*:*:* ..',
    'cpe:2.3:o:fortinet:fortimanager:*:*:*:*:*:*:*:* 7.4.0..7.4.4',
  ]);
  assert.deepEqual(
    byId.get('CVE-2021-4447')?.products.map(row).at(-1),
    'cpe:2.3:a:wpdeveloper:essential_addons_for_elementor:*:*:*:*:*:wordpress:*:* ..4.6.4',
  );
  assert.deepEqual(byId.get('CVE-2024-38365')?.products.map(row), ['btcsuite/btcd 0.10.0..0.24.2']);

  const scored = entries.flatMap((facts) => facts.metrics);
  const count = (version: string, scorer?: string) =>
    scored.filter((metric) => metric.version === version && (scorer === undefined || metric.scorer === scorer)).length;
  assert.deepEqual(
    ['2.0', '3.0', '3.1', '4.0'].map((version) => count(version)),
    [102, 126, 1020, 190],
  );
  assert.equal(count('3.1', 'CISA-ADP'), 180);
  assert.ok(scored.every((metric) => metric.primary === (metric.scorer !== 'CISA-ADP')));
  assert.equal(entries.flatMap((facts) => facts.tags).length, 11);
});

const record = {
  dataType: 'CVE_RECORD',
  dataVersion: '5.9',
  cveMetadata: {
    cveId: 'CVE-2030-0001',
    state: 'PUBLISHED',
    assignerOrgId: '00000000-0000-4000-8000-000000000000',
    assignerShortName: 'acme',
    datePublished: '2030-01-02T03:04:05',
    dateUpdated: '2030-01-03T03:04:05.678901',
    novelty: true,
  },
  containers: {
    cna: {
      providerMetadata: { shortName: 'acme' },
      title: 'A drop',
      tags: ['disputed', 'x_private'],
      descriptions: [
        { lang: 'de', value: 'Ein Fehler' },
        { lang: 'en-US', value: ' A fl\u200baw ' },
      ],
      metrics: [
        { other: { type: 'text', content: {} } },
        {
          cvssV3_1: {
            vectorString: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N',
            baseScore: 0,
            baseSeverity: 'NONE',
          },
          cvssV2_0: { vectorString: 'AV:N/AC:L/Au:N/C:P/I:N/A:N', baseScore: 5 },
        },
        { cvssV3_1: { vectorString: '<script>', baseScore: 9 } },
      ],
      problemTypes: [
        { descriptions: [{ lang: 'en', type: 'CWE', cweId: 'CWE-79', description: 'XSS' }] },
        {
          descriptions: [
            { lang: 'en', description: 'CWE-80 Basic XSS' },
            { lang: 'en', cweId: 'CWE-noinfo' },
          ],
        },
      ],
      references: [{ url: 'https://acme.example/1', tags: ['patch'] }, { url: 'javascript:alert(1)' }],
      affected: [
        {
          vendor: 'Acme',
          product: 'Anvil',
          versions: [
            { version: '1.0', status: 'affected' },
            { version: '2.0', status: 'unaffected' },
          ],
        },
        { vendor: 'n/a', product: 'n/a', versions: [{ version: 'n/a', status: 'affected' }] },
      ],
    },
    adp: [
      {
        title: 'CISA ADP Vulnrichment',
        providerMetadata: { shortName: 'CISA-ADP' },
        metrics: [
          {
            cvssV4_0: {
              vectorString: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
              baseScore: 9.3,
              baseSeverity: 'CRITICAL',
            },
          },
        ],
        problemTypes: [{ descriptions: [{ lang: 'en', cweId: 'CWE-79', description: 'XSS' }] }],
        references: [{ url: 'https://acme.example/1', tags: ['exploit', 'patch'] }],
        affected: [
          {
            cpes: ['cpe:2.3:a:acme:anvil:-:*:*:*:*:*:*:*'],
            versions: [
              { version: '0', lessThan: '1.0\\+b', status: 'affected' },
              { version: '3.0', status: 'affected' },
              { version: '4 beta', status: 'affected' },
            ],
          },
        ],
      },
    ],
  },
};

function delta(...records: unknown[]): Buffer {
  return zipOf([
    { name: 'deltaCves/', content: '' },
    ...records.map((content, at) => ({
      name: `deltaCves/CVE-2030-${String(at + 1).padStart(4, '0')}.json`,
      content: Buffer.isBuffer(content) ? content : JSON.stringify(content),
    })),
  ]);
}

test('a record becomes facts: the CNA and CISA, each with its name', async () => {
  const { entries, told } = await parseFeed(cvelistFeed, delta(record));
  assert.deepEqual(told.skipped, []);
  const { products, ...facts } = entries[0]!;
  assert.deepEqual(products.map(row), [
    'Acme/Anvil 1.0',
    'cpe:2.3:a:acme:anvil:*:*:*:*:*:*:*:* ..1.0+b',
    'cpe:2.3:a:acme:anvil:3.0:*:*:*:*:*:*:* ..',
    'cpe:2.3:a:acme:anvil:*:*:*:*:*:*:*:* 4 beta',
  ]);
  assert.equal(facts.published, '2030-01-02T03:04:05.000Z');
  assert.equal(facts.modified, '2030-01-03T03:04:05.678Z');
  assert.equal(facts.description, 'A flaw');
  assert.deepEqual(facts.tags, ['disputed']);
  assert.deepEqual(
    facts.metrics.map(({ version, base_score, base_severity, scorer, primary }) => [
      version,
      base_score,
      base_severity,
      scorer,
      primary,
    ]),
    [
      ['3.1', 0, null, 'acme', true],
      ['2.0', 5, null, 'acme', true],
      ['4.0', 9.3, 'CRITICAL', 'CISA-ADP', false],
    ],
  );
  assert.deepEqual(facts.weaknesses, [
    { cwe_id: 'CWE-79', source: 'acme' },
    { cwe_id: 'CWE-80', source: 'acme' },
    { cwe_id: 'CWE-79', source: 'CISA-ADP' },
  ]);
  assert.deepEqual(facts.references, [{ url: 'https://acme.example/1', tags: ['patch', 'exploit'], source: 'acme' }]);
});

test("packages of a distribution: the CPE names the distribution, the versions are the package's", async () => {
  const affected = [
    {
      vendor: 'Red Hat',
      product: 'Red Hat Enterprise Linux 8.4',
      packageName: 'libreswan',
      cpes: ['cpe:/a:redhat:rhel_e4s:8.4::appstream'],
      defaultStatus: 'affected',
      versions: [{ version: '0:1.2.10-6.el8_4', lessThan: '*', versionType: 'rpm', status: 'unaffected' }],
    },
    {
      vendor: 'Red Hat',
      product: 'Red Hat Enterprise Linux 6',
      packageName: 'libreswan',
      cpes: ['cpe:/o:redhat:enterprise_linux:6'],
      defaultStatus: 'unaffected',
    },
    {
      vendor: 'Red Hat',
      product: 'Red Hat Enterprise Linux 9',
      packageName: 'libreswan',
      cpes: ['cpe:/o:redhat:enterprise_linux:9'],
      defaultStatus: 'affected',
    },
  ];
  const { entries } = await parseFeed(cvelistFeed, delta({ ...record, containers: { cna: { affected } } }));
  assert.deepEqual(entries[0]?.products.map(row), [
    'cpe:2.3:a:redhat:rhel_e4s:8.4:*:appstream:*:*:*:*:* ..',
    'Red Hat/libreswan ..0:1.2.10-6.el8_4',
    'cpe:2.3:o:redhat:enterprise_linux:9:*:*:*:*:*:*:* ..',
    'Red Hat/libreswan ..',
  ]);
});

test('commits stand only where a product has no versions', async () => {
  const commits = [{ version: '1da177e4c3f4', lessThan: 'c8b6fa4511a7', versionType: 'git', status: 'affected' }];
  const both = [
    { vendor: 'Linux', product: 'Linux', versions: commits },
    { vendor: 'Linux', product: 'Linux', versions: [{ version: '6.1', lessThan: '6.2', status: 'affected' }] },
  ];
  const shown = async (affected: unknown[]) => {
    const { entries } = await parseFeed(cvelistFeed, delta({ ...record, containers: { cna: { affected } } }));
    return entries[0]?.products.map(row);
  };
  assert.deepEqual(await shown(both), ['Linux/Linux 6.1..6.2']);
  assert.deepEqual(await shown(both.slice(0, 1)), ['Linux/Linux commits from 1da177e4c3f4 before c8b6fa4511a7']);
});

test('a rejected record says why', async () => {
  const rejected = {
    ...record,
    cveMetadata: { ...record.cveMetadata, state: 'REJECTED' },
    containers: { cna: { rejectedReasons: [{ lang: 'en', value: 'Not a flaw.' }] } },
  };
  const { entries } = await parseFeed(cvelistFeed, delta(rejected));
  assert.equal(entries[0]?.status, 'REJECTED');
  assert.equal(entries[0]?.rejected, true);
  assert.equal(entries[0]?.description, 'Not a flaw.');
  assert.deepEqual(entries[0]?.products, []);
});

test('broken records are skipped and named, good ones kept, other files let be', async () => {
  const wrongType = structuredClone(record) as unknown as { containers: { cna: { affected: unknown } } };
  wrongType.containers.cna.affected = 'all';
  const archive = zipOf([
    { name: 'deltaCves/delta.json', content: '{"new": []}' },
    { name: 'deltaCves/CVE-2030-0001.json', content: JSON.stringify(record) },
    { name: 'deltaCves/CVE-2030-0002.json', content: '{"dataType": "CVE_REC' },
    { name: 'deltaCves/CVE-2030-0003.json', content: JSON.stringify(wrongType) },
    { name: 'deltaCves/CVE-2030-0004.json', content: 'null' },
    { name: 'deltaCves/CVE-2030-0005.json', content: Buffer.from([0xff, 0xfe, 0x00]) },
  ]);
  const { entries, told } = await parseFeed(cvelistFeed, archive);
  assert.equal(entries.length, 1);
  assert.deepEqual(
    told.skipped.map(({ what }) => what),
    ['CVE-2030-0002.json', 'CVE-2030-0003.json', 'CVE-2030-0004.json', 'CVE-2030-0005.json'],
  );
  assert.match(told.skipped[1]!.why, /^containers\.cna\.affected: /);
});

test('what is no zip, and a zip that lies, is refused', async () => {
  const lying = zipOf([{ name: 'deltaCves/CVE-2030-0001.json', content: JSON.stringify(record), claimedSize: 5 }]);
  for (const content of [Buffer.alloc(0), Buffer.from('<html>'), delta(record).subarray(0, 300), lying]) {
    await assert.rejects(parseFeed(cvelistFeed, content), FeedFormatError);
  }
});
