import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { ApiError } from '../../src/errors.ts';
import { ThreadPool, type ThreadPoolOptions } from '../../src/threads/thread-pool.ts';
import { eventually } from '../support/engines.ts';

const ODD_TASKS = new URL('children/odd-tasks.ts', import.meta.url);
const WITHIN = { timeoutMs: 120_000 };

function startPool(t: TestContext, options: Partial<ThreadPoolOptions> = {}): ThreadPool {
  const pool = new ThreadPool({
    entry: ODD_TASKS,
    maxThreads: 1,
    maxQueued: 8,
    idleMs: 20_000,
    heapMb: 64,
    ...options,
  });
  t.after(() => pool.close());
  return pool;
}

describe('work in threads', () => {
  test('is answered, in threads that are started when needed, and never more than allowed', async (t) => {
    const pool = startPool(t, { maxThreads: 2 });
    assert.equal(pool.threadCount, 0);
    const answers = await Promise.all([1, 2, 3, 4, 5].map((input) => pool.run({ task: 'double', input }, WITHIN)));
    assert.deepEqual(answers, [2, 4, 6, 8, 10]);
    assert.equal(pool.threadCount, 2);
  });

  test('goes on while the event loop is free', async (t) => {
    const pool = startPool(t);
    await pool.run({ task: 'double', input: 1 }, WITHIN);
    const stop = new AbortController();
    const seen = new Error('ten ticks');
    const spinning = pool.run({ task: 'spin', input: null }, { ...WITHIN, signal: stop.signal });
    let ticks = 0;
    const timer = setInterval(() => ++ticks === 10 && stop.abort(seen), 5);
    await assert.rejects(spinning, seen);
    clearInterval(timer);
  });

  test('sees nothing of the environment', async (t) => {
    assert.deepEqual(await startPool(t).run({ task: 'environment', input: null }, WITHIN), []);
  });
});

describe('errors of a task', () => {
  test('a refusal stays a refusal', async (t) => {
    await assert.rejects(startPool(t).run({ task: 'refuse', input: 'not like this' }, WITHIN), (error) => {
      assert.ok(error instanceof ApiError);
      assert.equal(error.code, 'validation_error');
      assert.equal(error.message, 'not like this');
      return true;
    });
  });

  test('any other error arrives with its kind and message, and the thread goes on', async (t) => {
    const pool = startPool(t);
    await assert.rejects(pool.run({ task: 'fail', input: 'out of range' }, WITHIN), RangeError('out of range'));
    await assert.rejects(pool.run({ task: 'unheard', input: 1 }, WITHIN), /there is no task unheard/);
    assert.equal(await pool.run({ task: 'double', input: 4 }, WITHIN), 8);
    assert.equal(pool.threadCount, 1);
  });

  test('input and output that cannot be copied', async (t) => {
    const pool = startPool(t);
    await assert.rejects(pool.run({ task: 'double', input: () => 1 }, WITHIN), { name: 'DataCloneError' });
    await assert.rejects(pool.run({ task: 'giveFunction', input: null }, WITHIN), /could not be cloned/);
    assert.equal(await pool.run({ task: 'double', input: 4 }, WITHIN), 8);
  });
});

describe('a thread that dies fails its own question only', () => {
  for (const [task, told] of [
    ['leave', /ended with code 3/],
    ['throwLater', /thrown outside of the task/],
    ['eat', /memory/],
  ] as const) {
    test(task, async (t) => {
      const pool = startPool(t);
      const dying = pool.run({ task, input: 3 }, WITHIN);
      const waiting = pool.run({ task: 'double', input: 21 }, WITHIN);
      await assert.rejects(dying, told);
      assert.equal(await waiting, 42);
    });
  }
});

describe('limits', () => {
  test('what takes too long is stopped and says so; what waited behind it is done', async (t) => {
    const pool = startPool(t);
    const spinning = pool.run({ task: 'spin', input: null }, { timeoutMs: 500 });
    const waiting = pool.run({ task: 'double', input: 3 }, WITHIN);
    await assert.rejects(spinning, (error) => {
      assert.ok(error instanceof ApiError);
      assert.equal(error.status, 503);
      assert.match(error.message, /longer than 0.5 s/);
      return true;
    });
    assert.equal(await waiting, 6);
  });

  test('what waits too long for a thread is refused, and is not done later', async (t) => {
    const pool = startPool(t);
    const busy = pool.run({ task: 'wait', input: 600 }, WITHIN);
    await assert.rejects(pool.run({ task: 'double', input: 3 }, { timeoutMs: 100 }), /Too much is being worked on/);
    assert.equal(await busy, 600);
    assert.equal(await pool.run({ task: 'double', input: 5 }, WITHIN), 10);
  });

  test('a full queue refuses at once', async (t) => {
    const pool = startPool(t, { maxQueued: 2 });
    const accepted = [1, 2, 3].map((ms) => pool.run({ task: 'wait', input: 100 + ms }, WITHIN));
    await assert.rejects(pool.run({ task: 'wait', input: 1 }, WITHIN), (error) => {
      assert.ok(error instanceof ApiError);
      assert.equal(error.code, 'not_ready');
      assert.ok(error.retryAfterSeconds !== null && error.retryAfterSeconds > 0);
      return true;
    });
    assert.deepEqual(await Promise.all(accepted), [101, 102, 103]);
  });

  test('aborted before, while waiting and while working: rejected with the reason', async (t) => {
    const pool = startPool(t);
    const gone = new Error('the caller is gone');
    await assert.rejects(pool.run({ task: 'spin', input: null }, { ...WITHIN, signal: AbortSignal.abort(gone) }), gone);
    const [working, waiting] = [new AbortController(), new AbortController()];
    const first = pool.run({ task: 'spin', input: null }, { ...WITHIN, signal: working.signal });
    const second = pool.run({ task: 'spin', input: null }, { ...WITHIN, signal: waiting.signal });
    const third = pool.run({ task: 'double', input: 8 }, WITHIN);
    waiting.abort(gone);
    await assert.rejects(second, gone);
    working.abort(gone);
    await assert.rejects(first, gone);
    assert.equal(await third, 16);
  });

  test('a thread without work ends after a while', async (t) => {
    const pool = startPool(t, { idleMs: 50 });
    await pool.run({ task: 'double', input: 1 }, WITHIN);
    assert.equal(pool.threadCount, 1);
    await eventually(() => pool.threadCount === 0, 'the thread ends');
    assert.equal(await pool.run({ task: 'double', input: 2 }, WITHIN), 4);
  });

  test('closed: what works and what waits is rejected', async (t) => {
    const pool = startPool(t);
    const outcomes = Promise.allSettled(['spin', 'double'].map((task) => pool.run({ task, input: 1 }, WITHIN)));
    await pool.close();
    assert.deepEqual(
      (await outcomes).map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.equal(pool.threadCount, 0);
  });
});
