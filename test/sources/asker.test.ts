import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, type TestContext, test } from 'node:test';
import { ApiError } from '../../src/errors.ts';
import { SourceClient } from '../../src/sources/source-client.ts';
import { UNCOUNTED_BYTES } from '../../src/net/byte-budget.ts';
import { openNetworkClient } from '../../src/net/open-network-client.ts';
import { requireOk } from '../../src/sources/source-failure.ts';
import { httpSource } from '../../src/sources/http-source.ts';
import type { Source, SourcePolicy } from '../../src/sources/source.ts';
import { serve, type TestServer } from '../net/servers.ts';
import { eventually } from '../support/engines.ts';

const TIMEOUT_MS = 1000;

interface Lab {
  server: TestServer;
  asker: SourceClient;
  clock: { now: number };
  source: Source<string, string>;
  ask: (question: string) => ReturnType<SourceClient['ask']>;
}

/** An asker and one source whose server answers as `handler` says; the source reads `{"said": text}`. */
async function lab(
  t: TestContext,
  handler: (response: ServerResponse, path: string) => void,
  policy: Partial<SourcePolicy> = {},
  key: string | null = null,
  maxBytesInMemory?: number,
): Promise<Lab> {
  const server = await serve(t, (request, response) => handler(response, request.url ?? ''));
  const source = httpSource<string, string>({
    policy: {
      id: 'lab',
      title: 'Lab',
      provides: 'answers',
      baseUrl: 'http://127.0.0.1:9/',
      timeoutMs: TIMEOUT_MS,
      maxBytes: 10_000,
      ttlSeconds: 60,
      concurrency: 4,
      key: null,
      ...policy,
    },
    readerName: 'not_needed',
    request: (question, token) => ({
      path: `ask?q=${encodeURIComponent(question)}`,
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
    }),
    read(status, body) {
      requireOk(status);
      return (JSON.parse(body) as { said: string }).said;
    },
  });
  const net = openNetworkClient({ dnsServers: [], allowedPrivate: [], proxy: null, extraCa: [] });
  t.after(() => net.close());
  const clock = { now: Date.parse('2026-01-15T12:00:00Z') };
  const asker = new SourceClient(net, { baseUrlOf: () => server.url, keyOf: () => key }, () => new Date(clock.now), {
    ...(maxBytesInMemory !== undefined && { maxBytesInMemory }),
  });
  return { server, asker, clock, source, ask: (question) => asker.ask(source, question) };
}

const say = (response: ServerResponse, said = 'yes'): void => void response.end(JSON.stringify({ said }));
const fail = (response: ServerResponse): void => void response.writeHead(500).end('Traceback: /srv/secret.py');

