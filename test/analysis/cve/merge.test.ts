import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { CveFacts, CveProduct, RecordSource } from '../../../src/analysis/cve/cve-facts.ts';
import { mergeCve } from '../../../src/analysis/cve/merge-cve.ts';
import { facts, product } from '../../support/facts.ts';

function of(source: RecordSource, more: Partial<CveFacts> = {}): CveFacts {
  return facts({ source, status: source === 'nvd' ? 'Analyzed' : 'PUBLISHED', ...more });
}

test('the facts of one source are its own', () => {
  const alone = of('ghsa', {
    description: 'Words.',
    title: 'A title',
    products: [product('cpe:2.3:a:v:p:1:*:*:*:*:*:*:*')],
  });
  const merged = mergeCve([alone]);
  assert.deepEqual(merged.sources, ['ghsa']);
  assert.equal(merged.description, 'Words.');
  assert.equal(merged.description_source, 'ghsa');
  assert.deepEqual(
    merged.products,
    alone.products.map((row) => ({ ...row, sources: ['ghsa'] })),
  );
  assert.deepEqual(merged.first_seen, { source: 'ghsa', at: alone.published });
});

test('nothing to join is an error', () => {
  assert.throws(() => mergeCve([]), RangeError);
});

suite('several sources', () => {
  test('stand by precedence, in whatever order they come', () => {
    const parts = [of('starter'), of('ghsa'), of('cvelist'), of('nvd')];
    assert.deepEqual(mergeCve(parts).sources, ['nvd', 'cvelist', 'ghsa', 'starter']);
    assert.deepEqual(mergeCve(parts.toReversed()).sources, ['nvd', 'cvelist', 'ghsa', 'starter']);
  });

  test('the first that knows a fact gives it', () => {
    const merged = mergeCve([
      of('ghsa', { description: 'of GHSA', title: 'of GHSA', modified: '2024-03-01T00:00:00.000Z' }),
      of('nvd', { description: null, title: null, modified: '2024-02-01T00:00:00.000Z', assigner: null }),
      of('cvelist', { description: 'of the list', title: null, assigner: 'acme' }),
    ]);
    assert.deepEqual([merged.description, merged.description_source], ['of the list', 'cvelist']);
    assert.equal(merged.title, 'of GHSA');
    assert.equal(merged.modified, '2024-02-01T00:00:00.000Z');
    assert.equal(merged.assigner, 'acme');
  });

  test('all scores are kept, each with its scorer and the feed that carried it', () => {
    const score = { version: '3.1', vector: 'V', base_score: 5, base_severity: null, primary: false } as const;
    const merged = mergeCve([
      of('cvelist', { metrics: [{ ...score, scorer: 'acme', primary: true }] }),
      of('nvd', {
        metrics: [
          { ...score, scorer: 'nvd@nist.gov' },
          { ...score, scorer: 'acme' },
        ],
      }),
    ]);
    assert.deepEqual(
      merged.metrics.map(({ scorer, source, primary }) => [scorer, source, primary]),
      [
        ['nvd@nist.gov', 'nvd', false],
        ['acme', 'nvd', false],
        ['acme', 'cvelist', true],
      ],
    );
  });

  test('one address is one reference, with the tags of all and the source of the first', () => {
    const merged = mergeCve([
      of('nvd', { references: [{ url: 'https://a.example/', tags: ['Patch'], source: 'cna' }] }),
      of('ghsa', {
        references: [
          { url: 'https://b.example/', tags: [], source: 'github' },
          { url: 'https://a.example/', tags: [], source: 'github' },
        ],
      }),
      of('cvelist', { references: [{ url: 'https://a.example/', tags: ['exploit', 'Patch'], source: 'acme' }] }),
    ]);
    assert.deepEqual(merged.references, [
      { url: 'https://a.example/', tags: ['Patch', 'exploit'], source: 'cna' },
      { url: 'https://b.example/', tags: [], source: 'github' },
    ]);
  });

  test('a weakness counts once for each who names it', () => {
    const named = (cwe_id: string, source: string) => ({ cwe_id, source });
    const merged = mergeCve([
      of('cvelist', { weaknesses: [named('CWE-79', 'acme'), named('CWE-80', 'acme')] }),
      of('nvd', { weaknesses: [named('CWE-79', 'nvd@nist.gov'), named('CWE-79', 'acme')] }),
    ]);
    assert.deepEqual(merged.weaknesses, [
      named('CWE-79', 'nvd@nist.gov'),
      named('CWE-79', 'acme'),
      named('CWE-80', 'acme'),
    ]);
  });

  test('configurations are those of the NVD and still point at its products', () => {
    const own = ['1', '2', '3'].map((version) => product(`cpe:2.3:a:v:p:${version}:*:*:*:*:*:*:*`));
    const others: CveProduct[] = [product('cpe:2.3:a:v:p:2:*:*:*:*:*:*:*'), product('cpe:2.3:a:v:p:9:*:*:*:*:*:*:*')];
    const configurations = [
      { operator: 'AND', negate: false, nodes: [{ operator: 'OR', negate: true, products: [2, 0] }] },
    ] as const;
    const merged = mergeCve([
      of('cvelist', { products: others }),
      of('nvd', { products: own, configurations: structuredClone(configurations) as never }),
    ]);
    assert.deepEqual(
      merged.products.map(({ cpe, sources }) => [cpe, sources]),
      [
        [own[0]?.cpe, ['nvd']],
        [own[1]?.cpe, ['nvd', 'cvelist']],
        [own[2]?.cpe, ['nvd']],
        [others[1]?.cpe, ['cvelist']],
      ],
    );
    assert.deepEqual(merged.configurations, configurations);
  });
});

