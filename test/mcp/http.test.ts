import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { McpEndpoint } from '../../src/mcp/http-endpoint.ts';
import { type Reply, startService } from '../support/service.ts';
import { ask, askModern, ENVELOPE, post } from './rpc.ts';

const service = await startService({ after });
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1.0.0' },
};

function assertRpcError(reply: Reply, status: number, code: number, id: unknown = null): void {
  assert.equal(reply.status, status, reply.text);
  assert.match(String(reply.headers['content-type']), /^application\/json/);
  assert.equal(reply.body.jsonrpc, '2.0');
  assert.equal(reply.body.id, id);
  assert.equal(reply.body.error.code, code, reply.text);
  assert.ok(reply.body.error.message.length > 0);
  assert.ok(reply.headers['x-request-id']);
}

describe('the address', () => {
  for (const path of ['/mcp', '/mcp/']) {
    test(`GET ${path} shows a card`, async () => {
      const { status, body } = await service.get(path, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
      assert.equal(status, 200);
      assert.equal(body.name, 'sextant');
      assert.equal(body.version, '0.0.0-test');
      assert.equal(body.transport, 'streamable-http');
      assert.equal(body.counts.resources, 8);
      assert.equal(body.counts.prompts, 3);
      assert.ok(body.counts.tools > 0);
    });

    test(`POST ${path} answers`, async () => {
      const { status, body } = await service.post(path, PING);
      assert.equal(status, 200);
      assert.deepEqual(body, { jsonrpc: '2.0', id: 1, result: {} });
    });

    test(`${path} has no standing stream and no session to end`, async () => {
      const stream = await service.get(path, { accept: 'text/event-stream' });
      assertRpcError(stream, 405, -32000);
      assert.equal(stream.headers['allow'], 'GET, POST');
      const both = await service.get(path, { accept: 'application/json, text/event-stream' });
      assertRpcError(both, 405, -32000);
      for (const method of ['DELETE', 'PUT', 'PATCH']) assertRpcError(await service.send(method, path), 405, -32000);
    });
  }

  test('no answer opens a session', async () => {
    const { headers } = await ask(service, 'initialize', INITIALIZE);
    assert.equal(headers['mcp-session-id'], undefined);
  });
});

describe('protocol versions', () => {
  for (const version of ['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
    test(`${version} is spoken`, async () => {
      const { body } = await ask(service, 'initialize', { ...INITIALIZE, protocolVersion: version });
      assert.equal(body.result.protocolVersion, version);
      assert.equal(body.result.serverInfo.name, 'sextant');
      assert.deepEqual(Object.keys(body.result.capabilities).toSorted(), [
        'completions',
        'prompts',
        'resources',
        'tools',
      ]);
      const { status } = await ask(service, 'tools/list', {}, { 'mcp-protocol-version': version });
      assert.equal(status, 200);
    });
  }

  test('2026-07-28 is spoken, without a handshake', async () => {
    const { status, body } = await askModern(service, 'server/discover');
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body.result.supportedVersions, ['2026-07-28']);
    const list = await askModern(service, 'tools/list');
    assert.equal(list.status, 200);
    assert.equal(list.body.result.resultType, 'complete');
    assert.ok(list.body.result.tools.length > 0);
  });

  test('an unknown version in the handshake gets the newest that has one', async () => {
    const { body } = await ask(service, 'initialize', { ...INITIALIZE, protocolVersion: '1999-01-01' });
    assert.equal(body.result.protocolVersion, '2025-11-25');
  });

  test('an unknown version in the header is refused, with those that are known', async () => {
    const reply = await ask(service, 'tools/list', {}, { 'mcp-protocol-version': '1999-01-01' });
    assertRpcError(reply, 400, -32022, 1);
    assert.ok(reply.body.error.data.supported.includes('2025-11-25'));
    const called = await ask(
      service,
      'tools/call',
      { name: 'kev_detail', arguments: {} },
      { 'mcp-protocol-version': '1998-01-01' },
    );
    assertRpcError(called, 400, -32022, 1);
  });

  test('an unknown version in the envelope is refused', async () => {
    const _meta = { ...ENVELOPE, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    const headers = {
      'mcp-protocol-version': '2099-01-01',
      'mcp-method': 'tools/call',
      'mcp-name': 'kev_detail',
    };
    const params = { name: 'kev_detail', arguments: { cve_id: 'CVE-2021-44228' }, _meta };
    assertRpcError(await ask(service, 'tools/call', params, headers), 400, -32022, 1);
  });

  for (const [what, headers] of [
    ['another method', { 'mcp-method': 'tools/list', 'mcp-name': 'kev_detail' }],
    ['another name', { 'mcp-method': 'tools/call', 'mcp-name': 'cve_lookup' }],
    ['no method', { 'mcp-name': 'kev_detail' }],
    ['no name', { 'mcp-method': 'tools/call' }],
  ] as const) {
    test(`2026-07-28: headers that say ${what} than the body are refused`, async () => {
      const params = { name: 'kev_detail', arguments: { cve_id: 'CVE-2021-44228' }, _meta: ENVELOPE };
      const reply = await ask(service, 'tools/call', params, { 'mcp-protocol-version': '2026-07-28', ...headers });
      assertRpcError(reply, 400, -32020, 1);
    });
  }

  test('2026-07-28: what never changes cannot be listened to', async () => {
    const params = { notifications: { toolsListChanged: true } };
    assertRpcError(await askModern(service, 'subscriptions/listen', params), 404, -32601, 1);
  });
});

describe('bodies that are none', () => {
  test('not JSON', async () => {
    for (const body of ['', '{', 'null{', '{"jsonrpc":"2.0",}', '\u0000']) {
      assertRpcError(await post(service, body), 400, -32700);
    }
  });

  test('JSON, and not JSON-RPC', async () => {
    for (const body of ['null', '1', '"x"', '{}', '{"jsonrpc":"1.0","id":1,"method":"ping"}', '{"id":1}']) {
      const reply = await post(service, body);
      assert.equal(reply.status, 400, body);
      assert.equal(reply.body.error.code, -32600, body);
    }
  });

  test('an unknown method is an error of the protocol', async () => {
    assertRpcError(await ask(service, 'nope'), 200, -32601, 1);
    assertRpcError(await ask(service, 'constructor'), 200, -32601, 1);
    assertRpcError(await ask(service, '__proto__'), 200, -32601, 1);
  });

  test('another media type, or none', async () => {
    const text = JSON.stringify(PING);
    assertRpcError(await service.send('POST', '/mcp', text, { 'content-type': 'text/plain' }), 415, -32000);
    assertRpcError(await service.send('POST', '/mcp', Buffer.from(text), { 'content-type': '' }), 415, -32000);
    const charset = await service.send('POST', '/mcp', text, { 'content-type': 'application/json; charset=utf-8' });
    assert.equal(charset.status, 200);
  });

  test('only who cannot read JSON is told that there is nothing else', async () => {
    assertRpcError(await post(service, PING, { accept: 'text/event-stream' }), 406, -32000);
    assert.equal((await post(service, PING, { accept: '*/*' })).status, 200);
    assert.equal((await post(service, PING, { accept: 'application/json' })).status, 200);
  });

  test('over 1 MiB', async () => {
    const big = { ...PING, params: { filler: 'x'.repeat(1024 * 1024) } };
    assertRpcError(await post(service, big), 413, -32000);
  });

  test('deeply nested', async () => {
    const depth = 200_000;
    const reply = await post(
      service,
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":${'['.repeat(depth)}${']'.repeat(depth)}}}`,
    );
    assert.ok([200, 400].includes(reply.status), reply.text.slice(0, 200));
  });

  test('notifications and answers are taken and not answered', async () => {
    for (const body of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      { jsonrpc: '2.0', id: 5, result: {} },
    ]) {
      const reply = await post(service, body);
      assert.equal(reply.status, 202, reply.text);
      assert.equal(reply.text, '');
    }
  });
});

describe('batches', () => {
  const batch = [
    { jsonrpc: '2.0', id: 'a', method: 'ping' },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 'b', method: 'tools/call', params: { name: 'kev_detail', arguments: { cve_id: 'x' } } },
    { jsonrpc: '2.0', id: 'c', method: 'nope' },
  ];

  for (const headers of [{}, { 'mcp-protocol-version': '2025-03-26' }] as Record<string, string>[]) {
    test(`are answered as a list, each by its id (${headers['mcp-protocol-version'] ?? 'no version named'})`, async () => {
      const { status, body } = await post(service, batch, headers);
      assert.equal(status, 200);
      const byId = new Map(body.map((answer: { id: string }) => [answer.id, answer]));
      assert.deepEqual([...byId.keys()].toSorted(), ['a', 'b', 'c']);
      assert.deepEqual((byId.get('a') as { result: object }).result, {});
      assert.equal((byId.get('b') as { result: { isError: boolean } }).result.isError, true);
      assert.equal((byId.get('c') as { error: { code: number } }).error.code, -32601);
    });
  }

  test('of one request are a list of one', async () => {
    assert.deepEqual((await post(service, [PING])).body, [{ jsonrpc: '2.0', id: 1, result: {} }]);
  });

  test('of notifications alone are not answered', async () => {
    assert.equal((await post(service, [{ jsonrpc: '2.0', method: 'notifications/initialized' }])).status, 202);
  });

  test('that call off what they ask do not wait for it', async () => {
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'a' } };
    const { status, body } = await post(service, [batch[0], cancelled]);
    assert.equal(status, 200);
    assert.equal(body.length, 1);
  });

  for (const version of ['2025-06-18', '2025-11-25']) {
    test(`are refused by ${version}, which has none`, async () => {
      assertRpcError(await post(service, batch, { 'mcp-protocol-version': version }), 400, -32600);
    });
  }

  test('are refused where they are empty, too long, hold a handshake, nonsense or a request of 2026', async () => {
    const modern = { ...PING, params: { _meta: ENVELOPE } };
    const handshake = { jsonrpc: '2.0', id: 1, method: 'initialize', params: INITIALIZE };
    for (const body of [[], Array.from({ length: 101 }, () => PING), [handshake, PING], [PING, 5], [modern]]) {
      assertRpcError(await post(service, body), 400, -32600);
    }
  });
});

