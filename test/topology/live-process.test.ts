import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync, writeFileSync } from 'node:fs';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import { asksOutside } from '../../src/engine/operation.ts';
import { OPERATIONS } from '../../src/operations/list.ts';
import { openNetworkClient } from '../../src/net/open-network-client.ts';
import { forkServiceProcess } from '../../src/server/live-runner.ts';
import { catalogFolderOf } from '../../src/server/runner-deps.ts';
import { type Service, startService } from '../../src/server/service.ts';
import { temporaryFolder } from '../cli/command-line.ts';
import { type Lab, openLab } from '../lab/lab.ts';
import { labConfig } from '../lab/lab-config.ts';
import { labPlanOf, netOptionsOf } from '../lab/lab-plan.ts';
import { fixtureCatalog } from '../operations/fixture-catalog.ts';
import { ask as askOperation } from '../operations/request-of.ts';
import { childrenOf, eventually, freePort } from '../support/engines.ts';
import { startServe } from '../support/serve-process.ts';
import { type TestService, toReply } from '../support/service.ts';

/** The part of a service that asks live sources, in its own process: over the lab, and as it is served. */

const LIVE_PROCESS = new URL('../lab/live-in-lab.ts', import.meta.url);

interface Running {
  base: string;
  service: Service;
  /** The processes that were started to ask live sources, the newest last. */
  live: ChildProcess[];
}

interface Reply {
  status: number;
  headers: Headers;
  text: string;
}

let lab: Lab;
before(async () => {
  lab = await openLab();
});
after(() => lab.close());

/** A service over the lab; `inOneProcess`: it asks the sources itself. `crtsh`: local port that crt.sh is asked at instead. */
async function start(
  t: { after(end: () => Promise<void>): void },
  settings: { inOneProcess?: boolean; crtsh?: number; quota?: number } = {},
): Promise<Running> {
  const dataDir = temporaryFolder();
  const plan = join(dataDir, 'plan.json');
  const { dial, ...others } = labPlanOf(lab);
  const own = settings.crtsh === undefined ? dial.own : [...dial.own, settings.crtsh];
  writeFileSync(plan, JSON.stringify({ dial: { ...dial, own }, ...others }));
  const port = await freePort();
  const sourceUrls = new Map(lab.sourceUrls);
  if (settings.crtsh !== undefined) sourceUrls.set('crtsh', `http://127.0.0.1:${settings.crtsh}/`);
  const config = {
    ...labConfig({ sourceUrls }, { dataDir, port: String(port) }),
    metricsToken: 'token',
    quotaKeyless: settings.quota ?? 0,
  };
  symlinkSync(fixtureCatalog(), catalogFolderOf(config));
  const live: ChildProcess[] = [];
  const service = await startService(config, {
    logger: pino({ level: 'silent' }),
    ...(settings.inOneProcess
      ? { net: openNetworkClient(netOptionsOf(labPlanOf(lab))) }
      : {
          startLiveProcess() {
            live.push(forkServiceProcess(LIVE_PROCESS, [plan]));
            return live.at(-1)!;
          },
        }),
  });
  t.after(() => service.stop());
  return { base: `http://127.0.0.1:${port}`, service, live };
}

