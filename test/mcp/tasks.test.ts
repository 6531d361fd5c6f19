import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test, type TestContext } from 'node:test';
import { createTaskSessionFromClient } from '@modelcontextprotocol/ext-tasks/client';
import { isCreateTaskResultV2, isDetailedTaskV2 } from '@modelcontextprotocol/ext-tasks/core/v2';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { ApiError } from '../../src/errors.ts';
import { defineOperation, lookupOutputSchema } from '../../src/engine/operation.ts';
import { TaskStore } from '../../src/mcp/tasks/task-store.ts';
import { OPERATIONS } from '../../src/operations/list.ts';
import { createTaskStore } from '../../src/server/create-task-store.ts';
import { startService, type ServiceOptions, type TestService } from '../support/service.ts';
import { connect } from './clients.ts';
import { ask, ENVELOPE } from './rpc.ts';
import { openWire, shakeHands } from './wire.ts';

const V2025 = { 'mcp-protocol-version': '2025-11-25' };
const TASKS = { 'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } } };
const INFO = { name: 'test', version: '1.0.0' };

/** A scan that ends when it is let, and an answer that is there at once. */
function slowService(
  t: TestContext,
  options: ServiceOptions & { limits?: ConstructorParameters<typeof TaskStore>[0] } = {},
) {
  const gate = new EventTarget();
  const state = { started: 0, aborted: 0 };
  const shared = {
    area: 'web' as const,
    description: 'For tests.',
    input: z.strictObject({ name: z.string() }),
    output: lookupOutputSchema('Slow', { name: z.string() }),
    cost: 2,
    falsifiableFields: [],
  };
  const slow = defineOperation({
    ...shared,
    id: 'slow_scan',
    title: 'Slow scan',
    route: 'GET /v1/slow/:name',
    examples: [{ title: 'One', input: { name: 'one' } }],
    tool: { description: 'A scan that takes its time.', openWorld: true, longRunning: true },
    async answer({ name }, { signal }) {
      state.started += 1;
      if (name === 'quick') return { name, summary: 'Quick.' };
      await Promise.race([once(gate, 'go'), once(signal, 'abort')]);
      if (signal.aborted) state.aborted += 1;
      if (name === 'broken') throw new ApiError('upstream_error', 'The target did not answer.');
      return { name, summary: 'Slow.' };
    },
  });
  const plain = defineOperation({
    ...shared,
    id: 'plain_lookup',
    title: 'Look-up',
    route: 'GET /v1/plain/:name',
    examples: [{ title: 'One', input: { name: 'one' } }],
    tool: { description: 'A look-up that is quick.', openWorld: false },
    answer: ({ name }) => ({ name, summary: 'Plain.' }),
  });
  const tasks = new TaskStore({ answerWithinMs: 1, ...options.limits });
  t.after(() => tasks.close());
  const operations = [slow, plain];
  const started = startService(t, { operations, tasks, ...options });
  return { started, operations, state, tasks, go: () => void gate.dispatchEvent(new Event('go')) };
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
type Loose = any;

const legacy = async (service: TestService, method: string, params: object, headers = {}): Promise<Loose> =>
  (await ask(service, method, params, { ...V2025, ...headers })).body;

async function modern(
  service: TestService,
  method: string,
  params: Loose,
  capabilities = TASKS,
  headers = {},
): Promise<Loose> {
  const name = params.name ?? params.taskId;
  return (
    await ask(
      service,
      method,
      { ...params, _meta: { ...ENVELOPE, ...capabilities } },
      {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(name === undefined ? {} : { 'mcp-name': name }),
        ...headers,
      },
    )
  ).body;
}

/** Asks until the task has ended, as a client does. */
async function untilEnded(get: () => Promise<Loose>): Promise<Loose> {
  for (;;) {
    const { result } = await get();
    if (result.status !== 'working') return result;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const SLOW = { name: 'slow_scan', arguments: { name: 'one' } };

describe('in 2026-07-28', () => {
  test('a call that takes long becomes a task, whose result comes with its state', async (t) => {
    const { started, go } = slowService(t);
    const service = await started;
    const { result: created } = await modern(service, 'tools/call', SLOW);
    assert.ok(isCreateTaskResultV2(created), JSON.stringify(created));
    assert.deepEqual([created.resultType, created.status], ['task', 'working']);
    const { taskId } = created;
    const get = () => modern(service, 'tasks/get', { taskId });
    const { result: working } = await get();
    assert.deepEqual([working.resultType, working.status], ['complete', 'working']);
    assert.ok(isDetailedTaskV2(working), JSON.stringify(working));
    go();
    const completed = await untilEnded(get);
    assert.ok(isDetailedTaskV2(completed), JSON.stringify(completed));
    assert.equal(completed.status, 'completed');
    assert.deepEqual((completed as Loose).result.structuredContent.summary, 'Slow.');
    assert.deepEqual(
      (await modern(service, 'tasks/update', { taskId, inputResponses: {} })).result.resultType,
      'complete',
    );
  });

  test('a call that is quick is answered at once, and leaves no task behind', async (t) => {
    const { started } = slowService(t, { limits: { answerWithinMs: 60_000, perCaller: 1 } });
    const service = await started;
    for (const _ of ['one', 'two', 'three']) {
      const { result } = await modern(service, 'tools/call', { name: 'slow_scan', arguments: { name: 'quick' } });
      assert.deepEqual([result.resultType, result.structuredContent.summary], ['complete', 'Quick.']);
    }
  });

  test('a client that did not say so gets none, and is told what it would have to say', async (t) => {
    const { started, go, state } = slowService(t);
    const service = await started;
    const waiting = modern(service, 'tools/call', SLOW, {} as typeof TASKS);
    while (state.started === 0) await new Promise((resolve) => setImmediate(resolve));
    go();
    assert.equal((await waiting).result.resultType, 'complete');
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const { error } = await modern(service, method, { taskId: 'x' }, {} as typeof TASKS);
      assert.equal(error.code, -32021, method);
      assert.deepEqual(error.data.requiredCapabilities, { extensions: { 'io.modelcontextprotocol/tasks': {} } });
    }
  });

  test('an error of the call is the result of a completed task', async (t) => {
    const { started, go } = slowService(t);
    const service = await started;
    const { result } = await modern(service, 'tools/call', { name: 'slow_scan', arguments: { name: 'broken' } });
    go();
    const completed = await untilEnded(() => modern(service, 'tasks/get', { taskId: result.taskId }));
    assert.equal(completed.status, 'completed');
    assert.equal(completed.result.isError, true);
    assert.equal(JSON.parse(completed.result.content[0].text).error.code, 'upstream_error');
  });

  test('cancelling ends the work', async (t) => {
    const { started, state } = slowService(t);
    const service = await started;
    const { result } = await modern(service, 'tools/call', SLOW);
    const { taskId } = result;
    assert.equal((await modern(service, 'tasks/cancel', { taskId })).result.resultType, 'complete');
    assert.equal((await modern(service, 'tasks/get', { taskId })).result.status, 'cancelled');
    while (state.aborted === 0) await new Promise((resolve) => setImmediate(resolve));
  });

  test('other tools are answered as ever', async (t) => {
    const service = await slowService(t).started;
    const { result } = await modern(service, 'tools/call', { name: 'plain_lookup', arguments: { name: 'one' } });
    assert.deepEqual([result.resultType, result.structuredContent.summary], ['complete', 'Plain.']);
    const { error } = await modern(service, 'tools/call', { name: 'no_such_tool', arguments: {} });
    assert.equal(error.code, -32602);
    assert.equal((await modern(service, 'tasks/result', { taskId: 'x' })).error.code, -32601);
  });

  test('call_tool of compact mode becomes one, too', async (t) => {
    const { started, go } = slowService(t);
    const service = await started;
    const params = {
      name: 'call_tool',
      arguments: { name: 'slow_scan', input: 'one' },
      _meta: { ...ENVELOPE, ...TASKS },
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'call_tool',
    };
    const { result } = (await service.send('POST', '/mcp?mode=compact', body, headers)).body;
    assert.equal(result.resultType, 'task');
    go();
    const completed = await untilEnded(() => modern(service, 'tasks/get', { taskId: result.taskId }));
    assert.equal(completed.result.structuredContent.name, 'one');
  });

  test('the client of the extension runs one', async (t) => {
    const { started, go, state } = slowService(t);
    const service = await started;
    const url = `${await service.listen()}/mcp`;
    const client = await connect('client v2, 2026', { url });
    t.after(() => client.close());
    const clientCapabilities = TASKS['io.modelcontextprotocol/clientCapabilities'];
    const session = createTaskSessionFromClient(client.raw, {
      endpointId: 'test',
      v2RequestFraming: { protocolVersion: '2026-07-28', clientInfo: INFO, clientCapabilities },
      async rawDispatch(request: Loose) {
        const name = request.params.name ?? request.params.taskId;
        const headers = {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': request.method,
          ...(name === undefined ? {} : { 'mcp-name': name }),
        };
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...request });
        const { result, error }: Loose = await (await fetch(url, { method: 'POST', headers, body })).json();
        return error === undefined ? { kind: 'result', result } : { kind: 'error', error };
      },
    } as Loose) as Loose;
    t.after(() => session.close());
    const execution = await session.callTool('slow_scan', { name: 'one' });
    assert.equal(execution.kind, 'task');
    assert.equal(state.started, 1);
    go();
    const { outcome } = await execution.settle();
    assert.equal(outcome.status, 'completed', JSON.stringify(outcome));
    assert.equal(outcome.result.structuredContent.summary, 'Slow.');
  });
});

describe('in 2025-11-25', () => {
  test('a call that asks for a task is one: its state, its result, its end', async (t) => {
    const { started, go } = slowService(t);
    const service = await started;
    const { result } = await legacy(service, 'tools/call', { ...SLOW, task: { ttl: 60_000 } });
    const { task } = result;
    assert.deepEqual([task.status, task.ttl, typeof task.pollInterval], ['working', 60_000, 'number']);
    assert.ok(!Number.isNaN(Date.parse(task.createdAt)));
    const { taskId } = task;
    assert.equal((await legacy(service, 'tasks/get', { taskId })).result.status, 'working');
    const waiting = legacy(service, 'tasks/result', { taskId });
    go();
    const { result: got } = await waiting;
    assert.deepEqual(got._meta['io.modelcontextprotocol/related-task'], { taskId });
    assert.equal(got.structuredContent.summary, 'Slow.');
    assert.equal((await legacy(service, 'tasks/get', { taskId })).result.status, 'completed');
    assert.equal((await legacy(service, 'tasks/cancel', { taskId })).error.code, -32602, 'it has ended');
  });

  test('an error of the call is a failed task with a result', async (t) => {
    const { started, go, state } = slowService(t);
    const service = await started;
    const params = { name: 'slow_scan', arguments: { name: 'broken' }, task: {} };
    const { taskId } = (await legacy(service, 'tools/call', params)).result.task;
    while (state.started === 0) await new Promise((resolve) => setImmediate(resolve));
    go();
    assert.equal((await untilEnded(() => legacy(service, 'tasks/get', { taskId }))).status, 'failed');
    assert.equal((await legacy(service, 'tasks/result', { taskId })).result.isError, true);
  });

  test('cancelling ends the work, and there is no result', async (t) => {
    const { started, state } = slowService(t);
    const service = await started;
    const { taskId } = (await legacy(service, 'tools/call', { ...SLOW, task: {} })).result.task;
    while (state.started === 0) await new Promise((resolve) => setImmediate(resolve));
    assert.equal((await legacy(service, 'tasks/cancel', { taskId })).result.status, 'cancelled');
    while (state.aborted === 0) await new Promise((resolve) => setImmediate(resolve));
    assert.equal((await legacy(service, 'tasks/result', { taskId })).error.code, -32602);
  });

  test('tools that run as tasks say so; the others refuse', async (t) => {
    const service = await slowService(t).started;
    const { tools } = (await legacy(service, 'tools/list', {})).result;
    assert.deepEqual(
      tools.map(({ name, execution }: Loose) => [name, execution?.taskSupport]),
      [
        ['slow_scan', 'optional'],
        ['plain_lookup', undefined],
      ],
    );
    const { error } = await legacy(service, 'tools/call', { name: 'plain_lookup', arguments: { name: 'x' }, task: {} });
    assert.equal(error.code, -32601);
    const listed = (await modern(service, 'tools/list', {})).result.tools;
    assert.ok(
      listed.every(({ execution }: Loose) => execution === undefined),
      'there is no such field in 2026-07-28',
    );
  });

  test('before it, and without tasks, `task` is ignored', async (t) => {
    const quick = { name: 'slow_scan', arguments: { name: 'quick' }, task: {} };
    const service = await slowService(t).started;
    for (const headers of [{ 'mcp-protocol-version': '2025-06-18' }, { 'mcp-protocol-version': '2025-03-26' }]) {
      assert.equal((await legacy(service, 'tools/call', quick, headers)).result.structuredContent.summary, 'Quick.');
    }
    const without = await startService(t);
    const params = { name: 'bulk_cve_lookup', arguments: { cve_ids: ['CVE-2021-44228'] }, task: {} };
    assert.equal((await legacy(without, 'tools/call', params)).result.structuredContent.total, 1);
    assert.equal((await legacy(without, 'tasks/get', { taskId: 'x' })).error.code, -32601);
    const { capabilities } = (await legacy(without, 'initialize', HANDSHAKE)).result;
    assert.equal(capabilities.tasks, undefined);
  });

  test('the handshake says what there is', async (t) => {
    const service = await slowService(t).started;
    const { capabilities } = (await legacy(service, 'initialize', HANDSHAKE)).result;
    assert.deepEqual(capabilities.tasks, { cancel: {}, requests: { tools: { call: {} } } });
  });

  test('SDK v1 runs one, over HTTP', async (t) => {
    const { started, go, state } = slowService(t);
    const client = await connect('sdk v1', { url: `${await (await started).listen()}/mcp` });
    t.after(() => client.close());
    await client.listTools();
    const seen: string[] = [];
    const stream = client.raw.experimental.tasks.callToolStream(SLOW, CallToolResultSchema, { task: { ttl: 60_000 } });
    for await (const message of stream) {
      seen.push(message.type);
      if (message.type === 'taskStatus' && state.started === 1) go();
      if (message.type === 'result') assert.equal(message.result.structuredContent.summary, 'Slow.');
    }
    assert.deepEqual([seen[0], seen.at(-1)], ['taskCreated', 'result']);
  });
});

const HANDSHAKE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: INFO };

