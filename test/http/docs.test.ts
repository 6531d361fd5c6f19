import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { OPERATIONS } from '../../src/operations/list.ts';
import { parseRoute, restOperations } from '../../src/engine/route.ts';
import { startService } from '../support/service.ts';

const service = await startService({ after });
const PAGES = ['/docs', '/docs/errors'];
/** An address of another host: with a scheme, or `//host`. */
const ELSEWHERE = /(?:src|href|url|action)\s*[=:(]\s*["']?(?:https?:)?\/\/[^"'\s)]+/i;

describe('the reference', () => {
  test('/ leads to it', async () => {
    const { status, headers } = await service.get('/');
    assert.deepEqual([status, headers['location']], [302, '/docs']);
  });

  for (const path of PAGES) {
    test(`${path} is a page that loads nothing from elsewhere and may not`, async () => {
      const { status, headers, text } = await service.get(path);
      assert.equal(status, 200);
      assert.match(String(headers['content-type']), /^text\/html; charset=utf-8/);
      assert.doesNotMatch(text, ELSEWHERE);
      assert.match(text, /<html lang="en">/);
      const policy = String(headers['content-security-policy']);
      assert.match(policy, /default-src 'none'/);
      assert.match(policy, /frame-ancestors 'none'/);
      assert.doesNotMatch(policy, /https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/);
      assert.equal(headers['x-content-type-options'], 'nosniff');
    });

    test(`${path}: everything that it refers to is served here`, async () => {
      const { text } = await service.get(path);
      for (const [, target = ''] of text.matchAll(/(?:src|href)="(\/[^"#]*)"/g)) {
        const { status, text: body } = await service.get(target);
        assert.equal(status, 200, target);
        assert.ok(body.length > 0, target);
      }
    });
  }

  test('a page without a script of its own needs none from this page', async () => {
    const { text } = await service.get('/docs');
    for (const [, inline = ''] of text.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([^<]*)/g))
      assert.equal(inline.trim(), '');
  });

  test('the start script reads this service and keeps the validator of another host off', async () => {
    const { text, headers } = await service.get('/docs/start.js');
    assert.match(String(headers['content-type']), /javascript/);
    assert.match(text, /url:\s*'\/openapi\.json'/);
    assert.doesNotMatch(text, ELSEWHERE);
    // Without this, Swagger UI shows a badge from validator.swagger.io and hands it the address of the service.
    assert.match(text, /validatorUrl:\s*(?:null|'none')/);
  });

  test('its style sheet loads nothing from elsewhere', async () => {
    const { text } = await service.get('/docs/swagger-ui.css');
    assert.doesNotMatch(text, /@import|url\(\s*["']?(?:https?:)?\/\//);
  });

  test('what is not there is 404, not a file of the machine', async () => {
    for (const path of [
      '/docs/package.json',
      '/docs/../package.json',
      '/docs/%2e%2e/package.json',
      '/docs/swagger-ui.css.map',
      '/docs/nothing',
    ]) {
      assert.equal((await service.get(path)).status, 404, path);
    }
  });
});

describe('/openapi.json', () => {
  test('describes every operation at its path and method, with its id', async () => {
    const { body, headers } = await service.get('/openapi.json');
    assert.match(String(headers['content-type']), /^application\/json/);
    assert.match(body.openapi, /^3\.1\./);
    for (const { id, route } of restOperations(OPERATIONS)) {
      const { method, path } = parseRoute(route);
      const described = body.paths[path.replace(/[:*]([a-z_0-9]+)/g, '{$1}')]?.[method.toLowerCase()];
      assert.equal(described?.operationId, id);
    }
  });

  test('names no other host', async () => {
    const { body } = await service.get('/openapi.json');
    assert.deepEqual(body.servers, [{ url: '/' }]);
    const addresses = JSON.stringify({ ...body, components: { ...body.components, schemas: {} }, paths: {} }).match(
      /https?:\/\/[^"\s]+/g,
    );
    assert.equal(addresses, null);
  });

  test('declares the key on every operation, and that it may be left out', async () => {
    const { body } = await service.get('/openapi.json');
    assert.deepEqual(body.security, [{}, { apiKey: [] }]);
    assert.equal(body.components.securitySchemes.apiKey.scheme, 'bearer');
  });

  test('declares the statuses that its operations answer with', async () => {
    const { body } = await service.get('/openapi.json');
    for (const [path, methods] of Object.entries(body.paths)) {
      for (const [method, described] of Object.entries(methods as Record<string, { responses: object }>)) {
        const wanted = [
          '200',
          '422',
          '429',
          '500',
          '503',
          ...(path.includes('{') ? ['400', '404'] : []),
          ...(method === 'post' ? ['400', '413', '415'] : []),
        ];
        const missing = wanted.filter((status) => !(status in described.responses));
        assert.deepEqual(missing, [], `${method} ${path}`);
      }
    }
  });

  test('every reference in it leads somewhere', async () => {
    const { body, text } = await service.get('/openapi.json');
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g))
      assert.ok(name in body.components.schemas, name);
  });
});
