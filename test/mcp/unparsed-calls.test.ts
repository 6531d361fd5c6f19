import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { IDS } from '../operations/fixture-facts.ts';
import { type Asked, comparable, startBoth } from '../support/both-ways.ts';
import type { ServiceOptions } from '../support/service.ts';

const JSON_HEADERS = ['Content-Type', 'application/json', 'Accept', 'application/json, text/event-stream'];
const MODERN = '2026-07-28';
const MODERN_HEADERS = [
  ...JSON_HEADERS,
  'MCP-Protocol-Version',
  MODERN,
  'Mcp-Method',
  'tools/call',
  'Mcp-Name',
  'cve_lookup',
];
const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

const call = (id: unknown, given: object, name = 'cve_lookup', more: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given, ...more } });

const GIVEN = { cve_id: IDS.log4shell };
const BODIES: readonly string[] = [
  call(1, GIVEN),
  call(123_456, GIVEN),
  call('a "text" \u00e4', GIVEN),
  call(1, { ...GIVEN, include_full_references: true }),
  call(1, { cve_id: 'CVE-2024-99999' }),
  call(1, { cve_id: 'nonsense' }),
  call(1, { cwe_id: 'CWE-79' }, 'cwe_lookup'),
  call(1, {}, 'status'),
  call(1, GIVEN, 'no_such_tool'),
  call(1, GIVEN, 'cve_lookup', { _meta: MODERN_META }),
  call(1, GIVEN, 'cve_lookup', { _meta: { progressToken: 1 } }),
  call(null, GIVEN),
  call(1.5, GIVEN),
  JSON.stringify({ jsonrpc: '2.0', method: 'tools/call', params: { name: 'cve_lookup', arguments: GIVEN } }),
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  `[${call(1, GIVEN)}]`,
  ` ${call(1, GIVEN)}\r\n`,
  call(1, GIVEN).slice(0, -1),
  '\ufeff{}',
  '"text"',
];
const HEADS: readonly (readonly string[])[] = [
  JSON_HEADERS,
  MODERN_HEADERS,
  [...JSON_HEADERS, 'MCP-Protocol-Version', '2025-06-18'],
  [...JSON_HEADERS, 'MCP-Protocol-Version', '1999-01-01'],
  ['Content-Type', 'application/json; charset=utf-8'],
  ['Content-Type', 'text/plain'],
  ['Content-Type', 'application/json', 'Accept', 'text/html'],
  [...JSON_HEADERS, 'Content-Encoding', 'gzip'],
  [...JSON_HEADERS, 'Origin', 'https://page.example'],
  [...JSON_HEADERS, 'Origin', 'http://localhost'],
  [...JSON_HEADERS, 'Host', 'rebound.example'],
  [...JSON_HEADERS, 'X-API-Key', 'nonsense'],
  [...JSON_HEADERS, 'Authorization', `Bearer sxt_${'0'.repeat(48)}`],
  [...JSON_HEADERS, 'DNT', '1', 'Accept-Encoding', 'gzip'],
];

describe('a tool call that comes again on its connection', () => {
  for (const [what, options] of [
    ['a service without a limit', {}],
    ['a service with a quota', { quota: { keyless: 100_000, pro: 100_000 } }],
  ] as const satisfies readonly (readonly [string, ServiceOptions])[]) {
    test(`${what}: status, headers and body are those of the framework, whatever is asked`, async (t) => {
      const { ask, askFramework, proHeaders, clock, parsed } = await startBoth(t, options);
      const key = [...JSON_HEADERS, 'Authorization', (await proHeaders())['authorization']!];
      for (const body of BODIES) await ask({ method: 'POST', path: '/mcp', headers: JSON_HEADERS, body });
      clock.now = new Date(clock.now.getTime() + 11_000);
      let compared = 0;
      for (const path of ['/mcp', '/mcp/', '/mcp?tools=cve', '/mcp?tools=domain', '/mcp?tools=nothing']) {
        for (const headers of path === '/mcp' ? [...HEADS, key] : [JSON_HEADERS]) {
          for (const body of BODIES) {
            const asked: Asked = { method: 'POST', path, headers, body };
            const reference = comparable(await askFramework(asked));
            const own = comparable(await ask(asked));
            // Each call costs a token: the second has fewer left.
            for (const { headers: received } of [own, reference]) delete received['x-ratelimit-remaining'];
            const which = `${path} ${headers.join(' ')} ${body}`;
            assert.deepEqual([own.status, own.headers], [reference.status, reference.headers], which);
            assert.ok(own.body === reference.body, `${which}: other bodies`);
            compared++;
          }
        }
      }
      assert.ok(compared > 350);
      assert.ok(parsed() < compared);
    });
  }

  test('is charged, logged and recorded like any other, and refused when nothing is left', async (t) => {
    const { ask, proHeaders, logLines, parsed } = await startBoth(t, { quota: { keyless: 4, pro: 5 } });
    const left = async (headers: readonly string[] = []) => {
      const answer = await ask({
        method: 'POST',
        path: '/mcp',
        headers: [...JSON_HEADERS, ...headers],
        body: BODIES[0]!,
      });
      return [answer.headers['x-ratelimit-remaining'], answer.body.includes('"isError":true')];
    };
    for (const remaining of ['3', '2', '1', '0']) assert.deepEqual(await left(), [remaining, false]);
    // The first was run; the others were answered without the parser.
    assert.equal(parsed(), 1);
    assert.deepEqual(await left(), ['0', true]);
    assert.equal(parsed(), 2);
    const key = ['Authorization', (await proHeaders())['authorization']!];
    for (const remaining of ['4', '3', '2', '1']) assert.deepEqual(await left(key), [remaining, false]);
    assert.equal(parsed(), 3);
    const lines = logLines().map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(
      lines.filter(({ tool }) => tool === 'cve_lookup').map(({ outcome }) => outcome),
      ['ok', 'ok', 'ok', 'ok', 'rate_limited', 'ok', 'ok', 'ok', 'ok'],
    );
    const requests = lines.filter(({ route }) => route === '/mcp');
    assert.deepEqual(
      requests.map(({ method, status }) => `${String(method)} ${String(status)}`),
      requests.map(() => 'POST 200'),
    );
    assert.equal(requests.length, 9);
    assert.equal(new Set(requests.map(({ request_id }) => request_id)).size, 9);
    const usage = await ask({ path: '/v1/usage', headers: key });
    assert.deepEqual(JSON.parse(usage.body).top_endpoints[0], { endpoint: 'GET /v1/cve/{cve_id}', count: 4 });
  });
});
