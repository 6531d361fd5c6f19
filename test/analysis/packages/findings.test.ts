import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AdvisoryMatch } from '../../../src/analysis/packages/match-advisory.ts';
import { joinVulnerabilities } from '../../../src/analysis/packages/package-vulnerabilities.ts';

const match = (id: string, ...aliases: string[]): AdvisoryMatch => ({
  advisory: {
    id,
    source: 'osv',
    aliases,
    title: null,
    severity: null,
    cvss_v3: null,
    published: null,
    spans: [],
    versions: [],
  },
  fixed: null,
});

test('one flaw, however its ids hang together', () => {
  const flaws = joinVulnerabilities(
    [
      match('PYSEC-1', 'CVE-2024-1000'),
      match('GHSA-aaaa-aaaa-aaaa', 'cve-2024-1000'),
      match('GO-9', 'GHSA-aaaa-aaaa-aaaa'),
      match('PYSEC-2', 'CVE-2024-2000'),
    ],
    [{ cve_id: 'CVE-2024-2000', cpe: 'cpe:2.3:a:b:c:*:*:*:*:*:*:*:*', by: 'cpe', fixed: null }],
  );
  assert.deepEqual(
    flaws.map(({ cves, ids, cpes }) => [cves, ids, cpes.length]),
    [
      [['CVE-2024-1000'], ['GHSA-aaaa-aaaa-aaaa', 'GO-9', 'PYSEC-1'], 0],
      [['CVE-2024-2000'], ['PYSEC-2'], 1],
    ],
  );
});

test('two advisories that meet only in a third are joined when the third comes last', () => {
  const flaws = joinVulnerabilities([match('A-1', 'X-1'), match('B-1', 'X-2'), match('C-1', 'X-1', 'X-2')], []);
  assert.equal(flaws.length, 1);
  assert.deepEqual(flaws[0]?.ids, ['A-1', 'B-1', 'C-1', 'X-1', 'X-2']);
});

test('ten thousand aliases in a chain', () => {
  const chain = Array.from({ length: 10_000 }, (_, index) => match(`ID-${index}`, `ID-${index + 1}`));
  assert.equal(joinVulnerabilities(chain, []).length, 1);
});
