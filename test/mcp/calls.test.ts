import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { after, describe, test } from 'node:test';
import { z } from 'zod';
import { OPERATIONS } from '../../src/operations/list.ts';
import { type Operation, defineOperation } from '../../src/engine/operation.ts';
import { IDS } from '../operations/fixture-facts.ts';
import { ask as askRest } from '../operations/request-of.ts';
import { startService } from '../support/service.ts';
import { ask, askModern, call, ENVELOPE, post } from './rpc.ts';
import { parseMarked } from './parse-marked.ts';

const service = await startService({ after }, { sources: 'lab' });
const TOOLS = OPERATIONS.filter(({ tool }) => tool !== undefined);
const KEV = { name: 'kev_detail', arguments: { cve_id: IDS.log4shell } };
const MODERN_HEADERS = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' };

describe('an answer is the body of REST, as data and as text', () => {
  for (const operation of TOOLS) {
    test(operation.id, async () => {
      const [example] = operation.examples;
      const params = { name: operation.id, arguments: example!.input };
      const expected = (await askRest(service, operation, { ...operation.tool?.inputDefaults, ...example!.input }))
        .body;
      const { result } = (await ask(service, 'tools/call', params)).body;
      assert.deepEqual(untimed(result.structuredContent), untimed(expected));
      assert.deepEqual(parseMarked(result.content[0].text), result.structuredContent);
      assert.equal(result.isError, undefined);
    });
  }
});

/** Without what no two calls have the same: how long somebody else took. */
function untimed(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body, (name, value) => (name === 'latency_ms' ? 0 : value)));
}

describe('a plain call is answered as the SDK answers it', () => {
  const said = { ...KEV, _meta: ENVELOPE };
  const named = { ...MODERN_HEADERS, 'mcp-name': 'kev_detail' };

  test('2025', async () => {
    const plain = await ask(service, 'tools/call', KEV);
    const viaSdk = await ask(service, 'tools/call', { ...KEV, unknownToUs: 1 });
    assert.deepEqual(plain.body, viaSdk.body);
    assert.equal(plain.headers['content-type'], viaSdk.headers['content-type']);
  });

  test('2026', async () => {
    const plain = await ask(service, 'tools/call', said, named);
    const meta = { ...ENVELOPE, 'example.org/trace': 'x' };
    const viaSdk = await ask(service, 'tools/call', { ...KEV, _meta: meta }, named);
    assert.deepEqual(plain.body, viaSdk.body);
    assert.equal(plain.body.result.resultType, 'complete');
  });

  test('a refusal too', async () => {
    const wrong = { name: 'kev_detail', arguments: { cve_id: 'nonsense' } };
    const headers = { 'x-request-id': 'the-same' };
    const plain = await ask(service, 'tools/call', wrong, headers);
    const viaSdk = await ask(service, 'tools/call', { ...wrong, unknownToUs: 1 }, headers);
    assert.deepEqual(plain.body, viaSdk.body);
  });

  test('text of every script, and what JSON escapes, comes through, without what nobody sees', async (t) => {
    const said = `"quoted" \\ back\nline \u2028 \u0001 \u007f \u00e9 \u20ac \u4f60\u597d \ud83d\ude00 \ud800 end`;
    const speaking = await startService(t, { operations: [sayingOperation(said)] });
    const given = { name: 'says', arguments: {} };
    const plain = (await ask(speaking, 'tools/call', given)).body;
    assert.deepEqual(plain, (await ask(speaking, 'tools/call', { ...given, unknownToUs: 1 })).body);
    const clean = '"quoted" \\ back\nline \n   \u00e9 \u20ac \u4f60\u597d \ud83d\ude00  end';
    assert.equal(plain.result.structuredContent.summary, clean);
    assert.equal(parseMarked(plain.result.content[0].text).summary, clean);
  });

  test('any id comes back as it was', async () => {
    for (const id of ['a "quoted" \u2028 \u4f60 id', 0, -7, '']) {
      const { body } = await post(service, { jsonrpc: '2.0', id, method: 'tools/call', params: KEV });
      assert.equal(body.id, id);
    }
  });

  test('what the SDK refuses is not let through', async () => {
    for (const params of [
      {},
      { name: 5 },
      { name: 'kev_detail', arguments: [] },
      { name: 'kev_detail', arguments: 'cve_id' },
      { name: 'kev_detail', _meta: 5 },
      { name: 'kev_detail', _meta: { progressToken: {} } },
    ]) {
      const { body } = await ask(service, 'tools/call', params);
      assert.ok([-32600, -32602, -32603].includes(body.error.code), JSON.stringify([params, body]));
    }
    for (const broken of [
      { 'io.modelcontextprotocol/clientCapabilities': 5 },
      { 'io.modelcontextprotocol/clientInfo': 'x' },
      { 'io.modelcontextprotocol/clientInfo': { name: 'x' } },
    ]) {
      const { body } = await ask(service, 'tools/call', { ...KEV, _meta: { ...ENVELOPE, ...broken } }, named);
      assert.equal(body.error.code, -32602, JSON.stringify(broken));
    }
    for (const id of [null, 1.5, {}, true]) {
      const { status } = await post(service, { jsonrpc: '2.0', id, method: 'tools/call', params: KEV });
      assert.equal(status, 400, String(id));
    }
  });
});

