import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import { recoverOrCreateCatalog } from '../../src/catalog/recover-or-create-catalog.ts';
import { verifyOperations } from '../../src/engine/verify-operations.ts';
import { OPERATIONS } from '../../src/operations/list.ts';
import type { NextCall, Operation } from '../../src/engine/operation.ts';
import { parseInput } from '../../src/engine/input/parse-input.ts';
import { restOperations } from '../../src/engine/route.ts';
import { startService, type TestService } from '../support/service.ts';
import { temporaryFolder } from './fixture-catalog.ts';
import { NOW } from './fixture-facts.ts';
import { missingPaths } from './paths.ts';
import { ask } from './request-of.ts';
import {
  COSTS,
  FULL_ITEM,
  OPTIONAL,
  ROUTES,
  SOURCE_STATUS,
  SPECIFIED,
  NEWER_TOOL_NAMES,
  TOOL_NAMES,
  VERDICT,
  WITHOUT_TOOL,
} from './specified-fields.ts';

const STARTER = fileURLToPath(new URL('../../starter/catalog.json', import.meta.url));
const fixture = await startService({ after }, { sources: 'lab' });

test('every specified operation is in the list, at its route', () => {
  const specified = OPERATIONS.filter(({ id }) => id in SPECIFIED);
  const present = new Set(specified.map(({ id }) => id));
  assert.deepEqual(
    Object.keys(SPECIFIED).filter((id) => !present.has(id)),
    [],
    'specified, but not in src/operations/list.ts: add these',
  );
  assert.deepEqual(
    new Set(restOperations(specified).map(({ route }) => route.replace(/[:*]([a-z_0-9]+)/g, '{$1}'))),
    ROUTES,
    'the specification fixes the routes (ROUTES in specified-fields.ts): mend the operation, not the list',
  );
});

test('the operations fit together', () => verifyOperations(OPERATIONS));

test('operation ids are unique', () => {
  const ids = OPERATIONS.map(({ id }) => id);
  assert.deepEqual(ids, [...new Set(ids)]);
});

test('an operation stands where its name says: <area>/<id>.ts, exported as the id in camel case', async () => {
  for (const { id, area } of OPERATIONS) {
    const file = `src/operations/${area}/${id.replaceAll('_', '-')}.ts`;
    assert.ok(existsSync(new URL(`../../${file}`, import.meta.url)), `${id}: ${file} is where it belongs`);
    const exported = id.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    const module = (await import(`../../${file}`)) as Record<string, unknown>;
    assert.equal((module[exported] as Operation | undefined)?.id, id, `${file} exports ${exported}`);
  }
});

test('beside the operations of an area stand no other files; what they share is in lib/', () => {
  const folder = fileURLToPath(new URL('../../src/operations', import.meta.url));
  const files = globSync('*/*.ts', { cwd: folder });
  const operations = OPERATIONS.map(({ id, area }) => `${area}/${id.replaceAll('_', '-')}.ts`);
  assert.deepEqual(
    files.filter((file) => !operations.includes(file)),
    [],
    'an operation: add it to src/operations/list.ts; what operations share: move it to lib/',
  );
});

for (const operation of OPERATIONS) {
  describe(operation.id, () => {
    test('has an example', () => {
      assert.ok(operation.examples.length > 0, 'give it at least one of `examples`: tests and documentation use it');
    });

    if (operation.id in SPECIFIED) isAsSpecified(operation);

    for (const { title, input } of operation.examples) {
      test(`example "${title}" over the fixture`, () => satisfies(fixture, operation, input));
    }
  });
}

describe('over the starter catalog', { skip: !existsSync(STARTER) && 'no starter' }, async () => {
  const folder = temporaryFolder();
  if (existsSync(STARTER)) await recoverOrCreateCatalog(folder, NOW);
  const service = await startService({ after }, { catalog: folder, sources: 'lab' });

  // The starter holds CVEs and weaknesses; the other catalogs say that they are not there yet.
  const needsOthers = ({ id, area }: Operation) =>
    ['atlas', 'attack', 'd3fend', 'sigma'].includes(area) ||
    ['cve_detection', 'advisory_lookup', 'cve_vex'].includes(id);
  for (const operation of OPERATIONS.filter((one) => !needsOthers(one))) {
    for (const { title, input } of operation.examples) {
      test(`${operation.id}, example "${title}"`, () => satisfies(service, operation, input));
    }
  }

  test('a record says that it is from the starter', async () => {
    const { body } = await service.get('/v1/cve/CVE-2021-44228');
    assert.deepEqual(body.verdict.sources_queried, ['starter']);
    assert.equal(body.verdict.completeness, 'partial');
  });

  test('the status says that it is the starter', async () => {
    const { body } = await service.get('/v1/status');
    assert.equal(body.catalog, 'starter');
    assert.ok(body.data_sources.starter.records > 100);
  });
});

