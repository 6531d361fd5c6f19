import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import type { CveFacts } from '../../src/analysis/cve/cve-facts.ts';
import { decodeAffectedFacts } from '../../src/catalog/affected-facts.ts';
import { decodeRecord, type StoredRecord } from '../../src/catalog/record-codec.ts';
import { MAX_HEAD_PRODUCTS, MAX_HEAD_REFERENCES } from '../../src/catalog/record-layout.ts';
import { encodeBatch, toRecordRow } from '../../src/catalog/record-rows.ts';
import { SharedTexts } from '../../src/catalog/shared-texts.ts';
import { facts, product } from '../support/facts.ts';

/** Plain objects, as parsing makes them. */
function record<Model>(model: { [Key in keyof Model]: fc.Arbitrary<Model[Key]> }): fc.Arbitrary<Model> {
  return fc.record(model, { noNullPrototype: true }) as fc.Arbitrary<Model>;
}

const text = fc.string({ unit: 'grapheme', maxLength: 30 });
const maybe = fc.option(text);
const index = fc.nat({ max: 60 });

const anyFacts: fc.Arbitrary<CveFacts> = record({
  cve_id: fc.constant('CVE-2024-1000'),
  source: fc.constantFrom('nvd', 'cvelist', 'ghsa', 'starter'),
  status: text,
  rejected: fc.boolean(),
  published: maybe,
  modified: maybe,
  title: maybe,
  description: maybe,
  assigner: maybe,
  tags: fc.array(text),
  metrics: fc.array(
    record({
      version: fc.constantFrom('2.0', '3.0', '3.1', '4.0'),
      vector: text,
      base_score: fc.option(fc.integer({ min: 0, max: 100 }).map((tenths) => tenths / 10)),
      base_severity: fc.constantFrom(null, 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'),
      scorer: text,
      primary: fc.boolean(),
    }),
  ),
  ssvc: fc.option(
    record({
      exploitation: fc.constantFrom('none', 'poc', 'active'),
      automatable: fc.constantFrom('no', 'yes'),
      technical_impact: fc.constantFrom('partial', 'total'),
      source: text,
      at: maybe,
    }),
  ),
  weaknesses: fc.array(record({ cwe_id: text, source: text })),
  references: fc.array(record({ url: text, tags: fc.array(text), source: maybe }), { maxLength: 40 }),
  products: fc.array(
    record({
      cpe: maybe,
      vendor: maybe,
      product: maybe,
      version: maybe,
      ecosystem: maybe,
      vulnerable: fc.boolean(),
      start_including: maybe,
      start_excluding: maybe,
      end_including: maybe,
      end_excluding: maybe,
    }),
    { maxLength: 60 },
  ),
  configurations: fc.array(
    record({
      operator: fc.constantFrom('AND', 'OR'),
      negate: fc.boolean(),
      nodes: fc.array(
        record({
          operator: fc.constantFrom('AND', 'OR'),
          negate: fc.boolean(),
          products: fc.array(index, { maxLength: 80 }),
        }),
        { maxLength: 4 },
      ),
    }),
    { maxLength: 3 },
  ),
});

function read(given: CveFacts, whole: boolean): ReturnType<typeof decodeRecord> {
  const { texts, modified, head, body } = stored(given);
  return decodeRecord(given.cve_id, given.source, whole ? { modified, head, body } : { modified, head }, texts);
}

/** As it is stored, with texts whose numbers take several bytes. */
function stored(given: CveFacts): Required<StoredRecord> & { texts: SharedTexts } {
  const { rows, texts, names } = encodeBatch([given]);
  const number = (text: number): number => text * 1000;
  const { modified, head, body } = toRecordRow(rows[0]!, {
    texts: texts.map((_, at) => number(at)),
    names: names.map((_, at) => at),
  });
  const all: string[] = [];
  texts.forEach((text, at) => (all[number(at)] = text));
  return { modified, head, body, texts: new SharedTexts(1, (block) => all.slice(block * 32, (block + 1) * 32)) };
}

suite('a record comes out as it went in', () => {
  test('whole, whatever it holds', () => {
    fc.assert(
      fc.property(anyFacts, (given) => {
        const {
          total_references,
          total_products,
          total_configurations,
          names_versions: _,
          patch_available: __,
          fix: ___,
          ...kept
        } = read(given, true);
        assert.deepEqual(kept, given);
        assert.equal(total_configurations, given.configurations.length);
        assert.deepEqual([total_references, total_products], [given.references.length, given.products.length]);
      }),
      { numRuns: 300 },
    );
  });

  test('its head alone: shorter lists, no tree, the true counts', () => {
    fc.assert(
      fc.property(anyFacts, (given) => {
        const {
          total_references,
          total_products,
          total_configurations,
          names_versions: _,
          patch_available: __,
          fix: ___,
          ...kept
        } = read(given, false);
        assert.deepEqual(kept, {
          ...given,
          references: given.references.slice(0, MAX_HEAD_REFERENCES),
          products: given.products.slice(0, MAX_HEAD_PRODUCTS),
          configurations: [],
        });
        assert.equal(total_configurations, given.configurations.length);
        assert.deepEqual([total_references, total_products], [given.references.length, given.products.length]);
      }),
      { numRuns: 300 },
    );
  });
});

test('what decides whether a product is affected is read alone as with the rest', () => {
  fc.assert(
    fc.property(anyFacts, (given) => {
      const { texts, ...row } = stored(given);
      const { source, products, configurations } = given;
      assert.deepEqual(decodeAffectedFacts(source, row, texts), { source, products, configurations });
    }),
    { numRuns: 300 },
  );
});

suite('texts that are stored in parts', () => {
  const kept = (given: Partial<CveFacts>): CveFacts => read(facts(given), true);
  test('CPE names of any form', () => {
    const names = [
      'cpe:2.3:a:acme:anvil:1.0:*:*:*:*:wordpress:*:*',
      String.raw`cpe:2.3:a:a\:b\:c:1\:2:-:*:*:*:*:*:*`,
      String.raw`cpe:2.3:a:trailing\\:b:*:*:*:*:*:*:*:*`,
      'cpe:/a:acme:anvil:1.0',
      'cpe:2.3:a:acme',
      'cpe:2.3:a:::::',
      'cpe:2.3:o:a\nb:c\nd:1:e\nf:*:*:*:*:*:*',
      '',
    ];
    const products = names.map((cpe) => product(cpe));
    assert.deepEqual(kept({ products }).products, products);
  });
  test('URLs', () => {
    const urls = ['https://a.example/b/c', 'https://a.example/b/', 'https://a.example', '/', '//', 'a', '', 'a/b//'];
    const references = urls.map((url) => ({ url, tags: ['Patch'], source: null }));
    assert.deepEqual(new Set(kept({ references }).references.map(({ url }) => url)), new Set(urls));
  });
  test('times of the usual form, days, and others', () => {
    const times = [
      '2021-12-10T10:15:09.143Z',
      '2021-12-10',
      '2021-12-10T10:15:09Z',
      '2021-02-30T00:00:00.000Z',
      '-271821-04-20T00:00',
      '1970-01-01T00:00:00.000Z',
      '1969-12-31T23:59:59.999Z',
      null,
    ];
    for (const time of times) {
      const { published, modified } = kept({ published: time, modified: time });
      assert.deepEqual([published, modified], [time, time]);
    }
  });
});

test('facts that were given out can be changed, and the next ones are as stored', () => {
  const given = facts({
    tags: ['disputed'],
    references: [{ url: 'https://a.example/b', tags: ['Patch'], source: null }],
    products: [product('cpe:2.3:a:acme:anvil:1.0:*:*:*:*:*:*:*')],
    configurations: [{ operator: 'OR', negate: false, nodes: [{ operator: 'OR', negate: false, products: [0] }] }],
  });
  const { texts, ...row } = stored(given);
  const first = decodeRecord(given.cve_id, given.source, row, texts);
  first.tags.push('x');
  first.references[0]!.tags.push('x');
  first.configurations[0]!.nodes[0]!.products.push(9);
  first.fix.versions.push('x');
  const second = decodeRecord(given.cve_id, given.source, row, texts);
  assert.deepEqual(
    [second.tags, second.references, second.configurations],
    [given.tags, given.references, given.configurations],
  );
  assert.deepEqual(second.fix.versions, []);
});

test('a look-up needs the head only: it holds as many rows as the specification shows', () => {
  assert.equal(MAX_HEAD_REFERENCES, 10);
  assert.equal(MAX_HEAD_PRODUCTS, 20);
});

test('a patch beyond the head is known to the head', () => {
  const others = Array.from({ length: 300 }, (_, at) => ({ url: `https://a.example/${at}`, tags: [], source: null }));
  const given = facts({ references: [...others, { url: 'https://a.example/fix', tags: ['Patch'], source: null }] });
  const { patch_available, fix } = read(given, false);
  assert.deepEqual([patch_available, fix.url], [true, 'https://a.example/fix']);
  const none = { kind: 'none_known', url: null, versions: [] };
  assert.deepEqual(read(facts({ references: others }), false).fix, none);
  const fixed = product('cpe:2.3:a:v:p:*:*:*:*:*:*:*:*', { end_excluding: '1.2' });
  assert.deepEqual(read(facts({ products: [fixed] }), false).fix, { kind: 'release', url: null, versions: ['1.2'] });
});

test('a record without long lists has no body, one with thousands of rows a packed one', () => {
  assert.equal(stored(facts({ products: [product('cpe:2.3:a:v:p:1:*:*:*:*:*:*:*')] })).body, null);
  const products = Array.from({ length: 5000 }, (_, at) => product(`cpe:2.3:a:vendor:product:${at}:*:*:*:*:*:*:*`));
  const { body } = stored(facts({ products }));
  assert.ok(body!.length < 60_000, `${body!.length} bytes`);
  assert.deepEqual(read(facts({ products }), true).products, products);
});
