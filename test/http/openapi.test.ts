import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { z } from 'zod';
import { createOpenApiDocument } from '../../src/http/openapi.ts';
import { OPERATIONS } from '../../src/operations/list.ts';
import { restOperations } from '../../src/engine/route.ts';
import { IDS } from '../operations/fixture-facts.ts';
import { ask } from '../operations/request-of.ts';
import { startService } from '../support/service.ts';

/** What we publish, read as a client's generator would read it, must describe what we answer. */

type Json = Record<string, unknown>;
const service = await startService({ after }, { sources: 'lab' });
const document = createOpenApiDocument(OPERATIONS, '0.0.0') as {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;
  components: { schemas: Json };
};
const described = Object.values(document.paths).flatMap((methods) => Object.values(methods));

/** Corners of the shapes that the examples do not show, by operation. */
const VARIANTS: Record<string, { title: string; input: Json }[]> = {
  cve_lookup: [
    ...[
      IDS.v2Only,
      IDS.v4Only,
      IDS.cnaOnly,
      IDS.rejected,
      IDS.kevOnly,
      IDS.epssOnly,
      IDS.withdrawnAdvisory,
      IDS.noScore,
      IDS.wordy,
    ].map((cve_id) => ({ title: cve_id, input: { cve_id } })),
    {
      title: 'with its references',
      input: { cve_id: IDS.log4shell, include_reference_tags: true, include_severity_breakdown: true },
    },
  ],
  calculate_risk_score: [IDS.kevOnly, IDS.epssOnly, IDS.rejected].map((cve_id) => ({
    title: cve_id,
    input: { cve_id },
  })),
  kev_detail: [{ title: IDS.kevOnly, input: { cve_id: IDS.kevOnly } }],
  exploit_lookup: [{ title: IDS.exploitOnly, input: { cve_id: IDS.exploitOnly } }],
  bulk_cve_lookup: [
    { title: 'nothing', input: { cve_ids: [] } },
    { title: 'good and bad', input: { cve_ids: [IDS.wordy, IDS.unknown, 'x'] } },
  ],
  cve_search: [
    { title: 'everything in full', input: { include: 'full', include_rejected: true, limit: 200 } },
    { title: 'nothing', input: { product: 'nothing' } },
  ],
  cve_leading: [{ title: 'in full', input: { include: 'full' } }],
  cves_recent: [{ title: 'in full', input: { include: 'full', hours: 720 } }],
  cves_kev: [{ title: 'in full', input: { include: 'full' } }],
};

for (const operation of restOperations(OPERATIONS)) {
  describe(operation.id, () => {
    for (const { title, input } of [...operation.examples, ...(VARIANTS[operation.id] ?? [])]) {
      test(`the answer to "${title}" is as published`, async () => {
        const { status, body } = await ask(service, operation, input);
        assert.equal(status, 200);
        assertPublished(operation.id, '200', body);
      });
    }
  });
}

test('errors are as published', async () => {
  for (const [path, status] of [
    ['/v1/cve/nonsense', '400'],
    [`/v1/cve/${IDS.unknown}`, '404'],
    [`/v1/cve/${IDS.log4shell}?limit=1`, '422'],
  ] as const) {
    const reply = await service.get(path);
    assert.equal(String(reply.status), status);
    assertPublished('cve_lookup', status, reply.body);
  }
});

test('an answer with a field more, or one less, is not', async () => {
  const { body } = await service.get(`/v1/cve/${IDS.log4shell}`);
  const { severity: _, ...less } = body;
  assert.throws(() => assertPublished('cve_lookup', '200', { ...body, surprise: 1 }));
  assert.throws(() => assertPublished('cve_lookup', '200', less));
});

function assertPublished(operationId: string, status: string, body: unknown): void {
  const response = described.find((operation) => operation.operationId === operationId)?.responses[status] as
    | { content: { 'application/json': { schema: Json } } }
    | undefined;
  assert.ok(response, `${operationId} publishes no ${status}`);
  const { schema } = response.content['application/json'];
  const whole = { ...schema, $defs: document.components.schemas };
  const compiled = z.fromJSONSchema(JSON.parse(JSON.stringify(whole).replaceAll('#/components/schemas/', '#/$defs/')));
  const { error } = compiled.safeParse(body);
  assert.equal(error?.message.slice(0, 500), undefined);
}