for (const { id, parameter, fields } of OPTIONAL) {
  test(`${id}: ${fields.join(', ')} only with ${parameter}`, async () => {
    const operation = OPERATIONS.find((candidate) => candidate.id === id)!;
    const plain = await ask(fixture, operation, operation.examples[0]!.input);
    const [name = '', value = ''] = parameter.split('=');
    const asked = await ask(fixture, operation, { ...operation.examples[0]!.input, [name]: value });
    for (const field of fields) {
      assert.ok(!(field in plain.body), `${field} is there unasked`);
      assert.ok(field in asked.body, `${field} is missing`);
    }
  });
}

for (const id of ['cve_search', 'cve_leading', 'cves_recent', 'cves_kev']) {
  test(`${id}: include=full adds the verbose fields to the slim ones, and nothing else does`, async () => {
    const operation = OPERATIONS.find((candidate) => candidate.id === id)!;
    const input = id === 'cves_recent' ? { hours: 720 } : {};
    const slim = (await ask(fixture, operation, input)).body;
    const full = (await ask(fixture, operation, { ...input, include: 'full' })).body;
    assert.ok(full.results.length > 0);
    assert.deepEqual(missingPaths(full, [...SPECIFIED[id]!, ...FULL_ITEM.map((field) => `results[].${field}`)]), []);
    for (const item of slim.results)
      for (const field of FULL_ITEM) assert.ok(!(field in item), `${field} in a slim item`);
  });
}

test('status: every source carries the decided fields', async () => {
  const { body } = await fixture.get('/v1/status');
  for (const [id, source] of Object.entries(body.data_sources))
    assert.deepEqual(missingPaths(source, SOURCE_STATUS), [], id);
});

for (const operation of OPERATIONS.filter(({ output }) => 'verdict' in output.shape)) {
  test(`${operation.id}: the fields that it calls falsifiable are in its answer`, async () => {
    const { body } = await ask(fixture, operation, operation.examples[0]!.input);
    const { falsifiable_fields } = body.verdict as { falsifiable_fields: string[] };
    assert.ok(falsifiable_fields.length > 0);
    assert.deepEqual(missingPaths(body, falsifiable_fields), []);
  });
}

/** Cost and tool, for the operations that the specification names; others choose their own. */
function isAsSpecified({ id, cost, tool }: Operation): void {
  test('costs what is specified', () => {
    if (typeof cost !== 'number') return;
    const specified = COSTS[id] ?? 1;
    assert.equal(cost, specified, `set \`cost: ${specified}\``);
  });

  test('is a tool exactly when it is to be one', () => {
    const wanted = !WITHOUT_TOOL.has(id);
    assert.equal(tool !== undefined, wanted, wanted ? 'give it a `tool`' : 'take its `tool` away: it is REST only');
    if (tool !== undefined)
      assert.ok(TOOL_NAMES.has(id) || NEWER_TOOL_NAMES.has(id), `${id} is no tool name of the specification`);
  });
}

/** What must hold of every answer to an example, whatever the catalog. */
async function satisfies(service: TestService, operation: Operation, input: Record<string, unknown>): Promise<void> {
  const reply = await ask(service, operation, input);
  assert.equal(reply.status, 200, reply.text);
  assert.match(String(reply.headers['content-type']), /^application\/json/);
  assert.ok(reply.headers['x-request-id']);
  const body = reply.body as Record<string, unknown>;
  assertNothingUndeclared(operation.output, body);
  assert.deepEqual(
    missingPaths(body, SPECIFIED[operation.id] ?? []),
    [],
    'fields of the specification that are missing',
  );
  assert.ok(typeof body['summary'] === 'string' && body['summary'].length > 0 && body['summary'].length <= 300);
  for (const verdict of verdictsIn(body)) {
    assert.deepEqual(missingPaths(verdict, VERDICT), []);
    const queried = verdict['sources_queried'] as string[];
    for (const name of verdict['sources_unavailable'] as string[])
      assert.ok(!queried.includes(name), `${name} both answered and did not`);
    if (verdict['completeness'] === 'complete') assert.deepEqual(verdict['sources_unavailable'], []);
  }
  for (const call of (body['next_calls'] ?? []) as NextCall[]) assertUsable(call);
}

/** A zod object drops what it does not know, at every depth: what comes back must be what went in. */
function assertNothingUndeclared(schema: z.ZodType, body: unknown): void {
  assert.deepEqual(schema.parse(body), body);
}

function* verdictsIn(value: unknown): Iterable<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'verdict') yield inner as Record<string, unknown>;
    else yield* verdictsIn(inner);
  }
}

/** It names a tool there is or will be, and, where that is here already, one that takes the call as it stands. */
function assertUsable({ tool, input, params }: NextCall): void {
  const operation = OPERATIONS.find(({ id }) => id === tool);
  assert.ok(operation?.tool !== undefined || TOOL_NAMES.has(tool), `next_calls names ${tool}, which is no tool`);
  if (operation === undefined) return;
  const [field = ''] = Object.keys(operation.input.shape);
  parseInput(operation, params ?? { [field]: input });
}
