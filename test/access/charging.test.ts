import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { z } from 'zod';
import { ApiError } from '../../src/errors.ts';
import { lookupOutputSchema, type Operation, defineOperation } from '../../src/engine/operation.ts';
import { parseRoute, restOperations } from '../../src/engine/route.ts';
import { OPERATIONS } from '../../src/operations/list.ts';
import { ask as askMcp } from '../mcp/rpc.ts';
import { type Reply, type ServiceOptions, startService, type TestService } from '../support/service.ts';

/** Calls whose price is known only when a document is read, on both surfaces that know callers. */

interface Reader {
  operation: Operation;
  /** Documents that were begun. */
  begun: () => number;
  /** Lets all that wait be read. */
  finish: () => void;
}

function reading(): Reader {
  let begun = 0;
  let waiting: (() => void)[] = [];
  const whole = defineOperation({
    id: 'read_document',
    area: 'code',
    title: 'Document',
    description: 'Reads one.',
    route: 'POST /v1/document',
    input: z.strictObject({ text: z.string().max(100) }),
    output: lookupOutputSchema('Document', {}),
    cost: 1,
    examples: [{ title: 'One', input: { text: 'x' } }],
    falsifiableFields: [],
    tool: { description: 'Reads one.', openWorld: false },
    async prepareInput(input) {
      begun += 1;
      if (input['text'] === 'slow') await new Promise<void>((resolve) => waiting.push(resolve));
      if (input['text'] === 'bad') throw new ApiError('validation_error', 'text: it is bad', { issues: [] });
      return input;
    },
    answer: () => ({ summary: 'Read.' }),
  });
  return {
    operation: whole as unknown as Operation,
    begun: () => begun,
    finish() {
      for (const go of waiting) go();
      waiting = [];
    },
  };
}

const start = (t: { after: typeof after }, { operation }: Reader, options: ServiceOptions = {}): Promise<TestService> =>
  startService(t, { operations: [operation], quota: { keyless: 2, pro: 100 }, ...options });

const SURFACES: Record<
  string,
  (service: TestService, text: string, headers?: Record<string, string>) => Promise<Reply>
> = {
  REST: (service, text, headers) => service.post('/v1/document', { text }, headers),
  async MCP(service, text, headers) {
    const reply = await askMcp(service, 'tools/call', { name: 'read_document', arguments: { text } }, headers);
    const { isError, content } = reply.body.result;
    const body = JSON.parse(content[0].text);
    const status =
      isError === true ? ({ rate_limit_exceeded: 429, validation_error: 422 }[body.error.code as string] ?? 500) : 200;
    return { ...reply, status, body };
  },
};

for (const [surface, send] of Object.entries(SURFACES)) {
  describe(`over ${surface}`, () => {
    test('who has no token left has no document read', async (t) => {
      const reader = reading();
      const service = await start(t, reader);
      for (let count = 0; count < 2; count++) assert.equal((await send(service, 'x')).status, 200);
      assert.equal(reader.begun(), 2);
      for (let count = 0; count < 5; count++) {
        const { status, headers, body } = await send(service, 'x');
        assert.deepEqual([status, body.error.code], [429, 'rate_limit_exceeded']);
        assert.deepEqual([headers['x-ratelimit-remaining'], headers['x-ratelimit-cost']], ['0', '0']);
      }
      assert.equal(reader.begun(), 2);
    });

    test('of one caller eight are read at a time, and others are not kept waiting', async (t) => {
      const reader = reading();
      const service = await start(t, reader, { quota: { keyless: 100, pro: 100 } });
      const slow = Array.from({ length: 20 }, () => send(service, 'slow'));
      const refused = await Promise.race(slow);
      assert.equal(refused.status, 429);
      assert.match(refused.body.error.message, /8 documents/);
      assert.equal((await send(service, 'x', await service.proHeaders())).status, 200);
      reader.finish();
      const statuses = (await Promise.all(slow)).map(({ status }) => status);
      assert.deepEqual([statuses.filter((status) => status === 200).length, reader.begun()], [8, 9]);
      assert.equal((await send(service, 'x')).status, 200, 'and then the next');
    });

    test('a document that is refused costs nothing, and takes no place', async (t) => {
      const service = await start(t, reading());
      for (let count = 0; count < 20; count++) assert.equal((await send(service, 'bad')).status, 422);
      const { status, headers } = await send(service, 'x');
      assert.deepEqual([status, headers['x-ratelimit-remaining']], [200, '1']);
    });
  });
}

describe('an empty list costs nothing, so it is answered to who has no token left', () => {
  const lists = restOperations(OPERATIONS).flatMap(({ route, bulk }) =>
    bulk === undefined ? [] : [{ path: parseRoute(route).path, list: bulk.listField }],
  );
  const dependencies = '/v1/check/dependencies';
  assert.ok(lists.some(({ path }) => path === dependencies));
  for (const { path, list } of [...lists, { path: dependencies, list: 'purls' }]) {
    test(`${path}: ${list}`, async (t) => {
      const service = await startService(t, { quota: { keyless: 1, pro: 1 } });
      const spent = await service.post(dependencies, { packages: ['lodash@4.17.20'] });
      assert.deepEqual([spent.status, spent.headers['x-ratelimit-remaining']], [200, '0']);
      const { status, headers, text } = await service.post(path, { [list]: [] });
      assert.deepEqual([status, headers['x-ratelimit-cost']], [200, '0'], text);
      const refused = await service.post(dependencies, { packages: ['lodash@4.17.20'] });
      assert.deepEqual([refused.status, refused.headers['x-ratelimit-cost']], [429, '0']);
    });
  }
});
