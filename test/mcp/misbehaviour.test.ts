import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { z } from 'zod';
import { RESPONSE_TIMEOUT_MS } from '../../src/mcp/response-collector.ts';
import { McpEndpoint } from '../../src/mcp/http-endpoint.ts';
import { OPERATIONS } from '../../src/operations/list.ts';
import { type Operation, defineOperation } from '../../src/engine/operation.ts';
import { IDS } from '../operations/fixture-facts.ts';
import { RawConnection } from '../support/raw-connection.ts';
import { startService } from '../support/service.ts';
import { ask, askModern, ENVELOPE, post } from './rpc.ts';
import { openWire, shakeHands } from './wire.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
type Loose = any;

const shared = await startService({ after });

const request = (method: unknown, params?: unknown, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params === undefined ? {} : { params }),
});
const callOf = (params: object, id: unknown = 1) => request('tools/call', params, id);
const nested = (depth: number): string =>
  `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":${'['.repeat(depth)}${']'.repeat(depth)}}}`;
const TRIAGE = { type: 'ref/prompt', name: 'contrast_triage' };
const PARSE = -32700;
const REQUEST = -32600;
const METHOD = -32601;
const PARAMS = -32602;

/** What is sent, the error that JSON-RPC 2.0 (section 5.1) and MCP have for it, and the id that comes back. */
const WRONG: readonly [what: string, body: unknown, code: number, id?: unknown][] = [
  ['a text that is no JSON', '{"jsonrpc":', PARSE, null],
  ['JSON after JSON', '{}{}', PARSE, null],
  ['a number', '5', REQUEST, null],
  ['an object that is no message', {}, REQUEST, null],
  ['another version of JSON-RPC', { ...request('ping'), jsonrpc: '1.0' }, REQUEST],
  ['nesting of 101', nested(100), REQUEST, null],
  ['nesting of 200,000', nested(200_000), REQUEST, null],
  ['a method that is a number', request(5), REQUEST],
  ['no method', { jsonrpc: '2.0', id: 1 }, REQUEST],
  ['both result and error', { jsonrpc: '2.0', id: 1, result: {}, error: {} }, REQUEST],
  ['params that are a list', request('ping', []), REQUEST],
  ['params that are null', request('tools/call', null), REQUEST],
  ['an id that is null', request('ping', undefined, null), REQUEST, null],
  ['an id that is true', request('ping', undefined, true), REQUEST, null],
  ['an id that is a list', request('ping', undefined, [1]), REQUEST, null],
  ['an id that is an object', request('ping', undefined, {}), REQUEST, null],
  ['an id with a fraction', request('ping', undefined, 1.5), REQUEST, 1.5],
  ['an empty batch', [], REQUEST, null],
  ['a batch of a number', [1], REQUEST, null],
  ['a batch of a batch', [[request('ping')]], REQUEST, null],
  ['a batch of a message and a number', [request('ping'), 5], REQUEST, null],
  ['a batch of 101', Array.from({ length: 101 }, () => request('ping')), REQUEST, null],
  ['an unknown method', request('nope'), METHOD],
  ['a method without a name', request(''), METHOD],
  ['the name of a built-in', request('constructor'), METHOD],
  ['a capability that is not offered', request('logging/setLevel', { level: 'info' }), METHOD],
  ['a subscription', request('resources/subscribe', { uri: 'cwe://catalog' }), METHOD],
  ['listening', request('subscriptions/listen', { notifications: {} }), METHOD],
  ['a notification with an id: cancelled', request('notifications/cancelled'), METHOD],
  ['the same of itself', request('notifications/cancelled', { requestId: 1 }), METHOD],
  ['the same in a batch', [request('notifications/cancelled', { requestId: 1 })], METHOD],
  ['a notification with an id: initialized', request('notifications/initialized'), METHOD],
  ['a notification with an id: progress', request('notifications/progress', { progressToken: 1 }), METHOD],
  ['what a client answers', request('sampling/createMessage', {}), METHOD],
  ['tools/call without params', request('tools/call'), PARAMS],
  ['tools/call without a name', callOf({}), PARAMS],
  ['tools/call of a number', callOf({ name: 5 }), PARAMS],
  ['tools/call of an unknown tool', callOf({ name: 'nope' }), PARAMS],
  ['tools/call with a list of arguments', callOf({ name: 'kev_detail', arguments: [] }), PARAMS],
  ['tools/call with a text for arguments', callOf({ name: 'kev_detail', arguments: 'x' }), PARAMS],
  ['tools/call with null for arguments', callOf({ name: 'kev_detail', arguments: null }), PARAMS],
  ['tools/list with a number for a cursor', request('tools/list', { cursor: 5 }), PARAMS],
  ['resources/list with a number for a cursor', request('resources/list', { cursor: 5 }), PARAMS],
  ['prompts/get without params', request('prompts/get'), PARAMS],
  ['prompts/get of a number', request('prompts/get', { name: 5 }), PARAMS],
  ['prompts/get of an unknown prompt', request('prompts/get', { name: 'nope' }), PARAMS],
  ['prompts/get without its argument', request('prompts/get', { name: 'contrast_triage' }), PARAMS],
  ['prompts/get with a number', request('prompts/get', { name: 'contrast_triage', arguments: { target: 5 } }), PARAMS],
  ['prompts/get with a list', request('prompts/get', { name: 'contrast_triage', arguments: [] }), PARAMS],
  ['resources/read without params', request('resources/read'), PARAMS],
  ['resources/read of a number', request('resources/read', { uri: 5 }), PARAMS],
  ['resources/read of nothing known', request('resources/read', { uri: 'nope' }), PARAMS],
  ['resources/read of a wrong id', request('resources/read', { uri: 'cwe://weakness/x' }), PARAMS],
  ['completion without params', request('completion/complete'), PARAMS],
  ['completion of an unknown kind', request('completion/complete', { ref: { type: 'x' }, argument: {} }), PARAMS],
  ['completion without an argument', request('completion/complete', { ref: TRIAGE }), PARAMS],
  ['completion of a number', request('completion/complete', { ref: TRIAGE, argument: { name: 5, value: '' } }), PARAMS],
  [
    'completion of an unknown prompt',
    request('completion/complete', { ref: { ...TRIAGE, name: 'nope' }, argument: { name: 'x', value: '' } }),
    PARAMS,
  ],
  ['initialize without params', request('initialize'), PARAMS],
  ['initialize with a number for a version', request('initialize', { protocolVersion: 5 }), PARAMS],
];