describe('a refusal is an answer marked as an error, with the body of REST', () => {
  const cases: [name: string, given: object, code: string, says: RegExp][] = [
    ['cve_lookup', { cve_id: 'CVE-1' }, 'invalid_argument', /"CVE-1" is not a CVE id/],
    ['cve_lookup', { cve_id: '8.8.8.8' }, 'invalid_argument', /looks like an IP address/],
    ['cve_lookup', { cve_id: 5 }, 'invalid_argument', /cve_id: 5 is not a text/],
    ['cve_lookup', {}, 'invalid_argument', /cve_id: missing: .*for example CVE-/],
    ['cve_lookup', { cve_id: IDS.unknown }, 'not_found', /is in none of the sources/],
    [
      'cve_lookup',
      { cve_id: IDS.log4shell, include_full_references: 'yes' },
      'validation_error',
      /"yes" is not true or false/,
    ],
    ['cve_search', { limit: '5' }, 'validation_error', /limit: "5" is text, not a whole number/],
    ['cve_search', { limit: 0 }, 'validation_error', /limit/],
    ['cve_search', { prodct: 'log4j' }, 'validation_error', /did you mean product\?/],
    ['kev_detail', { cve_id: IDS.heartbleed }, 'not_found', /known-exploited catalog/],
    ['cwe_lookup', { cwe_id: 'CWE-0' }, 'invalid_argument', /is not a CWE id/],
    ['bulk_cve_lookup', { cve_ids: 'CVE-2021-44228' }, 'validation_error', /"CVE-2021-44228" is not a list/],
    ['bulk_cve_lookup', { cve_ids: Array(51).fill(IDS.log4shell) }, 'validation_error', /50/],
    ['get_cvss_details', { vector: 'x'.repeat(100_000) }, 'validation_error', /500/],
    ['atlas_technique_lookup', { technique_id: 'T1190' }, 'invalid_argument', /looks like an ATT&CK technique id/],
    ['sigma_rule_lookup', { rule_id: 'x' }, 'invalid_argument', /./],
  ];
  for (const [name, given, code, says] of cases) {
    test(`${name} ${JSON.stringify(given).slice(0, 60)}`, async () => {
      const reply = await ask(service, 'tools/call', { name, arguments: given });
      const { result } = reply.body;
      assert.equal(reply.status, 200);
      assert.equal(result.isError, true);
      assert.equal(result.structuredContent, undefined, 'clients would hold it against the schema of answers');
      const body = JSON.parse(result.content[0].text);
      assert.equal(body.error.code, code, result.content[0].text);
      assert.match(body.error.message, says);
      assert.equal(body.request_id, reply.headers['x-request-id']);
      assert.ok(result.content[0].text.length < 2000);
    });
  }

  test('a fault of ours tells nothing of itself, and stands in the log under the request id', async (t) => {
    const broken = await startService(t, { onProblem: () => {} });
    broken.breakCatalog();
    const { isError, body } = await call(broken, 'cve_lookup', { cve_id: IDS.log4shell });
    assert.equal(isError, true);
    assert.equal(body.error.code, 'internal_error');
    assert.doesNotMatch(JSON.stringify(body), /sqlite|database|\.ts/i);
    const line = broken.logLines().find((line) => line.includes('internal error'));
    assert.ok(line?.includes(body.request_id), 'no such line in the log');
  });
});

