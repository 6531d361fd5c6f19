import assert from 'node:assert/strict';
import { after, describe, mock, test } from 'node:test';
import { z } from 'zod';
import { ApiError } from '../../src/errors.ts';
import type { Context } from '../../src/engine/context.ts';
import { lookupOutputSchema, type Operation, defineOperation } from '../../src/engine/operation.ts';
import { OPERATIONS } from '../../src/operations/list.ts';
import { runOperation, type RunnerDeps } from '../../src/engine/runner.ts';
import { runTask } from '../../src/threads/run-task.ts';
import type { Source } from '../../src/sources/source.ts';
import { type ServiceOptions, startService, type TestService } from '../support/service.ts';
import { ask } from './request-of.ts';

/** What the runner does around an operation, shown with operations that misbehave. */

type Work = (context: Context) => Promise<unknown> | void;

function working(work: Work, more: Partial<Operation> = {}): Operation {
  const whole = defineOperation({
    id: 'work',
    area: 'service',
    title: 'Work',
    description: 'Works.',
    route: 'GET /v1/work',
    input: z.strictObject({}),
    output: lookupOutputSchema('Work', {}),
    cost: 5,
    examples: [{ title: 'It', input: {} }],
    falsifiableFields: [],
    answer: async (_input, context) => {
      await work(context);
      return { summary: 'Done.' };
    },
  });
  return { ...(whole as unknown as Operation), ...more };
}

const over = (
  t: { after(end: () => void | Promise<void>): void },
  one: Operation,
  options: ServiceOptions = {},
): Promise<TestService> => startService(t, { operations: [one], quota: { keyless: 30 }, ...options });

const never = (): AbortSignal => new AbortController().signal;
/** Ends when it is told to, with what it is told. */
const untilAborted = ({ signal }: Context): Promise<never> =>
  new Promise((_, reject) => {
    const end = (): void => reject(signal.reason as Error);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });

describe('the context', () => {
  const source = { policy: { id: 'nobody' } } as unknown as Source<string, string>;

  test('can be taken apart: ask and signal work by themselves', async (t) => {
    const asked = working(async ({ ask, signal }) => {
      assert.equal(signal.aborted, false);
      assert.equal((await ask(source, 'x')).status, 'ok');
    });
    const { services } = await over(t, asked);
    const answering = {
      ...services,
      ask: async (_source: unknown, _question: unknown, signal: AbortSignal) => {
        assert.ok(signal instanceof AbortSignal);
        return { status: 'ok', found: 'y', ageSeconds: 0 };
      },
    } as unknown as typeof services;
    const answer = await runOperation(asked, {}, answering, { disconnectSignal: never });
    assert.deepEqual((answer['verdict'] as { sources_queried: string[] }).sources_queried, ['nobody']);
  });
});

describe('a deadline', () => {
  test('that work ends by is 504, and the tokens come back', async (t) => {
    const { get, logLines } = await over(t, working(untilAborted, { deadlineMs: 20 }));
    const reply = await get('/v1/work');
    assert.deepEqual([reply.status, reply.body.error.code], [504, 'upstream_timeout']);
    assert.equal(reply.headers['retry-after'], '5');
    assert.equal(reply.headers['x-ratelimit-cost'], '0');
    assert.equal(reply.headers['x-ratelimit-remaining'], '30');
    assert.deepEqual(
      logLines().filter((line) => line.includes('internal error')),
      [],
    );
  });

  test('that work in a thread ends by is 504', async (t) => {
    const late: Work = ({ signal }) =>
      runTask('lockfile', { text: '{}', filename: 'x', page: { offset: 0, limit: 1 } }, { signal });
    const { get } = await over(
      t,
      working(
        async (context) => {
          await untilAborted(context).then(null, () => {});
          await late(context);
        },
        { deadlineMs: 20 },
      ),
    );
    assert.equal((await get('/v1/work')).status, 504);
  });

  test('that work does not heed is 504 all the same', async (t) => {
    const timers = mock.timers;
    const hanging = working(() => new Promise(() => {}), { deadlineMs: 60_000 });
    const { services } = await over(t, hanging);
    timers.enable({ apis: ['setTimeout'] });
    t.after(() => timers.reset());
    const answer = runOperation(hanging, {}, services, { disconnectSignal: never });
    answer.catch(() => {});
    await Promise.resolve();
    timers.tick(59_000);
    timers.tick(10_000);
    await assert.rejects(answer, (error) => error instanceof ApiError && error.code === 'upstream_timeout');
  });

  test('that leaves a partial answer is no failure', async (t) => {
    const { get } = await over(
      t,
      working(
        async (context) => {
          await untilAborted(context).then(null, () => {});
          context.evidence.addGap('the time was over');
        },
        { deadlineMs: 20 },
      ),
    );
    const { status, body } = await get('/v1/work');
    assert.deepEqual([status, body.verdict.completeness], [200, 'partial']);
  });

  test('does not turn a fault of ours into one of time', async (t) => {
    const { get } = await over(
      t,
      working(
        async (context) => {
          await untilAborted(context).then(null, () => {});
          throw new TypeError('x is not a function');
        },
        { deadlineMs: 20 },
      ),
    );
    assert.equal((await get('/v1/work')).status, 500);
  });
});

describe('sources that never answer', async () => {
  const hurried = OPERATIONS.map((one) => ({ ...one, deadlineMs: 30 }));
  const service = await startService({ after }, { operations: hurried, quota: { keyless: 30, pro: 30 } });
  const waiting: RunnerDeps['ask'] = (_source, _question, signal) =>
    new Promise((resolve) => {
      const late = {
        status: 'unavailable',
        reason: 'it did not answer in time',
        timedOut: true,
        failure: 'aborted',
      } as const;
      const end = (): void => resolve(late);
      if (signal.aborted) end();
      else signal.addEventListener('abort', end, { once: true });
    });
  Object.assign(service.services, { ask: waiting });

  for (const one of hurried.filter(({ route }) => route !== null)) {
    test(`${one.id} ends by its deadline, with what it has or a refusal that says so`, async () => {
      service.clock.now = new Date(service.clock.now.getTime() + 3_600_000);
      const { status, headers, text } = await ask(service, one, one.examples[0]!.input);
      assert.ok([200, 502, 503, 504].includes(status), `${status} ${text.slice(0, 200)}`);
      if (status >= 503) assert.equal(headers['x-ratelimit-cost'], '0');
    });
  }
});

test('a caller who leaves gets nothing back, and it is no fault of the service', async (t) => {
  const left = working(untilAborted);
  const { services } = await over(t, left);
  const gone = new AbortController();
  const answer = runOperation(left, {}, services, { disconnectSignal: () => gone.signal });
  gone.abort();
  await assert.rejects(answer, (error) => error instanceof ApiError && error.status === 499);
});

for (const [what, code, status] of [
  ['a pool of threads that is full', 'not_ready', 503],
  ['a source that did not answer in time', 'upstream_timeout', 504],
  ['a target that was asked about too often', 'target_throttled', 429],
] as const) {
  test(`${what} is ${status}, and the tokens come back`, async (t) => {
    const failing = working(() => {
      throw new ApiError(code, 'Not now.', { retryAfterSeconds: 5 });
    });
    const { get } = await over(t, failing);
    const { status: answered, headers } = await get('/v1/work');
    assert.deepEqual([answered, headers['x-ratelimit-cost'], headers['x-ratelimit-remaining']], [status, '0', '30']);
    assert.equal(headers['retry-after'], '5');
  });
}
