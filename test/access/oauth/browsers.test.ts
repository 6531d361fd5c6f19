import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { McpEndpoint } from '../../../src/mcp/http-endpoint.ts';
import { NOW } from '../../operations/fixture-facts.ts';
import { makeKey, sign, startAuthorizationServer } from '../../support/authorization-server.ts';
import { type Reply, startService, type TestService } from '../../support/service.ts';

/** What a browser lets the pages of others do: preflights, readable headers, and the check of Host and Origin, for REST and MCP. */

const RESOURCE = 'https://sextant.example.com';
const APP = 'https://app.example.com';
const OTHER = 'https://other.example';
const METADATA = '/.well-known/oauth-protected-resource/mcp';
const PATH = '/v1/cve/CVE-2021-44228';
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

const key = await makeKey('ES256');
const server = await startAuthorizationServer({ after }, [key]);
const oauth = {
  issuer: server.issuer,
  resource: RESOURCE,
  audiences: [],
  jwksUrl: null,
  scopes: [],
  required: 'mcp',
} as const;
const exp = Math.floor(NOW.getTime() / 1000) + 300;
const token = await sign(key, { iss: server.issuer, aud: RESOURCE, sub: 'alice', exp });
const bearer = { authorization: `Bearer ${token}` };

/** As SEXTANT_MCP_ORIGINS=https://app.example.com, at this address. */
const startAt = (host: string): Promise<TestService> =>
  startService(
    { after },
    {
      oauth,
      origins: { host, allowedOrigins: [] },
      mcp: (service) => new McpEndpoint(service, { host, allowedOrigins: [APP] }),
    },
  );
const [onLoopback, inPublic] = await Promise.all([startAt('127.0.0.1'), startAt('0.0.0.0')]);

function preflight(service: TestService, path: string, origin: string, headers: string): Promise<Reply> {
  return service.send('OPTIONS', path, undefined, {
    host: 'localhost',
    origin,
    'access-control-request-method': path === '/mcp' ? 'POST' : 'GET',
    'access-control-request-headers': headers,
  });
}

const allowedHeaders = ({ headers }: Reply): string[] =>
  String(headers['access-control-allow-headers']).toLowerCase().split(/, ?/);
const readableHeaders = ({ headers }: Reply): string[] =>
  String(headers['access-control-expose-headers']).toLowerCase().split(/, ?/);
const allowedOrigin = ({ headers }: Reply): unknown => headers['access-control-allow-origin'];

for (const [where, service] of [
  ['on loopback', onLoopback],
  ['at a public address', inPublic],
] as const) {
  describe(`${where}, a page of a listed origin`, () => {
    const from = { host: 'localhost', origin: APP };

    test('may send a token, a session and a protocol version to MCP', async () => {
      const wanted = 'authorization,content-type,mcp-protocol-version,mcp-session-id';
      const reply = await preflight(service, '/mcp', APP, wanted);
      assert.deepEqual([reply.status, allowedOrigin(reply)], [204, APP]);
      for (const header of wanted.split(',')) assert.ok(allowedHeaders(reply).includes(header), header);
    });

    test('reads in the 401 where the authorization server is', async () => {
      const reply = await service.post('/mcp', PING, from);
      assert.deepEqual([reply.status, allowedOrigin(reply)], [401, APP]);
      assert.match(String(reply.headers['www-authenticate']), /resource_metadata=/);
      assert.ok(readableHeaders(reply).includes('www-authenticate'));
    });

    test('reads the metadata, with the header of MCP clients', async () => {
      const asked = await preflight(service, METADATA, APP, 'mcp-protocol-version');
      assert.deepEqual([asked.status, allowedOrigin(asked)], [204, APP]);
      assert.ok(allowedHeaders(asked).includes('mcp-protocol-version'));
      const reply = await service.get(METADATA, { ...from, 'mcp-protocol-version': '2025-11-25' });
      assert.deepEqual([reply.status, allowedOrigin(reply)], [200, APP]);
      assert.equal(reply.headers['cache-control'], 'public, max-age=3600');
    });

    test('calls MCP with its token', async () => {
      const reply = await service.post('/mcp', PING, { ...from, ...bearer });
      assert.deepEqual([reply.status, allowedOrigin(reply)], [200, APP]);
    });
  });

  test(`${where}, MCP answers no page of another origin, with a token or without`, async () => {
    const asked = await preflight(service, '/mcp', OTHER, 'authorization');
    assert.equal(allowedOrigin(asked), undefined);
    const without = await service.post('/mcp', PING, { host: 'localhost', origin: OTHER });
    assert.deepEqual([without.status, allowedOrigin(without)], [401, undefined]);
    const reply = await service.post('/mcp', PING, { host: 'localhost', origin: OTHER, ...bearer });
    assert.deepEqual([reply.status, allowedOrigin(reply)], [403, undefined]);
  });
}

test('on loopback, pages of other origins and names of others get neither REST nor the metadata', async () => {
  for (const path of [PATH, METADATA]) {
    const page = await onLoopback.get(path, { host: 'localhost', origin: OTHER, ...bearer });
    assert.deepEqual([page.status, allowedOrigin(page)], [403, undefined], path);
    const rebound = await onLoopback.get(path, { host: 'rebound.example', ...bearer });
    assert.equal(rebound.status, 421, path);
    assert.equal((await onLoopback.get(path, { host: 'localhost', ...bearer })).status, 200);
  }
  // Listed for MCP alone.
  assert.equal((await onLoopback.get(PATH, { host: 'localhost', origin: APP, ...bearer })).status, 403);
  const rebound = await onLoopback.post('/mcp', PING, { host: 'rebound.example', ...bearer });
  assert.equal(rebound.status, 403);
});

test('at a public address every page may use REST with a token, and read why it was refused', async () => {
  const asked = await preflight(inPublic, PATH, OTHER, 'authorization');
  assert.deepEqual([asked.status, allowedOrigin(asked)], [204, '*']);
  assert.ok(allowedHeaders(asked).includes('authorization'));
  const good = await inPublic.get(PATH, { origin: OTHER, ...bearer });
  assert.deepEqual([good.status, allowedOrigin(good)], [200, '*']);
  const bad = await inPublic.get(PATH, { origin: OTHER, authorization: `${bearer.authorization.slice(0, -6)}AAAAAA` });
  assert.deepEqual([bad.status, allowedOrigin(bad)], [401, '*']);
  assert.ok(readableHeaders(bad).includes('www-authenticate'));
  assert.equal(allowedOrigin(await inPublic.get(METADATA, { origin: OTHER })), OTHER);
});