function assertError(message: Loose, [what, , code, id = 1]: (typeof WRONG)[number]): void {
  const answer = Array.isArray(message) ? message[0] : message;
  assert.equal(answer.jsonrpc, '2.0', what);
  assert.equal(answer.error?.code, code, JSON.stringify(answer).slice(0, 300));
  assert.equal(answer.id, id);
  assert.ok(answer.error.message.length > 0 && answer.error.message.length <= 400, answer.error.message);
  assert.doesNotMatch(answer.error.message, /\n|invalid_type|node_modules|src\//);
}

describe('what breaks the rules of JSON-RPC, over HTTP on one connection', () => {
  const listening = shared.listen();

  /** Sends a message and then a ping on the same connection. The service closes one that is not used, so each test has its own. */
  async function postAndPing(body: unknown): Promise<{ status: number; text: string; pingId: unknown }> {
    const connection = new RawConnection(Number(new URL(await listening).port));
    try {
      const answer = await connection.ask(httpPost(body));
      const ping = await connection.ask(httpPost(request('ping', undefined, 'next')));
      assert.ok(answer !== null && ping !== null, 'the connection was closed');
      return { status: answer.status, text: answer.body.toString(), pingId: JSON.parse(ping.body.toString()).id };
    } finally {
      connection.close();
    }
  }

  for (const row of WRONG) {
    test(row[0], async () => {
      const { status, text, pingId } = await postAndPing(row[1]);
      assert.equal(status, row[2] === PARSE || row[2] === REQUEST ? 400 : 200);
      assertError(JSON.parse(text), row);
      assert.equal(pingId, 'next');
    });
  }

  for (const [what, body] of UNANSWERED()) {
    test(`${what} is taken and not answered`, async () => {
      assert.deepEqual(await postAndPing(body), { status: 202, text: '', pingId: 'next' });
    });
  }
});

describe('what breaks the rules of JSON-RPC, over stdio', () => {
  const wire = openWire(shared);
  before(() => shakeHands(wire));
  after(() => wire.input.end());

  for (const row of WRONG) {
    test(row[0], async () => {
      wire.say(row[1]);
      assertError(await wire.hear(), row);
      wire.say(request('ping', undefined, 'next'));
      assert.equal((await wire.hear()).id, 'next');
    });
  }

  for (const [what, body] of UNANSWERED()) {
    test(`${what} is taken and not answered`, async () => {
      wire.say(body);
      wire.say(request('ping', undefined, 'next'));
      assert.equal((await wire.hear()).id, 'next');
    });
  }
});

function UNANSWERED(): [string, unknown][] {
  return [
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['an unknown notification', { jsonrpc: '2.0', method: 'nope' }],
    ['a cancellation of nothing', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 9 } }],
    ['a cancellation of an object', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: {} } }],
    ['an answer that nobody waits for', { jsonrpc: '2.0', id: 1, result: {} }],
    ['a batch of notifications', [{ jsonrpc: '2.0', method: 'notifications/initialized' }]],
  ];
}

