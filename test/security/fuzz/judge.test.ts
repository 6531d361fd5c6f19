import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { createOpenApiDocument } from '../../../src/http/openapi.ts';
import { OPERATIONS } from '../../../src/operations/list.ts';
import { parseRoute, restOperations } from '../../../src/engine/route.ts';
import { startService } from '../../support/service.ts';
import { type Declared, judgeOf } from './judge.ts';
import type { FuzzRequest } from './fuzz-request.ts';

const judge = judgeOf(createOpenApiDocument(OPERATIONS, '0') as unknown as Declared);
const service = await startService({ after });

const asked = (operation: string, method: string, path: string): FuzzRequest => ({
  surface: 'rest',
  operation,
  method,
  path,
  headers: {},
});
const refusal = {
  status: 405,
  headers: { 'x-request-id': '1', 'content-type': 'application/json' },
  text: '{"error":{"code":"method_not_allowed"}}',
  ms: 1,
};

describe('the judge of answers and 405', () => {
  test('an operation that is asked by its own method never answers it', () => {
    for (const { id, route } of restOperations(OPERATIONS)) {
      const { method, path } = parseRoute(route);
      const request = asked(id, method, path.replace(/[:*]\w+/g, 'identifier'));
      assert.deepEqual(judge(request, refusal), ['status 405 is not declared'], route);
    }
  });

  test('another method does', () => {
    assert.deepEqual(judge(asked('cve_lookup', 'DELETE', '/v1/cve/CVE-2021-44228'), refusal), []);
    assert.deepEqual(judge(asked('cve_search', 'POST', '/v1/cves?limit=1'), refusal), []);
  });

  test('an identifier that is the name of a path of POST alone is that path, as the service answers it', async () => {
    for (const path of ['/v1/sigma/bulk', '/v1/sigma/bulk/', '/v1/sigma/%62ulk?full=true']) {
      const { status, headers, text } = await service.get(path);
      assert.equal(status, 405, path);
      const reply = { status, headers: headers as Record<string, string>, text, ms: 1 };
      assert.deepEqual(judge(asked('sigma_rule_lookup', 'GET', path), reply), [], path);
    }
  });
});
