import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CveProduct } from '../../../src/analysis/cve/cve-facts.ts';
import { matchProductRow, ProductRow } from '../../../src/analysis/affected/match-product-row.ts';
import { subjectOfProduct } from '../../../src/analysis/affected/subject.ts';

const row = (version: string, update: string): CveProduct => ({
  cpe: `cpe:2.3:a:v:p:${version}:${update}:*:*:*:*:*:*`,
  vendor: null,
  product: null,
  version: null,
  ecosystem: null,
  start_including: null,
  start_excluding: null,
  end_including: null,
  end_excluding: null,
  vulnerable: true,
});

// NISTIR 7696, table 6-2: ANY is a superset of every value; NA and other values are equal to themselves alone.
for (const [version, update, given, matches] of [
  ['2.0', '*', '2.0', true],
  ['2.0', '*', '2.0-rc1', true],
  ['2.0', '*', '2.0rc1', true],
  ['2.0', '*', '2.0.0-beta.2', true],
  ['2.0', '*', 'v2.0-alpha.beta', true],
  ['7.2', '*', '7.2p2', true],
  ['2.0', '*', '2.0.1', false],
  ['2.0', '*', '2.0.1-rc1', false],
  ['1.0.2', '*', '1.0.2a', false],
  ['1.0.2', '*', '1.0.2zd', false],
  ['2.0', '-', '2.0', true],
  ['2.0', '-', '2.0-rc1', false],
  ['2.0', 'rc1', '2.0-rc1', true],
  ['2.0', 'rc1', '2.0', false],
  ['2.0', 'rc1', '2.0-rc2', false],
  ['7.2', 'p2', '7.2p2', true],
  ['-', '*', '2.0', false],
  // Updates as CPE names and makers write them.
  ['1.9.5', 'patch1', '1.9.5p1', true],
  ['1.9.5', 'patch1', '1.9.5p2', false],
  ['2016', 'cumulative_update_18', '2016 CU18', true],
  ['2016', 'cumulative_update_18', '2016 CU1', false],
  ['8.0', 'service_pack_2', '8.0 SP2', true],
] as const) {
  test(`version ${version}, update ${update}: ${matches ? 'takes in' : 'leaves out'} ${given}`, () => {
    const { truth } = matchProductRow(new ProductRow(row(version, update)), subjectOfProduct('p', null, given));
    assert.equal(truth === true, matches);
  });
}

// A version without an update may be the one with it, but a release is not its release candidate.
for (const [update, truth] of [
  ['cumulative_update_18', null],
  ['r2.4', null],
  ['rc1', false],
  ['beta', false],
  ['-', true],
] as const) {
  test(`version 22.7, update ${update}: 22.7 alone is ${truth ?? 'not decided'}`, () => {
    const found = matchProductRow(new ProductRow(row('22.7', update)), subjectOfProduct('p', null, '22.7'));
    assert.deepEqual([found.truth, found.unknown], [truth, truth === null ? 'condition' : null]);
  });
}