test('first seen is the earliest publication, and whose', () => {
  const merged = mergeCve([
    of('nvd', { published: '2024-03-02T10:15:00.000Z' }),
    of('cvelist', { published: '2024-03-02T09:00:00.000Z' }),
    of('ghsa', { published: '2024-03-01' }),
  ]);
  assert.deepEqual(merged.first_seen, { source: 'ghsa', at: '2024-03-01' });
  assert.equal(merged.published, '2024-03-02T10:15:00.000Z');
  assert.equal(mergeCve([of('nvd', { published: null })]).first_seen, null);
});

suite('ahead of the NVD', () => {
  const leading = (...parts: CveFacts[]) => mergeCve(parts).leading;
  for (const status of ['Received', 'Awaiting Analysis', 'Undergoing Analysis', 'Deferred']) {
    test(`an advisory beside "${status}" is`, () => {
      assert.equal(leading(of('nvd', { status }), of('ghsa')), true);
      assert.equal(leading(of('nvd', { status }), of('cvelist')), true);
      assert.equal(leading(of('nvd', { status })), false);
    });
  }
  for (const status of ['Awaiting Analysis', 'Undergoing Analysis', 'Deferred']) {
    const score = { version: '3.1', vector: 'V', base_score: 9.8, base_severity: null } as const;
    test(`an advisory beside "${status}" is not, where the NVD scored it or configured products`, () => {
      const own = [{ ...score, scorer: 'nvd@nist.gov', primary: true }];
      const products = [product('cpe:2.3:a:v:p:1:*:*:*:*:*:*:*')];
      const nodes = [{ operator: 'OR' as const, negate: false, products: [0] }];
      const configurations = [{ operator: 'OR' as const, negate: false, nodes }];
      assert.equal(leading(of('nvd', { status, metrics: own }), of('ghsa')), false);
      assert.equal(leading(of('nvd', { status, products, configurations }), of('ghsa')), false);
      // Without a configuration they are the CNA's, which the NVD repeats.
      assert.equal(leading(of('nvd', { status, products }), of('ghsa')), true);
    });
    test(`an advisory beside "${status}" is, where the NVD passes on the score of another`, () => {
      const passedOn = [{ ...score, scorer: '134c704f-9b21-4f2e-91b3-4a467353bcc0', primary: false }];
      assert.equal(leading(of('nvd', { status, metrics: passedOn }), of('ghsa')), true);
    });
  }
  for (const status of ['Analyzed', 'Modified', 'Rejected']) {
    test(`an advisory beside "${status}" is not`, () =>
      assert.equal(leading(of('nvd', { status }), of('ghsa')), false));
  }
  test('without the NVD', () => {
    assert.equal(leading(of('cvelist')), true);
    assert.equal(leading(of('ghsa')), true);
    assert.equal(leading(of('starter')), false);
  });
});

test('a CVE is rejected when a CVE record says so; a withdrawn advisory says nothing of it', () => {
  const rejected = (...parts: CveFacts[]) => mergeCve(parts).rejected;
  assert.equal(rejected(of('nvd', { rejected: true })), true);
  assert.equal(rejected(of('nvd'), of('cvelist', { rejected: true })), true);
  assert.equal(rejected(of('nvd'), of('ghsa', { rejected: true })), false);
  assert.equal(rejected(of('ghsa', { rejected: true })), true);
  assert.equal(rejected(of('nvd'), of('cvelist')), false);
});

test('a rejection is told as its source tells it: status, reason and day', () => {
  const analysed = of('nvd', { description: 'A flaw in the anvil.', modified: '2024-02-01T00:00:00.000Z' });
  const reason = 'This CVE ID has been rejected by its CNA.';
  const rejection = { rejected: true, status: 'REJECTED', description: reason, modified: '2024-05-01T00:00:00.000Z' };
  const merged = mergeCve([analysed, of('cvelist', rejection)]);
  assert.deepEqual(
    [merged.rejected, merged.status, merged.description, merged.description_source, merged.modified],
    [true, 'REJECTED', reason, 'cvelist', '2024-05-01T00:00:00.000Z'],
  );
  const both = mergeCve([{ ...analysed, rejected: true, status: 'Rejected' }, of('cvelist', rejection)]);
  assert.deepEqual([both.status, both.description_source], ['Rejected', 'nvd']);
  const silent = mergeCve([analysed, of('cvelist', { ...rejection, description: null })]);
  assert.deepEqual([silent.status, silent.description], ['REJECTED', 'A flaw in the anvil.']);
  const withdrawn = mergeCve([analysed, of('ghsa', { ...rejection, status: 'withdrawn' })]);
  assert.deepEqual([withdrawn.status, withdrawn.modified], ['Analyzed', '2024-02-01T00:00:00.000Z']);
});
