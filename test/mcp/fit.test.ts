import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { truncateToBudget } from '../../src/mcp/truncate-to-budget.ts';
import { z } from 'zod';
import type { Operation } from '../../src/engine/operation.ts';
import { OPERATIONS } from '../../src/operations/list.ts';
import { parseInput } from '../../src/engine/input/parse-input.ts';
import { fullCatalog, noFeeds } from '../support/full-catalog.ts';
import { parseMarked } from './parse-marked.ts';

const LIMIT = 24 * 1024;
const operationOf = (id: string) => OPERATIONS.find((operation) => operation.id === id)!;
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
const fitted = (id: string, given: object, answer: object): any =>
  JSON.parse(
    truncateToBudget(operationOf(id), given as Record<string, unknown>, Buffer.from(JSON.stringify(answer))).toString(),
  );
const rows = (count: number, of: (index: number) => object): object[] =>
  Array.from({ length: count }, (_, at) => of(at));
const VERDICT = { gaps: rows(200, (at) => ({ at })), completeness: 'partial' };

describe('an answer', () => {
  test('that fits is left as it is, to the byte', () => {
    const answer = { cve_id: 'CVE-2021-44228', references: rows(10, (at) => ({ at })) };
    const json = JSON.stringify(answer);
    assert.equal(truncateToBudget(operationOf('cve_lookup'), {}, Buffer.from(json)).toString(), json);
  });

  test('that is too long loses rows of lists within lists first', () => {
    const results = rows(20, (at) => ({
      at,
      references: rows(50, (index) => ({ url: `https://example.com/${index}/x` })),
    }));
    const cut = fitted(
      'cve_search',
      {},
      { count: 20, total: 20, offset: 0, next_offset: null, truncated: false, results, verdict: VERDICT },
    );
    assert.equal(cut.results.length, 20);
    assert.ok(cut.results[0].references.length < 50);
    assert.deepEqual([cut.count, cut.next_offset, cut.truncated], [20, null, false]);
    assert.match(cut.trimmed, /results\[\]\.references \d+ of up to 50/);
    assert.deepEqual(cut.verdict, VERDICT, 'what says how good it is, is whole');
  });

  test('that is a page becomes a shorter page, and the next one begins where it ends', () => {
    const results = rows(200, (at) => ({ at, summary: 'x'.repeat(300) }));
    const cut = fitted(
      'cve_search',
      {},
      { count: 200, total: 5000, offset: 400, next_offset: 600, truncated: true, results },
    );
    assert.ok(JSON.stringify(cut).length <= LIMIT);
    assert.equal(cut.count, cut.results.length);
    assert.equal(cut.next_offset, 400 + cut.results.length);
    assert.equal(cut.total, 5000);
    assert.match(cut.trimmed, /results \d+ of 200.*next_offset.*limit/);
    assert.doesNotMatch(cut.trimmed, /include_rejected/, 'a filter gives no more of the same');
  });

  test('of a page whose list has another name too', () => {
    const defenses = rows(200, (at) => ({ at, description: 'x'.repeat(300) }));
    const cut = fitted(
      'd3fend_defense_for_attack',
      {},
      { count: 200, total: 200, offset: 0, next_offset: null, truncated: false, defenses },
    );
    assert.deepEqual([cut.count, cut.next_offset, cut.truncated], [cut.defenses.length, cut.defenses.length, true]);
  });

  test('that was asked to be long is left long', () => {
    const results = rows(200, (at) => ({ at, summary: 'x'.repeat(300) }));
    for (const given of [{ limit: 200 }, { include: 'full' }, { include_full_references: true }]) {
      assert.equal(fitted('cve_search', given, { count: 200, results }).results.length, 200);
    }
    for (const given of [{ include_full_references: false }, { include_rejected: true }, { product: 'x' }]) {
      assert.ok(fitted('cve_search', given, { count: 200, results }).results.length < 200, JSON.stringify(given));
    }
  });
});