describe('an unknown tool is an error of the protocol', () => {
  for (const name of [
    'kev_detial',
    'constructor',
    '__proto__',
    'toString',
    '',
    'x'.repeat(5000),
    'epss_lookup',
    'status',
  ]) {
    test(JSON.stringify(name.slice(0, 20)), async () => {
      for (const reply of [
        await ask(service, 'tools/call', { name, arguments: {} }),
        await askModern(service, 'tools/call', { name, arguments: {} }),
      ]) {
        assert.equal(reply.body.error.code, -32602, reply.text.slice(0, 200));
        assert.match(reply.body.error.message, /^Unknown tool/);
        assert.ok(reply.text.length < 500);
      }
    });
  }

  test('the nearest name is offered', async () => {
    const { error } = (await ask(service, 'tools/call', { name: 'cve_lokup', arguments: {} })).body;
    assert.match(error.message, /Did you mean cve_lookup\?/);
  });
});

test('names that mean something to JavaScript are unknown parameters like any other', async () => {
  const text = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"cve_lookup","arguments":{"cve_id":"${IDS.log4shell}","__proto__":{"polluted":1},"constructor":1}}}`;
  const { result } = (await post(service, text)).body;
  assert.equal(result.isError, true);
  assert.equal(JSON.parse(result.content[0].text).error.code, 'validation_error');
  assert.equal(({} as { polluted?: number }).polluted, undefined);
});

describe('quota and privacy as over REST', () => {
  test('a call costs what its operation costs, everything else is free', async (t) => {
    const limited = await startService(t, { quota: { keyless: 3 } });
    for (const method of ['initialize', 'ping', 'tools/list', 'resources/list', 'prompts/list']) {
      const params =
        method === 'initialize'
          ? { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } }
          : {};
      assert.equal((await ask(limited, method, params)).status, 200);
    }
    await ask(limited, 'resources/read', { uri: 'cwe://weakness/79' });
    assert.equal((await call(limited, 'cve_lookup', { cve_id: 'nonsense' })).isError, true);
    const first = await ask(limited, 'tools/call', KEV);
    assert.deepEqual(
      ['limit', 'remaining', 'cost', 'tier'].map((part) => first.headers[`x-ratelimit-${part}`]),
      ['3', '2', '1', 'keyless'],
    );
    const bulk = await call(limited, 'bulk_cve_lookup', { cve_ids: [IDS.log4shell, IDS.heartbleed, IDS.eternalBlue] });
    assert.equal(bulk.body.successful, 2);
    assert.deepEqual(bulk.body.skipped_due_to_rate_limit, [IDS.eternalBlue]);
    const refused = await call(limited, 'kev_detail', KEV.arguments);
    assert.equal(refused.isError, true);
    assert.equal(refused.body.error.code, 'rate_limit_exceeded');
    assert.ok(refused.body.error.retry_after_seconds > 0);
    const rest = await limited.get(`/v1/kev/${IDS.log4shell}`);
    assert.equal(rest.status, 429, 'one quota, whichever way one asks');
  });

  test('a key counts, and one that is none never falls back to keyless', async (t) => {
    const limited = await startService(t, { quota: { keyless: 1, pro: 10 } });
    const withKey = await ask(limited, 'tools/call', KEV, await limited.proHeaders());
    assert.equal(withKey.headers['x-ratelimit-tier'], 'pro');
    const wrong = (await ask(limited, 'tools/call', KEV, { authorization: 'Bearer nonsense' })).body.result;
    assert.equal(wrong.isError, true);
    assert.equal(JSON.parse(wrong.content[0].text).error.code, 'invalid_api_key');
  });

  test('the log says which tool and how it ended, and nothing of what was asked', async (t) => {
    const logged = await startService(t, { quota: { keyless: 2 } });
    await ask(logged, 'tools/call', KEV);
    await ask(logged, 'tools/call', { name: 'cve_search', arguments: { product: 'zanzibar', bogus: 'quokka' } });
    await ask(logged, 'tools/call', { name: 'zanzibar', arguments: { quokka: 1 } });
    await ask(logged, 'resources/read', { uri: 'cwe://weakness/quokka' });
    await ask(logged, 'prompts/get', { name: 'contrast_triage', arguments: { target: 'zanzibar.example' } });
    await post(logged, '{"zanzibar": "quokka"');
    await call(logged, 'cve_lookup', { cve_id: IDS.unknown });
    await call(logged, 'cve_lookup', { cve_id: IDS.log4shell });
    const lines = logged.logLines();
    for (const word of ['44228', '99999', 'zanzibar', 'quokka']) {
      for (const line of lines) assert.ok(!line.includes(word), line);
    }
    const calls = lines.map((line) => JSON.parse(line)).filter(({ tool }) => tool !== undefined);
    assert.deepEqual(
      calls.map(({ tool, outcome }) => `${tool} ${outcome}`),
      ['kev_detail ok', 'cve_search error', 'cve_lookup error', 'cve_lookup rate_limited'],
    );
    for (const { request_id, ms } of calls) assert.ok(request_id && ms >= 0);
  });
});

describe('a client that hangs up stops the work done for it', () => {
  for (const [how, params] of [
    ['a plain call', {}],
    ['a call that goes through the SDK', { unknownToUs: 1 }],
  ] as const) {
    test(how, async (t) => {
      const begun = Promise.withResolvers<void>();
      const aborted = Promise.withResolvers<void>();
      const waits = waitingOperation(begun.resolve, aborted.resolve);
      const patient = await startService(t, { operations: [waits] });
      const url = new URL('/mcp', await patient.listen());
      const request = httpRequest(url, { method: 'POST', headers: { 'content-type': 'application/json' } });
      request.on('error', () => {});
      request.end(
        JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: waits.id, arguments: {}, ...params },
        }),
      );
      await begun.promise;
      request.destroy();
      await aborted.promise;
      assert.equal((await patient.get('/mcp')).status, 200);
      assert.deepEqual(
        patient.logLines().filter((line) => line.includes('internal error')),
        [],
      );
    });
  }
});

/** An operation that answers with this text. */
function sayingOperation(said: string): Operation {
  return defineOperation({
    id: 'says',
    area: 'service',
    title: 'Says',
    description: 'Says what it was made to say.',
    route: 'GET /v1/says',
    input: z.strictObject({}),
    output: z.object({ summary: z.string() }),
    cost: 0,
    examples: [{ title: 'Say it', input: {} }],
    tool: { description: 'Says what it was made to say.', openWorld: false },
    answer: () => ({ summary: said }),
  }) as unknown as Operation;
}

/** An operation that ends when its caller has gone. */
function waitingOperation(begun: () => void, aborted: () => void): Operation {
  return defineOperation({
    id: 'waits',
    area: 'service',
    title: 'Waits',
    description: 'Waits until nobody wants to know.',
    route: 'GET /v1/waits',
    input: z.strictObject({}),
    output: z.object({ summary: z.string() }),
    cost: 0,
    examples: [{ title: 'Wait', input: {} }],
    tool: { description: 'Waits until nobody wants to know.', openWorld: false },
    async answer(_input, { signal }) {
      begun();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      aborted();
      return { summary: 'gone' };
    },
  }) as unknown as Operation;
}