describe('Asker', () => {
  test('answers, and the answer is new', async (t) => {
    const { ask } = await lab(t, (response) => say(response));
    assert.deepEqual(await ask('a'), { status: 'ok', found: 'yes', ageSeconds: 0 });
  });

  test('gives an answer again while its time lasts, with its age', async (t) => {
    const { ask, server, clock } = await lab(t, (response) => say(response));
    await ask('a');
    clock.now += 59_000;
    assert.deepEqual(await ask('a'), { status: 'ok', found: 'yes', ageSeconds: 59 });
    assert.equal(server.requests.length, 1);
    clock.now += 1000;
    assert.deepEqual(await ask('a'), { status: 'ok', found: 'yes', ageSeconds: 0 });
    assert.equal(server.requests.length, 2);
  });

  test('different questions are different answers', async (t) => {
    const { ask } = await lab(t, (response, path) => say(response, path));
    const [a, b] = await Promise.all([ask('a'), ask('b')]);
    assert.notDeepEqual(a, b);
  });

  test('joins the same question while it is under way', async (t) => {
    const { ask, server } = await lab(t, (response) => setTimeout(() => say(response), 30));
    const outcomes = await Promise.all(Array.from({ length: 30 }, () => ask('a')));
    assert.ok(outcomes.every(({ status }) => status === 'ok'));
    assert.equal(server.requests.length, 1);
  });

  test('a failure joined by several is not kept for the next', async (t) => {
    let failing = true;
    const { ask } = await lab(t, (response) => (failing ? fail(response) : say(response)));
    const outcomes = await Promise.all([ask('a'), ask('a')]);
    assert.ok(outcomes.every(({ status }) => status === 'unavailable'));
    failing = false;
    assert.equal((await ask('a')).status, 'ok');
  });

  test('never has more requests under way than the source allows', async (t) => {
    let now = 0;
    let most = 0;
    const { ask } = await lab(t, (response) => {
      most = Math.max(most, ++now);
      setTimeout(() => {
        now--;
        say(response);
      }, 30);
    });
    await Promise.all(Array.from({ length: 12 }, (_, index) => ask(String(index))));
    assert.ok(most <= 4, `${most} at once`);
  });

  test('questions beyond that wait for their turn while their time lasts: the source did not fail', async (t) => {
    const { ask } = await lab(t, (response) => setTimeout(() => say(response), 10));
    const outcomes = await Promise.all(Array.from({ length: 12 }, (_, index) => ask(String(index))));
    assert.deepEqual(
      outcomes.filter(({ status }) => status !== 'ok'),
      [],
    );
  });

  test('a source without the key that it needs is not asked', async (t) => {
    const key = { variable: 'SEXTANT_LAB_KEY', needed: true };
    const { ask, server } = await lab(t, (response) => say(response), { key });
    assert.deepEqual(await ask('a'), { status: 'not_configured' });
    assert.equal(server.requests.length, 0);
  });

  test('a key goes to the source; a redirect elsewhere is not followed', async (t) => {
    const elsewhere = await serve(t, (_, response) => say(response));
    const key = { variable: 'SEXTANT_LAB_KEY', needed: true };
    const redirect = (response: ServerResponse) => response.writeHead(302, { location: elsewhere.url }).end();
    const { ask, server } = await lab(t, redirect, { key }, 'lab-token');
    const outcome = await ask('a');
    assert.equal(outcome.status === 'unavailable' && outcome.reason, 'it answered with status 302');
    assert.equal(server.requests[0]?.headers.authorization, 'Bearer lab-token');
    assert.equal(elsewhere.requests.length, 0);
  });
});

describe('Asker bounds', () => {
  for (const [what, handler] of [
    ['says nothing', () => {}],
    ['drips', (response: ServerResponse) => drip(response)],
  ] as const) {
    test(`a source that ${what} costs its time and no more`, async (t) => {
      const { ask } = await lab(t, handler);
      const started = performance.now();
      const late = { status: 'unavailable', reason: 'it took too long', timedOut: true, failure: 'timeout' };
      assert.deepEqual(await ask('a'), late);
      const ms = performance.now() - started;
      assert.ok(ms >= TIMEOUT_MS - 20 && ms < TIMEOUT_MS + 10_000, `${ms} ms`);
    });
  }

  test('a body over the limit is refused, announced or not', async (t) => {
    const { ask } = await lab(t, (response, path) => {
      const body = JSON.stringify({ said: 'x'.repeat(20_000) });
      if (path.endsWith('announced')) response.setHeader('content-length', body.length);
      response.write(body);
      response.end();
    });
    for (const question of ['announced', 'chunked']) {
      const outcome = await ask(question);
      assert.deepEqual(outcome, {
        status: 'unavailable',
        reason: 'the connection failed (too_large)',
        timedOut: false,
        failure: 'too_large',
      });
    }
  });

  test('what a source says when it fails is not repeated, nor where it is', async (t) => {
    const { ask, asker, source, server } = await lab(t, (response, path) =>
      path.endsWith('garbage') ? void response.end('<html>/srv/secret.py') : fail(response),
    );
    for (const question of ['garbage', 'status']) {
      const outcome = await ask(question);
      const told = JSON.stringify([outcome, asker.health(source.policy)]);
      assert.doesNotMatch(told, /secret|html|Traceback/);
      assert.ok(!told.includes(new URL(server.url).host));
    }
  });
});