describe('a bulk answer', () => {
  const bulk = (found: object) => {
    const results = rows(50, (at) => ({
      cve_id: `CVE-2024-${1000 + at}`,
      status: at === 7 ? 'not_found' : 'ok',
      cve: at === 7 ? null : found,
      error: at === 7 ? { code: 'not_found', message: 'no' } : null,
    }));
    const answer = { results, total: 50, successful: 49, failed: 1, summary: '49 of 50 ids answered, 1 not.' };
    const cut = fitted('bulk_cve_lookup', {}, answer);
    assert.ok(JSON.stringify(cut).length <= LIMIT);
    assert.deepEqual(
      cut.results.map(({ cve_id, status }: { cve_id: string; status: string }) => `${cve_id} ${status}`),
      results.map((item) => `${(item as { cve_id: string }).cve_id} ${(item as { status: string }).status}`),
    );
    assert.deepEqual([cut.total, cut.successful, cut.failed], [50, 49, 1]);
    return cut;
  };

  test('keeps the main facts of every item before any is left out, and says so', () => {
    const kev = { in_kev: true, date_added: '2021-12-10' };
    const cut = bulk({ severity: 'HIGH', kev, description: 'x'.repeat(900), summary: 'y '.repeat(150) });
    for (const { status, cve } of cut.results) {
      if (status !== 'ok') continue;
      assert.deepEqual([cve.severity, cve.kev, cve.description], ['HIGH', kev, undefined]);
      assert.ok(cve.summary.startsWith('y y'));
    }
    assert.match(cut.trimmed, /cve has severity, .*kev.*summary alone/);
    assert.match(cut.summary, /^49 of 50 ids answered, 1 not\. .*shortened/);
  });

  test('that is too long even so leaves out the last, and says which to ask for again', () => {
    const cut = bulk({ severity: 'HIGH', patch_url: `https://example.com/${'x'.repeat(900)}`, summary: 'y' });
    const left = cut.results.filter(
      ({ status, cve }: { status: string; cve: unknown }) => status === 'ok' && cve === null,
    );
    assert.ok(left.length > 0);
    assert.ok(cut.results[0].cve !== null);
    assert.match(cut.trimmed, new RegExp(`cve left out at the last ${left.length}`));
    assert.match(cut.summary, new RegExp(`cve is left out at the last ${left.length}\\.`));
  });

  test('the main facts are fields of the answer', () => {
    for (const { id, bulk, output } of OPERATIONS) {
      if (bulk?.answerField === undefined) continue;
      const item = (output.shape['results'] as z.ZodArray<z.ZodObject>).element;
      const found = (item.shape[bulk.answerField] as z.ZodNullable<z.ZodObject>).unwrap();
      for (const name of bulk.briefFields ?? []) {
        const [field = '', inner] = name.split('.');
        const schema = found.shape[field];
        assert.ok(schema !== undefined, `${id}: ${name}`);
        if (inner !== undefined) assert.ok(inner in objectOf(schema).shape, `${id}: ${name}`);
      }
      assert.ok(bulk.briefFields?.includes('summary'), id);
    }
  });
});

/** Fifty of the known-exploited, which have long records. */
const KNOWN_EXPLOITED = [
  'CVE-2021-44228',
  'CVE-2021-45046',
  ...Array.from({ length: 48 }, (_, at) => `CVE-2021-${30_650 + at}`),
];

function objectOf(schema: unknown): z.ZodObject {
  return (schema instanceof z.ZodNullable ? schema.unwrap() : schema) as z.ZodObject;
}

/** Of a bulk answer the items may be short; what is there has its type all the same. */
function assertTyped({ output, bulk }: Operation, body: Record<string, unknown>): void {
  if (bulk?.answerField === undefined) return void output.parse(body);
  const list = output.shape['results'] as z.ZodArray<z.ZodObject>;
  const found = (list.element.shape[bulk.answerField] as z.ZodNullable<z.ZodObject>).unwrap();
  const shortened = (bulk.briefFields ?? [])
    .map((name) => name.split('.'))
    .filter(({ length }) => length === 2)
    .map(([field = '']) => [field, objectOf(found.shape[field]!).partial().nullish()]);
  const item = list.element.extend({
    [bulk.answerField]: found.partial().extend(Object.fromEntries(shortened)).nullable(),
  });
  output.extend({ results: z.array(item) }).parse(body);
}

describe('over all feeds', { skip: noFeeds }, () => {
  const heavy: [id: string, given: Record<string, unknown>][] = [
    ['cve_search', { product: 'linux_kernel', limit: 20 }],
    ['bulk_cve_lookup', { cve_ids: Array.from({ length: 50 }, (_, at) => `CVE-2021-44${200 + at}`) }],
    ['bulk_cve_lookup', { cve_ids: KNOWN_EXPLOITED }],
    ['d3fend_attack_coverage', { attack_techniques: Array.from({ length: 500 }, (_, at) => `T${1000 + at}`) }],
    ['atlas_technique_search', {}],
    ['atlas_case_study_search', {}],
    ['d3fend_defense_search', {}],
    [
      'bulk_atlas_technique_lookup',
      { technique_ids: Array.from({ length: 50 }, (_, at) => `AML.T00${String(at).padStart(2, '0')}`) },
    ],
  ];
  for (const [id, given] of heavy) {
    test(`${id} stays short, and its shape`, async (t) => {
      const full = await fullCatalog();
      const operation = operationOf(id);
      const answer = await full.ask(id, parseInput(operation, given));
      const { limit: _, ...asked } = given;
      const text = truncateToBudget(operation, asked, Buffer.from(JSON.stringify(answer))).toString();
      t.diagnostic(`${JSON.stringify(answer).length} bytes, ${text.length} as a tool's answer`);
      assert.ok(Buffer.byteLength(text) <= LIMIT, `${text.length} bytes`);
      const { trimmed, ...body } = parseMarked(text);
      assertTyped(operation, body);
      assert.equal(trimmed !== undefined, text.length < JSON.stringify(answer).length);
    });
  }
});
