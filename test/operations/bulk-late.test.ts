import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { bulkOperation } from '../../src/engine/bulk.ts';
import { lookupOutputSchema, defineOperation } from '../../src/engine/operation.ts';
import { runOperation } from '../../src/engine/runner.ts';
import { startService } from '../support/service.ts';

test('what the time is not enough for is timed out, what came before stays', async (t) => {
  const single = defineOperation({
    id: 'wait',
    area: 'service',
    title: 'Wait',
    description: 'Waits.',
    route: 'GET /v1/wait/:name',
    input: z.strictObject({ name: z.string() }),
    output: lookupOutputSchema('Wait', { name: z.string() }),
    cost: 1,
    examples: [],
    falsifiableFields: ['name'],
    async answer({ name }, { signal }) {
      // An item may end by the signal, or be thrown out of its work by it.
      if (name === 'slow-2') await pause(60_000, undefined, { signal });
      else if (name.startsWith('slow'))
        await new Promise((over) => signal.addEventListener('abort', over, { once: true }));
      return { name, summary: name };
    },
  });
  const many = {
    ...bulkOperation(single, {
      id: 'waits',
      title: 'Waits',
      route: 'POST /v1/waits',
      listField: 'names',
      itemField: 'name',
      answerField: 'wait',
      briefFields: [],
      examples: [],
      tool: { description: '', openWorld: false },
      concurrency: 2,
    }),
    deadlineMs: 100,
  };
  const { services } = await startService(t);
  const names = ['quick', 'slow-1', 'slow-2', 'never'];
  const answer = (await runOperation(many, { names }, services, {
    disconnectSignal: () => new AbortController().signal,
  })) as any;
  assert.deepEqual(
    answer.results.map((row: any) => row.status),
    ['ok', 'timed_out', 'timed_out', 'timed_out'],
  );
  assert.deepEqual([answer.successful, answer.failed, answer.timed_out, answer.partial], [1, 0, 3, true]);
  assert.equal(answer.results[1].wait, null);
});
