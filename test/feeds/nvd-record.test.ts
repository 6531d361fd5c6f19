import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { CveFacts } from '../../src/analysis/cve/cve-facts.ts';
import { factsOfNvdRecord } from '../../src/feeds/nvd/record.ts';
import { nvdRecord } from '../support/nvd-mirror.ts';

function factsOf(more: Record<string, unknown> = {}): CveFacts {
  return factsOfNvdRecord(nvdRecord('CVE-2024-1001', more));
}

test('a record as facts', () => {
  const facts = factsOf();
  assert.deepEqual(
    { ...facts, metrics: [], references: [], products: [], configurations: [] },
    {
      cve_id: 'CVE-2024-1001',
      source: 'nvd',
      status: 'Analyzed',
      rejected: false,
      published: '2011-03-03T10:15:00.000Z',
      modified: '2024-01-01T00:00:00.000Z',
      title: null,
      description: 'A flaw in Anvil 1001 lets it drop.',
      assigner: 'cna@example.com',
      tags: [],
      metrics: [],
      ssvc: null,
      weaknesses: [{ cwe_id: 'CWE-79', source: 'nvd@nist.gov' }],
      references: [],
      products: [],
      configurations: [],
    },
  );
  assert.deepEqual(facts.metrics, [
    {
      version: '3.1',
      vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
      base_score: 9.8,
      base_severity: 'CRITICAL',
      scorer: 'nvd@nist.gov',
      primary: true,
    },
  ]);
  assert.deepEqual(facts.references[1], {
    url: 'https://acme.example/fix/1001',
    tags: ['Patch'],
    source: 'cna@example.com',
  });
});

test('a rejected record is one, with the words of why', () => {
  const facts = factsOf({
    vulnStatus: 'Rejected',
    descriptions: [{ lang: 'en', value: 'Rejected reason: not used' }],
    metrics: {},
    configurations: [],
    references: [],
  });
  assert.deepEqual([facts.rejected, facts.status, facts.description], [true, 'Rejected', 'Rejected reason: not used']);
});

test('the applicability tree: AND, OR, negation, both ends of ranges, what runs beneath', () => {
  const match = (criteria: string, more: object = {}) => ({
    vulnerable: true,
    criteria,
    matchCriteriaId: criteria,
    ...more,
  });
  const [a, b, c] = ['a', 'b', 'c'].map((name) => `cpe:2.3:a:acme:${name}:*:*:*:*:*:*:*:*`) as [string, string, string];
  const facts = factsOf({
    descriptions: [{ lang: 'en', value: 'In c.' }],
    configurations: [
      {
        operator: 'AND',
        negate: true,
        nodes: [
          {
            operator: 'OR',
            negate: false,
            cpeMatch: [
              match(a, { versionStartIncluding: '1', versionEndExcluding: '2' }),
              match(a, { versionStartExcluding: '1', versionEndIncluding: '2' }),
              match(b, { vulnerable: false }),
            ],
          },
          {
            operator: 'AND',
            negate: true,
            cpeMatch: [match(c), match(a, { versionStartIncluding: '1', versionEndExcluding: '2' })],
          },
        ],
      },
      { nodes: [{ operator: 'OR', cpeMatch: [match(b)] }] },
    ],
  });
  const seen = (at: number) => {
    const { cpe, vulnerable, start_including, start_excluding, end_including, end_excluding } = facts.products[at]!;
    return [cpe, vulnerable, start_including, start_excluding, end_including, end_excluding];
  };
  assert.equal(facts.products.length, 5);
  assert.deepEqual(
    facts.configurations.map(({ operator, negate, nodes }) => [
      operator,
      negate,
      nodes.map((node) => [node.operator, node.negate, node.products.map(seen)]),
    ]),
    [
      [
        'AND',
        true,
        [
          [
            'OR',
            false,
            [
              [a, true, '1', null, null, '2'],
              [a, true, null, '1', '2', null],
              [b, false, null, null, null, null],
            ],
          ],
          [
            'AND',
            true,
            [
              [c, true, null, null, null, null],
              [a, true, '1', null, null, '2'],
            ],
          ],
        ],
      ],
      ['OR', false, [['OR', false, [[b, true, null, null, null, null]]]]],
    ],
  );
  assert.equal(facts.products[0]!.cpe, c, 'the product that the description names comes first');
  assert.equal(facts.products.at(-1)!.vulnerable, false, 'and what it runs on last');
});

