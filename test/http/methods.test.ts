import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { OPERATIONS } from '../../src/operations/list.ts';
import { parseRoute, routed } from '../../src/operations/route.ts';
import { type Reply, startService } from '../support/service.ts';
import { assertError } from './error-shape.ts';

const service = await startService({ after }, { sources: 'lab' });
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'] as const;
/** The path with the identifiers of the operation's own first example. */
function samplePath(path: string): string {
  const { examples } = routed(OPERATIONS).find(({ route }) => route.endsWith(` ${path}`))!;
  const input = examples[0]!.input as Record<string, unknown>;
  return path.replace(/[:*]([a-z_0-9]+)/g, (_, name: string) => encodeURIComponent(String(input[name])));
}

for (const { route, personal } of routed(OPERATIONS)) {
  const { method, path } = parseRoute(route);
  describe(route, () => {
    test('other methods are 405', async () => {
      for (const other of METHODS.filter((candidate) => candidate !== method)) {
        assertError(await service.send(other, samplePath(path)), { status: 405, code: 'method_not_allowed' });
      }
    });

    test('with a trailing slash it is the same', async () => {
      const plain = await service.send(method, samplePath(path));
      const slashed = await service.send(method, `${samplePath(path)}/`);
      assert.equal(slashed.status, plain.status);
    });

    if (method === 'GET') {
      test('HEAD answers as GET does, without a body', async () => {
        const url =
          path === '/v1/cvss/details'
            ? `${path}?vector=CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H`
            : samplePath(path);
        const headers = personal === 'pro' ? await service.proHeaders() : {};
        const get = await service.get(url, headers);
        const head = await service.send('HEAD', url, undefined, headers);
        assert.equal(get.status, 200);
        assert.equal(head.status, 200);
        assert.equal(head.text, '');
        assert.equal(head.headers['content-type'], get.headers['content-type']);
      });
    }
  });
}

test('a 405 names the methods that the path takes in Allow (RFC 9110, 15.5.6)', async () => {
  for (const { route } of routed(OPERATIONS)) {
    const { method, path } = parseRoute(route);
    const { headers } = await service.send('DELETE', samplePath(path));
    assert.ok(allowed(headers['allow']).includes(method), `DELETE ${path}: Allow: ${String(headers['allow'])}`);
  }
});

describe('other paths', () => {
  for (const path of [
    '/v1',
    '/v1/',
    '/v1/cve',
    '/v1/cve/',
    '/v1/nothing',
    '/V1/cves',
    '//v1/cves',
    '/v1/cve/a/b/c',
    '/.env',
    '/v1/../etc/passwd',
  ]) {
    test(`${path} is 404`, async () => assertError(await service.get(path), { status: 404, code: 'not_found' }));
  }

  test('POST to a page is 405', async () => {
    const reply = await service.send('POST', '/openapi.json');
    assertError(reply, { status: 405, code: 'method_not_allowed' });
  });
});

describe('CORS', () => {
  test('any page may read answers, errors too, and their request id', async () => {
    for (const path of ['/v1/status', '/v1/cve/nonsense', '/v1/nothing', '/v1/cves?limit=0']) {
      const { headers } = await service.get(path, { origin: 'https://page.example' });
      assert.equal(headers['access-control-allow-origin'], '*', path);
      assert.match(String(headers['access-control-expose-headers']), /x-request-id/i);
      assert.equal(headers['access-control-allow-credentials'], undefined);
    }
  });

  test('a preflight names the methods, and lets the key and content type through', async () => {
    const { status, headers } = await service.send('OPTIONS', '/v1/cves/bulk', undefined, {
      origin: 'https://page.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization, content-type, x-api-key',
    });
    assert.equal(status, 204);
    assert.match(String(headers['access-control-allow-methods']), /POST/);
    for (const name of ['authorization', 'content-type', 'x-api-key']) {
      assert.match(String(headers['access-control-allow-headers']).toLowerCase(), new RegExp(name));
    }
  });

  test('OPTIONS that is no preflight is not an error in plain text', async () => {
    const reply = await service.send('OPTIONS', '/v1/cves');
    if (reply.status >= 400) assertError(reply);
    else assert.ok([200, 204].includes(reply.status));
  });
});

function allowed(header: Reply['headers'][string]): string[] {
  return String(header)
    .split(',')
    .map((name) => name.trim());
}