describe('Asker keeps answers', () => {
  const MIB = 1024 * 1024;

  /** A source that answers with so many bytes, and how often it was asked. */
  async function bytesSource(t: TestContext) {
    const { asker, source } = await lab(t, (response) => say(response));
    let asked = 0;
    const large: Source<{ name: string; bytes: number }, Uint8Array> = {
      policy: source.policy,
      ask: async ({ bytes }) => (asked++, new Uint8Array(bytes)),
    };
    const isAskedFor = async (name: string, bytes: number): Promise<boolean> => {
      const before = asked;
      assert.equal((await asker.ask(large, { name, bytes })).status, 'ok');
      return asked > before;
    };
    return isAskedFor;
  }

  test('up to 64 MiB, and lets the oldest go for a new one', async (t) => {
    const isAskedFor = await bytesSource(t);
    for (let count = 0; count < 12; count++) assert.ok(await isAskedFor(`large ${count}`, 5 * MIB));
    assert.ok(!(await isAskedFor('large 0', 5 * MIB)), '60 MiB are kept');
    assert.ok(await isAskedFor('large 12', 5 * MIB));
    assert.ok(!(await isAskedFor('large 0', 5 * MIB)), 'it was given not long ago');
    assert.ok(await isAskedFor('large 1', 5 * MIB), '65 MiB are not kept');
  });

  test('not one larger than 16 MiB: it would take the place of many', async (t) => {
    const isAskedFor = await bytesSource(t);
    await isAskedFor('small', 10);
    assert.ok(await isAskedFor('huge', 17 * MIB));
    assert.ok(await isAskedFor('huge', 17 * MIB));
    assert.ok(!(await isAskedFor('small', 10)));
  });
});

describe('Asker rests', () => {
  test('after five failures in a row nobody waits for it, for half a minute', async (t) => {
    let failing = true;
    const { ask, server, clock, asker, source } = await lab(t, (response) =>
      failing ? fail(response) : say(response),
    );
    for (let time = 0; time < 5; time++) await ask(`q${time}`);
    assert.equal(server.requests.length, 5);
    failing = false;
    const rested = await ask('another');
    assert.equal(rested.status, 'unavailable');
    assert.equal(server.requests.length, 5);
    clock.now += 30_000;
    assert.equal((await ask('another')).status, 'ok');
    assert.deepEqual(asker.health(source.policy).last_error, null);
  });

  test('one that still fails after the rest is left alone again at once', async (t) => {
    const { ask, server, clock } = await lab(t, fail);
    for (let time = 0; time < 5; time++) await ask(`q${time}`);
    clock.now += 30_000;
    await ask('probe');
    await ask('next');
    assert.equal(server.requests.length, 6);
  });

  test('a good answer starts the count anew', async (t) => {
    let failing = true;
    const { ask, server } = await lab(t, (response) => (failing ? fail(response) : say(response)));
    for (let time = 0; time < 4; time++) await ask(`q${time}`);
    failing = false;
    await ask('good');
    failing = true;
    for (let time = 0; time < 4; time++) await ask(`r${time}`);
    assert.equal(server.requests.length, 9);
    await ask('s');
    assert.equal(server.requests.length, 10);
  });

  for (const [when, timeoutMs] of [
    ['within its own time', 30_000],
    ['until its own time is over', TIMEOUT_MS],
  ] as const) {
    test(`no room for its answers ${when} is not its failure: the process is busy`, { timeout: 30_000 }, async (t) => {
      let length = UNCOUNTED_BYTES + 2000;
      const { ask, server, asker, source } = await lab(
        t,
        (response) => say(response, 'x'.repeat(length)),
        { concurrency: 10, timeoutMs, maxBytes: 2 * UNCOUNTED_BYTES },
        null,
        1000,
      );
      const outcomes = await Promise.all(Array.from({ length: 6 }, (_, index) => ask(`large ${index}`)));
      for (const outcome of outcomes) {
        assert.ok(outcome.status === 'unavailable');
        assert.deepEqual([outcome.refusal?.code, outcome.timedOut], ['not_ready', false]);
      }
      assert.equal(asker.health(source.policy).last_error, null);
      length = 10;
      assert.equal((await ask('small')).status, 'ok');
      assert.equal(server.requests.length, 7);
    });
  }

  test('what is known keeps being answered while it rests', async (t) => {
    let failing = false;
    const { ask } = await lab(t, (response) => (failing ? fail(response) : say(response)));
    await ask('known');
    failing = true;
    for (let time = 0; time < 5; time++) await ask(`q${time}`);
    assert.equal((await ask('known')).status, 'ok');
  });
});

function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write(' '), 20);
  response.once('close', () => clearInterval(timer));
}

