import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Tool } from '@modelcontextprotocol/server';
import { countTokens } from 'gpt-tokenizer';
import { COMPACT_TOOLS } from '../../../src/mcp/compact/compact-tools.ts';
import { McpService } from '../../../src/mcp/service.ts';
import { OPERATIONS } from '../../../src/operations/list.ts';
import { startService, type TestService } from '../../support/service.ts';
import { CLIENTS, connect } from '../clients.ts';
import { openWire, shakeHands } from '../wire.ts';
import { ENVELOPE, post } from '../rpc.ts';
import { parseMarked } from '../parse-marked.ts';

/** What a client may put before a model, ahead of its first question. */
const COMPACT_TOKENS = 2000;
const KB = 1024;
const CVE = { cve_id: 'CVE-2021-44228' };
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

const service = await startService({ after });

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
async function ask(query: string, method: string, params: object, of: TestService = service): Promise<any> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  return (await of.send('POST', `/mcp${query}`, body, HEADERS)).body;
}
const call = async (name: string, given: object, of: TestService = service) =>
  (await ask('?mode=compact', 'tools/call', { name, arguments: given }, of)).result;
const json = (result: { content: { text: string }[] }) => parseMarked(result.content[0]!.text);
const withoutRequestId = (result: { content: { text: string }[] }) => ({ ...json(result), request_id: '' });

describe('what a client reads before the first question', () => {
  const modes = new McpService(OPERATIONS, service.services).toolSets;

  test('in compact mode is under 2,000 tokens: names, titles, descriptions, annotations, input schemas, instructions', async (t) => {
    const { instructions } = (await initialize('?mode=compact')).result;
    const { tools } = (await ask('?mode=compact', 'tools/list', {})).result;
    const all = countTokens(JSON.stringify(tools)) + countTokens(instructions);
    const front = countTokens(frontOf(tools)) + countTokens(instructions);
    t.diagnostic(`${all} tokens, ${front} without titles and annotations`);
    assert.ok(all < COMPACT_TOKENS, `${all} tokens`);
  });

  test('in the other modes and areas', (t) => {
    const areas = [...new Set(modes.select({ tools: '', mode: '' }).tools.map(({ operation }) => operation.area))];
    for (const [tools, mode, listBytes] of [
      ['', 'full', 120 * KB],
      ['', 'brief', 64 * KB],
      ...areas.flatMap((area) => [
        [area, 'full', 40 * KB],
        [area, 'brief', 20 * KB],
      ]),
    ] as [string, string, number][]) {
      const toolSet = modes.select({ tools, mode });
      const [listJson, listed] = [toolSet.listJson(true), toolSet.listed(true)];
      const bytes = Buffer.byteLength(listJson);
      const label = `${tools === '' ? 'all' : tools} ${mode}: ${listed.length} tools`;
      t.diagnostic(
        `${label}, list ${bytes} bytes ${countTokens(listJson)} tokens, front ${countTokens(frontOf(listed))} tokens`,
      );
      assert.ok(bytes < listBytes, `${label}: ${bytes} bytes`);
    }
  });
});

test('brief mode is the full list without output schemas, and answers the same', async () => {
  const full = (await ask('', 'tools/list', {})).result.tools;
  const brief = (await ask('?mode=brief', 'tools/list', {})).result.tools;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  assert.deepEqual(
    brief,
    full.map(({ outputSchema: _, ...rest }: any) => rest),
  );
  const given = { name: 'cve_lookup', arguments: CVE };
  assert.deepEqual(await ask('?mode=brief', 'tools/call', given), await ask('', 'tools/call', given));
});

test('compact mode lists three tools that only read, and says that one of them may leave this machine', async () => {
  const { tools } = (await ask('?mode=compact&tools=cve', 'tools/list', {})).result;
  assert.deepEqual(tools, COMPACT_TOOLS);
  assert.deepEqual(
    tools.map(({ name, annotations }: Tool) => [name, annotations?.readOnlyHint, annotations?.openWorldHint]),
    [
      ['find_tools', true, false],
      ['describe_tool', true, false],
      ['call_tool', true, true],
    ],
  );
});

describe('find_tools', () => {
  test('gives the tools that fit, what they are for, their input, and what of it was pasted', async () => {
    const { recognized, tools } = json(await call('find_tools', { query: 'is there an exploit for CVE-2021-44228?' }));
    assert.deepEqual(recognized, ['CVE-2021-44228 is a CVE id']);
    const [first] = tools;
    assert.equal(first.name, 'exploit_lookup');
    assert.equal(first.input, 'cve_id');
    assert.deepEqual(first.ready_input, CVE);
    assert.match(first.use, /public exploit code/);
    assert.doesNotMatch(first.use, /calculate_risk_score/, 'what others are for is not its own use');
    assert.ok(tools.length > 1 && tools.length <= 5);
  });

  test('gives the areas where nothing fits', async () => {
    const { tools, areas } = json(await call('find_tools', { query: 'zxqv' }));
    assert.deepEqual(tools, []);
    assert.ok('cve' in areas && 'domain' in areas);
  });

  test('finds among the selected tools alone', async () => {
    const params = { name: 'find_tools', arguments: { query: 'who owns example.com' } };
    const { result } = await ask('?mode=compact&tools=cve', 'tools/call', params);
    assert.ok(!JSON.stringify(result).includes('whois_lookup'));
  });

  test('an answer is short', async () => {
    const { content } = await call('find_tools', { query: 'everything about the security of a domain' });
    assert.ok(countTokens(content[0].text) < 800, content[0].text);
  });
});