describe('an id that stands twice in a batch is answered twice, in one answer', () => {
  const batch = [
    callOf({ name: 'kev_detail', arguments: { cve_id: IDS.log4shell } }, 'same'),
    request('ping', undefined, 'same'),
  ];

  test('over HTTP', async (t) => {
    const { body } = await post(await startService(t), batch);
    assert.deepEqual(
      body.map(({ id }: Loose) => id),
      ['same', 'same'],
    );
  });

  test('over stdio', async (t) => {
    const wire = openWire(await startService(t));
    await shakeHands(wire);
    wire.say(batch);
    assert.deepEqual(
      (await wire.hear()).map(({ id }: Loose) => id),
      ['same', 'same'],
    );
    wire.input.end();
  });
});

describe('a request that is never answered', () => {
  // A handshake must fit into it on a busy machine.
  const exchangeMs = 500;
  const endless = { name: 'endless', arguments: {} };
  const late = (message: Loose, id: unknown): void =>
    assert.deepEqual([message.id, message.error?.code], [id, -32_000], JSON.stringify(message));

  test('has longer than any operation', () => {
    for (const { id, deadlineMs } of OPERATIONS) assert.ok(deadlineMs + 10_000 <= RESPONSE_TIMEOUT_MS, id);
  });

  test('over HTTP is told so, alone and in a batch, in every protocol', async (t) => {
    const mcp = (service: Loose) =>
      new McpEndpoint(service, { host: '127.0.0.1', allowedOrigins: [] }, { responseTimeoutMs: exchangeMs });
    const service = await startService(t, { operations: [endlessOperation()], mcp });
    late((await ask(service, 'tools/call', endless)).body, 1);
    late((await ask(service, 'tools/call', { ...endless, unknownToUs: 1 })).body, 1);
    late((await askModern(service, 'tools/call', endless)).body, 1);
    late((await askModern(service, 'tools/call', { ...endless, _meta: { 'example.org/trace': 'x' } })).body, 1);
    const { body } = await post(service, [callOf(endless, 'a'), request('ping', undefined, 'b'), callOf(endless, 'a')]);
    assert.deepEqual(body[0], { jsonrpc: '2.0', id: 'b', result: {} });
    for (const answer of body.slice(1)) late(answer, 'a');
    assert.equal(body.length, 3);
  });

  test('over stdio is told so, alone and in a batch, and what comes later is dropped', async (t) => {
    const released = Promise.withResolvers<void>();
    const wire = openWire(await startService(t), { operations: [endlessOperation(released.promise)], exchangeMs });
    await shakeHands(wire);
    wire.say(callOf(endless, 'a'));
    late(await wire.hear(), 'a');
    wire.say([callOf(endless, 'b'), request('ping', undefined, 'c')]);
    const [first, second] = await wire.hear();
    assert.equal(first.id, 'c');
    late(second, 'b');
    released.resolve();
    wire.say(request('ping', undefined, 'd'));
    assert.equal((await wire.hear()).id, 'd');
    wire.input.end();
    await wire.ended;
  });

  test('over stdio, in the newest protocol, a request of an older one is answered', async (t) => {
    const wire = openWire(await startService(t), { exchangeMs: 30_000 });
    wire.say(request('tools/list', { _meta: ENVELOPE }));
    assert.ok((await wire.hear()).result.tools.length > 0);
    wire.say(request('ping', undefined, 'old'));
    const answer = await wire.hear();
    assert.equal(answer.id, 'old');
    assert.ok(answer.error !== undefined);
    wire.input.end();
    await wire.ended;
  });
});