describe('who gives up', () => {
  test('is told so, and the question goes on for the others', async (t) => {
    const held = Promise.withResolvers<ServerResponse>();
    const { asker, source, server } = await lab(t, held.resolve, { timeoutMs: 60_000 });
    const gone = new AbortController();
    const impatient = asker.ask(source, 'a', gone.signal);
    const patient = asker.ask(source, 'a');
    const asked = await held.promise;
    gone.abort();
    const outcome = await impatient;
    assert.equal(outcome.status === 'unavailable' && outcome.failure, 'aborted');
    say(asked);
    assert.equal((await patient).status, 'ok');
    assert.equal(server.requests.length, 1);
  });

  test('ends the question where nobody else waits for it, and it can be asked anew', async (t) => {
    let closed = 0;
    const gone = new AbortController();
    const { asker, source } = await lab(t, (response) => {
      response.on('close', () => closed++);
      if (gone.signal.aborted) say(response);
      else gone.abort();
    });
    assert.equal((await asker.ask(source, 'a', gone.signal)).status, 'unavailable');
    await eventually(() => closed === 1, 'the request ends');
    assert.equal((await asker.ask(source, 'a')).status, 'ok');
  });
});

describe('who gives up while others are in the queue before', () => {
  test('is never asked for, and holds nobody up', async (t) => {
    const held: ServerResponse[] = [];
    const { asker, source, server } = await lab(t, (response) => void held.push(response), {
      concurrency: 1,
      timeoutMs: 10_000,
    });
    const first = asker.ask(source, 'first');
    await eventually(() => held.length === 1, 'request 1');
    const gone = new AbortController();
    const abandoned = asker.ask(source, 'abandoned', gone.signal);
    const last = asker.ask(source, 'last');
    gone.abort();
    const outcome = await abandoned;
    assert.equal(outcome.status === 'unavailable' && outcome.failure, 'aborted');
    say(held[0]!);
    await eventually(() => held.length === 2, 'request 2');
    say(held[1]!);
    assert.deepEqual([(await first).status, (await last).status], ['ok', 'ok']);
    assert.deepEqual(
      server.requests.map(({ url }) => url),
      ['/ask?q=first', '/ask?q=last'],
    );
  });

  test('and comes back is in the queue once', async (t) => {
    const held: ServerResponse[] = [];
    const { asker, source, server } = await lab(t, (response) => void held.push(response), {
      concurrency: 1,
      timeoutMs: 10_000,
    });
    const first = asker.ask(source, 'first');
    await eventually(() => held.length === 1, 'request 1');
    for (let time = 0; time < 5; time++) {
      const gone = new AbortController();
      const abandoned = asker.ask(source, 'again', gone.signal);
      gone.abort();
      await abandoned;
    }
    const again = asker.ask(source, 'again');
    say(held[0]!);
    await eventually(() => held.length === 2, 'request 2');
    say(held[1]!);
    assert.deepEqual([(await first).status, (await again).status], ['ok', 'ok']);
    assert.equal(server.requests.length, 2);
  });
});

describe('a source that looks at pages', () => {
  test('counts each look before the cache, and is refused past the limit', async (t) => {
    const { source } = await lab(t, (response) => say(response));
    const hosts: string[] = [];
    const net = openNetworkClient({ dnsServers: [], allowedPrivate: [], proxy: null, extraCa: [] });
    t.after(() => net.close());
    const { server } = await lab(t, (response) => say(response));
    const throttle = async (host: string): Promise<void> => {
      hosts.push(host);
      if (hosts.length > 2) throw new ApiError('target_throttled', 'too often', { retryAfterSeconds: 9 });
    };
    const asker = new SourceClient(net, { baseUrlOf: () => server.url, keyOf: () => null }, () => new Date(), {
      throttle,
    });
    const visiting = { ...source, visitedHost: (question: string) => `${question}.example` };
    const outcomes = [await asker.ask(visiting, 'a'), await asker.ask(visiting, 'a'), await asker.ask(visiting, 'a')];
    assert.deepEqual(hosts, ['a.example', 'a.example', 'a.example']);
    assert.equal(server.requests.length, 1);
    const last = outcomes[2]!;
    assert.equal(last.status === 'unavailable' && last.refusal?.retryAfterSeconds, 9);
  });

  test('is asked again where its answer may not be kept', async (t) => {
    const { asker, source, server } = await lab(t, (response) => say(response, 'private'));
    const passing = { ...source, isCacheable: (found: string) => found !== 'private' };
    await asker.ask(passing, 'a');
    await asker.ask(passing, 'a');
    assert.equal(server.requests.length, 2);
  });
});