test('describe_tool gives schema, example, price, annotations and neighbours', async () => {
  const described = json(await call('describe_tool', { name: 'threat_report' }));
  const { tools } = (await ask('', 'tools/list', {})).result;
  const { inputSchema, description, annotations } = tools.find(({ name }: { name: string }) => name === described.name);
  const { examples, ...schema } = inputSchema;
  assert.deepEqual(described.input_schema, schema);
  assert.deepEqual(described.examples, examples);
  assert.deepEqual([described.description, described.annotations], [description, annotations]);
  assert.equal(described.price, '6 tokens');
  assert.deepEqual(
    described.neighbours.map(({ name }: { name: string }) => name),
    ['ip_lookup'],
  );
});

describe('call_tool answers what the tool answers', () => {
  for (const [title, name, input] of [
    ['an answer', 'cve_lookup', CVE],
    ['an answer that is cut', 'bulk_cve_lookup', { cve_ids: ['CVE-2021-44228', 'CVE-2014-0160'] }],
    ['something that is not known', 'cve_lookup', { cve_id: 'CVE-1999-99999' }],
    ['a wrong input', 'cve_lookup', { cve_id: 'log4j' }],
    ['an empty input', 'cve_lookup', {}],
    ['an input with a field that there is not', 'cve_search', { produkt: 'log4j' }],
  ] as const) {
    test(title, async () => {
      const direct = (await ask('', 'tools/call', { name, arguments: input })).result;
      for (const _ of ['first', 'again']) {
        const through = await call('call_tool', { name, input });
        assert.equal(through.isError, direct.isError);
        assert.deepEqual(withoutRequestId(through), withoutRequestId(direct));
        assert.deepEqual(through.structuredContent, direct.structuredContent);
      }
    });
  }

  test('in both protocols, by the SDK and without it', async () => {
    const params = { name: 'call_tool', arguments: { name: 'cve_lookup', input: CVE } };
    const direct = (await ask('', 'tools/call', { name: 'cve_lookup', arguments: CVE })).result;
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'call_tool' };
    // A further field in `_meta` is for the SDK to judge.
    for (const meta of [{}, { 'example.com/trace': '1' }]) {
      const modern = JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { ...params, _meta: { ...ENVELOPE, ...meta } },
      });
      const { body } = await service.send('POST', '/mcp?mode=compact', modern, { ...HEADERS, ...headers });
      assert.deepEqual(body.result.structuredContent, direct.structuredContent);
      const legacy = await ask('?mode=compact', 'tools/call', { ...params, _meta: meta });
      assert.deepEqual(legacy.result, direct);
    }
  });

  test('and takes what next_calls give: the tool, and `params` or else `input`', async () => {
    const calls = new Map<string, object>();
    for (const { id, tool, examples } of OPERATIONS) {
      if (tool === undefined || tool.openWorld) continue;
      const { structuredContent } = await call('call_tool', { name: id, input: examples[0]!.input });
      for (const next of structuredContent?.next_calls ?? []) {
        const given = { name: next.tool, input: next.params ?? next.input };
        calls.set(JSON.stringify(given), given);
      }
    }
    assert.ok(calls.size >= 15, `${calls.size} calls`);
    for (const [text, given] of calls) {
      const result = await call('call_tool', given);
      const code = result.isError ? json(result).error.code : 'ok';
      assert.ok(!['invalid_argument', 'validation_error'].includes(code), `${text}: ${code}`);
    }
  });

  test('and costs the same; finding and describing costs nothing', async (t) => {
    const limited = await startService(t, { quota: { keyless: 10 } });
    const remaining = async (name: string, given: object) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } });
      const { headers } = await limited.send('POST', '/mcp?mode=compact', body, HEADERS);
      return headers['x-ratelimit-remaining'];
    };
    assert.equal(await remaining('find_tools', { query: 'log4j' }), undefined);
    assert.equal(await remaining('describe_tool', { name: 'cve_lookup' }), undefined);
    assert.equal(await remaining('call_tool', { name: 'cve_lookup', input: CVE }), '9');
    assert.equal(await remaining('call_tool', { name: 'cve_lookup', input: CVE }), '8', 'answered from memory');
    assert.equal(
      await remaining('call_tool', { name: 'affected_check', input: { product: 'log4j', version: '2.14.1' } }),
      '4',
    );
    const bulk = { cve_ids: Array.from({ length: 5 }, (_, at) => `CVE-2021-4422${at}`) };
    const { skipped_due_to_rate_limit: skipped } = json(
      await call('call_tool', { name: 'bulk_cve_lookup', input: bulk }, limited),
    );
    assert.equal(skipped.length, 1);
    const refused = await call('call_tool', { name: 'cve_lookup', input: CVE }, limited);
    assert.equal(refused.isError, true);
    assert.equal(json(refused).error.code, 'rate_limit_exceeded');
    assert.ok(!(await call('find_tools', { query: 'log4j' }, limited)).isError);
  });

  test('the log has the tool that was called', async (t) => {
    const logged = await startService(t);
    await call('call_tool', { name: 'cve_lookup', input: CVE }, logged);
    await call('find_tools', { query: 'secret question' }, logged);
    const lines = logged.logLines().filter((line) => line.includes('"tool"'));
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).tool),
      ['cve_lookup', 'find_tools'],
    );
    assert.ok(!logged.logLines().join('').includes('secret question'));
  });
});

