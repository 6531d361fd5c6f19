import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { needsCredentials } from '../../src/engine/operation.ts';
import { OPERATIONS } from '../../src/operations/list.ts';
import { parseRoute, restOperations } from '../../src/engine/route.ts';
import { questionPath } from '../../src/pages/question-text.ts';
import { type Reply, startService } from '../support/service.ts';
import { assertError } from './error-shape.ts';

const service = await startService({ after }, { sources: 'lab' });
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'] as const;
/** The path with the identifiers of the operation's own first example. */
function samplePath(path: string): string {
  const { examples } = restOperations(OPERATIONS).find(({ route }) => route.endsWith(` ${path}`))!;
  const input = examples[0]!.input as Record<string, unknown>;
  return path.replace(/[:*]([a-z_0-9]+)/g, (_, name: string) => encodeURIComponent(String(input[name])));
}

/** The methods of each path that takes several. */
const methodsOfPath = Map.groupBy(
  restOperations(OPERATIONS).map(({ route }) => parseRoute(route)),
  ({ path }) => path,
);

for (const operation of restOperations(OPERATIONS)) {
  const { route } = operation;
  const { method, path } = parseRoute(route);
  describe(route, () => {
    test('other methods are 405', async () => {
      const taken: readonly string[] = methodsOfPath.get(path)!.map((one) => one.method);
      for (const other of METHODS.filter((candidate) => !taken.includes(candidate))) {
        assertError(await service.send(other, samplePath(path)), { status: 405, code: 'method_not_allowed' });
      }
    });

    test('with a trailing slash it is the same', async () => {
      const plain = await service.send(method, samplePath(path));
      const slashed = await service.send(method, `${samplePath(path)}/`);
      assert.equal(slashed.status, plain.status);
    });

    if (method === 'GET' && !path.includes('/watches/:')) {
      test('HEAD answers as GET does, without a body', async () => {
        const url = questionPath(operation, operation.examples[0]!.input as Record<string, unknown>)!;
        const headers = needsCredentials(operation) ? await service.proHeaders() : {};
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
  for (const { route } of restOperations(OPERATIONS)) {
    const { method, path } = parseRoute(route);
    const { headers } = await service.send('TRACE', samplePath(path));
    assert.ok(allowed(headers['allow']).includes(method), `TRACE ${path}: Allow: ${String(headers['allow'])}`);
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
    for (const name of ['GET', 'POST', 'PATCH', 'DELETE'])
      assert.match(String(headers['access-control-allow-methods']), new RegExp(name));
    for (const name of ['authorization', 'content-type', 'x-api-key']) {
      assert.match(String(headers['access-control-allow-headers']).toLowerCase(), new RegExp(name));
    }
  });

  test('OPTIONS that is no preflight says what the path takes (RFC 9110, 9.3.7)', async () => {
    for (const [path, methods] of [
      ['/v1/cves', ['GET', 'HEAD', 'OPTIONS']],
      ['/v1/cve/CVE-2021-44228', ['GET', 'HEAD', 'OPTIONS']],
      ['/v1/check/secrets', ['OPTIONS', 'POST']],
      ['/v1/watches', ['GET', 'HEAD', 'OPTIONS', 'POST']],
      ['/v1/watches/wat_abcdefghijklmnopqrst', ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH']],
      ['/docs', ['GET', 'HEAD', 'OPTIONS']],
    ] as const) {
      for (const headers of [{}, { origin: 'https://page.example' }]) {
        const reply = await service.send('OPTIONS', path, undefined, headers as Record<string, string>);
        assert.deepEqual([reply.status, reply.text], [204, '']);
        assert.deepEqual(new Set(allowed(reply.headers['allow'])).intersection(new Set(methods)), new Set(methods));
        assert.equal(reply.headers['access-control-allow-methods'], undefined, 'that is for a preflight');
      }
    }
    assertError(await service.send('OPTIONS', '/v1/nothing'), { status: 404, code: 'not_found' });
  });
});

describe('a path that does not exist', () => {
  for (const [given, meant] of [
    ['/v1/cves/CVE-2021-44228', '/v1/cve/{cve_id}'],
    ['/v1/cve/CVE-2021-44228/riskscore', '/v1/cve/{cve_id}/risk_score'],
    ['/v1/cwes/79', '/v1/cwe/{cwe_id}'],
    ['/v1/domains/example.com', '/v1/domain/{domain}'],
    ['/v1/statu', '/v1/status'],
    ['/V1/CVES', '/v1/cves'],
    ['/cves/recents', '/v1/cves/recent'],
    ['/v1/ips/8.8.8.8', '/v1/ip/{ip}'],
  ] as const) {
    test(`${given}: 404, did you mean ${meant}?`, async () => {
      const reply = await service.get(given);
      assertError(reply, { status: 404, code: 'not_found' });
      assert.ok(reply.body.error.message.includes(`Did you mean ${meant}?`), reply.body.error.message);
    });
  }

  test('that is near to none is not guessed at, and never repeated', async () => {
    for (const path of ['/v1/nothing', '/.env', '/wp-login.php', `/v1/${'x'.repeat(9000)}`, '/v1/'.repeat(900)]) {
      const { status, body } = await service.get(path);
      assert.equal(status, 404);
      assert.equal(body.error.message, 'There is no such path. /docs lists all of them.');
    }
  });
});

function allowed(header: Reply['headers'][string]): string[] {
  return String(header)
    .split(',')
    .map((name) => name.trim());
}