async function ask(base: string, path: string, init: RequestInit = {}): Promise<Reply> {
  const response = await fetch(base + path, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** As much of a test service as asks questions. */
function clientOf(base: string): TestService {
  const send = async (method: string, path: string, body?: string, headers: Record<string, string> = {}) => {
    const reply = await ask(base, path, { method, headers, ...(body !== undefined && { body }) });
    return toReply(reply.status, Object.fromEntries(reply.headers), reply.text);
  };
  const client: Partial<Record<keyof TestService, unknown>> = {
    send,
    get: (path: string) => send('GET', path),
    post: (path: string, body: unknown) =>
      send('POST', path, JSON.stringify(body), { 'content-type': 'application/json' }),
  };
  return client as TestService;
}

async function metric(base: string, line: RegExp): Promise<number | null> {
  const { text } = await ask(base, '/metrics', { headers: { authorization: 'Bearer token' } });
  const found = line.exec(text)?.[1];
  return found === undefined ? null : Number(found);
}

/** An upstream that never answers: its requests, as they come. */
async function silentUpstream(t: { after(end: () => void): void }) {
  const requests: { request: IncomingMessage; response: ServerResponse }[] = [];
  const server = createServer((request, response) => void requests.push({ request, response }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port: (server.address() as AddressInfo).port, requests };
}

describe('answers are those of one process', () => {
  const running: Record<'one' | 'two', Running | null> = { one: null, two: null };
  const ends: (() => Promise<void>)[] = [];
  const owner = { after: (end: () => Promise<void>) => void ends.push(end) };
  before(async () => {
    running.one = await start(owner, { inOneProcess: true });
    running.two = await start(owner);
  });
  after(() => Promise.all(ends.map((end) => end())));
  const LATE =
    /too long|in time|the time for|being worked on|left alone|did not answer|no answer about|is not known|not asked|without an answer|could not be looked at|HTTPS did not answer/;
  // What differs between two questions, wherever they are answered.
  const settled = (text: string): unknown =>
    JSON.parse(text, (key, value: unknown) =>
      /(_ms|^latency|seconds|^days_\w+|^request_id|_at|remembered|first_seen|previous|^not_before|^not_after)$/.test(
        key,
      )
        ? null
        : value,
    );
  for (const operation of OPERATIONS.filter(asksOutside)) {
    for (const { title, input } of operation.examples) {
      test(`${operation.id}: ${title}`, async (t) => {
        const [one, two] = await Promise.all(
          [running.one!, running.two!].map(({ base }) => askOperation(clientOf(base), operation, input)),
        );
        assert.equal(two!.status, one!.status);
        const answers = [one!, two!].map(({ text }) => settled(text) as Record<string, unknown>);
        // On a busy machine a part of one of them may be late: then they have the same fields.
        const late = [one!, two!].filter(({ text }) => LATE.test(text));
        if (late.length > 0) t.diagnostic('a part was late: only the fields are compared');
        assert.deepEqual(...((late.length > 0 ? answers.map(Object.keys) : answers) as [unknown, unknown]));
      });
    }
  }

  test('operations that do not ask outside are answered without it', async () => {
    for (const operation of OPERATIONS.filter((each) => !asksOutside(each) && each.personal === undefined)) {
      const { text } = await askOperation(clientOf(running.two!.base), operation, operation.examples[0]!.input);
      assert.doesNotMatch(text, /internal_error|Internal error/, operation.id);
    }
  });

  test('one live process answered them all', () => assert.equal(running.two!.live.length, 1));
});

describe('what a surface reads of the sources', () => {
  test('health and metrics are exact when the answer is there', async (t) => {
    const { base, live } = await start(t);
    assert.equal((await ask(base, '/v1/certs/kept.lab')).status, 200);
    assert.equal(await metric(base, /^sextant_source_calls_total\{source="crtsh",outcome="ok"\} (\d+)$/m), 1);
    assert.equal(await metric(base, /^sextant_source_call_duration_seconds_count\{source="crtsh"\} (\d+)$/m), 1);
    assert.equal((await ask(base, '/v1/certs/kept.lab')).status, 200);
    assert.equal(await metric(base, /^sextant_source_calls_total\{source="crtsh",outcome="ok"\} (\d+)$/m), 1);
    assert.equal(await metric(base, /^sextant_source_cache_hits_total\{source="crtsh"\} (\d+)$/m), 1);
    const health = async (): Promise<{ status: string; last_success_at: string | null; last_error: string | null }> =>
      JSON.parse((await ask(base, '/v1/status')).text).data_sources.crtsh;
    const { last_success_at, last_error } = await health();
    assert.ok(Math.abs(Date.parse(last_success_at!) - Date.now()) < 60_000);
    assert.equal(last_error, null);

    await t.test('a failure, too', async () => {
      lab.source('crtsh').mode = 'status';
      t.after(() => {
        lab.source('crtsh').mode = 'ok';
      });
      assert.equal((await ask(base, '/v1/certs/poor.lab')).status, 200);
      assert.equal((await health()).status, 'error');
    });

    await t.test('also after the live process has died', async () => {
      const died = once(live[0]!, 'exit');
      live[0]!.kill('SIGKILL');
      await died;
      assert.equal((await health()).last_success_at, last_success_at);
    });
  });

  test('the visits of a target are counted for all: 60 a minute', async (t) => {
    const { base } = await start(t);
    const statuses: number[] = [];
    for (let at = 0; at < 61; at++) statuses.push((await ask(base, '/v1/robots/kept.lab')).status);
    assert.deepEqual(statuses, [...Array<number>(60).fill(200), 429]);
  });
});

describe('a live process that is killed while it answers', () => {
  test('the call is refused with Retry-After and costs nothing; the next one is answered by another process', async (t) => {
    const { port, requests } = await silentUpstream(t);
    const { base, live } = await start(t, { crtsh: port, quota: 10 });
    const reply = ask(base, '/v1/certs/kept.lab');
    await eventually(() => requests.length === 1, 'the source is asked');
    assert.equal(await metric(base, /^sextant_live_calls (\d+)$/m), 1);
    live[0]!.kill('SIGKILL');
    const { status, headers, text } = await reply;
    assert.deepEqual([status, JSON.parse(text).error.code], [503, 'not_ready']);
    assert.ok(Number(headers.get('retry-after')) > 0);
    assert.equal(headers.get('x-ratelimit-remaining'), '10');
    assert.equal(await metric(base, /^sextant_live_calls (\d+)$/m), 0);
    assert.equal((await ask(base, '/v1/dns/kept.lab')).status, 200);
    assert.equal(live.length, 2);
  });
});

test('a caller who leaves ends the work of the live process', async (t) => {
  const { port, requests } = await silentUpstream(t);
  const { base } = await start(t, { crtsh: port });
  const caller = get(`${base}/v1/certs/kept.lab`).on('error', () => {});
  await eventually(() => requests.length === 1, 'the source is asked');
  const left = once(requests[0]!.response, 'close');
  caller.destroy();
  await left;
  await eventually(async () => (await metric(base, /^sextant_live_calls (\d+)$/m)) === 0, 'no call is left');
});

describe('the end', { skip: process.platform !== 'linux' && 'no /proc' }, () => {
  const isRunning = (pid: number): boolean => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };
  /** A service as it is served, whose live process asks a DNS server that is not there. */
  async function serveWithLive() {
    const served = await startServe({ SEXTANT_DNS_SERVERS: '127.0.0.1:9' });
    await ask(served.base, '/v1/dns/example.com');
    const [live] = childrenOf(served.pid);
    assert.ok(live !== undefined, 'the live process runs');
    return { served, live };
  }

  test('the live process has a lower priority than the service', async (t) => {
    const { served, live } = await serveWithLive();
    t.after(() => served.stop());
    assert.ok(getPriority(live) > getPriority(served.pid));
  });

  test('a service that stops in an orderly way leaves no process', async () => {
    const { served, live } = await serveWithLive();
    assert.equal(await served.stop(), 0);
    assert.equal(isRunning(live), false);
  });

  test('a service that is killed leaves no process', async () => {
    const { served, live } = await serveWithLive();
    await served.stop('SIGKILL');
    await eventually(() => !isRunning(live), 'the live process ends');
  });

  test('nor does one that is killed while the live process starts', async () => {
    const served = await startServe({ SEXTANT_DNS_SERVERS: '127.0.0.1:9' });
    ask(served.base, '/v1/dns/example.com').catch(() => {});
    await eventually(() => childrenOf(served.pid).length === 1, 'the live process starts');
    const [live] = childrenOf(served.pid) as [number];
    await served.stop('SIGKILL');
    await eventually(() => !isRunning(live), 'the live process ends');
  });

  test('the live process alone does not end by the signals of a terminal', async (t) => {
    const { served, live } = await serveWithLive();
    t.after(() => served.stop());
    process.kill(live, 'SIGINT');
    process.kill(live, 'SIGTERM');
    await ask(served.base, '/v1/dns/example.org');
    assert.deepEqual(childrenOf(served.pid), [live]);
  });
});