describe('the end of the input over stdio', () => {
  test('waits for the answers under way', async (t) => {
    const released = Promise.withResolvers<void>();
    const wire = openWire(await startService(t), { operations: [endlessOperation(released.promise)] });
    await shakeHands(wire);
    wire.say(callOf({ name: 'endless', arguments: {} }, 'under way'));
    wire.say([request('ping', undefined, 'x'), callOf({ name: 'endless', arguments: {} }, 'y')]);
    wire.input.end();
    await once(wire.input, 'close');
    released.resolve();
    assert.equal((await wire.hear()).id, 'under way');
    assert.equal((await wire.hear()).length, 2);
    await wire.ended;
  });

  test('does not wait for those that were called off', async (t) => {
    const wire = openWire(await startService(t), { operations: [endlessOperation()] });
    await shakeHands(wire);
    wire.say(callOf({ name: 'endless', arguments: {} }, 'off'));
    wire.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'off' } });
    wire.input.end();
    await wire.ended;
  });

  test('waits no longer than a request may take', async (t) => {
    const neverRead = new Writable({ write: () => {}, highWaterMark: 1 });
    const wire = openWire(await startService(t), { output: neverRead, exchangeMs: 40 });
    wire.say(request('ping'));
    wire.input.end();
    await wire.ended;
  });
});

test('over stdio nothing more is read while the answers are not taken, and nothing is lost', async (t) => {
  const COUNT = 3000;
  const taken: string[] = [];
  const waiting: (() => void)[] = [];
  let open = false;
  const slow = new Writable({
    highWaterMark: 1024,
    write(chunk: Buffer, _encoding, done) {
      taken.push(chunk.toString());
      if (open) done();
      else waiting.push(done);
    },
  });
  const wire = openWire(await startService(t), { output: slow });
  const pings = Array.from({ length: COUNT }, (_, id) => `${JSON.stringify(request('ping', undefined, id))}\n`);
  for (let at = 0; at < COUNT; at += 100) wire.input.write(pings.slice(at, at + 100).join(''));
  while (!wire.input.isPaused()) await new Promise(setImmediate);
  for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
  assert.ok(wire.input.isPaused());
  assert.ok(slow.writableLength < 100 * 1024, `${slow.writableLength} bytes wait to be taken`);
  open = true;
  for (const done of waiting) done();
  wire.input.end();
  await wire.ended;
  const ids = taken
    .join('')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).id);
  assert.equal(new Set(ids).size, COUNT);
});

/** A tool that answers when it is let go, or never. */
function endlessOperation(until: Promise<void> = new Promise(() => {})): Operation {
  return defineOperation({
    id: 'endless',
    area: 'cve',
    title: 'Endless',
    description: 'Never answers.',
    route: null,
    input: z.strictObject({}),
    output: z.object({ summary: z.string() }),
    cost: 1,
    examples: [],
    tool: { description: 'Never answers.', openWorld: false },
    async answer() {
      await until;
      return { summary: 'at last' };
    },
  }) as Operation;
}

function httpPost(body: unknown): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}
