import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, type TestContext, test } from 'node:test';
import { openNetworkClient } from '../../src/net/open-network-client.ts';
import { SourceClient } from '../../src/sources/source-client.ts';
import { crtsh } from '../../src/sources/crtsh.ts';
import { dns } from '../../src/sources/dns.ts';
import { dnsSweep } from '../../src/sources/dns-sweep.ts';
import { dnssec } from '../../src/sources/dnssec.ts';
import type { HttpSource } from '../../src/sources/http-source.ts';
import { READERS } from '../../src/sources/readers.ts';
import { LIVE_SOURCE_POLICIES } from '../../src/sources/registry.ts';
import { serveDns } from '../net/dns-server.ts';
import { longestTurnIn } from '../support/loop-delay.ts';
import { MISBEHAVIOURS, type Misbehaviour, type Ports } from './misbehaviours.ts';
import { askerAmong, httpApis, others, put, row } from './source-table.ts';

/** Every live source, and every way in which it may misbehave: an outcome within the bounds, and nobody else waits for it. */

const MEGABYTE = 1024 * 1024;
const MAX_HELD_UP_MS = 50;
/** All sources at once, or 17 large answers of one: what V8 collects late is counted too. */
const MAX_GROWTH_MB = 200;
/** Each source by itself, above a process that has nothing to do: 74 to 118 for many certificates; a body of 200 MB that is read whole is above. */
const MAX_ABOVE_IDLE_MB = 150;

let servers: ChildProcess;
let ports: Record<Misbehaviour, Ports>;

before(async () => {
  servers = fork(new URL('children/misbehaving-server.ts', import.meta.url));
  ports = await new Promise((resolve) => servers.once('message', (message) => resolve(message as typeof ports)));
});
after(() => void servers.kill());

/** How much memory the process took at most since, in megabytes. */
function growthSoFar(t: TestContext): () => number {
  const start = process.memoryUsage.rss();
  let peak = start;
  const sampling = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20);
  t.after(() => clearInterval(sampling));
  return () => Math.round((peak - start) / MEGABYTE);
}

test('all live sources are in the table, and all that read HTTP have a reader for threads', () => {
  const asked = new Set([...httpApis, ...others].map(({ source }) => source.policy.id));
  const byDns = [dns, dnsSweep, dnssec].map(({ policy }) => policy.id);
  assert.deepEqual(
    LIVE_SOURCE_POLICIES.map(({ id }) => id).filter((id) => !asked.has(id) && !byDns.includes(id)),
    [],
  );
  const readers = httpApis.map(({ source }) => (source as unknown as HttpSource<unknown, unknown>).readerName);
  assert.deepEqual([...readers, 'rdap_domain', 'robots_txt'].toSorted(), Object.keys(READERS).toSorted());
});

describe('a source that misbehaves', () => {
  for (const misbehaviour of MISBEHAVIOURS) {
    test(misbehaviour, { timeout: 180_000 }, async (t) => {
      const asker = await askerAmong(t, ports[misbehaviour]);
      const growth = growthSoFar(t);
      await Promise.all([...httpApis, ...others].map((each) => put(asker, each, misbehaviour)));
      assert.ok(growth() < MAX_GROWTH_MB, `${growth()} MB more at its worst`);
      assert.equal(({} as { polluted?: unknown }).polluted, undefined);
    });
  }
});

test('memory of a process that asks each source', { timeout: 300_000 }, async (t) => {
  const measured = MISBEHAVIOURS.filter((each) => each !== 'silent' && each !== 'slow');
  const worlds = (['prototype keys', 'html', ...measured] as const).map((each) => [each, ports[each]]);
  const entry = new URL('children/asking-process.ts', import.meta.url);
  // Collections in the thread that asks for them: threads of V8 that wait for a core would leave what is free to be counted.
  const asking = fork(entry, [JSON.stringify(worlds)], { execArgv: ['--expose-gc', '--single-threaded-gc'] });
  const ended = once(asking, 'exit').then(([code]) => assert.fail(`it ended with ${code}`));
  const [{ idle, peaks }] = (await Promise.race([once(asking, 'message'), ended])) as [
    { idle: number; peaks: Record<string, number> },
  ];
  const above = measured.map((each) => [each, Math.round((peaks[each]! - idle) / MEGABYTE)] as const);
  t.diagnostic(`megabytes above idle: ${above.map((each) => each.join(' ')).join(', ')}`);
  assert.deepEqual(
    above.filter(([, megabytes]) => megabytes >= MAX_ABOVE_IDLE_MB),
    [],
  );
});

describe('a resolver that misbehaves', () => {
  const noise = Buffer.alloc(512, 0xc0);
  for (const [what, respond] of [
    ['says nothing', () => null],
    ['sends noise', () => noise],
    ['sends names that point at themselves', ({ id }: { id: number }) => pointerLoop(id)],
    ['fails', () => ({ rcode: 2 })],
  ] as const) {
    test(what, { timeout: 180_000 }, async (t) => {
      const resolver = await serveDns(t, respond);
      const net = openNetworkClient({ dnsServers: [resolver.address], allowedPrivate: [], proxy: null, extraCa: [] });
      t.after(() => net.close());
      const asker = new SourceClient(net, { baseUrlOf: () => null, keyOf: () => null }, () => new Date());
      await Promise.all([
        put(asker, row(dns, { name: 'site.example', type: 'A' }), 'silent'),
        put(
          asker,
          row(dnsSweep, { names: ['a.site.example', 'b.site.example'] }, (found) => found.unknown.length === 2),
          'silent',
        ),
        put(
          asker,
          row(dnssec, { name: 'site.example' }, ({ security }) => security === 'indeterminate'),
          'silent',
        ),
      ]);
    });
  }
});

/** A header with one question and one answer, whose names are a pointer to itself. */
function pointerLoop(id: number): Buffer {
  const header = Buffer.from([id >> 8, id & 255, 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0]);
  return Buffer.concat([header, Buffer.from([0xc0, 0x0c, 0, 1, 0, 1]), Buffer.from([0xc0, 0x12, 0, 1, 0, 1])]);
}

describe('nobody else waits', () => {
  let question = 0;
  const another = () => ({ domain: `d${++question}.site.example`, subdomainsOnly: true });

  for (const [misbehaviour, expected] of [
    ['certificates', 'ok'],
    ['nested', 'unavailable'],
    ['nested objects', 'unavailable'],
    ['another shape', 'unavailable'],
  ] as const) {
    test(`while crt.sh answers with ${misbehaviour}, 17 times at once`, { timeout: 180_000 }, async (t) => {
      const many = { ...crtsh, policy: { ...crtsh.policy, timeoutMs: 60_000 } };
      const asker = await askerAmong(t, ports[misbehaviour]);
      const ask = async () => assert.equal((await asker.ask(many, another())).status, expected);
      await ask();
      const growth = growthSoFar(t);
      const ms = await longestTurnIn(() => Promise.all(Array.from({ length: 17 }, ask)), MAX_HELD_UP_MS);
      assert.ok(ms < MAX_HELD_UP_MS, `held up for ${ms} ms`);
      assert.ok(growth() < MAX_GROWTH_MB, `${growth()} MB more at its worst`);
    });
  }
});
