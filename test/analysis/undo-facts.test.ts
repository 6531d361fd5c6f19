import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { CveFacts } from '../../src/analysis/cve/cve-facts.ts';
import { diffFacts } from '../../src/analysis/cve/diff-facts.ts';
import { assessReferences } from '../../src/analysis/cve/patch-reference.ts';
import { productName, productOfRange, rangeText } from '../../src/analysis/cve/product-range-text.ts';
import { undoFacts } from '../../src/analysis/cve/undo-facts.ts';
import { facts, product } from '../support/facts.ts';

const diff = (before: CveFacts, after: CveFacts) =>
  diffFacts({ ...before, ...assessReferences(before) }, { ...after, ...assessReferences(after) });
const undo = (before: CveFacts, after: CveFacts) => undoFacts(after, diff(before, after));
const score = (base_score: number, scorer = 'nvd@nist.gov') => ({
  version: '3.1' as const,
  vector: `AV:N ${base_score}`,
  base_score,
  base_severity: null,
  scorer,
  primary: scorer === 'nvd@nist.gov',
});

suite('what a record said before its changes', () => {
  test('is what it said: status, tags, scores, weaknesses, SSVC', () => {
    const before = facts({
      status: 'Analyzed',
      tags: ['disputed'],
      metrics: [score(7.5), score(8.1, 'cna@example.com')],
      weaknesses: [{ cwe_id: 'CWE-79', source: 'nvd@nist.gov' }],
    });
    const after = facts({
      status: 'Rejected',
      rejected: true,
      metrics: [score(9.8)],
      weaknesses: [{ cwe_id: 'CWE-89', source: 'nvd@nist.gov' }],
      ssvc: { exploitation: 'poc', automatable: 'no', technical_impact: 'total', source: 'CISA-ADP', at: '2024-05-01' },
    });
    const { facts: undone } = undo(before, after);
    const { status, rejected, tags, metrics, weaknesses, ssvc } = undone;
    assert.deepEqual(
      { status, rejected, tags, metrics, weaknesses, ssvc },
      {
        status: 'Analyzed',
        rejected: false,
        tags: before.tags,
        metrics: before.metrics,
        weaknesses: before.weaknesses,
        ssvc: null,
      },
    );
    // What was given is as it was.
    assert.equal(after.metrics.length, 1);
  });

  test('SSVC points that are restored have no time: when they were assessed is not recorded', () => {
    const ssvc = {
      exploitation: 'none',
      automatable: 'no',
      technical_impact: 'total',
      source: 'CISA-ADP',
      at: '2024-05-01',
    } as const;
    const { facts: undone } = undo(
      facts({ ssvc }),
      facts({ ssvc: { ...ssvc, exploitation: 'active', at: '2024-06-01' } }),
    );
    assert.deepEqual(undone.ssvc, { ...ssvc, at: null });
  });

  test('a reference loses the tag that came later, and gets back the one that went', () => {
    const [a, b] = ['https://a.example/1', 'https://b.example/2'];
    const before = facts({
      references: [
        { url: a, tags: ['Exploit'], source: 'x' },
        { url: b, tags: [], source: 'x' },
      ],
    });
    const after = facts({ references: [{ url: b, tags: ['Patch'], source: 'x' }] });
    const { facts: undone, patchAvailable } = undo(before, after);
    assert.deepEqual(undone.references, [
      { url: b, tags: [], source: 'x' },
      { url: a, tags: ['Exploit'], source: null },
    ]);
    assert.equal(patchAvailable, null);
  });

  test('products get back their ranges, with the CPE names of other rows', () => {
    const name = (rest: string) => `cpe:2.3:a:acme:${rest}`;
    const range = { start_including: '1.0', end_excluding: '2.0' };
    const before = facts({
      products: [product(name('anvil:*:*:*:*:*:wordpress:*:*'), range), product(name('old_one:1.2.3:rc1:*:*:*:*:*:*'))],
    });
    const after = facts({
      products: [
        product(name('anvil:*:*:*:*:*:wordpress:*:*'), { ...range, end_excluding: '2.5' }),
        product(name('new:*:*:*:*:*:*:*:*')),
      ],
    });
    const { facts: undone, cutProducts } = undo(before, after);
    assert.deepEqual(undone.products, before.products);
    assert.deepEqual(cutProducts, []);
  });

  test('more ranges than a change holds are not all known', () => {
    const rows = (count: number) =>
      Array.from({ length: count }, (_, at) => product(`cpe:2.3:a:acme:anvil:1.${at}:*:*:*:*:*:*:*`));
    const { facts: undone, cutProducts } = undo(facts({ products: rows(30) }), facts({ products: rows(1) }));
    assert.deepEqual(cutProducts, ['acme:anvil']);
    assert.equal(undone.products.length, 21);
  });
});

test('the text of a range is read as it was written', () => {
  const rows = [
    product('cpe:2.3:o:linux:linux_kernel:*:*:*:*:*:*:*:*', { start_including: '5.1', end_excluding: '5.4.2' }),
    product('cpe:2.3:a:acme:anvil:1.2.3:sp1:*:*:*:*:*:*'),
    product('cpe:2.3:a:acme:anvil:2\\+b:-:*:*:*:*:*:*'),
    product('cpe:2.3:a:acme:c\\+\\+:*:*:*:*:*:*:*:*'),
    product('cpe:2.3:a:acme:anvil:*:*:*:*:pro:node.js:*:*', { end_including: '3.0' }),
    product(null, { vendor: 'Acme, Inc.', product: 'Anvil (big)', version: '1.0 (beta)' }),
    product(null, { vendor: 'Acme', product: 'Anvil', start_excluding: '1', end_including: '2.0 beta' }),
  ];
  for (const row of rows)
    assert.deepEqual(productOfRange(productName(row), rangeText(row), [row], false), row, rangeText(row));
  // Of a product that no row has any more.
  const [kernel, anvil] = rows.map((row) => [productName(row), rangeText(row)] as const);
  assert.equal(productOfRange(...kernel!, [], true).cpe, 'cpe:2.3:a:linux:linux_kernel:*:*:*:*:*:*:*:*');
  assert.equal(productOfRange(...anvil!, [], true).cpe, 'cpe:2.3:a:acme:anvil:1.2.3:sp1:*:*:*:*:*:*');
});