describe('a wrong call says what would be right', () => {
  for (const [title, name, given, message] of [
    [
      'a tool that there is not',
      'call_tool',
      { name: 'cve_lokup', input: {} },
      /cve_lokup.* Did you mean cve_lookup\? find_tools/,
    ],
    ['no input', 'call_tool', { name: 'cve_lookup' }, /input: is missing.*\{"cve_id":"CVE-2021-44228"\}/],
    ['input as text', 'call_tool', { name: 'cve_search', input: 'log4j' }, /input: must be an object.*"product"/],
    ['no name', 'call_tool', { input: {} }, /name: is missing/],
    ['no query', 'find_tools', {}, /query: is missing/],
    ['an empty query', 'find_tools', { query: ' ' }, /query: must be a text/],
    ['a description of none', 'describe_tool', { name: 'x' }, /'x' is no tool here|"x" is no tool here/],
  ] as const) {
    test(title, async () => {
      const result = await call(name, given);
      assert.equal(result.isError, true);
      assert.equal(json(result).error.code, 'invalid_argument');
      assert.match(json(result).error.message, message);
    });
  }

  test('a mode that there is not', async () => {
    const reply = await post(service, '');
    assert.equal(reply.status, 400);
    const { error } = await ask('?mode=kompakt', 'tools/list', {});
    assert.match(error.message, /'?kompakt'?.* Did you mean compact\? Modes: full, brief, compact\./);
  });

  test('outside of compact mode its tools are unknown', async () => {
    const { error } = await ask('', 'tools/call', { name: 'find_tools', arguments: { query: 'log4j' } });
    assert.equal(error.code, -32602);
  });
});

for (const name of CLIENTS) {
  test(`${name} walks from words to an answer, and on by next_calls`, async (t) => {
    const url = `${await (await startService(t)).listen()}/mcp?mode=compact`;
    const client = await connect(name, { url });
    t.after(() => client.close());
    assert.deepEqual(
      (await client.listTools()).map((tool) => tool.name),
      ['find_tools', 'describe_tool', 'call_tool'],
    );
    const { tools } = (await client.call('find_tools', { query: 'how bad is CVE-2021-44228' })).structuredContent;
    const { structuredContent } = await client.call('call_tool', { name: tools[0].name, input: tools[0].ready_input });
    assert.equal(structuredContent.cve_id, 'CVE-2021-44228');
    const [next] = structuredContent.next_calls;
    const further = await client.call('call_tool', {
      name: next.tool,
      input: next.params ?? next.input,
    });
    assert.ok(!further.isError, further.content[0]!.text);
  });
}

test('over standard input too', async () => {
  const wire = openWire(service, { mode: 'compact' });
  await shakeHands(wire, '2025-06-18');
  wire.say({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  assert.deepEqual((await wire.hear()).result.tools, COMPACT_TOOLS);
  const params = { name: 'call_tool', arguments: { name: 'cve_lookup', input: CVE } };
  wire.say({ jsonrpc: '2.0', id: 2, method: 'tools/call', params });
  assert.equal((await wire.hear()).result.structuredContent.cve_id, 'CVE-2021-44228');
  wire.input.end();
  await wire.ended;
});

test('the card says how it was asked', async () => {
  const { body } = await service.get('/mcp?mode=compact', { accept: 'application/json' });
  assert.deepEqual([body.mode, body.modes, body.counts.tools], ['compact', ['full', 'brief', 'compact'], 3]);
});

test('prompts say how tools are called', async () => {
  const params = { name: 'contrast_triage', arguments: { target: 'CVE-2021-44228' } };
  const textOf = async (query: string) => (await ask(query, 'prompts/get', params)).result.messages[0].content.text;
  assert.match(await textOf('?mode=compact'), /each by call_tool/);
  assert.doesNotMatch(await textOf(''), /call_tool/);
});

function initialize(query: string) {
  const clientInfo = { name: 'test', version: '1' };
  return ask(query, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
}

function frontOf(tools: readonly Pick<Tool, 'name' | 'description' | 'inputSchema'>[]): string {
  return JSON.stringify(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })));
}
