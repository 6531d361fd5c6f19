import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { coverageShares, CoverageTally, productCoverageGap } from '../../../src/analysis/cve/coverage.ts';

/** `named` of `total` CVEs of a month name a product, in the CVE List. */
function addMonth(tally: CoverageTally, month: string, total: number, named: number): void {
  for (let at = 0; at < total; at++) {
    tally.add(`${month}-05T00:00:00.000Z`, [{ source: 'cvelist', fields: at < named ? ['products'] : [] }]);
  }
}

test('a field that one of several sources has counts once for all, and for that source', () => {
  const tally = new CoverageTally();
  tally.add('2026-04-30T23:59:59.000Z', [
    { source: 'nvd', fields: ['cvss'] },
    { source: 'cvelist', fields: ['products', 'versions', 'cvss'] },
  ]);
  tally.add('2026-04-01', [{ source: 'nvd', fields: [] }]);
  tally.add('2026-03-01', [{ source: 'nvd', fields: ['products', 'cpe'] }]);
  tally.add(null, [{ source: 'nvd', fields: ['products'] }]);
  const [march, april] = tally.months();
  assert.deepEqual([march?.month, march?.all.cpe, april?.month], ['2026-03', 1, '2026-04']);
  assert.deepEqual(april?.all, { cves: 2, products: 1, cpe: 0, versions: 1, cvss: 1, cwe: 0 });
  assert.deepEqual(april?.sources, {
    nvd: { cves: 2, products: 0, cpe: 0, versions: 0, cvss: 1, cwe: 0 },
    cvelist: { cves: 1, products: 1, cpe: 0, versions: 1, cvss: 1, cwe: 0 },
  });
  assert.deepEqual(coverageShares(april!.all), { cves: 2, products: 0.5, cpe: 0, versions: 0.5, cvss: 0.5, cwe: 0 });
});

suite('what a search by product misses', () => {
  const tally = new CoverageTally();
  addMonth(tally, '2010-01', 100, 10);
  addMonth(tally, '2026-02', 100, 95);
  addMonth(tally, '2026-03', 100, 60);
  addMonth(tally, '2026-04', 100, 50);
  addMonth(tally, '2026-05', 5, 0);
  const months = tally.months();

  test('the months of low coverage in the range of dates', () => {
    assert.equal(
      productCoverageGap(months, '2026-01', null),
      '90 CVEs of 2 months (2026-03 to 2026-04) name no product in any source and cannot be found by one (2026-04: 50 % name one)',
    );
    assert.match(productCoverageGap(months, '2026-03', '2026-03') ?? '', /^40 CVEs of 2026-03 name no product/);
    assert.equal(productCoverageGap(months, '2026-02', '2026-02'), null);
  });
  test('a month of few CVEs says little', () => assert.equal(productCoverageGap(months, '2026-05', null), null));
  test('without dates, the newest two years', () => {
    const long = new CoverageTally();
    addMonth(long, '2010-01', 100, 10);
    for (let year = 2020; year < 2024; year++) {
      for (let month = 1; month <= 12; month++) addMonth(long, `${year}-${String(month).padStart(2, '0')}`, 20, 20);
    }
    assert.equal(productCoverageGap(long.months(), null, null), null);
    assert.match(productCoverageGap(long.months(), null, '2011-12') ?? '', /^90 CVEs of 2010-01/);
  });
});
