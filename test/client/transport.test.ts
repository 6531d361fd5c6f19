import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, describe, test } from 'node:test';
import { BaseClient } from '../../clients/typescript/src/base-client.ts';
import {
  ApiError,
  ConnectionError,
  ERROR_CODES,
  PagingLimitError,
  TimeoutError,
  UnexpectedResponseError,
} from '../../clients/typescript/src/errors.ts';
import type { ClientOptions, ResponseInfo } from '../../clients/typescript/src/options.ts';
import { parseRetryAfter, retryWaitMs } from '../../clients/typescript/src/retry.ts';
import { ApiError as ServiceError, ERRORS } from '../../src/errors.ts';

/** The client against a server that behaves as it is told. */

interface Row {
  id: number;
}
interface List {
  results: Row[];
  next_offset: number | null;
  truncated: boolean;
  total: number;
}
interface Operations {
  look: { input: { id: string; full?: boolean }; answer: { id: string } };
  send: { input: { code: string; include?: 'full' }; answer: { id: string } };
  list: { input: { limit?: number; offset?: number }; answer: List; row: Row };
}

const ROUTES = {
  look: { method: 'GET', path: '/v1/look/{id}' },
  send: { method: 'POST', path: '/v1/send', query: ['include'] },
  list: { method: 'GET', path: '/v1/list', rows: 'results' },
} as const;

type Answer = (request: IncomingMessage & { text: string }, response: ServerResponse) => void;

