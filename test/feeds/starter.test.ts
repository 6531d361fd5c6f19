import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { FeedFormatError } from '../../src/feeds/feed.ts';
import { readStarterCatalog } from '../../src/feeds/starter-catalog.ts';

const folder = mkdtempSync(join(tmpdir(), 'sextant-starter-'));
after(() => rmSync(folder, { recursive: true }));

const range = { start_including: null, start_excluding: null, end_including: null, end_excluding: '2.0' };
const starter = {
  as_of: '2030-01-02',
  cves: [
    {
      cve_id: 'CVE-2030-0001',
      source: 'starter',
      status: 'PUBLISHED',
      rejected: false,
      published: '2030-01-02',
      modified: null,
      title: 'A drop',
      description: null,
      assigner: null,
      tags: [],
      metrics: [
        {
          version: '3.1',
          vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
          base_score: 9.8,
          base_severity: 'CRITICAL',
          scorer: 'nvd@nist.gov',
          primary: true,
        },
      ],
      ssvc: null,
      weaknesses: [{ cwe_id: 'CWE-79', source: 'nvd@nist.gov' }],
      references: [{ url: 'https://acme.example/1', tags: [], source: null }],
      products: [
        {
          cpe: 'cpe:2.3:a:acme:anvil:*:*:*:*:*:*:*:*',
          vendor: null,
          product: null,
          version: null,
          ecosystem: null,
          vulnerable: true,
          ...range,
        },
      ],
      configurations: [{ operator: 'OR', negate: false, nodes: [{ operator: 'OR', negate: false, products: [0] }] }],
    },
  ],
  kev: [
    {
      cve_id: 'CVE-2030-0001',
      vendor_project: 'Acme',
      product: 'Anvil',
      vulnerability_name: 'Acme Anvil Drop',
      date_added: '2030-01-02',
      due_date: null,
      required_action: 'Hold it.',
      short_description: 'It drops.',
      known_ransomware_use: false,
      notes: null,
      cwes: ['CWE-79'],
    },
  ],
  epss: { model_version: 'v1', score_date: '2030-01-02', scores: [['CVE-2030-0001', 0.5, 0.9]] },
  exploits: [
    {
      edb_id: 1,
      cve_ids: ['CVE-2030-0001'],
      title: 'Drop',
      date_published: null,
      author: null,
      type: 'local',
      platform: 'linux',
      verified: true,
    },
  ],
  cwes: [
    {
      cwe_id: 'CWE-79',
      name: 'XSS',
      abstraction: 'Base',
      status: 'Stable',
      description: 'In short.',
      extended_description: null,
      mitigations: [{ phase: 'Implementation', strategy: null, description: 'Encode.', effectiveness: null }],
      examples: [{ reference: 'CVE-2030-0001', description: 'Drop', link: null }],
      parents: ['CWE-74'],
      in_view_1000: true,
    },
  ],
};

function written(content: string): string {
  const path = join(folder, 'catalog.json');
  writeFileSync(path, content);
  return path;
}

test('a starter catalog is read as it is written, scores as entries', async () => {
  const found = await readStarterCatalog(written(JSON.stringify(starter)));
  assert.deepEqual(found.epss.scores, [{ cve_id: 'CVE-2030-0001', score: 0.5, percentile: 0.9 }]);
  assert.deepEqual({ ...found, epss: null }, { ...starter, epss: null });
});

test('what is wrong with it is named', async () => {
  const cve = starter.cves[0]!;
  const faults: [unknown, RegExp][] = [
    [{ ...starter, cves: [{ ...cve, cve_id: 'cve-2030-1' }] }, /cves\.0\.cve_id: not a canonical CVE id/],
    [{ ...starter, cves: [{ ...cve, source: 'nvd' }] }, /cves\.0\.source/],
    [{ ...starter, cves: [{ ...cve, title: undefined }] }, /cves\.0\.title/],
    [{ ...starter, epss: { ...starter.epss, scores: [['CVE-2030-0001', 1.5, 0]] } }, /epss\.scores\.0\.1/],
    [{ ...starter, as_of: 'today' }, /as_of/],
    [[], /malformed/],
  ];
  for (const [content, message] of faults) {
    const reading = readStarterCatalog(written(JSON.stringify(content)));
    await assert.rejects(reading, (error) => error instanceof FeedFormatError && message.test(error.message));
  }
  await assert.rejects(readStarterCatalog(written('{"as_of":')), /not JSON/);
});