describe('who may come in', () => {
  test('without Origin, or from a page of the same host', async () => {
    for (const origin of ['http://localhost:80', 'http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:9']) {
      const reply = await post(service, PING, { origin, host: 'localhost:8080' });
      assert.equal(reply.status, 200, origin);
    }
  });

  test('no page of another host', async () => {
    for (const origin of [
      'https://evil.example',
      'null',
      'http://localhost.evil.example',
      'http://evil.example@localhost:80.x',
      'nonsense',
      '',
    ]) {
      assertRpcError(await post(service, PING, { origin, host: 'localhost:8080' }), 403, -32000);
    }
  });

  test('on loopback, no other name of this machine: it may have been made to lead here', async () => {
    for (const host of ['evil.example', 'evil.example:8080', 'localhost.evil.example', 'a b']) {
      assertRpcError(await post(service, PING, { host }), 403, -32000);
    }
    for (const host of ['localhost', 'LOCALHOST:1', '127.0.0.1:8080', '[::1]:8080']) {
      assert.equal((await post(service, PING, { host })).status, 200, host);
    }
    assertRpcError(await service.get('/mcp', { host: 'evil.example' }), 403, -32000);
  });

  test('listed origins, and their hosts; elsewhere than on loopback any host', async (t) => {
    const listed = await startService(t, {
      mcp: (mcp) => new McpEndpoint(mcp, { host: '127.0.0.1', allowedOrigins: ['https://app.example'] }),
    });
    assert.equal((await post(listed, PING, { origin: 'https://app.example', host: 'localhost' })).status, 200);
    assert.equal((await post(listed, PING, { host: 'app.example' })).status, 200);
    assert.equal((await post(listed, PING, { origin: 'http://app.example', host: 'localhost' })).status, 403);
    const open = await startService(t, {
      mcp: (mcp) => new McpEndpoint(mcp, { host: '0.0.0.0', allowedOrigins: [] }),
    });
    assert.equal((await post(open, PING, { host: 'sextant.example' })).status, 200);
    assert.equal((await post(open, PING, { host: '192.0.2.5:8080', origin: 'http://192.0.2.5:8080' })).status, 200);
    assert.equal((await post(open, PING, { host: 'sextant.example', origin: 'https://evil.example' })).status, 403);
  });

  test('pages that may use it may read its answers, others may not (CORS)', async (t) => {
    const listed = await startService(t, {
      origins: { host: '127.0.0.1' },
      mcp: (mcp) => new McpEndpoint(mcp, { host: '127.0.0.1', allowedOrigins: ['https://app.example'] }),
    });
    const preflight = (origin: string) =>
      listed.send('OPTIONS', '/mcp', undefined, {
        origin,
        host: 'localhost:8080',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type, mcp-protocol-version',
      });
    for (const origin of ['https://app.example', 'http://localhost:6274']) {
      const asked = await preflight(origin);
      assert.deepEqual([asked.status, asked.headers['access-control-allow-origin']], [204, origin]);
      const reply = await post(listed, PING, { origin, host: 'localhost:8080' });
      assert.deepEqual([reply.status, reply.headers['access-control-allow-origin']], [200, origin]);
    }
    for (const origin of ['https://evil.example', 'null']) {
      assert.equal((await preflight(origin)).headers['access-control-allow-origin'], undefined);
      const reply = await post(listed, PING, { origin, host: 'localhost:8080' });
      assert.deepEqual([reply.status, reply.headers['access-control-allow-origin']], [403, undefined]);
    }
  });

  test('a page at a name that nobody listed is of another host, though the name leads here (DNS rebinding)', async (t) => {
    const named = { host: 'sextant.example', origin: 'https://sextant.example' };
    const open = await startService(t, {
      mcp: (mcp) => new McpEndpoint(mcp, { host: '0.0.0.0', allowedOrigins: [] }),
    });
    assertRpcError(await post(open, PING, named), 403, -32000);
    const known = await startService(t, {
      mcp: (mcp) => new McpEndpoint(mcp, { host: '0.0.0.0', allowedOrigins: [], allowedHosts: ['sextant.example'] }),
    });
    assert.equal((await post(known, PING, named)).status, 200);
    assertRpcError(await post(known, PING, { host: 'other.example' }), 403, -32000);
  });
});

