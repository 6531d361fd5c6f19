import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AboutProducts } from '../../src/analysis/affected/about-products.ts';
import { decideAffected } from '../../src/analysis/affected/decide-affected.ts';
import { prepareRecord } from '../../src/analysis/affected/match-record.ts';
import { subjectOfProduct } from '../../src/analysis/affected/subject.ts';
import type { CveFacts } from '../../src/analysis/cve/cve-facts.ts';
import { decodeAffectedFacts, decodeFactsAbout } from '../../src/catalog/affected-facts.ts';
import { encodeBatch, toRecordRow } from '../../src/catalog/record-rows.ts';
import { SharedTexts } from '../../src/catalog/shared-texts.ts';
import { facts, product } from '../support/facts.ts';

const cpe = (part: string, name: string) => `cpe:2.3:${part}:acme:${name}:*:*:*:*:*:*:*:*`;
const node = (...products: number[]) => ({ operator: 'OR' as const, negate: false, products });

/** A record of thirty devices, each with its firmware: more rows than a head has. The firmware of device 7 ends with 1.7. */
const devices: CveFacts = facts({
  products: Array.from({ length: 30 }, (_, at) => [
    product(cpe('o', `device_${at}_firmware`), { vulnerable: true, end_excluding: `1.${at}` }),
    product(cpe('h', `device_${at}`), { vulnerable: false }),
  ]).flat(),
  configurations: Array.from({ length: 30 }, (_, at) => ({
    operator: 'AND',
    negate: false,
    nodes: [node(2 * at), node(2 * at + 1)],
  })),
});

function decoded(given: CveFacts, products: readonly string[]) {
  const { rows, texts } = encodeBatch([given]);
  const own = texts.map((_, at) => at);
  const row = toRecordRow(rows[0]!, { texts: own, names: own });
  const shared = new SharedTexts(Math.ceil(texts.length / 32), (block) => texts.slice(block * 32, (block + 1) * 32));
  return {
    whole: decodeAffectedFacts(given.source, row, shared),
    part: decodeFactsAbout(given.source, row, shared, new AboutProducts(products)),
  };
}

function decide(record: Parameters<typeof prepareRecord>[0], name: string, version: string) {
  const records = [prepareRecord(record)];
  const cve = { cve_id: 'CVE-2024-0001', rejected: false, records, advisories: [], vex: [] };
  return decideAffected(cve, subjectOfProduct(name, 'acme', version));
}

test('of a record with many devices, the rows of one are read, and its configuration keeps its number', () => {
  for (const at of [7, 25]) {
    const { whole, part } = decoded(devices, [`device_${at}_firmware`]);
    assert.deepEqual(
      part.products.filter(
        ({ cpe: name }) => name === cpe('o', `device_${at}_firmware`) || name === cpe('h', `device_${at}`),
      ).length,
      2,
    );
    assert.ok(part.products.length < 10, `${part.products.length} rows`);
    for (const [version, status] of [
      ['1.6', 'affected'],
      [`1.${at}`, 'not_affected'],
    ] as const) {
      const found = decide(part, `device_${at}_firmware`, version);
      assert.equal(found.status, status);
      assert.deepEqual(found, decide(whole, `device_${at}_firmware`, version));
      assert.match(found.rule.text, new RegExp(`^configuration ${at + 1}, node 1: `));
    }
  }
});

test('a part of the product with other numbers is read, too', () => {
  const protobuf = facts({
    products: [
      product(cpe('a', 'protobuf'), { vulnerable: true, end_excluding: '28.2' }),
      product(cpe('a', 'protobuf-java'), { vulnerable: true, end_excluding: '4.28.2' }),
      product(cpe('a', 'other'), { vulnerable: true, end_excluding: '1.0' }),
    ],
  });
  const { whole, part } = decoded(protobuf, ['protobuf']);
  assert.equal(part.products.length, 2);
  const found = decide(part, 'protobuf', '4.25.5');
  assert.equal(found.unknown, 'numbering');
  assert.deepEqual(found, decide(whole, 'protobuf', '4.25.5'));
});

test('that a record names products at all is known where none of its rows is read', () => {
  const { part } = decoded(facts({ products: [product(cpe('a', 'other'), { vulnerable: true, ecosystem: 'npm' })] }), [
    'anvil',
  ]);
  assert.deepEqual([part.products, part.namesProducts, part.registries], [[], true, ['npm']]);
});
