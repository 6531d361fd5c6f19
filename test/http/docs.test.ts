import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { ERRORS } from '../../src/errors.ts';
import { OPERATIONS } from '../../src/operations/list.ts';
import { parseRoute, restOperations } from '../../src/engine/route.ts';
import { html } from '../../src/pages/html.ts';
import { startService } from '../support/service.ts';

const service = await startService({ after });
const HTML = { accept: 'text/html' };
const PAGES = ['/docs', '/docs/errors', '/docs/mcp', '/docs/cve_lookup', '/docs/check_dependencies'];
/** An address of another host: with a scheme, or `//host`. */
const ELSEWHERE = /(?:src|href|action)\s*=\s*["'](?:https?:)?\/\/[^"'\s)]+/i;
const page = async (path: string) => (await service.get(path, HTML)).text;

describe('the reference', () => {
  for (const path of PAGES) {
    test(`${path} is a page that loads nothing from elsewhere and may not`, async () => {
      const { status, headers, text } = await service.get(path, HTML);
      assert.equal(status, 200);
      assert.match(String(headers['content-type']), /^text\/html; charset=utf-8/);
      assert.doesNotMatch(text, ELSEWHERE);
      assert.match(text, /<html lang="en">/);
      assert.match(String(headers['content-security-policy']), /default-src 'none'/);
      assert.ok(Buffer.byteLength(text) < 60 * 1024, `${Buffer.byteLength(text)} bytes`);
    });
  }

  test('lists every operation, each at a page of its own', async () => {
    const text = await page('/docs');
    for (const { id, description } of OPERATIONS) {
      assert.ok(text.includes(`href="/docs/${id}"`), id);
      const { status, text: own } = await service.get(`/docs/${id}`, HTML);
      assert.equal(status, 200, id);
      assert.ok(own.includes(String(html`${description}`)), id);
      assert.ok(Buffer.byteLength(own) < 100 * 1024, `${id}: ${Buffer.byteLength(own)} bytes`);
    }
  });

  test('a page says what the operation takes, answers and costs', async () => {
    const text = await page('/docs/cve_search');
    assert.match(text, /<tr id="input-limit">.*1 to 200; default <code>50<\/code>/);
    assert.match(text, /<dt>Costs<\/dt><dd>2 tokens<\/dd>|<dt>Costs<\/dt><dd>1 token<\/dd>/);
    assert.match(text, /curl -s .*\/v1\/cves/);
    assert.match(text, /<code>results<\/code>.*list of objects/);
    const record = await page('/docs/cve_lookup');
    assert.match(record, /<code>score<\/code> <span class="note">number or null</);
    assert.match(record, /Sharpens <code>action<\/code>/);
    assert.match(text, /href="\/docs\/errors#rate_limit_exceeded"/);
  });

  test('a page shows an answer to one of its examples', async () => {
    const text = await page('/docs/kev_detail');
    assert.match(text, /<details><summary>What an answer looks like/);
    assert.match(text, /&quot;cve_id&quot;: &quot;CVE-2021-44228&quot;|"cve_id": "CVE-2021-44228"/);
  });

  test('the form leads to the REST path, without its empty fields', async () => {
    const { status, headers } = await service.get('/docs/cve_lookup/try?include=&cve_id=CVE-2021-44228', HTML);
    assert.deepEqual([status, headers.location], [303, '/v1/cve/CVE-2021-44228']);
    const away = await service.get('/docs/cve_lookup/try?cve_id=//evil.example/', HTML);
    assert.equal(away.headers.location, '/v1/cve/%2F%2Fevil.example%2F');
    assert.equal((await service.get('/docs/cve_lookup/try?cve_id=', HTML)).status, 400);
    assert.equal((await service.get('/docs/bulk_cve_lookup/try', HTML)).status, 400);
  });

  test('an unknown name gets the nearest ones', async () => {
    const { status, text } = await service.get('/docs/sigma_find', HTML);
    assert.equal(status, 404);
    assert.match(text, /sigma_search/);
  });

  test('errors: a row for each code, where bodies of errors point to', async () => {
    const text = await page('/docs/errors');
    for (const code of Object.keys(ERRORS)) assert.ok(text.includes(`<tr id="${code}">`), code);
    const { body } = await service.get('/v1/cve/nonsense');
    const [path, code] = body.error.docs_url.split('#');
    assert.ok((await page(path)).includes(`id="${code}"`));
  });

  test('agents: the address, and each tool', async () => {
    const text = await page('/docs/mcp');
    assert.match(text, /claude mcp add --transport http sextant http:\/\/[^/]+\/mcp/);
    for (const { id, tool } of OPERATIONS) assert.equal(text.includes(`href="/docs/${id}"`), tool !== undefined, id);
  });

  test('what was said about privacy is at /privacy', async () => {
    const { status, headers } = await service.get('/docs/privacy', HTML);
    assert.deepEqual([status, headers.location], [303, '/privacy']);
  });

  test('what is not there is 404, not a file of the machine', async () => {
    for (const path of ['/docs/package.json', '/docs/../package.json', '/docs/%2e%2e/package.json', '/docs/nothing']) {
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
    assert.deepEqual(body.security, [{}, { apiKey: [] }, { apiKeyHeader: [] }]);
    const { apiKey, apiKeyHeader } = body.components.securitySchemes;
    assert.equal(apiKey.scheme, 'bearer');
    assert.deepEqual([apiKeyHeader.in, apiKeyHeader.name], ['header', 'X-API-Key']);
    assert.deepEqual(body.paths['/v1/usage'].get.security, [{ apiKey: [] }, { apiKeyHeader: [] }]);
  });

  test('declares the headers that its responses have', async (t) => {
    const { body } = await service.get('/openapi.json');
    const declared = (path: string, status: number): string[] =>
      Object.keys(responseOf(body, path, status).headers).map((name) => name.toLowerCase());
    const metered = await startService(t, { quota: { keyless: 1 } });
    const record = await metered.get('/v1/cve/CVE-2021-44228');
    const usedUp = await metered.get('/v1/attack/matrix');
    assert.deepEqual([record.status, usedUp.status], [200, 429]);
    const refused = await metered.get('/v1/usage');
    for (const [path, { status, headers }] of [
      ['/v1/cve/{cve_id}', record],
      ['/v1/attack/matrix', usedUp],
      ['/v1/usage', refused],
    ] as const) {
      const sent = Object.keys(headers).filter(
        (name) => /^(x-|etag|retry-|ratelimit-|www-)/.test(name) && !name.startsWith('x-content'),
      );
      assert.deepEqual(
        sent.filter((name) => !declared(path, status).includes(name)),
        [],
        `${path} ${status}`,
      );
    }
    assert.ok('retry-after' in usedUp.headers && 'www-authenticate' in refused.headers && 'etag' in record.headers);
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

/** A response of a GET in the OpenAPI document, described there or referred to. */
function responseOf(document: any, path: string, status: number): { headers: object } {
  const response = document.paths[path].get.responses[status];
  return response.$ref === undefined ? response : document.components.responses[response.$ref.split('/').at(-1)];
}
