import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { createScanFinding, type ScanFindingId } from '../../../src/analysis/scan/scan-findings.ts';
import {
  MODULE_IDS,
  MODULE_MAX_POINTS,
  type ModuleResult,
  type ScanResults,
} from '../../../src/analysis/scan/modules.ts';
import { scoreScan } from '../../../src/analysis/scan/score-scan.ts';

const found = (...codes: ScanFindingId[]): ModuleResult => ({
  details: [],
  findings: codes.map((code) => createScanFinding(code)),
});
const results = (parts: Partial<ScanResults> = {}): ScanResults => ({
  ...(Object.fromEntries(MODULE_IDS.map((id) => [id, found()])) as unknown as ScanResults),
  ...parts,
});

describe('the score of a scan', () => {
  test('is a hundred points with nothing to mend', () => {
    const { total, max, grade, findings } = scoreScan(results());
    assert.deepEqual([total, max, grade, findings], [100, 100, 'A', []]);
    assert.equal(
      Object.values(MODULE_MAX_POINTS).reduce<number>((sum, points) => sum + points, 0),
      100,
    );
  });

  test('loses a share of a module by each finding: 30 % by a medium one, 10 % by a low one', () => {
    const { modules, total } = scoreScan(results({ dns: found('dns_spf_missing', 'dns_caa_missing') }));
    assert.deepEqual([modules.dns.score, modules.dns.max, total], [3, 5, 98]);
  });

  test('never less than nothing', () => {
    const { modules } = scoreScan(
      results({ html: found('html_mixed_active', 'html_insecure_form', 'html_foreign_form') }),
    );
    assert.equal(modules.html.score, 0);
  });

  test('leaves out what could not be looked at', () => {
    const { modules, total, max, grade } = scoreScan(results({ cors: null, dnssec: found('dnssec_unsigned') }));
    assert.deepEqual([modules.cors.score, modules.cors.max, total, max, grade], [null, 10, 88.5, 90, 'A']);
  });

  test('has no grade where less than half could be looked at', () => {
    const nothing = Object.fromEntries(MODULE_IDS.map((id) => [id, null])) as unknown as ScanResults;
    assert.deepEqual([scoreScan(nothing).total, scoreScan(nothing).max, scoreScan(nothing).grade], [0, 0, null]);
    assert.equal(scoreScan({ ...nothing, dns: found(), dnssec: found(), ssl: found() }).grade, null);
  });

  test('is an F with a critical finding, and at best a B with a high one', () => {
    assert.equal(scoreScan(results({ dnssec: found('dnssec_bogus') })).grade, 'F');
    const high = scoreScan(results({ dns: found('dns_dangling_alias') }));
    assert.deepEqual([high.total, high.grade], [97, 'B']);
  });
});

test('findings: the worst first, then in the order to mend them', () => {
  const { findings, counts } = scoreScan(
    results({
      disclosure: found('generator_version'),
      dns: found('dns_caa_missing', 'dns_dangling_alias'),
      redirect: found('redirect_missing'),
      ssl: found('tls_no_tls13', 'tls_none'),
    }),
  );
  assert.deepEqual(
    findings.map(({ id, module }) => `${module} ${id}`),
    [
      'ssl tls_none',
      'redirect redirect_missing',
      'dns dns_dangling_alias',
      'ssl tls_no_tls13',
      'dns dns_caa_missing',
      'disclosure generator_version',
    ],
  );
  assert.deepEqual(counts, { CRITICAL: 1, HIGH: 2, MEDIUM: 0, LOW: 3 });
});

test('the documented points are these', () => {
  const text = readFileSync(new URL('../../../docs/scan.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, id, points]) => [id, Number(points)]);
  assert.deepEqual(rows, Object.entries(MODULE_MAX_POINTS));
});