suite('scores', () => {
  const scored = (list: string, version: string, more: object, outside: object = {}) =>
    factsOf({
      metrics: {
        [list]: [
          {
            source: 'cna@example.com',
            type: 'Secondary',
            cvssData: { version, vectorString: 'V', ...more },
            ...outside,
          },
        ],
      },
    }).metrics;

  test('of every version', () => {
    for (const [list, version] of [
      ['cvssMetricV2', '2.0'],
      ['cvssMetricV30', '3.0'],
      ['cvssMetricV31', '3.1'],
      ['cvssMetricV40', '4.0'],
    ] as const) {
      const [metric] = scored(list, version, { baseScore: 5 });
      assert.deepEqual(
        [metric?.version, metric?.base_score, metric?.scorer, metric?.primary],
        [version, 5, 'cna@example.com', false],
      );
    }
  });
  test('the severity of v2.0 stands beside the vector, a 0.0 has none', () => {
    assert.equal(scored('cvssMetricV2', '2.0', { baseScore: 10 }, { baseSeverity: 'HIGH' })[0]?.base_severity, 'HIGH');
    assert.equal(scored('cvssMetricV31', '3.1', { baseScore: 0, baseSeverity: 'NONE' })[0]?.base_severity, null);
  });
  test('an SSVC assessment (ssvcV203) is no score', () => {
    const { metrics, ssvc } = factsOf({ metrics: { ssvcV203: [{ source: 'cisa', ssvcData: { options: [] } }] } });
    assert.deepEqual([metrics, ssvc], [[], null]);
  });
  test("CISA's SSVC assessment of Log4Shell, as the NVD carries it", () => {
    const { ssvc } = factsOf({
      metrics: {
        ssvcV203: [
          {
            source: '134c704f-9b21-4f2e-91b3-4a467353bcc0',
            ssvcData: {
              timestamp: '2025-02-04T14:25:34.416117Z',
              id: 'CVE-2021-44228',
              options: [{ exploitation: 'active' }, { automatable: 'yes' }, { technicalImpact: 'total' }],
              role: 'CISA Coordinator',
              version: '2.0.3',
            },
          },
        ],
      },
    });
    assert.deepEqual(ssvc, {
      exploitation: 'active',
      automatable: 'yes',
      technical_impact: 'total',
      source: 'CISA-ADP',
      at: '2025-02-04T14:25:34.416Z',
    });
  });
});

test('references: each address once with all its tags, ftp ones too', () => {
  const { references } = factsOf({
    references: [
      { url: 'https://a.example/', source: 'x', tags: ['Patch'] },
      { url: 'ftp://b.example/fix', source: 'x', tags: ['Patch'] },
      { url: 'https://a.example/', source: 'y', tags: ['Patch', 'Exploit'] },
      { url: 'https://c.example/', source: 'x' },
      { url: 'javascript:alert(1)', source: 'x' },
    ],
  });
  assert.deepEqual(references, [
    { url: 'https://a.example/', tags: ['Patch', 'Exploit'], source: 'x' },
    { url: 'ftp://b.example/fix', tags: ['Patch'], source: 'x' },
    { url: 'https://c.example/', tags: [], source: 'x' },
  ]);
});

test("weaknesses: numbers only, the NVD's first, each once for who named it", () => {
  const named = (source: string, ...values: string[]) => ({
    source,
    type: 'Primary',
    description: values.map((value) => ({ lang: 'en', value })),
  });
  const { weaknesses } = factsOf({
    weaknesses: [
      named('cna', 'CWE-79', 'CWE-79', 'CWE-80'),
      named('nvd@nist.gov', 'NVD-CWE-noinfo', 'CWE-79', 'NVD-CWE-Other'),
    ],
  });
  assert.deepEqual(
    weaknesses.map(({ cwe_id, source }) => `${cwe_id} ${source}`),
    ['CWE-79 nvd@nist.gov', 'CWE-79 cna', 'CWE-80 cna'],
  );
});

test('fields that are new to us are let be', () => {
  const { cve } = nvdRecord('CVE-2024-1001');
  const grown = withNovelties(cve) as Record<string, unknown>;
  assert.deepEqual(factsOfNvdRecord({ cve: grown, novelty: 1 }), factsOfNvdRecord({ cve }));
});

/** The same with an unknown field in each object. */
function withNovelties(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNovelties);
  if (typeof value !== 'object' || value === null) return value;
  const known = Object.entries(value).map(([name, inner]) => [name, withNovelties(inner)]);
  return { ...Object.fromEntries(known), novelty: { of: ['tomorrow'] } };
}

test('a record with as little as possible', () => {
  const facts = factsOfNvdRecord({ cve: { id: 'cve-2024-1001' } });
  assert.equal(facts.cve_id, 'CVE-2024-1001');
  assert.deepEqual(
    [facts.published, facts.description, facts.metrics, facts.references, facts.products],
    [null, null, [], [], []],
  );
});

test('what is no record', () => {
  for (const element of [
    null,
    5,
    'x',
    [],
    {},
    { cve: null },
    { cve: [] },
    { cve: {} },
    { cve: { id: 5 } },
    { cve: { id: 'CVE-2024' } },
    { cve: { id: 'CVE-2024-00001234' } },
  ]) {
    assert.throws(() => factsOfNvdRecord(element), JSON.stringify(element));
  }
});
