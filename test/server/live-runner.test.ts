import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, mock, type TestContext, test } from 'node:test';
import { pino } from 'pino';
import type { Config } from '../../src/config.ts';
import type { Operation } from '../../src/engine/operation.ts';
import { ApiError } from '../../src/errors.ts';
import type { MessageFromLive, MessageToLive } from '../../src/server/live-messages.ts';
import { LiveRunner } from '../../src/server/live-runner.ts';

/** A process that a test plays. */
class FakeChild extends EventEmitter {
  readonly pid = 4711;
  connected = true;
  readonly received: MessageToLive[] = [];
  readonly signals: string[] = [];

  send(message: MessageToLive): void {
    this.received.push(message);
  }

  disconnect(): void {
    this.connected = false;
    this.emit('exit', 0, null);
  }

  kill(signal: NodeJS.Signals): void {
    this.signals.push(signal);
    this.connected = false;
    this.emit('exit', null, signal);
  }

  say(message: MessageFromLive): void {
    this.emit('message', message);
  }

  /** Ids of the calls that it was given. */
  get calls(): number[] {
    return this.received.flatMap((message) => (message.type === 'call' ? [message.id] : []));
  }

  count(type: MessageToLive['type']): number {
    return this.received.filter((message) => message.type === type).length;
  }
}

const operation = { id: 'dns_lookup', deadlineMs: 20_000 } as Operation;
let children: FakeChild[] = [];
let runner: LiveRunner;

beforeEach(() => {
  children = [];
  runner = new LiveRunner({
    config: {} as Config,
    logger: pino({ level: 'silent' }),
    metrics: null,
    throttleTarget: async () => {},
    startProcess() {
      children.push(new FakeChild());
      return children.at(-1) as unknown as ChildProcess;
    },
  });
});

afterEach(() => runner.stop());

function call(signal = new AbortController().signal): Promise<Buffer> {
  const answer = runner.run(operation, {}, { disconnectSignal: () => signal });
  answer.catch(() => {});
  return answer;
}

function useFakeTimers(t: TestContext): void {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  t.after(() => mock.timers.reset());
}

async function refusalOf(answer: Promise<unknown>): Promise<{ code: string; retryAfterSeconds: number | null }> {
  const error = await answer.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ApiError);
  return { code: error.code, retryAfterSeconds: error.retryAfterSeconds };
}

describe('the process that asks live sources', () => {
  test('starts with the first call, and answers the next ones too', async () => {
    assert.equal(children.length, 0);
    const answers = [call(), call()];
    assert.equal(children.length, 1);
    const [child] = children as [FakeChild];
    for (const id of child.calls.toReversed())
      child.say({ type: 'reply', id, outcome: { json: Buffer.from(`{"id":${id}}`) }, notes: null });
    assert.deepEqual((await Promise.all(answers)).map(String), ['{"id":1}', '{"id":2}']);
  });

  test('a reply that comes twice, or to no call, does nothing', async () => {
    const answer = call();
    const reply = { type: 'reply', id: 1, outcome: { json: Buffer.from('1') }, notes: null } as const;
    for (const id of [1, 1, 99]) children[0]!.say({ ...reply, id });
    assert.equal(String(await answer), '1');
  });

  test('is ended when it does not answer ten seconds of pings; its calls are refused, the next call starts another', async (t) => {
    useFakeTimers(t);
    const answer = call();
    for (let at = 0; at < 4; at++) mock.timers.tick(2000);
    children[0]!.say({ type: 'pong' });
    for (let at = 0; at < 5; at++) mock.timers.tick(2000);
    assert.deepEqual(children[0]!.signals, [], 'it answered one of them');
    mock.timers.tick(2000);
    assert.deepEqual(children[0]!.signals, ['SIGKILL']);
    assert.deepEqual(await refusalOf(answer), { code: 'not_ready', retryAfterSeconds: 5 });
    void call();
    assert.equal(children.length, 2);
  });

  test('a call that it does not end in time is ended here: 504, and it is told', async (t) => {
    useFakeTimers(t);
    const answer = call();
    for (let second = 0; second < 23; second++) {
      assert.equal(children[0]!.count('cancel'), 0);
      mock.timers.tick(1000);
      children[0]!.say({ type: 'pong' });
    }
    assert.equal((await refusalOf(answer)).code, 'upstream_timeout');
    assert.equal(children[0]!.count('cancel'), 1);
  });

  test('one that dies at once is not started again and again', async () => {
    for (let at = 0; at < 5; at++) {
      const answer = call();
      children.at(-1)!.emit('exit', 1, null);
      assert.equal((await refusalOf(answer)).code, 'not_ready');
    }
    assert.equal(children.length, 2);
  });

  test('a thousand calls at once are the most', async () => {
    for (let at = 0; at < 1000; at++) void call();
    assert.equal((await refusalOf(call())).code, 'not_ready');
    assert.equal(children[0]!.calls.length, 1000);
  });

  test('a stop ends it, and refuses what it still answers', async () => {
    const answer = call();
    await runner.stop();
    assert.equal((await refusalOf(answer)).code, 'not_ready');
    assert.equal((await refusalOf(call())).code, 'not_ready');
    assert.equal(children.length, 1);
  });

  test('one that does not end is killed after three seconds', async (t) => {
    useFakeTimers(t);
    void call();
    const [child] = children as [FakeChild];
    child.disconnect = () => {};
    const stopped = runner.stop();
    mock.timers.tick(3000);
    await stopped;
    assert.deepEqual(child.signals, ['SIGKILL']);
  });
});