test('over standard input, in both protocols, and the end of the connection ends the work', async (t) => {
  for (const version of ['2025-11-25', '2026-07-28']) {
    const { started, state, operations, tasks } = slowService(t);
    const wire = openWire(await started, { operations, tasks });
    const isModern = version === '2026-07-28';
    if (!isModern) await shakeHands(wire, version);
    const params = isModern ? { ...SLOW, _meta: { ...ENVELOPE, ...TASKS } } : { ...SLOW, task: {} };
    wire.say({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const { result } = await wire.hear();
    const { taskId } = isModern ? result : result.task;
    const meta = isModern ? { _meta: { ...ENVELOPE, ...TASKS } } : {};
    wire.say({ jsonrpc: '2.0', id: 2, method: 'tasks/get', params: { taskId, ...meta } });
    assert.equal((await wire.hear()).result.status, 'working');
    wire.input.end();
    await wire.ended;
    while (state.aborted === 0) await new Promise((resolve) => setImmediate(resolve));
  }
});

describe('bounds', () => {
  test('a task belongs to its caller', async (t) => {
    const { started, go } = slowService(t, { trustedProxies: ['127.0.0.1'] });
    const service = await started;
    const [mine, other] = [{ 'x-forwarded-for': '192.0.2.1' }, { 'x-forwarded-for': '192.0.2.2' }];
    const { taskId } = (await legacy(service, 'tools/call', { ...SLOW, task: {} }, mine)).result.task;
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
      assert.equal((await legacy(service, method, { taskId }, other)).error.code, -32602, method);
      assert.equal((await legacy(service, method, { taskId: 'nonsense' }, mine)).error.code, -32602, method);
    }
    go();
    assert.equal((await legacy(service, 'tasks/result', { taskId }, mine)).result.structuredContent.summary, 'Slow.');
  });

  test('a key that is not valid starts and finds none', async (t) => {
    const service = await slowService(t).started;
    const key = { authorization: 'Bearer sxt_nonsense' };
    for (const { error } of [
      await legacy(service, 'tools/call', { ...SLOW, task: {} }, key),
      await legacy(service, 'tasks/get', { taskId: 'x' }, key),
      await modern(service, 'tools/call', SLOW, TASKS, key),
    ]) {
      assert.equal(error.code, -32000);
      assert.equal(error.data.code, 'invalid_api_key');
    }
  });

  test('a caller has so many at a time; more are refused, or answered without a task', async (t) => {
    const { started, go, state } = slowService(t, { limits: { perCaller: 2 } });
    const service = await started;
    for (const _ of ['one', 'two']) await legacy(service, 'tools/call', { ...SLOW, task: {} });
    const { error } = await legacy(service, 'tools/call', { ...SLOW, task: {} });
    assert.equal(error.code, -32000);
    const waiting = modern(service, 'tools/call', SLOW);
    while (state.started < 3) await new Promise((resolve) => setImmediate(resolve));
    go();
    assert.equal((await waiting).result.resultType, 'complete');
  });

  test('a task is charged like the call, and refused in its result when nothing is left', async (t) => {
    const { started, go } = slowService(t, { quota: { keyless: 3 } });
    const service = await started;
    const first = (await legacy(service, 'tools/call', { ...SLOW, task: {} })).result.task;
    const second = (await legacy(service, 'tools/call', { ...SLOW, task: {} })).result.task;
    go();
    const results = await Promise.all([first, second].map(({ taskId }) => legacy(service, 'tasks/result', { taskId })));
    assert.deepEqual(
      results.map(({ result }) => result.isError === true),
      [false, true],
    );
    assert.equal(JSON.parse(results[1].result.content[0].text).error.code, 'rate_limit_exceeded');
  });

  test('times to live are within bounds, and what has expired is gone', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const store = new TaskStore();
    let aborted = false;
    const never = (signal: AbortSignal) =>
      new Promise<never>(() => signal.addEventListener('abort', () => (aborted = true)));
    const ttlOf = (asked: number | undefined) => store.start('a', asked, never)!.ttlMs;
    assert.deepEqual([ttlOf(undefined), ttlOf(1), ttlOf(1e12)], [300_000, 10_000, 900_000]);
    const task = store.start('a', 20_000, never)!;
    t.mock.timers.tick(19_999);
    assert.equal(store.find(task.id, 'a')?.status, 'working');
    assert.equal(store.find(task.id, 'b'), null);
    t.mock.timers.tick(1);
    assert.equal(store.find(task.id, 'a'), null);
    assert.ok(aborted, 'its work has ended');
    store.close();
  });

  test('all callers together have a bound', () => {
    const store = new TaskStore({ total: 3 });
    const never = () => new Promise<never>(() => {});
    for (const owner of ['a', 'b', 'c']) assert.ok(store.start(owner, undefined, never));
    assert.equal(store.start('d', undefined, never), null);
    store.close();
    assert.ok(store.start('d', undefined, never));
    store.close();
  });
});

test('a service with several processes has no tasks', () => {
  const alone = { workers: 1, redisUrl: null, databaseUrl: null };
  assert.ok(createTaskStore(alone));
  for (const shared of [{ workers: 2 }, { redisUrl: 'redis://127.0.0.1' }, { databaseUrl: 'postgres://127.0.0.1/x' }]) {
    assert.equal(createTaskStore({ ...alone, ...shared }), null);
  }
});

test('scans, audits, reports and bulk calls may be tasks', () => {
  const long = OPERATIONS.filter(({ tool, bulk }) => tool !== undefined && (bulk !== undefined || tool.longRunning));
  assert.deepEqual(long.map(({ id }) => id).toSorted(), [
    'audit_domain',
    'bulk_atlas_technique_lookup',
    'bulk_cve_lookup',
    'bulk_ioc_lookup',
    'bulk_sigma_rule_lookup',
    'check_dependencies',
    'contrast_scan',
    'domain_report',
    'subdomain_enum',
    'tech_stack_cve_audit',
    'threat_report',
  ]);
});
