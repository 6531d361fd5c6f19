import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { z } from 'zod';
import { parseAnswerUri } from '../../src/mcp/answer-links.ts';
import { defineOperation, lookupOutputSchema } from '../../src/engine/operation.ts';
import { startService, type TestService } from '../support/service.ts';
import { CLIENTS, connect } from './clients.ts';
import { ask, askModern } from './rpc.ts';
import { openWire, shakeHands } from './wire.ts';
import { parseMarked } from './parse-marked.ts';

const ROWS = 2000;

/** Answers that are too long for a tool; `asked` counts how often each was made. */
let asked = 0;
function longOperation(id: string, { cacheable, openWorld }: { cacheable: boolean; openWorld: boolean }) {
  return defineOperation({
    id,
    area: 'cve',
    title: 'Long list',
    description: 'A long list.',
    route: `GET /v1/${id}/:name`,
    input: z.strictObject({ name: z.string().max(100_000), tags: z.array(z.string()).optional() }),
    output: lookupOutputSchema('LongList', { name: z.string(), rows: z.array(z.object({ text: z.string() })) }),
    cost: 2,
    cacheable,
    examples: [{ title: 'One', input: { name: 'one' } }],
    tool: { description: 'A long list of rows, longer than a tool may answer.', openWorld },
    falsifiableFields: [],
    answer: ({ name }) => {
      asked += 1;
      const rows = name === 'short' ? [] : Array.from({ length: ROWS }, (_, at) => ({ text: `row ${at} of ${name}` }));
      return { name, rows, summary: 'A list.' };
    },
  });
}
const operations = [
  longOperation('long_list', { cacheable: true, openWorld: false }),
  longOperation('live_list', { cacheable: false, openWorld: true }),
];

const service = await startService({ after }, { operations });
const V2025 = { 'mcp-protocol-version': '2025-11-25' };
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
type Result = any;
const callOf = (name: string, given: object, headers: Record<string, string> = V2025, of: TestService = service) =>
  ask(of, 'tools/call', { name, arguments: given }, headers).then(({ body }): Result => body.result);
const linkOf = ({ content }: Result) => content.find(({ type }: { type: string }) => type === 'resource_link');