/** A client of a server that gives these answers in turn, the last one again and again; and the requests that it got. */
async function serve(t: TestContext, answers: Answer[], options: Partial<ClientOptions> = {}) {
  const requests: { method: string; url: string; headers: IncomingMessage['headers']; text: string }[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on('end', () => {
      requests.push({ method: request.method!, url: request.url!, headers: request.headers, text });
      answers[Math.min(requests.length, answers.length) - 1]!(Object.assign(request, { text }), response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new BaseClient<Operations>(ROUTES, { baseUrl, ...options }, 'client/1');
  return { client, requests, baseUrl };
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const ok = json(200, { id: 'x' });
const errorBody = (code: ServiceError['code'], options = {}) => new ServiceError(code, 'No.', options).toBody('r-1');
const quotaUsedUp = (seconds: string) => json(429, errorBody('rate_limit_exceeded'), { 'retry-after': seconds });

describe('a request', () => {
  test('has path, query and body where the operation takes them', async (t) => {
    const { client, requests } = await serve(t, [ok]);
    await client.call('look', { id: 'http://a.example/?b=c&d#e', full: true });
    await client.call('send', { code: 'ü', include: 'full' });
    await client.call('look', { id: '..a', full: undefined } as never);
    assert.deepEqual(
      requests.map(({ method, url, text }) => [method, url, text]),
      [
        ['GET', '/v1/look/http%3A%2F%2Fa.example%2F%3Fb%3Dc%26d%23e?full=true', ''],
        ['POST', '/v1/send?include=full', '{"code":"ü"}'],
        ['GET', '/v1/look/..a', ''],
      ],
    );
    assert.equal(requests[1]!.headers['content-type'], 'application/json');
    for (const id of ['', '..', '.', undefined, null])
      await assert.rejects(client.call('look', { id } as { id: string }), TypeError);
    for (const full of [null, {}, ['a']])
      await assert.rejects(client.call('look', { id: 'x', full } as never), TypeError);
    assert.equal(requests.length, 3);
  });

  test('names the program, and carries a key or a token', async (t) => {
    const keyed = await serve(t, [ok], { apiKey: 'k', userAgent: 'my-program/1.0' });
    await keyed.client.call('look', { id: 'x' });
    assert.equal(keyed.requests[0]!.headers['user-agent'], 'my-program/1.0 client/1');
    assert.equal(keyed.requests[0]!.headers.authorization, 'Bearer k');
    let tokens = 0;
    const signedIn = await serve(t, [quotaUsedUp('0'), ok], { accessToken: async () => `t${(tokens += 1)}` });
    await signedIn.client.call('look', { id: 'x' });
    assert.deepEqual(
      signedIn.requests.map(({ headers }) => headers.authorization),
      ['Bearer t1', 'Bearer t2'],
    );
    const bare = await serve(t, [ok]);
    await bare.client.call('look', { id: 'x' });
    assert.equal(bare.requests[0]!.headers.authorization, undefined);
  });

  test('takes no key to where a redirect leads', async (t) => {
    const other = await serve(t, [ok]);
    const { client } = await serve(t, [(_, response) => response.writeHead(302, { location: other.baseUrl }).end()], {
      apiKey: 'k',
    });
    await assert.rejects(client.call('look', { id: 'x' }), ConnectionError);
    assert.equal(other.requests.length, 0);
  });

  test('a path of the base URL stays; what cannot be a base URL is refused', async (t) => {
    const { baseUrl, requests } = await serve(t, [ok]);
    await new BaseClient<Operations>(ROUTES, { baseUrl: new URL(`${baseUrl}/sextant/`) }, 'c').call('look', {
      id: 'x',
    });
    assert.equal(requests[0]!.url, '/sextant/v1/look/x');
    for (const wrong of ['localhost:8080', 'ftp://a.example', 'http://u:p@a.example', 'http://a.example/?q', 'x'])
      assert.throws(() => new BaseClient<Operations>(ROUTES, { baseUrl: wrong }, 'c'), TypeError, wrong);
    assert.throws(() => new BaseClient<Operations>(ROUTES, { baseUrl, apiKey: 'a', accessToken: 'b' }, 'c'), TypeError);
  });
});

describe('errors', () => {
  test('of the service have its code, status and request id', async (t) => {
    const issues = [{ loc: ['query', 'limit'], msg: 'too large', type: 'too_big' }];
    const { client } = await serve(t, [json(422, errorBody('validation_error', { issues }))]);
    await assert.rejects(client.call('look', { id: 'x' }), (error) => {
      assert.ok(error instanceof ApiError && error instanceof Error);
      const { name, message, operation, status, code, requestId, retryAfterSeconds } = error;
      assert.deepEqual(
        { name, message, operation, status, code, requestId, retryAfterSeconds },
        {
          name: 'ApiError',
          message: 'No.',
          operation: 'look',
          status: 422,
          code: 'validation_error',
          requestId: 'r-1',
          retryAfterSeconds: null,
        },
      );
      assert.deepEqual(error.issues, issues);
      return true;
    });
  });

  test('the codes are those of the service', () => assert.deepEqual(ERROR_CODES, Object.keys(ERRORS)));

  for (const [what, answer] of [
    ['a page of a proxy', (_request, response) => response.writeHead(502).end('<h1>Bad Gateway</h1>')],
    ['a page with status 200', (_request, response) => response.end('<h1>Welcome</h1>')],
    ['a list', json(200, [])],
    ['null', json(200, null)],
    ['another error body', json(404, { error: 'no such path' })],
  ] satisfies [string, Answer][]) {
    test(`${what} is not taken for an answer`, async (t) => {
      const { client } = await serve(t, [answer]);
      await assert.rejects(client.call('look', { id: 'x' }), UnexpectedResponseError);
    });
  }

  test('a connection that breaks, before the answer or in the middle of it', async (t) => {
    const broken = await serve(t, [(_request, response) => response.destroy()]);
    await assert.rejects(broken.client.call('look', { id: 'x' }), ConnectionError);
    const halved = await serve(t, [
      (_request, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('{');
        setTimeout(() => response.destroy(), 20);
      },
    ]);
    await assert.rejects(halved.client.call('look', { id: 'x' }), ConnectionError);
  });
});

describe('waiting', () => {
  test('429 and 503 are tried again when the service says, as often as allowed', async (t) => {
    const seen: ResponseInfo[] = [];
    const busy = json(503, errorBody('not_ready', { retryAfterSeconds: 0 }));
    const { client, requests } = await serve(t, [quotaUsedUp('0'), busy, ok], {
      onResponse: (info) => seen.push(info),
    });
    assert.deepEqual(await client.call('look', { id: 'x' }), { id: 'x' });
    assert.deepEqual(
      seen.map(({ status, retryAfterSeconds }) => [status, retryAfterSeconds]),
      [
        [429, 0],
        [503, 0],
        [200, null],
      ],
    );
    assert.equal(requests.length, 3);
    const endless = await serve(t, [busy], { maxRetries: 1 });
    await assert.rejects(endless.client.call('look', { id: 'x' }), { code: 'not_ready', retryAfterSeconds: 0 });
    assert.equal(endless.requests.length, 2);
    await assert.rejects(endless.client.call('look', { id: 'x' }, { maxRetries: 0 }), ApiError);
    assert.equal(endless.requests.length, 3);
  });

  test('other errors are not tried again, nor a wait that is too long begun', async (t) => {
    const failed = await serve(t, [json(502, errorBody('upstream_error'), { 'retry-after': '0' })]);
    await assert.rejects(failed.client.call('look', { id: 'x' }), { status: 502 });
    assert.equal(failed.requests.length, 1);
    const used = await serve(t, [quotaUsedUp('3600')]);
    await assert.rejects(used.client.call('look', { id: 'x' }), { status: 429, retryAfterSeconds: 3600 });
    assert.equal(used.requests.length, 1);
  });

  test('a signal ends a wait and a call, with its reason', async (t) => {
    const { client, requests } = await serve(t, [quotaUsedUp('30')]);
    const controller = new AbortController();
    const onResponse = (): void => controller.abort(new Error('enough'));
    await assert.rejects(client.call('look', { id: 'x' }, { signal: controller.signal, onResponse }), /enough/);
    assert.equal(requests.length, 1);
    await assert.rejects(client.call('look', { id: 'x' }, { signal: controller.signal }), /enough/);
    assert.equal(requests.length, 1);
    const started = new AbortController();
    const silent = await serve(t, [() => started.abort()]);
    await assert.rejects(silent.client.call('look', { id: 'x' }, { signal: started.signal }), { name: 'AbortError' });
  });

  test('a response or a body that does not come is a timeout', async (t) => {
    const silent = await serve(t, [() => {}]);
    await assert.rejects(silent.client.call('look', { id: 'x' }, { timeoutMs: 30 }), TimeoutError);
    const halved = await serve(t, [(_request, response) => response.writeHead(200).write('{')], { timeoutMs: 30 });
    await assert.rejects(halved.client.call('look', { id: 'x' }), TimeoutError);
  });

  test('Retry-After is seconds or a date (RFC 9110, 10.2.3)', () => {
    const now = Date.parse('Fri, 31 Dec 1999 23:59:00 GMT');
    for (const [value, seconds] of [
      ['120', 120],
      [' 0 ', 0],
      ['Fri, 31 Dec 1999 23:59:59 GMT', 59],
      ['Fri, 31 Dec 1999 23:00:00 GMT', 0],
      ['Friday, 31-Dec-99 23:59:59 GMT', 59],
      [null, null],
      ['', null],
      ['-5', null],
      ['1.5', null],
      ['soon', null],
      ['99999999999', null],
    ] as const)
      assert.equal(parseRetryAfter(value, now), seconds, String(value));
  });

  test('without Retry-After the waits double', () => {
    const bounds = { maxRetries: 9, maxRetryWaitMs: 60_000 };
    assert.deepEqual(
      [0, 1, 2, 5, 6].map((attempt) => retryWaitMs(503, null, attempt, bounds)),
      [1000, 2000, 4000, 32_000, null],
    );
    assert.equal(retryWaitMs(500, 0, 0, bounds), null);
  });
});

test('the quota is told by the headers', async (t) => {
  const infos: ResponseInfo[] = [];
  const headers = {
    'x-request-id': 'r-2',
    'x-ratelimit-limit': '100',
    'x-ratelimit-remaining': '98',
    'x-ratelimit-reset': '3599',
    'x-ratelimit-cost': '2',
    'x-ratelimit-tier': 'keyless',
  };
  const { client } = await serve(t, [json(200, {}, headers), ok]);
  const options = { onResponse: (info: ResponseInfo) => infos.push(info) };
  await client.call('look', { id: 'x' }, options);
  await client.call('look', { id: 'x' }, options);
  const same = { operation: 'look', status: 200, retryAfterSeconds: null };
  assert.deepEqual(infos, [
    { ...same, requestId: 'r-2', cost: 2, tier: 'keyless', quota: { limit: 100, remaining: 98, resetSeconds: 3599 } },
    { ...same, requestId: null, cost: null, tier: null, quota: null },
  ]);
});

describe('pages', () => {
  /** `total` rows, of which `reachable` can be paged through. */
  const list =
    (total: number, reachable = total): Answer =>
    (request, response) => {
      const query = new URL(request.url!, 'http://x').searchParams;
      const offset = Number(query.get('offset') ?? 0);
      const end = Math.min(total, offset + Number(query.get('limit') ?? 2));
      const results = Array.from({ length: end - offset }, (_, at) => ({ id: offset + at }));
      const next_offset = end < reachable ? end : null;
      json(200, { results, next_offset, truncated: end < total, total })(request, response);
    };

  test('rows come from one page after the other, when they are asked for', async (t) => {
    const { client, requests } = await serve(t, [list(5)]);
    const ids: number[] = [];
    for await (const { id } of client.rows('list', { limit: 2 })) {
      ids.push(id);
      assert.equal(requests.length, Math.floor(id / 2) + 1);
    }
    assert.deepEqual(ids, [0, 1, 2, 3, 4]);
    assert.deepEqual(
      requests.map(({ url }) => url),
      ['/v1/list?limit=2', '/v1/list?limit=2&offset=2', '/v1/list?limit=2&offset=4'],
    );
    assert.deepEqual(await Array.fromAsync(client.rows('list', { offset: 3 }), ({ id }) => id), [3, 4]);
    assert.deepEqual(await Array.fromAsync(client.rows('list', { offset: 5 })), []);
    const pages = await Array.fromAsync(client.pages('list', {}), ({ results }) => results.length);
    assert.deepEqual(pages, [2, 2, 1]);
  });

  test('a loop that is left asks no further', async (t) => {
    const { client, requests } = await serve(t, [list(50)]);
    for await (const { id } of client.rows('list', {})) if (id === 2) break;
    assert.equal(requests.length, 2);
  });

  test('rows that cannot be reached are an error after the last one that can', async (t) => {
    const { client } = await serve(t, [list(9, 4)]);
    const ids: number[] = [];
    const reading = (async () => {
      for await (const { id } of client.rows('list', {})) ids.push(id);
    })();
    await assert.rejects(
      reading,
      (error) => error instanceof PagingLimitError && error.received === 4 && error.total === 9,
    );
    assert.deepEqual(ids, [0, 1, 2, 3]);
    const pages = await Array.fromAsync(client.pages('list', {}), ({ truncated }) => truncated);
    assert.deepEqual(pages, [true, true]);
  });

  test('pages that do not get on are an error, not an endless loop', async (t) => {
    const { client, requests } = await serve(t, [json(200, { results: [{ id: 1 }], next_offset: 0, truncated: true })]);
    await assert.rejects(Array.fromAsync(client.rows('list', {})), UnexpectedResponseError);
    assert.equal(requests.length, 1);
  });

  test('a signal ends the paging', async (t) => {
    const { client } = await serve(t, [list(50)]);
    const controller = new AbortController();
    const reading = (async () => {
      for await (const { id } of client.rows('list', {}, { signal: controller.signal }))
        if (id === 1) controller.abort(new Error('enough'));
    })();
    await assert.rejects(reading, /enough/);
  });
});
