import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testExactVersion, testRange } from '../../../src/analysis/affected/test-version.ts';
import { genericOrder } from '../../../src/analysis/versions/generic.ts';
import { findOtherNumbering } from '../../../src/analysis/versions/other-numbering.ts';
import { orderOfProduct } from '../../../src/analysis/versions/two-numberings.ts';

const row = (token: string, end_excluding: string, vendor = 'google') => ({
  row: { end_excluding, end_including: null, vulnerable: true },
  token,
  vendor,
});
/** CVE-2024-7254 as the NVD has it. */
const PROTOBUF = [row('protobuf', '28.2'), row('protobuf-java', '3.25.5'), row('protobuf-java', '4.28.2')];
const of = (rows: typeof PROTOBUF, product: string, version: string | null) =>
  findOtherNumbering(rows, (index) => rows[index]!.token === product, version)?.product ?? null;

test('a version with the numbers of another part is not compared', () => {
  // Python's protobuf 4.25.5 and Java's 3.25.4 are 25.5 and 25.4 of the compiler.
  assert.equal(of(PROTOBUF, 'protobuf', '4.25.5'), 'protobuf-java');
  assert.equal(of(PROTOBUF, 'protobuf', '3.25.4'), 'protobuf-java');
  assert.equal(of(PROTOBUF, 'protobuf', '5.29.1'), 'protobuf-java');
  assert.equal(of(PROTOBUF, 'protobuf-java', '25.4'), 'protobuf');
});

test('a version with the numbers of its own product is', () => {
  assert.equal(of(PROTOBUF, 'protobuf', '25.4'), null);
  assert.equal(of(PROTOBUF, 'protobuf', '28.2'), null);
  assert.equal(of(PROTOBUF, 'protobuf-java', '3.25.4'), null);
  assert.equal(of(PROTOBUF, 'protobuf-java', '4.28'), null);
  assert.equal(of(PROTOBUF, 'protobuf', null), null);
  assert.equal(of(PROTOBUF, 'protobuf', 'main'), null);
});

test('numbers that agree by chance are no second numbering', () => {
  // CVE-2017-2681: other devices of one maker.
  const siemens = [
    row('simatic_s7-1500_firmware', '2.1', 'siemens'),
    row('simatic_s7-1200_firmware', '4.2.1', 'siemens'),
  ];
  assert.equal(of(siemens, 'simatic_s7-1500_firmware', '1.8.5'), null);
  assert.equal(of([row('a', '2.1', 'one'), row('a-b', '4.2.1', 'other')], 'a', '1.8.5'), null);
  assert.equal(of([row('a', '2.1'), row('a-b', '2.1')], 'a', '1.8.5'), null);
});

const before = (end_excluding: string) => ({
  start_including: null,
  start_excluding: null,
  end_including: null,
  end_excluding,
});

test('a hash of a commit and a day have no order among versions', () => {
  assert.equal(testRange(before('66116556076f'), '5.15.0', genericOrder).truth, null);
  assert.equal(testRange(before('2022-08-10'), '5.15.0', genericOrder).truth, null);
  assert.equal(testRange(before('2022-08-10'), '2022-08-09', genericOrder).truth, true);
  // A build number and a date without hyphens are numbers.
  assert.equal(testRange(before('20220810'), '20220809', genericOrder).truth, true);
  assert.equal(testRange(before('7.0.3'), '7.0.2', genericOrder).truth, true);
});

test('a release by its year is not compared with a counted build', () => {
  assert.equal(testExactVersion('2019', null, '15.2.986.5', genericOrder).truth, null);
  assert.equal(testExactVersion('2019', null, '2016', genericOrder).truth, false);
  assert.equal(testExactVersion('2019', null, '2019', genericOrder).truth, true);
});

test('Java 8 is 1.8', () => {
  const order = orderOfProduct('jdk');
  assert.equal(testRange(before('6.0'), '1.8.0_291', order).truth, false);
  assert.equal(testRange(before('1.8.0_301'), '1.8.0_291', order).truth, true);
  assert.equal(testRange(before('11.0.12'), '1.8.0_291', order).truth, true);
  assert.equal(testRange(before('11.0.12'), '17.0.1', order).truth, false);
});