describe('an answer that was cut', () => {
  for (const name of ['long_list', 'live_list']) {
    test(`of ${name} has a link, by which all of it is read`, async () => {
      for (const _ of ['first', 'again, from memory']) {
        const result = await callOf(name, { name: 'a "b" &/é', tags: ['x', 'y'] });
        assert.ok(result.structuredContent.rows.length < ROWS);
        assert.match(result.structuredContent.trimmed, /rows \d+ of 2000/);
        assert.deepEqual(parseMarked(result.content[0].text), result.structuredContent);
        const link = linkOf(result);
        assert.equal(result.content.length, 2);
        assert.equal(link.mimeType, 'application/json');
        assert.match(link.description, /\d+ KB\. Reading it costs what the call costs\./);
        const { contents } = (await ask(service, 'resources/read', { uri: link.uri }, V2025)).body.result;
        assert.deepEqual([contents[0].uri, contents[0].mimeType], [link.uri, 'application/json']);
        const whole = parseMarked(contents[0].text);
        assert.equal(whole.rows.length, ROWS);
        assert.equal(whole.trimmed, undefined);
        assert.equal(whole.name, 'a "b" &/é');
      }
    });
  }

  test('says that the rest is in the link, where no input gives it', async () => {
    const linked = await callOf('long_list', { name: 'rest' });
    assert.match(linked.structuredContent.trimmed, /give fewer tags at once/);
  });

  test('has none for clients whose protocol has no links, and is not mixed up with one that has', async () => {
    for (const headers of [V2025, {}, V2025, { 'mcp-protocol-version': '2025-03-26' }] as Record<string, string>[]) {
      const knows = headers === V2025;
      const result = await callOf('long_list', { name: 'mixed' }, headers);
      assert.equal(linkOf(result) !== undefined, knows, JSON.stringify(headers));
      assert.equal(result.content.length, knows ? 2 : 1);
    }
    const modern = (await askModern(service, 'tools/call', { name: 'long_list', arguments: { name: 'mixed' } })).body;
    assert.ok(linkOf(modern.result));
  });

  test('over standard input it has one by the version that was agreed on', async () => {
    for (const [version, knows] of [
      ['2025-06-18', true],
      ['2025-03-26', false],
    ] as const) {
      const wire = openWire(service, { operations });
      await shakeHands(wire, version);
      const params = { name: 'live_list', arguments: { name: 'one' } };
      wire.say({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      const link = linkOf((await wire.hear()).result);
      assert.equal(link !== undefined, knows, version);
      if (knows) {
        wire.say({ jsonrpc: '2.0', id: 2, method: 'resources/read', params: { uri: link.uri } });
        assert.equal(parseMarked((await wire.hear()).result.contents[0].text).rows.length, ROWS);
      }
      wire.input.end();
      await wire.ended;
    }
  });

  test('has none where the question is too long for a URI', async () => {
    const result = await callOf('live_list', { name: 'x'.repeat(5000) });
    assert.ok(result.structuredContent.trimmed);
    assert.equal(linkOf(result), undefined);
  });
});

test('an answer that was not cut has no link', async () => {
  const result = await callOf('long_list', { name: 'short' });
  assert.equal(result.content.length, 1);
});

for (const name of CLIENTS) {
  test(`${name} follows the link`, async (t) => {
    const listening = await startService(t, { operations });
    const client = await connect(name, { url: `${await listening.listen()}/mcp?mode=compact` });
    t.after(() => client.close());
    const result = await client.call('call_tool', { name: 'long_list', input: 'one' });
    const whole = await client.read(linkOf(result).uri);
    assert.equal(whole.rows.length, ROWS);
  });
}

describe('reading a whole answer', () => {
  test('asks again and costs what the call costs, and is refused when nothing is left', async (t) => {
    const limited = await startService(t, { operations, quota: { keyless: 5 } });
    const { uri } = linkOf(await callOf('live_list', { name: 'one' }, V2025, limited));
    const before = asked;
    const read = await ask(limited, 'resources/read', { uri }, V2025);
    assert.equal(asked, before + 1);
    assert.equal(read.headers['x-ratelimit-remaining'], '1');
    const refused = await ask(limited, 'resources/read', { uri }, V2025);
    assert.equal(refused.body.error.code, -32000);
    assert.equal(refused.body.error.data.code, 'rate_limit_exceeded');
    assert.equal(asked, before + 1);
    const records = limited.logLines().filter((line) => line.includes('"tool"'));
    assert.deepEqual(
      records.map((line) => JSON.parse(line).outcome),
      ['ok', 'ok', 'rate_limited'],
    );
    assert.ok(!limited.logLines().join('').includes(uri), 'the question is in no log line');
  });

  test('a link that nobody gave is refused', async () => {
    for (const [uri, code] of [
      ['sextant://answer/no_such_tool?input=%7B%7D', -32602],
      ['sextant://answer/long_list', -32602],
      ['sextant://answer/long_list?input=nonsense', -32602],
      ['sextant://answer/long_list?input=%5B1%5D', -32602],
      ['sextant://answer/long_list?input=%ZZ', -32602],
      ['sextant://answer/../../etc/passwd', -32602],
      [`sextant://answer/long_list?input=${'x'.repeat(5000)}`, -32602],
    ] as const) {
      const { error } = (await ask(service, 'resources/read', { uri }, V2025)).body;
      assert.equal(error.code, code, uri);
    }
  });

  test('a tool that was not selected is not read', async () => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'resources/read',
      params: { uri: 'sextant://answer/live_list?input=%7B%22name%22%3A%22one%22%7D' },
    });
    const headers = { 'content-type': 'application/json', accept: 'application/json', ...V2025 };
    const { error } = (await service.send('POST', '/mcp?tools=long_list', body, headers)).body;
    assert.equal(error.code, -32602);
  });
});

test('a URI is read back as it was meant', () => {
  assert.deepEqual(parseAnswerUri('sextant://answer/cve_search?input=%7B%22product%22%3A%22log4j%22%7D'), {
    tool: 'cve_search',
    rawInput: { product: 'log4j' },
  });
  for (const uri of ['cwe://weakness/79', 'sextant://answer/', 'sextant://answer/a/b', 'SEXTANT://answer/a']) {
    assert.equal(parseAnswerUri(uri), null, uri);
  }
});