describe('?tools=', () => {
  const names = async (query: string): Promise<string[]> => {
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const { body } = await service.send('POST', `/mcp/?${query}`, text, { 'content-type': 'application/json' });
    return body.result.tools.map(({ name }: { name: string }) => name);
  };

  test('gives areas and single tools', async () => {
    assert.deepEqual(await names('tools=kev_detail'), ['kev_detail']);
    assert.deepEqual(await names('tools=kev-detail,CWE_LOOKUP'), ['kev_detail', 'cwe_lookup']);
    const area = await names('tools=cve');
    assert.ok(area.includes('cve_lookup') && area.includes('kev_detail') && !area.includes('sigma_rule_lookup'));
    assert.deepEqual(await names('tools='), await names(''));
    assert.equal((await service.get('/mcp?tools=kev_detail')).body.counts.tools, 1);
  });

  test('refuses what is neither, and names what it may have meant', async () => {
    const reply = await service.post('/mcp?tools=cve,kev_detial', PING);
    assertRpcError(reply, 400, -32602);
    assert.match(reply.body.error.message, /"kev_detial".*Did you mean kev_detail\?.*Areas: cve/);
  });

  test('a tool that was not asked for cannot be called', async () => {
    const text = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'cwe_lookup', arguments: { cwe_id: '79' } },
    });
    const reply = await service.send('POST', '/mcp?tools=kev_detail', text, { 'content-type': 'application/json' });
    assertRpcError(reply, 200, -32602, 1);
    assert.match(reply.body.error.message, /not among the tools selected/);
  });
});
