import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import type { CveFacts } from '../../src/analysis/cve/cve-facts.ts';
import { encodeBatch } from '../../src/catalog/record-rows.ts';
import { factsOfNvdRecord } from '../../src/feeds/nvd/record.ts';
import { nvdRecord } from '../support/nvd-mirror.ts';

const Text = z.string().nullable();
const Facts = z.strictObject({
  cve_id: z.string(),
  source: z.literal('nvd'),
  status: z.string(),
  rejected: z.boolean(),
  published: Text,
  modified: Text,
  title: Text,
  description: Text,
  assigner: Text,
  tags: z.array(z.string().min(2)),
  metrics: z.array(
    z.strictObject({
      version: z.enum(['2.0', '3.0', '3.1', '4.0']),
      vector: z.string(),
      base_score: z.number().min(0).max(10).nullable(),
      base_severity: z.enum(['LOW', 'MEDIUM', 'HIGH', 'CRITICAL']).nullable(),
      scorer: z.string(),
      primary: z.boolean(),
    }),
  ),
  ssvc: z
    .strictObject({
      exploitation: z.enum(['none', 'poc', 'active']),
      automatable: z.enum(['no', 'yes']),
      technical_impact: z.enum(['partial', 'total']),
      source: z.string(),
      at: Text,
    })
    .nullable(),
  weaknesses: z.array(z.strictObject({ cwe_id: z.string(), source: z.string() })),
  references: z.array(z.strictObject({ url: z.string(), tags: z.array(z.string().min(2)), source: Text })),
  products: z.array(
    z.strictObject({
      cpe: Text,
      vendor: Text,
      product: Text,
      version: Text,
      ecosystem: Text,
      vulnerable: z.boolean(),
      start_including: Text,
      start_excluding: Text,
      end_including: Text,
      end_excluding: Text,
    }),
  ),
  configurations: z.array(
    z.strictObject({
      operator: z.enum(['AND', 'OR']),
      negate: z.boolean(),
      nodes: z.array(
        z.strictObject({ operator: z.enum(['AND', 'OR']), negate: z.boolean(), products: z.array(z.int()) }),
      ),
    }),
  ),
});

test('a field of the wrong type makes a broken record or is left out: it never gets into the facts', () => {
  const wrong: string[] = [];
  const { cve } = nvdRecord('CVE-2024-1001', {
    affected: [
      {
        source: 'cna',
        affectedData: [{ vendor: 'a', product: 'b', versions: [{ version: '1', status: 'affected' }] }],
      },
    ],
  });
  Object.assign(cve.metrics, {
    ssvcV203: [
      {
        source: 'cisa',
        ssvcData: {
          timestamp: '2025-02-04T14:25:34Z',
          options: [{ exploitation: 'poc' }, { automatable: 'no' }, { technicalImpact: 'total' }],
        },
      },
    ],
  });
  // With one product alone, too: nothing has to be put in order then.
  const [{ nodes }] = cve.configurations;
  const small = { ...cve, configurations: [{ nodes: [nodes[0]] }] };
  for (const [whole, path] of [cve, small].flatMap((record) =>
    pathsOf(record).map((path) => [record, path] as const),
  )) {
    for (const value of [5, 'odd text', [], {}, true, null, -1e9]) {
      const broken = structuredClone(whole);
      const parent = path.slice(0, -1).reduce((at: any, name) => at[name], broken);
      parent[path.at(-1)!] = value;
      const what = `${path.join('.')} = ${JSON.stringify(value)}`;
      let facts: CveFacts;
      try {
        facts = factsOfNvdRecord({ cve: broken });
      } catch {
        continue;
      }
      const checked = Facts.safeParse(facts);
      if (!checked.success)
        wrong.push(`${what}: ${checked.error.issues[0]?.path.join('.')} ${checked.error.issues[0]?.message}`);
      try {
        encodeBatch([facts]);
      } catch (error) {
        wrong.push(`${what}: cannot be stored, ${(error as Error).message}`);
      }
    }
  }
  assert.deepEqual(wrong, []);
});

/** Paths of all fields and items, however deep. */
function pathsOf(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [[name], ...pathsOf(inner).map((path) => [name, ...path])]);
}
